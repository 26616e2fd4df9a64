"""A finished file gets its name once, whatever is answered."""

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.disk import handles, naming
from evalcore.disk.naming import Unsettled, move, name_once

NAME, TEMPORARY = "a.json", "a.tmp"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[int]:
    """Yield a folder with a finished file."""
    (tmp_path / TEMPORARY).write_text("new")
    with handles.folder(tmp_path) as handle:
        yield handle


def answers(code: int, call: Callable[..., Any] = lambda *_, **__: None) -> Callable[..., None]:
    """Return a call that is done, if one is given, and reported as failed."""

    def instead(*given: Any, **named: Any) -> None:
        call(*given, **named)
        raise OSError(code, os.strerror(code))

    return instead


@pytest.mark.parametrize("code", [errno.EEXIST, errno.EIO, errno.ETIMEDOUT, errno.EPERM])
@pytest.mark.parametrize("links", [True, False])
def test_what_was_done_and_reported_as_failed_is_done(
    home: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, links: bool
) -> None:
    """The answer of a file server was lost, and the repeated request found the name taken."""
    if links:
        monkeypatch.setattr(os, "link", answers(code, os.link))
    else:
        monkeypatch.setattr(os, "link", answers(errno.EOPNOTSUPP))
        monkeypatch.setattr(naming, "_move_new", answers(code, naming._move_new))
    assert name_once(home, TEMPORARY, home, NAME) is True
    assert (tmp_path / NAME).read_text() == "new"


def test_a_name_that_another_file_has_is_taken(home: int, tmp_path: Path) -> None:
    """Even if its content is the same."""
    (tmp_path / NAME).write_text("new")
    assert name_once(home, TEMPORARY, home, NAME) is False


def test_what_failed_is_not_named(home: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is the one of the system."""
    monkeypatch.setattr(os, "link", answers(errno.EIO))
    with pytest.raises(OSError, match="Input/output") as caught:
        name_once(home, TEMPORARY, home, NAME)
    assert not isinstance(caught.value, Unsettled)


def test_what_cannot_be_looked_at_is_not_settled(
    home: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither done nor failed may be said."""

    def gone(*given: Any, **named: Any) -> None:
        monkeypatch.setattr(os, "stat", answers(errno.ESTALE))
        raise OSError(errno.EIO, "lost")

    monkeypatch.setattr(os, "link", gone)
    with pytest.raises(Unsettled):
        name_once(home, TEMPORARY, home, NAME)


@pytest.mark.parametrize("code", [errno.ENOENT, errno.EIO])
def test_a_move_that_was_done_is_done(
    home: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    """A repeated move finds nothing to move."""
    (tmp_path / NAME).write_text("old")
    monkeypatch.setattr(os, "replace", answers(code, os.replace))
    move(home, TEMPORARY, home, NAME)
    assert (tmp_path / NAME).read_text() == "new"


def test_a_move_that_was_done_is_done_though_somebody_was_quicker_than_we_looked(
    home: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their change builds on ours: told as failed, ours would be made a second time."""
    real = os.replace

    def replaced_at_once(*given: Any, **named: Any) -> None:
        real(*given, **named)
        (tmp_path / "theirs").write_text("newer")
        real(tmp_path / "theirs", tmp_path / NAME)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / NAME).write_text("old")
    monkeypatch.setattr(os, "replace", replaced_at_once)
    move(home, TEMPORARY, home, NAME)
    assert (tmp_path / NAME).read_text() == "newer"


def test_a_move_that_was_not_done_is_an_error(
    home: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What had the name stays."""
    (tmp_path / NAME).write_text("old")
    monkeypatch.setattr(os, "replace", answers(errno.EIO))
    with pytest.raises(OSError, match="Input/output"):
        move(home, TEMPORARY, home, NAME)
    assert (tmp_path / NAME).read_text() == "old"
