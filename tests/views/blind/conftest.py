"""A copy of one demo suite that tests may judge blind in."""

from pathlib import Path

import pytest

from evalcore.workspace.opened import Workspace
from tests.judging.copies import INVOICES, copied


@pytest.fixture
def ws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A copy of the invoice extractor; secrets are kept in a folder of the test."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return copied(tmp_path / "copy", INVOICES)
