"""Open a folder as it is, and once more with nothing read by column."""

from pathlib import Path

import pytest

from evalcore import Workspace, open_workspace
from evalcore.families.gradings import GradedSuite
from tests.workspace.trees import everything


def both(root: Path) -> tuple[Workspace, Workspace]:
    """The folder read by column where that is possible, and read with tolerance throughout."""
    by_type = open_workspace(root, cache=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GradedSuite, "_documented", lambda *_: None)
        return by_type, open_workspace(root, cache=False)


def assert_equal(one: Workspace, two: Workspace) -> None:
    """Every table, text and problem is the same."""
    assert everything(one) == everything(two)
