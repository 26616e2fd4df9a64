"""The choice of a page: read from the address and checked against the workspace."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import streamlit as st

from evalcore import Workspace
from evalcore.counting.choices import (
    configuration_names,
    suite_called,
    suite_ids,
    suite_names,
    suites_without_runs,
    version_names,
)
from evalcore.counting.people import Scores, has_human_scores
from evalcore.errors import EvalcoreError, WorkspaceNotFound
from evalcore.judging.hiding import workspace_for
from evalcore.live import LiveWorkspace, Opening, Snapshot
from evalcore.recent import resolve
from evalcore.views.words.wording import count, percent
from pages.parts.judge_name import here

OPEN_VARIABLE: Final = "EVALCORE_OPEN"
SCORES: Final[tuple[Scores, ...]] = ("recorded", "human", "human-first")

# A reading that nobody watched over for this long is compared with the folder before a first page
# shows it, which waits so long for that before it shows what there is.
_UNSURE_SECONDS: Final = 5.0
_PATIENCE_SECONDS: Final = 2.0
_WISH_LENGTH: Final = 80
_SOON_SECONDS: Final = 0.3
"""A workspace that is open so soon is shown without a bar before it."""
_STEP_SECONDS: Final = 0.2


class Offer(NamedTuple):
    """The choices that a workspace and one of its suites offer; `suites` with their labels."""

    suites: dict[str, str]
    versions: tuple[str, ...]
    configurations: tuple[str, ...]
    human_scores: bool = False


@dataclass(frozen=True)
class Choice:
    """The choice in the address, as far as the workspace has it.

    `version` and `configuration` are None for all of them, `suite` only in a workspace without
    suites. `messages` holds a sentence for each request that could not be met.
    """

    workspace: str
    suite: str | None = None
    version: str | None = None
    configuration: str | None = None
    scores: Scores = SCORES[0]
    messages: tuple[str, ...] = ()

    def query(self, **changed: str | None) -> dict[str, str]:
        """Return the address parameters of this choice, with some changed or left out (None)."""
        parameters = {
            "w": self.workspace,
            "suite": self.suite,
            "v": self.version,
            "c": self.configuration,
            "scores": None if self.scores == SCORES[0] else self.scores,
        } | changed
        return {name: value for name, value in parameters.items() if value is not None}


def asked_workspace() -> str | None:
    """Return the name of the workspace in the address or of `evalcore open`."""
    return st.query_params.get("w") or os.environ.get(OPEN_VARIABLE) or None


def read_ahead() -> Opening | None:
    """Begin to read the workspace that `evalcore open` named, before a page asks for it."""
    return opening_of(os.environ.get(OPEN_VARIABLE, ""))


def choose(name: str, query: Mapping[str, str], workspace: Workspace) -> Choice:
    """Return the choice of `query` in the workspace `name`, with messages for what it lacks."""
    messages: list[str] = []
    suites, asked = suite_ids(workspace), query.get("suite")
    first = next(iter(suites), None)
    shown = suite_names(workspace).get(first or "", "none")
    suite = asked and suite_called(workspace, asked)
    suite = suite or _resolved("suite", asked, suites, shown, messages) or first
    if suite is None:
        return Choice(name, messages=tuple(messages))
    found = offer(workspace, suite)
    version = _resolved("version", query.get("v"), found.versions, "all versions", messages)
    configuration = _resolved(
        "configuration", query.get("c"), found.configurations, "all configurations", messages
    )
    scores = next((each for each in SCORES if each == query.get("scores")), SCORES[0])
    return Choice(name, suite, version, configuration, scores, tuple(messages))


def _resolved(
    what: str, requested: str | None, known: Iterable[str], instead: str, messages: list[str]
) -> str | None:
    if requested is None or requested in set(known):
        return requested
    messages.append(
        f"There is no {what} called “{requested[:_WISH_LENGTH]}” here; showing {instead}."
    )
    return None


def offer(workspace: Workspace, suite: str | None) -> Offer:
    """Return the suites of the workspace and the versions and configurations of one of them."""
    idle = suites_without_runs(workspace)
    suites = {
        each: f"{name} · no runs" if each in idle else name
        for each, name in suite_names(workspace).items()
    }
    if suite is None:
        return Offer(suites, (), ())
    return Offer(
        suites,
        version_names(workspace, suite),
        configuration_names(workspace, suite),
        has_human_scores(workspace, suite),
    )


class ReaderWorkspace(NamedTuple):
    """A workspace as one user sees it: the snapshot on screen, and the live folder.

    What is hidden from the judge of this browser is hidden in both snapshots.
    """

    live: LiveWorkspace
    snapshot: Snapshot
    key: str

    @property
    def newest(self) -> Snapshot:
        """The newest snapshot as this user may see it."""
        return _as_seen(self.live.newest)

    def show_newest(self) -> None:
        """Let this user's next page show the newest snapshot."""
        st.session_state[self.key] = self.live.newest


def opening_of(name: str) -> Opening | None:
    """Return the opening of the workspace called `name`, begun now if need be."""
    path = resolve(name)
    return None if path is None else _opening(path)


def wait_for(opening: Opening | None, title: str, aside: Callable[[], None]) -> None:
    """Show how far reading is until the workspace is open; `aside` draws the sidebar meanwhile."""
    if opening is None or opening.wait(_SOON_SECONDS):
        return
    with st.sidebar:
        aside()
    st.title(title, anchor=False, width="content")
    bar = st.progress(0.0, "Reading documents …")
    while not opening.wait(_STEP_SECONDS):
        if opening.whole:
            said = f"Reading {count(opening.whole, 'document')} … {percent(opening.share)}"
            bar.progress(opening.share, said)
    st.rerun()


def reader_workspace(name: str) -> ReaderWorkspace | None:
    """Return the workspace called `name` as this user sees it; None for unknown names.

    A user keeps the snapshot of the first page until they ask for a newer one.

    Raises `EvalcoreError` or `OSError` if its folder cannot be read.
    """
    path = resolve(name)
    if path is None:
        return None
    try:
        live, key = _opening(path).result(), f"seen-{path}"
    except (EvalcoreError, OSError):
        _opening.clear(path)  # what is mended meanwhile can be read the next time
        raise
    if key not in st.session_state:
        if not path.is_dir():
            raise WorkspaceNotFound(path)
        live.look()
        if live.unsure_seconds > _UNSURE_SECONDS:
            live.wait_until_watched(_PATIENCE_SECONDS)
        st.session_state[key] = live.newest
    live.look()
    return ReaderWorkspace(live, _as_seen(st.session_state[key]), key)


def _as_seen(snapshot: Snapshot) -> Snapshot:
    """Return a snapshot without what is hidden from the judge of this browser."""
    return snapshot._replace(workspace=workspace_for(snapshot.workspace, here()))


@st.cache_resource(max_entries=8, show_spinner=False, on_release=Opening.stop)
def _opening(path: Path) -> Opening:
    return Opening(path)
