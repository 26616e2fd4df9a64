"""`evalcore models` and `doctor --model`: what is configured, never a key, and one cheap call."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke
from tests.models.fake_openai import fake_openai

CANARY = "sk-canary-cli-51"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path))
    return tmp_path / "models.toml"


def _configure(config: Path, url: str) -> None:
    config.write_text(
        f'judge = "small"\n[endpoints.local]\nbase_url = "{url}"\nkey = "{CANARY}"\n'
        '[endpoints.other]\nbase_url = "http://127.0.0.1:9/v1"\nkey_env = "OTHER_KEY"\n'
        '[models.small]\nendpoint = "local"\nmodel = "gemma"\n'
        "input_usd = 1.0\noutput_usd = 2.0\n[models.plain]\n"
    )
    config.chmod(0o600)


def test_it_lists_endpoints_and_models_and_never_a_key(invoke: Invoke, config: Path) -> None:
    """Also whether a key is set, and that prices are missing."""
    _configure(config, "http://127.0.0.1:1/v1")
    said = invoke("models").stdout
    assert "http://127.0.0.1:1/v1  (key in the file)" in said
    assert "key from OTHER_KEY, which is not set" in said
    assert "gemma at local ($1 in, $2 out for a million tokens)" in said
    assert "plain at openai (price not known" in said
    assert str(config) in said
    told = invoke("models", "--json").stdout
    assert CANARY not in said + told
    found = json.loads(told)
    assert found["judge"] == "small"
    assert {each["name"]: each["has_key"] for each in found["endpoints"]} == {
        "openai": False,
        "local": True,
        "other": False,
    }


def test_doctor_asks_a_model_once_and_tells_what_it_cost(invoke: Invoke, config: Path) -> None:
    """One short question."""
    with fake_openai() as fake:
        _configure(config, fake.url)
        done = invoke("doctor", "--model", "small")
        assert done.exit_code == 0
        assert "It answered 'fine'" in done.stdout
        assert "120 tokens, $0.000140" in done.stdout
        assert len(fake.asked) == 1


@pytest.mark.parametrize(
    ("own", "sent"),
    [
        ("", {"max_completion_tokens": 64}),
        ("parameters = { max_tokens = 9 }", {"max_tokens": 9}),
        ("parameters = { max_completion_tokens = 7 }", {"max_completion_tokens": 7}),
    ],
)
def test_the_answer_to_doctor_is_short_unless_the_user_says_how_long(
    invoke: Invoke, config: Path, own: str, sent: dict[str, int]
) -> None:
    """A call that checks an endpoint is cheap."""
    with fake_openai() as fake:
        _configure(config, fake.url)
        config.write_text(config.read_text().replace('model = "gemma"', f'model = "gemma"\n{own}'))
        assert invoke("doctor", "--model", "small").exit_code == 0
        (one,) = fake.asked
        assert {name: one.body[name] for name in one.body if "max" in name} == sent


@pytest.mark.parametrize("fault", ["echo 401", "status 500", "refuse", "redirect 302"])
def test_doctor_ends_with_1_and_a_sentence_where_it_does_not_answer(
    invoke: Invoke, config: Path, fault: str
) -> None:
    """One request only, and no key in what is printed."""
    with fake_openai() as fake:
        fake.redirect_to = "http://127.0.0.1:9/"
        _configure(config, fake.url)
        fake.faults = [fault]
        done = invoke("doctor", "--model", "small")
        assert done.exit_code == 1
        assert ": " in done.stdout.splitlines()[1]
        assert CANARY not in done.stdout + done.stderr
        assert len(fake.asked) == 1
