"""A copy of one demo suite that tests may judge in."""

import pytest

from evalcore.workspace.opened import Workspace
from tests.judging.copies import NOTES, copied, reset


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the release notes, opened once."""
    return copied(tmp_path_factory.mktemp("copy"), NOTES)


@pytest.fixture
def ws(opened: Workspace) -> Workspace:
    """The copy as it was opened."""
    return reset(opened, NOTES)
