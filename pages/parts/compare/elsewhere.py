"""The source of side B if it is another folder or revision; all of it is in the address."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import streamlit as st

from evalcore import Workspace, open_workspace
from evalcore.counting.choices import suite_called, suite_ids, suite_names
from evalcore.errors import EvalcoreError
from evalcore.recent import recent_workspaces
from evalcore.revisions import checkout, revisions
from evalcore.views.compare.case import HERE, Home
from evalcore.views.compare.sides import SideSource
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.compare.pickers import OF_SIDES
from pages.parts.session_state import on_choice, shown_key
from pages.parts.state import Choice, reader_workspace

HERE_LABEL: Final = "this folder"
POPOVER: Final = 520
"""So wide that the subject of a commit can be read; on a phone it is as wide as there is room."""
MAX_NAME: Final = 80
MAX_REVISIONS: Final = 50
REVISION_SECONDS: Final = 30.0
"""So long a branch or tag is taken to mean the same commit."""


@dataclass(frozen=True, eq=False)
class NamedSource:
    """The source of one side, its name, and messages about requests that could not be met.

    `home` are the parameters that lead to its runs on Gradings; None if none do, as for a revision.
    """

    source: SideSource
    name: str
    home: Home
    messages: tuple[str, ...] = ()


def side_sources(here: SideSource, choice: Choice) -> tuple[NamedSource, NamedSource]:
    """Return the sources of both sides: B is read from the folder that the address names."""
    own = NamedSource(here, choice.workspace, HERE)
    of_b = own if "bw" not in st.query_params else _other_folder(own, st.query_params["bw"])
    return _as_of(own, "arev"), of_b if of_b.source is not here else _as_of(of_b, "brev")


def _other_folder(own: NamedSource, name: str) -> NamedSource:
    short = name[:MAX_NAME]
    try:
        other = reader_workspace(name)
    except (EvalcoreError, OSError) as fault:
        return _but(own, f"The folder “{short}” cannot be read: {_why(fault)}")
    if other is None:
        return _but(
            own, f"No folder called “{short}” was opened on this machine; B is from this one."
        )
    ws = other.snapshot.workspace
    suite, messages = _suite(ws, own.source.suite, st.query_params.get("bsuite"))
    if suite is None:
        return _but(own, f"No evaluation was found in “{short}”; B is from this folder.")
    home = {"w": name, "suite": suite, "v": None, "c": None}
    return NamedSource(SideSource(ws, suite), name, home, (messages,) if messages else ())


def _as_of(own: NamedSource, parameter: str) -> NamedSource:
    """Return the source in the revision that the address names."""
    name = st.query_params.get(parameter)
    if name is None:
        return own
    try:
        hidden = own.source.ws.hidden
        ws = _opened(_checked_out(own.source.ws.root, name)).hiding(hidden.runs, hidden.judge)
    except (EvalcoreError, OSError) as fault:
        return _but(own, f"The revision “{name[:MAX_NAME]}” cannot be read: {_why(fault)}")
    suite, _ = _suite(ws, own.source.suite, None)
    if suite != own.source.suite:
        return _but(own, f"The suite is not in the revision “{name[:MAX_NAME]}”.")
    return NamedSource(
        SideSource(ws, suite), f"{own.name} at {name[:MAX_NAME]}", None, own.messages
    )


@st.cache_data(ttl=REVISION_SECONDS, show_spinner="Reading the revision …")
def _checked_out(root: Path, name: str) -> Path:
    return checkout(root, name)


@st.cache_resource(max_entries=4, show_spinner="Reading the revision …")
def _opened(path: Path) -> Workspace:
    return open_workspace(path)


def _but(own: NamedSource, sentence: str) -> NamedSource:
    return replace(own, messages=(*own.messages, sentence))


def _why(fault: Exception) -> str:
    known = str(fault) if isinstance(fault, EvalcoreError) else type(fault).__name__
    return known if known.endswith(".") else f"{known}."


def elsewhere(from_b: NamedSource, here: SideSource, choice: Choice) -> None:
    """Offer another folder for side B, the suite in it, and earlier revisions of this folder."""
    box = st.popover("Other folder or revision", key="compare-elsewhere", on_change="rerun")
    if not box.open:
        return
    with box, st.container(width=POPOVER):
        _choose_folder(choice)
        names = suite_names(from_b.source.ws)
        if "bw" in st.query_params and len(names) > 1:
            _choose_suite(names, from_b.source.suite)
        _choose_revisions(here)


def _choose_revisions(here: SideSource) -> None:
    try:
        found = revisions(here.ws.root, MAX_REVISIONS)
    except (EvalcoreError, OSError) as fault:
        st.text(f"No earlier revision can be chosen: {_why(fault)}")
        return
    labels = {"": "as it is now"} | {
        one.short: f"{one.short} · {one.subject} · {wording.moment(one.when)}" for one in found
    }
    for letter in "ab" if "bw" not in st.query_params else "a":
        _choose_revision(letter, labels)


def _choose_revision(letter: str, labels: dict[str, str]) -> None:
    name = f"{letter}rev"
    asked = st.query_params.get(name, "")
    key = shown_key(f"compare-{name}", asked)

    def changed(value: str) -> None:
        change_address(**OF_SIDES, a=None, b=None, **{name: value or None})

    st.selectbox(
        f"{letter.upper()} in this folder",
        list(dict.fromkeys([*labels, asked])),
        key=key,
        on_change=on_choice(key, changed),
        format_func=lambda rev: labels.get(rev, rev),
    )


def _suite(ws: Workspace, like: str, requested: str | None) -> tuple[str | None, str]:
    """Return the suite that is wished for, else the one called as ours, else the first."""
    known = suite_ids(ws)
    first = like if like in known else next(iter(known), None)
    called = first if requested is None else suite_called(ws, requested)
    if requested is None or called is not None:
        return called, ""
    return first, f"There is no suite called “{requested[:MAX_NAME]}” there; B is from {first}."


def _choose_folder(choice: Choice) -> None:
    here, asked = "", st.query_params.get("bw", "")
    names = [recent.name for recent in recent_workspaces() if recent.name != choice.workspace]
    key = shown_key("compare-bw", asked if asked in names else here)

    def changed(value: str) -> None:
        nothing = OF_SIDES | dict.fromkeys(("a", "b", "bsuite", "brev"))
        change_address(**nothing, bw=value or None)

    st.selectbox(
        "Folder of B",
        [here, *sorted(names)],
        key=key,
        on_change=on_choice(key, changed),
        format_func=lambda name: name or HERE_LABEL,
    )
    if not names:
        st.text("No other folder was opened on this machine yet:")
        st.code("evalcore open FOLDER", language=None)


def _choose_suite(names: Mapping[str, str], suite: str) -> None:
    key = shown_key("compare-bsuite", suite)

    def changed(value: str) -> None:
        change_address(**OF_SIDES, a=None, b=None, bsuite=value)

    st.selectbox(
        "Suite of B",
        list(names),
        key=key,
        on_change=on_choice(key, changed),
        format_func=names.__getitem__,
    )
