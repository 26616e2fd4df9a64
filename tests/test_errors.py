"""Errors of the caller: each names the thing and the next step."""

from pathlib import Path

import pytest

from evalcore.errors import (
    AlreadyStored,
    CannotAllow,
    CannotCompare,
    CannotServe,
    CannotWrite,
    EvalcoreError,
    MayBeWritten,
    PathOutside,
    StaleTask,
    UnknownFamily,
    UnknownName,
    WorkspaceNotFound,
)
from evalcore.problems import pointer


@pytest.mark.parametrize(
    "error",
    [
        WorkspaceNotFound(Path("nowhere")),
        UnknownName("suite", "x", []),
        UnknownFamily("other", ["improve"]),
        PathOutside("../x"),
        CannotWrite(Path("x"), "the disk is full"),
        MayBeWritten(Path("x"), "the disk is full"),
        AlreadyStored(Path("x"), None),
        StaleTask("The output changed since you opened it."),
        CannotCompare("Name two sides."),
        CannotAllow("The command names too many files."),
        CannotServe("The port is taken."),
    ],
)
def test_every_error_is_one_of_a_tree_and_a_sentence(error: EvalcoreError) -> None:
    """One `except EvalcoreError` catches all, and each message ends like a sentence."""
    assert isinstance(error, EvalcoreError)
    assert str(error).endswith(".")


def test_a_file_is_not_taken_for_a_folder(tmp_path: Path) -> None:
    """The message tells a missing folder from something that is none."""
    file = tmp_path / "a.json"
    assert "does not exist" in str(WorkspaceNotFound(file))
    file.write_text("{}")
    assert "is not a folder" in str(WorkspaceNotFound(file))


@pytest.mark.parametrize(
    ("name", "known", "said"),
    [
        ("suit", ["suite", "other"], "Did you mean 'suite'?"),
        ("zzz", ["b", "a"], "There is: a, b."),
        ("zzz", [], "There is none."),
    ],
)
def test_an_unknown_name_is_answered_with_known_ones(
    name: str, known: list[str], said: str
) -> None:
    """The nearest name is offered, else those there are."""
    assert str(UnknownName("table", name, known)).endswith(said)


def test_a_pointer_escapes_what_separates() -> None:
    """Parts of a JSON pointer may hold `/` and `~`."""
    assert pointer("a/b", 0, "~") == "/a~1b/0/~0"
    assert pointer() == ""
