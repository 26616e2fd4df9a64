"""A fake server, and a configuration that leads to it with a key that must never be seen."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evalcore.models.configuration import Model, model_of
from tests.models.fake_openai import FakeOpenAI, fake_openai

CANARY = "sk-canary-7d1f9a0b"


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the file of models in a configuration of its own; no variable of the client is set."""
    for name in ("API_KEY", "BASE_URL", "ORG_ID", "PROJECT_ID", "ADMIN_KEY"):
        monkeypatch.delenv(f"OPENAI_{name}", raising=False)
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path))
    return tmp_path / "models.toml"


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with fake_openai() as server:
        yield server


@pytest.fixture
def model(fake: FakeOpenAI, config: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Model]:
    """Return a function that gives the model of an endpoint with a canary key."""
    monkeypatch.setenv("FAKE_KEY", CANARY)
    config.write_text(
        f'[endpoints.fake]\nbase_url = "{fake.url}"\nkey_env = "FAKE_KEY"\n'
        '[models.small]\nendpoint = "fake"\nmodel = "fake-1"\n'
        "input_usd = 2.0\noutput_usd = 10.0\n"
    )
    return lambda: model_of("small")
