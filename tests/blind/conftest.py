"""A copy of one demo suite that tests may judge blind in, and a state folder of their own."""

from pathlib import Path

import pytest

from evalcore.workspace.opened import Workspace
from tests.judging.copies import INVOICES, copied, reset


@pytest.fixture(scope="session")
def invoices(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the invoice extractor, opened once."""
    return copied(tmp_path_factory.mktemp("copy"), INVOICES)


@pytest.fixture
def ws(invoices: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """The copy as it was opened; secrets are kept in a folder of the test."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return reset(invoices, INVOICES)
