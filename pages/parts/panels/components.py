"""Mount the panels: each takes JSON and reports every user action once."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import streamlit as st

from evalcore.palette import css_variables, shade_styles
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.plain import BUDGET, as_json, plain
from evalcore.views.panels.served import serve
from evalcore.views.panels.sources import HERE as SHARED
from evalcore.views.panels.sources import lean
from pages.parts.session_state import end_if_replaced, now, session_object

_HERE: Final = Path(__file__).parent
_VARIABLES: Final = f":host{{{css_variables()}}}"


def source(file: str) -> str:
    """Return a script or style by its name, whichever of the two folders has it."""
    shared = SHARED / file
    return lean(shared if shared.is_file() else _HERE / file)


def _component(name: str, *scripts: str, styles: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Register a panel: the shared scripts and styles, then its own, in order."""
    shades = shade_styles() if "heat_blocks" in styles else ""
    css = _VARIABLES + shades + "".join(source(f"{style}.css") for style in ("common", *styles))
    js = "".join(source(f"{script}.js") for script in ("common", *scripts))
    return st.components.v2.component(f"evalcore.{name}", js=serve(name, js, css))


def _blocks(look: str, *further: str, scripts: tuple[str, ...] = ()) -> Callable[..., Any]:
    """Register the block panel of one look with only the block kinds and scripts it needs."""
    files = ("blocks", *further)
    return _component(look, *scripts, *files, styles=files)


_LINKS: Final = ("command", "links")
_GRID: Final = _component("grid", "grid", styles=("grid",))
_HEAD: Final = _component("head", *_LINKS, "head", styles=("head",))
_STEPS: Final = _component("steps", "steps", styles=("steps",))
_DIFF: Final = _component("diff", "diff", styles=("diff",))
_JUDGE: Final = _component(
    "judge", "drafts", "judge", "judge_read", "judge_form", "judge_ask", styles=("judge",)
)
_BLIND: Final = _component("blind", "blind", styles=("blind",))
_BESIDE: Final = _component("beside", "beside", styles=("beside",))
_COLUMNS: Final = _component("columns", "columns", styles=("columns",))
_SHARE: Final = _component("share", *_LINKS, "share", styles=("share",))
_KEYS: Final = _component("keys", "keys")
_KEPT: Final = st.components.v2.component("evalcore.judge_kept", js=source("judge_kept.js"))
_LOOKS: Final = {
    "sheet": _blocks("sheet"),
    "map": _blocks("map", "heat_blocks"),
    "grades": _blocks(
        "grades", "evidence_blocks", "chain_blocks", "single_score", scripts=("drafts",)
    ),
    "chain": _blocks("chain", "chain_blocks"),
    "compare": _blocks(
        "compare",
        "evidence_blocks",
        "comparison_blocks",
        "step_rows",
        scripts=(*_LINKS, "case_dots"),
    ),
}

Did = dict[str, Any]
MOST_KNOWN: Final = 500
MAX_NUMBER: Final = 64


@dataclass
class Inbox:
    """Messages of panels that no script run has handled yet: user actions, a judge's draft.

    `known` are the numbers of the newest actions, which a panel may send again. `seen` is what was
    the next action when somebody last looked whether one was left.
    """

    acts: deque[Did] = field(default_factory=deque)
    known: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_KNOWN))
    draft: Any = None
    seen: Did | None = None

    def is_left(self) -> bool:
        """Return whether the same action waits as at the last look: the run for it was lost."""
        before, self.seen = self.seen, self.acts[0] if self.acts else None
        return self.seen is not None and self.seen is before

    def receive(self, did: object) -> None:
        """Receive a panel's message: its newest actions, or a single one without a number."""
        if not isinstance(did, dict):
            return
        several = did.get("acts")
        for act in several if isinstance(several, list) else [did]:
            number = str(act.get("seq", ""))[:MAX_NUMBER] if isinstance(act, dict) else ""
            if isinstance(act, dict) and (not number or number not in self.known):
                self.acts.append(act)
                self.known.append(number)


@dataclass
class ShownView:
    """What the page shows, also where its address leaves that to the page: copied links name it."""

    query: dict[str, str] = field(default_factory=dict)


def grid_panel(data: dict[str, Any], key: str = "grid") -> None:
    """Draw the grid of cases and versions."""
    _mount(_GRID, _linked(plain(data)), key)


def beside_panel(data: dict[str, Any], key: str = "beside") -> None:
    """Draw outputs side by side, one below the other where there is no room."""
    _mount(_BESIDE, plain(data), key)


def columns_panel(data: dict[str, Any], key: str = "columns") -> None:
    """Draw the choice of the columns of a grid."""
    _mount(_COLUMNS, plain(data), key)


def head_panel(data: dict[str, Any], key: str = "head") -> None:
    """Draw the head of a case above the tabs."""
    _mount(_HEAD, _linked(plain(data)), key)


def steps_panel(data: dict[str, Any], key: str = "steps") -> None:
    """Draw the steps of a run."""
    _mount(_STEPS, plain(data), key)


def share_panel(data: dict[str, Any], key: str) -> None:
    """Draw the buttons that copy a link and a text."""
    _mount(_SHARE, _linked(plain(data)), key)


def _linked(data: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a panel that copies links, with what they have to name."""
    return data | {"view": session_object(ShownView).query}


def new_acts() -> Iterator[Did]:
    """Yield the user actions since the last run, in order, each once."""
    heard = session_object(Inbox)
    while heard.acts:
        end_if_replaced()
        yield heard.acts.popleft()


def _mount(component: Callable[..., Any], data: dict[str, Any], key: str, **heard: Any) -> None:
    def keep() -> None:
        # Kept before the script runs, so that one run draws the page as it is afterwards.
        session_object(Inbox).receive(_message(key, "did"))

    component(key=key, data=data, on_did_change=keep, **heard)


def _message(key: str, what: str) -> Any:
    state = now().get(key)
    return state.get(what) if state is not None else None


def sheet_panel(
    blocks: Iterable[Block],
    base: dict[str, str],
    key: str,
    *,
    scroll: str | None = None,
    budget: int | None = None,
) -> None:
    """Draw sentences, links and tables; `base` are the parameters of every link.

    `scroll` names the list inside: while it is the same, the scroll position is kept.
    """
    given = {"look": "sheet", "base": base, "scroll": scroll}
    _mount_blocks(blocks, key, budget, given)


def grades_panel(
    blocks: Iterable[Block],
    key: str = "grades",
    of: str | None = None,
    budget: int | None = BUDGET,
    base: dict[str, str] | None = None,
    words: str = "",
    score: dict[str, Any] | None = None,
) -> None:
    """Draw blocks of evidence; if they are `of` something else, the view scrolls to the top.

    `base` are the parameters of every link, where there are any; `words` are marked in the texts;
    `score` are the forms by which criteria are scored here.
    """
    given = {"look": "grades", "of": of, "base": base or {}, "words": words, "score": score or {}}
    _mount_blocks(blocks, key, budget, given)


def chain_panel(blocks: Iterable[Block], base: dict[str, str], key: str) -> None:
    """Draw the chain of a record; `base` are the parameters of every link."""
    _mount_blocks(blocks, key, BUDGET, {"look": "chain", "base": base})


def heat_panel(
    blocks: Iterable[Block], base: dict[str, str], key: str, *, scroll: str | None = None
) -> None:
    """Draw a heat map and tables beside it; for the parameters see `sheet_panel`."""
    _mount_blocks(blocks, key, None, {"look": "map", "base": base, "scroll": scroll})


def compare_panel(
    blocks: Iterable[Block],
    key: str,
    *,
    keys: bool = False,
    fill: bool = False,
    budget: int | None = None,
) -> None:
    """Draw the blocks of a comparison.

    With `keys` it listens to the keyboard; with `fill` its list ends at the foot of the window.
    """
    _mount_blocks(blocks, key, budget, _linked({"look": "compare", "keys": keys, "fill": fill}))


def _mount_blocks(
    blocks: Iterable[Block], key: str, budget: int | None, given: dict[str, Any]
) -> None:
    """Draw blocks, converted to JSON once."""
    _mount(_LOOKS[given["look"]], {"blocks": as_json(blocks, budget), **given}, key)


def diff_panel(data: dict[str, Any], key: str = "diff") -> None:
    """Draw the differences of two texts: side by side if there is room, else below each other."""
    _mount(_DIFF, plain(data), key)


def judge_panel(data: dict[str, Any], key: str = "judge") -> None:
    """Draw a run to judge next to the form for the scores."""

    def keep_draft() -> None:
        session_object(Inbox).draft = _message(key, "draft")

    _mount(_JUDGE, plain(data), key, on_draft_change=keep_draft)


def blind_panel(data: dict[str, Any], key: str = "blind") -> None:
    """Draw two outputs side by side with the form for a blind verdict."""
    _mount(_BLIND, plain(data), key)


def new_draft() -> Did:
    """Return the judge's draft since the last run, once; `{}` for nothing."""
    heard = session_object(Inbox)
    if heard.draft is not None:
        end_if_replaced()
    draft, heard.draft = heard.draft, None
    return draft if isinstance(draft, dict) else {}


def keys_panel() -> None:
    """Listen to the keys that every page has."""
    _KEYS(key="keys", data={})


def confirm_draft(data: dict[str, Any], key: str = "judge-kept") -> None:
    """Tell the panel that a draft was saved, without sending the panel again."""
    _KEPT(key=key, data=plain(data))
