"""What is kept beside the folder lies among the test's own files."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _kept_apart(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: Path = tmp_path_factory.mktemp("kept")
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(kept / "cache"))
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(kept / "state"))
