"""The choice of a page: read from the address and checked against the workspace."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

import streamlit as st

from evalcore import Workspace
from evalcore.counting.choices import configuration_names, suite_ids, version_names
from evalcore.counting.people import Scores, has_human_scores
from evalcore.errors import WorkspaceNotFound
from evalcore.live import LiveWorkspace, Snapshot
from evalcore.recent import resolve

OPEN_VARIABLE: Final = "EVALCORE_OPEN"
SCORES: Final[tuple[Scores, ...]] = ("recorded", "human", "human-first")

# A reading that nobody watched over for this long is compared with the folder before a first page
# shows it, which waits so long for that before it shows what there is.
_UNSURE_SECONDS: Final = 5.0
_PATIENCE_SECONDS: Final = 2.0
_WISH_LENGTH: Final = 80


class Offer(NamedTuple):
    """What one suite of a workspace has to choose from."""

    suites: tuple[str, ...]
    versions: tuple[str, ...]
    configurations: tuple[str, ...]
    human_scores: bool = False


@dataclass(frozen=True)
class Choice:
    """What the address asks for, as far as the workspace has it.

    `version` and `configuration` are None when all of them are meant, `suite` only in a workspace
    without suites. `said` holds a sentence for each wish that could not be met.
    """

    workspace: str
    suite: str | None = None
    version: str | None = None
    configuration: str | None = None
    scores: Scores = SCORES[0]
    said: tuple[str, ...] = ()

    def query(self, **changed: str | None) -> dict[str, str]:
        """Return the address parameters of this choice, with some changed or left out (None)."""
        wishes = {
            "w": self.workspace,
            "suite": self.suite,
            "v": self.version,
            "c": self.configuration,
            "scores": None if self.scores == SCORES[0] else self.scores,
        } | changed
        return {name: value for name, value in wishes.items() if value is not None}


def asked_workspace() -> str | None:
    """Return the name of the workspace that the address or `evalcore open` asks for."""
    return st.query_params.get("w") or os.environ.get(OPEN_VARIABLE) or None


def choose(name: str, query: Mapping[str, str], workspace: Workspace) -> Choice:
    """Return what `query` asks of the workspace called `name`; what it lacks is said instead."""
    said: list[str] = []
    suites = offer(workspace, None).suites
    first = next(iter(suites), None)
    suite = _met("suite", query.get("suite"), suites, first or "none", said) or first
    if suite is None:
        return Choice(name, said=tuple(said))
    found = offer(workspace, suite)
    version = _met("version", query.get("v"), found.versions, "all versions", said)
    configuration = _met(
        "configuration", query.get("c"), found.configurations, "all configurations", said
    )
    scores = next((each for each in SCORES if each == query.get("scores")), SCORES[0])
    return Choice(name, suite, version, configuration, scores, tuple(said))


def _met(
    what: str, wish: str | None, known: Iterable[str], instead: str, said: list[str]
) -> str | None:
    if wish is None or wish in set(known):
        return wish
    said.append(f"There is no {what} called “{wish[:_WISH_LENGTH]}” here; showing {instead}.")
    return None


def offer(workspace: Workspace, suite: str | None) -> Offer:
    """Return the suites of the workspace and the versions and configurations of one of them."""
    suites = suite_ids(workspace)
    if suite is None:
        return Offer(suites, (), ())
    return Offer(
        suites,
        version_names(workspace, suite),
        configuration_names(workspace, suite),
        has_human_scores(workspace, suite),
    )


def short_names(suites: Iterable[str]) -> dict[str, str]:
    """Return the shortest end of each suite's path that no other suite ends with."""
    known = list(suites)
    ends = dict.fromkeys(known, 1)
    while clashing := _clashing(known, ends):
        for suite in clashing:
            ends[suite] += 1
    return {suite: _end(suite, ends[suite]) for suite in known}


def _clashing(known: list[str], ends: Mapping[str, int]) -> list[str]:
    count = Counter(_end(suite, ends[suite]) for suite in known)
    # What is shown whole already cannot grow; the other one does.
    return [
        suite
        for suite in known
        if count[_end(suite, ends[suite])] > 1 and _end(suite, ends[suite]) != suite
    ]


def _end(suite: str, parts: int) -> str:
    return "/".join(suite.split("/")[-parts:])


class Seen(NamedTuple):
    """A workspace as one reader sees it: the reading on screen, and the folder as it goes on."""

    live: LiveWorkspace
    snapshot: Snapshot
    key: str

    def show_newest(self) -> None:
        """Let this reader's next page show the newest reading."""
        st.session_state[self.key] = self.live.newest


def seen(name: str) -> Seen | None:
    """Return the workspace remembered under `name` as this reader sees it; None for other names.

    A reader keeps the reading that was the newest at the first page, until asking for a newer one.

    Raises `EvalcoreError` or `OSError` when its folder cannot be read.
    """
    path = resolve(name)
    if path is None:
        return None
    live, key = _live(path), f"seen-{path}"
    if key not in st.session_state:
        if not path.is_dir():
            raise WorkspaceNotFound(path)
        live.look()
        if live.unsure_seconds > _UNSURE_SECONDS:
            live.wait_until_watched(_PATIENCE_SECONDS)
        st.session_state[key] = live.newest
    live.look()
    return Seen(live, st.session_state[key], key)


@st.cache_resource(
    max_entries=8, show_spinner="Reading the workspace …", on_release=LiveWorkspace.stop
)
def _live(path: Path) -> LiveWorkspace:
    return LiveWorkspace(path)
