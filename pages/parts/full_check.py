"""The full check of a workspace in the background, cached as long as no file changes."""

from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

import streamlit as st

from evalcore import Workspace
from evalcore.views.problems import Problems, problems_at_open, problems_of

# How long a page waits for the check before it shows what opening found.
_PATIENCE_SECONDS: Final = 0.4
# A check takes about a second for so many documents.
_MOST_BEHIND: Final = 5_000
_CHECKING: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="full-check")


class _Stopped(Exception):
    """The check was stopped, as the workspace changed."""


class Check:
    """A running or finished check; `looked` of `documents` documents have been checked."""

    def __init__(self, workspace: Workspace) -> None:
        self.looked, self.documents = 0, len(workspace.tables.documents)
        self._stopped = False
        self._at_open = problems_at_open(workspace)
        self._ended: Future[Problems] = _CHECKING.submit(self._run, workspace)

    def problems(self, patience: float = 0.0) -> Problems:
        """Return the problems of the check or, until it ends, those found at open."""
        if not wait([self._ended], patience).done:
            return self._at_open
        if self._ended.cancelled() or (fault := self._ended.exception()) is not None:
            # What opening found stands, whatever stopped the check.
            why = "files changed" if self._stopped else type(fault).__name__
            return replace(self._at_open, complete=True, why=why)
        return self._ended.result()

    def stop(self) -> None:
        """Stop the check, as the files changed."""
        self._stopped = True
        self._ended.cancel()

    @property
    def ended(self) -> bool:
        """Say whether the check has ended."""
        return self._ended.done()

    def _run(self, workspace: Workspace) -> Problems:
        from evalcore.lint import check  # noqa: PLC0415 - pages are drawn before it begins

        return problems_of(check(workspace, self._progress), complete=True)

    def _progress(self, looked: int, documents: int) -> None:
        self.looked, self.documents = looked, documents
        if self._stopped:
            raise _Stopped


_BEGUN: Final[WeakKeyDictionary[Workspace, Check]] = WeakKeyDictionary()
_BEGINNING: Final = Lock()


def checked(workspace: Workspace) -> tuple[Check, Problems]:
    """Return the check of this snapshot, started if necessary, and the problems known so far.

    What stands above on the page was drawn before: if the check ends here, it is drawn again.
    """
    begun = _begin(workspace)
    ended_before = begun.ended
    found = begun.problems(_PATIENCE_SECONDS)
    if found.complete and not ended_before:
        st.rerun()
    return begun, found


def known_problems(workspace: Workspace) -> Problems:
    """Return the known problems of a workspace without starting a check."""
    begun = _BEGUN.get(workspace)
    return problems_at_open(workspace) if begun is None else begun.problems()


def _begin(workspace: Workspace) -> Check:
    with _BEGINNING:
        if workspace not in _BEGUN:
            # Files that change often must not queue one check behind the other.
            for other, check in _BEGUN.items():
                if other.root == workspace.root and other.unmasked is not workspace.unmasked:
                    check.stop()
            _BEGUN[workspace] = Check(workspace)
        return _BEGUN[workspace]


def check_behind(workspace: Workspace) -> None:
    """Check the workspace in the background of a drawn page, and redraw it at the end.

    A large workspace is checked only on the page that lists its problems, as the check would slow
    down everything else.
    """
    if len(workspace.tables.documents) <= _MOST_BEHIND and not known_problems(workspace).complete:
        _drawn_when_checked(_begin(workspace))


@st.fragment(run_every=1.0)
def _drawn_when_checked(begun: Check) -> None:
    if begun.ended:
        st.rerun()


@st.fragment(run_every=1.0)
def still_checking(begun: Check) -> None:
    """Show the progress of the check once a second, and redraw the page at the end."""
    if begun.ended:
        st.rerun()
    st.text(
        f"Still checking the rules: {begun.looked:,} of {begun.documents:,} documents looked at."
    )
