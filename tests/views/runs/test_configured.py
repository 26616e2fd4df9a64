"""What is configured is shown with addresses and prices; of keys only whether they are set."""

from pathlib import Path

import pytest

from evalcore.models.configuration import configuration
from evalcore.views.blocks.page import Table
from evalcore.views.runs.configured import NO_PRICE, configured_blocks

CANARY = "sk-canary-page-3"


def test_endpoints_and_models_stand_with_address_and_price_and_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever way a key is given."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path))
    monkeypatch.setenv("A_KEY", CANARY)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    path = tmp_path / "models.toml"
    path.write_text(
        f'[endpoints.a]\nbase_url = "http://127.0.0.1:1/v1"\nkey = "{CANARY}"\n'
        '[endpoints.b]\nbase_url = "http://127.0.0.1:2/v1"\nkey_env = "A_KEY"\n'
        '[endpoints.c]\nbase_url = "http://127.0.0.1:3/v1"\n'
        '[models.m]\nendpoint = "a"\ninput_usd = 0.5\noutput_usd = 2\n[models.n]\n'
    )
    path.chmod(0o600)
    endpoints, models = (
        each for each in configured_blocks(configuration()) if isinstance(each, Table)
    )
    assert [row.cells[2].text for row in endpoints.rows] == [
        "key from OPENAI_API_KEY, which is not set",
        "key in the file",
        "key from A_KEY",
        "no key",
    ]
    assert [row.cells[1].text for row in models.rows] == ["m at a", "n at openai"]
    assert [row.cells[2].text for row in models.rows] == [
        "$0.5 in, $2 out for a million tokens",
        NO_PRICE,
    ]
    assert CANARY not in repr([endpoints, models])
