"""Endpoints, models, prices and keys: from the user's configuration and environment only."""

from pathlib import Path

import msgspec
import pytest

from evalcore.errors import CannotRun, UnknownName
from evalcore.models.configuration import (
    configuration,
    has_key,
    is_local,
    key_of,
    model_of,
)

LOCAL = '[endpoints.local]\nbase_url = "http://127.0.0.1:11434/v1"\n'


def test_without_a_file_the_clients_own_variables_describe_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = model_of("gpt-x")
    assert (found.model, found.base_url) == ("gpt-x", "https://api.openai.com/v1")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1234/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    found = model_of("gpt-x")
    assert (found.base_url, key_of(found)) == ("http://127.0.0.1:1234/v1", "secret")


def test_the_usual_server_needs_a_key_and_one_of_the_users_own_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(CannotRun, match="set OPENAI_API_KEY"):
        key_of(model_of("gpt-x"))
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1234/v1")
    assert key_of(model_of("gpt-x")) is None


def test_a_model_is_named_by_the_user_or_by_its_endpoint(config: Path) -> None:
    config.write_text(
        f'{LOCAL}seconds = 5.0\nschema = false\n[models.small]\nendpoint = "local"\n'
        'model = "gemma"\ninput_usd = 1.0\nparameters = {temperature = 0}\n'
    )
    small = model_of("small")
    assert (small.endpoint, small.model, small.parameters) == ("local", "gemma", {"temperature": 0})
    assert (small.schema, small.seconds) == (False, 5.0)
    assert model_of("local/org/big").model == "org/big"
    assert model_of("other/big").endpoint == "openai"
    assert model_of("other/big").model == "other/big"


def test_a_price_needs_both_prices_and_both_counts(config: Path) -> None:
    model = msgspec.structs.replace(model_of("x"), input_usd=1.0, output_usd=3.0)
    assert model.cost(1_000_000, 2_000_000) == 7.0
    assert model.cost(None, 2) is None
    assert model.cost(2, None) is None
    assert msgspec.structs.replace(model, output_usd=None).cost(1, 1) is None
    assert model.cost(0, 0) == 0.0


def test_a_key_in_the_file_counts_only_while_nobody_else_can_read_it(config: Path) -> None:
    config.write_text(f'{LOCAL}key = "secret"\n')
    config.chmod(0o640)
    with pytest.raises(CannotRun, match="chmod 600"):
        configuration()
    config.chmod(0o600)
    assert key_of(model_of("local/x")) == "secret"
    assert has_key(configuration().endpoints["local"])


def test_a_named_key_that_is_not_set_is_said(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config.write_text(f'{LOCAL}key_env = "LOCAL_KEY"\n')
    with pytest.raises(CannotRun, match="set LOCAL_KEY"):
        key_of(model_of("local/x"))
    assert not has_key(configuration().endpoints["local"])
    monkeypatch.setenv("LOCAL_KEY", "secret")
    assert key_of(model_of("local/x")) == "secret"


def test_a_key_is_never_sent_where_an_endpoint_did_not_lead_when_it_was_planned(
    config: Path,
) -> None:
    config.write_text(f'{LOCAL}key = "secret"\n')
    config.chmod(0o600)
    planned = msgspec.structs.replace(model_of("local/x"), base_url="http://evil.example/v1")
    with pytest.raises(CannotRun, match="no longer"):
        key_of(planned)


@pytest.mark.parametrize(
    "address",
    ["", "127.0.0.1:80", "ftp://host/v1", "http://", "http://me:secret@host/v1",
     "http://host/v1?key=secret", "http://host/v1#x", "http://[bad/v1"],
)  # fmt: skip
def test_an_address_that_is_none_or_holds_a_key_is_refused(config: Path, address: str) -> None:
    config.write_text(f'[endpoints.local]\nbase_url = "{address}"\n')
    with pytest.raises(CannotRun, match="'local' needs an address") as refused:
        configuration()
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["judge = ", "judge = 3", "judges = 'x'", "[endpoints.a]\nurl = 1"]
)
def test_a_file_that_cannot_be_read_is_said(config: Path, text: str) -> None:
    config.write_text(text)
    with pytest.raises(CannotRun, match=r"models\.toml cannot be read"):
        configuration()


def test_a_model_of_no_endpoint_or_with_evalcores_own_parameters_is_refused(config: Path) -> None:
    config.write_text('[models.a]\nendpoint = "locl"\n' + LOCAL)
    with pytest.raises(UnknownName, match="Did you mean 'local'"):
        configuration()
    config.write_text("[models.a]\nparameters = {messages = 1}\n")
    with pytest.raises(CannotRun, match="cannot set 'messages'"):
        configuration()


def test_no_name_is_no_model() -> None:
    with pytest.raises(CannotRun, match="--model"):
        model_of(" ")


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost/v1", True),
        ("http://192.168.0.9/v1", False),
        ("http://0.0.0.0/v1", False),
        ("http://localhost.example.org/v1", False),
        ("http://models.example.org/v1", False),
    ],
)
def test_a_key_goes_unencrypted_only_to_this_machine(
    config: Path, monkeypatch: pytest.MonkeyPatch, url: str, local: bool
) -> None:
    """Without a key such a server can be asked, and with https it can have one."""
    monkeypatch.setenv("MY_KEY", "secret")
    config.write_text(f'[endpoints.mine]\nbase_url = "{url}"\nkey_env = "MY_KEY"\n')
    assert is_local(url) is local
    if local:
        assert key_of(model_of("mine/x")) == "secret"
    else:
        with pytest.raises(CannotRun, match="unencrypted"):
            key_of(model_of("mine/x"))
    config.write_text(f'[endpoints.mine]\nbase_url = "{url}"\n')
    assert key_of(model_of("mine/x")) is None
    secure = url.replace("http:", "https:")
    config.write_text(f'[endpoints.mine]\nbase_url = "{secure}"\nkey_env = "MY_KEY"\n')
    assert key_of(model_of("mine/x")) == "secret"
