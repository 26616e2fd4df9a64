"""Which two sides are compared: their choice, and other folders and revisions they come from."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from evalcore import Workspace, open_workspace
from evalcore.comparing.model import Side
from evalcore.counting.choices import suite_called, suite_ids, suite_names
from evalcore.errors import EvalcoreError, WorkspaceNotFound
from evalcore.recent import added, recent_workspaces
from evalcore.revisions import checkout, revisions
from evalcore.views.compare.case import HERE
from evalcore.views.compare.sides import SideSource, quick_pairs
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.session_state import bound
from pages.parts.state import Choice, reader_workspace

OF_SIDES: Final = dict.fromkeys(
    ("filter", "criterion", "tag", "page", "slices", "case", "ra", "rb", "file", "text")
)
"""Address parameters that say what is open of the sides: other sides begin without them."""
HERE_LABEL: Final = "this folder"
POPOVER: Final = 520
"""So wide that the subject of a commit can be read; on a phone it is as wide as there is room."""
MAX_NAME: Final = 80
MAX_REVISIONS: Final = 50
REVISION_SECONDS: Final = 30.0
"""So long a branch or tag is taken to mean the same commit."""


def pickers(of_a: SideSource, of_b: SideSource, a: Side, b: Side) -> None:
    """Offer the sides, their swap, and the default pairs; the choice goes to the address.

    The sources are named if they differ.
    """
    in_one = of_a.ws is of_b.ws
    _pick("a", "Baseline", of_a, a, "" if in_one else of_a.name)
    if in_one and st.button("⇄", key="compare-swap", help="Swap A and B"):
        _choose(b.column.key, a.column.key)
    _pick("b", "Candidate", of_b, b, "" if in_one else of_b.name)
    if in_one:
        for words, first, second in quick_pairs(of_a.ws, of_a.suite, a, b):
            if st.button(words, key=f"compare-quick-{words}", type="tertiary"):
                _choose(first, second)


def _pick(name: str, role: str, source: SideSource, side: Side, where: str) -> None:
    labels, letter = source.labels, name.upper()
    of = f" · {where}" if where else ""

    def chosen(value: str) -> None:
        # A browser that has not drawn the name of another folder yet sends the former label.
        if value in labels:
            change_address(**OF_SIDES, **{name: value})

    with st.container(key=f"compare-side-{name}", width=350 if where else 220):
        bound(
            st.selectbox,
            f"{role} {letter}",
            list(reversed(labels)),
            name=f"compare-{name}",
            value=side.column.key,
            on_choice=chosen,
            format_func=lambda column: f"{letter}  {labels.get(column, column)}{of}",
            label_visibility="collapsed",
        )


def _choose(a: str, b: str) -> None:
    change_address(**OF_SIDES, a=a, b=b)
    st.rerun()


def side_sources(here: SideSource) -> tuple[SideSource, SideSource]:
    """Return the sources of both sides: B is read from the folder that the address names."""
    of_b = here if "bw" not in st.query_params else _other_folder(here, st.query_params["bw"])
    return _as_of(here, "arev"), _as_of(of_b, "brev") if of_b.home == HERE else of_b


def _other_folder(own: SideSource, name: str) -> SideSource:
    """Return the source in another folder, and in it the suite that the address names."""
    short, like = name[:MAX_NAME], own.suite
    try:
        other = reader_workspace(name)
    except (EvalcoreError, OSError) as fault:
        return own.but(f"The folder “{short}” cannot be read: {_why(fault)}")
    if other is None:
        return own.but(
            f"No folder called “{short}” was opened on this machine; B is from this one."
        )
    ws, asked = other.snapshot.workspace, st.query_params.get("bsuite")
    suite = _suite_like(ws, like)
    if suite is None:
        return own.but(f"No evaluation was found in “{short}”; B is from this folder.")
    messages: tuple[str, ...] = ()
    if asked is not None:
        called = suite_called(ws, asked)
        if called is None:
            messages = (f"There is no suite called “{asked[:MAX_NAME]}” there; B is from {suite}.",)
        suite = called or suite
    home = {"w": name, "suite": suite, "v": None, "c": None}
    return SideSource(ws, suite, name, home, messages)


def _suite_like(ws: Workspace, like: str) -> str | None:
    """Return the suite called as ours, else the first."""
    known = suite_ids(ws)
    return like if like in known else next(iter(known), None)


def _as_of(own: SideSource, parameter: str) -> SideSource:
    """Return the source in the revision that the address names."""
    name = st.query_params.get(parameter)
    if name is None:
        return own
    short = name[:MAX_NAME]
    try:
        ws = _opened(_checked_out(own.ws.root, name)).hiding(
            own.ws.hidden.runs, own.ws.hidden.judge
        )
    except (EvalcoreError, OSError) as fault:
        return own.but(f"The revision “{short}” cannot be read: {_why(fault)}")
    if _suite_like(ws, own.suite) != own.suite:
        return own.but(f"The suite is not in the revision “{short}”.")
    return replace(own, ws=ws, name=f"{own.name} at {short}", home=None)


@st.cache_data(ttl=REVISION_SECONDS, show_spinner="Reading the revision …")
def _checked_out(root: Path, name: str) -> Path:
    return checkout(root, name)


@st.cache_resource(max_entries=4, show_spinner="Reading the revision …")
def _opened(path: Path) -> Workspace:
    return open_workspace(path)


def _why(fault: Exception) -> str:
    known = str(fault) if isinstance(fault, EvalcoreError) else type(fault).__name__
    return known if known.endswith(".") else f"{known}."


def elsewhere(from_b: SideSource, here: SideSource, choice: Choice) -> None:
    """Offer another folder for side B, the suite in it, and earlier revisions of this folder."""
    box = st.popover("Other folder or revision", key="compare-elsewhere", on_change="rerun")
    if not box.open:
        return
    asked = st.query_params.get("bw", "")
    others = [recent.name for recent in recent_workspaces() if recent.name != choice.workspace]
    of_folder = OF_SIDES | dict.fromkeys(("a", "b", "bsuite", "brev"))
    with box, st.container(width=POPOVER):
        bound(
            st.selectbox,
            "Folder of B",
            ["", *sorted(others)],
            name="compare-bw",
            value=asked if asked in others else "",
            on_choice=lambda value: change_address(**of_folder, bw=value or None),
            format_func=lambda name: name or HERE_LABEL,
        )
        _add_folder(choice.workspace, asked, of_folder)
        suites = suite_names(from_b.ws)
        if "bw" in st.query_params and len(suites) > 1:
            bound(
                st.selectbox,
                "Suite of B",
                list(suites),
                name="compare-bsuite",
                value=from_b.suite,
                on_choice=lambda value: change_address(**OF_SIDES, a=None, b=None, bsuite=value),
                format_func=suites.__getitem__,
            )
        _choose_revisions(here)


def _add_folder(own: str, asked: str, of_folder: dict[str, None]) -> None:
    """Take a folder that was never opened here by its path, and choose it for B."""
    # Another key for each folder of B: what was typed has been done once it is chosen.
    typed = st.text_input("Add a folder by its path on this machine", key=f"compare-add-{asked}")
    if not typed:
        return
    try:
        name = added(typed)
    except WorkspaceNotFound as fault:
        st.text(str(fault))
        return
    if name in (own, asked):
        st.text("That is the folder that is open here." if name == own else "B is from there.")
        return
    change_address(**of_folder, bw=name)
    st.rerun()


def _choose_revisions(here: SideSource) -> None:
    """Offer the newest revisions of this folder, for A and, where it is from here, for B."""
    try:
        found = revisions(here.ws.root, MAX_REVISIONS)
    except (EvalcoreError, OSError) as fault:
        st.text(f"No earlier revision can be chosen: {_why(fault)}")
        return
    labels = {"": "as it is now"} | {
        one.short: f"{one.short} · {one.subject} · {wording.moment(one.when)}" for one in found
    }
    for letter in "ab" if "bw" not in st.query_params else "a":
        asked = st.query_params.get(f"{letter}rev", "")
        bound(
            st.selectbox,
            f"{letter.upper()} in this folder",
            list(dict.fromkeys([*labels, asked])),
            name=f"compare-{letter}rev",
            value=asked,
            on_choice=partial(_choose_revision, f"{letter}rev"),
            format_func=lambda rev: labels.get(rev, rev),
            accept_new_options=True,
        )
    st.text("Any tag, branch or commit can be typed there.")


def _choose_revision(parameter: str, revision: str) -> None:
    change_address(**OF_SIDES, a=None, b=None, **{parameter: revision or None})
