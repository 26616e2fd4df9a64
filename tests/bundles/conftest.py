"""Each test unpacks into a state folder of its own."""

from pathlib import Path

import pytest

from evalcore.workspace.opened import Workspace
from tests.bundles.made import bundled
from tests.judging.copies import NOTES, copied


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state folder."""
    place = tmp_path / "state"
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(place))
    monkeypatch.setenv("EVALCORE_CACHE_DIR", str(tmp_path / "cache"))
    return place


@pytest.fixture(scope="session")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the release notes, which nobody changes."""
    return copied(tmp_path_factory.mktemp("notes"), NOTES)


@pytest.fixture
def sent(notes: Workspace, tmp_path: Path) -> Path:
    """A bundle of the release notes with their outputs."""
    return bundled(notes, tmp_path / "notes.evc.zip")
