"""The logs of Inspect in the demo: made by a tool, and worse with the shorter prompt."""

from pathlib import Path

import pytest

from tests.demo.reading import files
from tools import demo_logs


def test_the_logs_are_what_the_tool_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Byte for byte, so that a change of them can be read as one of the tool."""
    monkeypatch.setattr(demo_logs, "OUT", tmp_path / "logs")
    demo_logs.main()
    shipped = {path.name: path.read_bytes() for path in files("logs/*")}
    assert {path.name: path.read_bytes() for path in (tmp_path / "logs").iterdir()} == shipped
