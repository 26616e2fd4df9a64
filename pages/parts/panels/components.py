"""Mount the panels: each takes JSON and answers with what the reader did, once."""

import math
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import streamlit as st

from evalcore.palette import css_variables
from pages.parts.kept import kept, now

_HERE: Final = Path(__file__).parent
_VARIABLES: Final = f":host{{{css_variables()}}}"


def _component(name: str, *styles: str, scripts: tuple[str, ...] = ()) -> Callable[..., Any]:
    def read(file: str) -> str:
        return (_HERE / file).read_text(encoding="utf-8")

    css = _VARIABLES + "".join(read(style) for style in ("common.css", *styles))
    js = "".join(read(f"{script}.js") for script in ("common", name, *scripts))
    return st.components.v2.component(f"evalcore.{name}", css=css, js=js)


_GRID: Final = _component("grid", "grid.css")
_HEAD: Final = _component("head", "evidence.css")
_GRADES: Final = _component("grades", "grades.css")
_LINES: Final = _component("lines", "lines.css")

Did = dict[str, Any]
MOST_KNOWN: Final = 500
MAX_NUMBER: Final = 64


@dataclass
class Heard:
    """What panels said that no run has taken up yet: the reader's acts, a judge's draft.

    `known` are the numbers of the newest acts, which a panel may send again.
    """

    acts: deque[Did] = field(default_factory=deque)
    known: deque[str] = field(default_factory=lambda: deque(maxlen=MOST_KNOWN))
    draft: Any = None

    def hear(self, did: object) -> None:
        """Take in what a panel sent: its newest acts, or a single one without a number."""
        if not isinstance(did, dict):
            return
        several = did.get("acts")
        for act in several if isinstance(several, list) else [did]:
            number = str(act.get("seq", ""))[:MAX_NUMBER] if isinstance(act, dict) else ""
            if isinstance(act, dict) and (not number or number not in self.known):
                self.acts.append(act)
                self.known.append(number)


def grid_panel(data: dict[str, Any], key: str = "grid") -> None:
    """Draw the grid of cases and versions."""
    _mount(_GRID, data, key)


def head_panel(data: dict[str, Any], key: str = "head") -> None:
    """Draw the head of a case, which is the same above every tab."""
    _mount(_HEAD, data, key)


def grades_panel(blocks: list[dict[str, Any]], key: str = "grades", of: str | None = None) -> None:
    """Draw blocks of evidence; when they are `of` something else, reading begins at the top."""
    _mount(_GRADES, {"blocks": blocks, "of": of}, key)


def lines_panel(data: dict[str, Any], key: str = "lines") -> None:
    """Draw the exact text of a file with numbered lines."""
    _mount(_LINES, data, key)


def taken() -> Iterator[Did]:
    """Yield what the reader did in panels since the last run, in its order, each act once."""
    heard = kept(Heard)
    while heard.acts:
        yield heard.acts.popleft()


def _mount(component: Callable[..., Any], data: dict[str, Any], key: str, **heard: Any) -> None:
    def keep() -> None:
        # Kept before the script runs, so that one run draws the page as it is afterwards.
        kept(Heard).hear(_said(key, "did"))

    component(key=key, data=_clean(data), on_did_change=keep, **heard)


def _said(key: str, what: str) -> Any:
    state = now().get(key)
    return state.get(what) if state is not None else None


def _clean(value: Any) -> Any:
    """Return `value` as JSON can say it: no NaN, no lone surrogates, lists for tuples."""
    if isinstance(value, dict):
        return {str(key): _clean(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


_SHEET: Final = _component("sheet", "sheet.css")


def sheet_panel(
    blocks: list[dict[str, Any]], base: dict[str, str], key: str, scroll: str | None = None
) -> None:
    """Draw sentences, doors and tables of links; `base` is what every link's address says.

    `scroll` names the list inside: as long as it stays the same, its place is kept.
    """
    _mount(_SHEET, {"blocks": blocks, "base": base, "scroll": scroll}, key)


_COMPARE: Final = _component("compare", "compare.css")


def compare_panel(
    blocks: list[dict[str, Any]], key: str, *, keys: bool = False, fill: bool = False
) -> None:
    """Draw the blocks of a comparison.

    With `keys` it listens to the keyboard; with `fill` its list ends at the foot of the window.
    """
    _mount(_COMPARE, {"blocks": blocks, "keys": keys, "fill": fill}, key)


_DIFF: Final = _component("diff", "diff.css")


def diff_panel(data: dict[str, Any], key: str = "diff") -> None:
    """Draw what differs between two texts: side by side where there is room, else below."""
    _mount(_DIFF, data, key)


_JUDGE: Final = _component("judge", "judge.css", scripts=("judge_read", "judge_form", "judge_ask"))
_KEPT: Final = st.components.v2.component(
    "evalcore.judge_kept", js=(_HERE / "judge_kept.js").read_text(encoding="utf-8")
)


def judge_panel(data: dict[str, Any], key: str = "judge") -> None:
    """Draw a run to judge: what is judged beside the form for the scores."""

    def keep_draft() -> None:
        kept(Heard).draft = _said(key, "draft")

    _mount(_JUDGE, data, key, on_draft_change=keep_draft)


def drafted() -> Did:
    """Return what the judge typed since the last run and did not store, once; `{}` for nothing."""
    heard = kept(Heard)
    draft, heard.draft = heard.draft, None
    return draft if isinstance(draft, dict) else {}


def draft_kept(data: dict[str, Any], key: str = "judge-kept") -> None:
    """Tell the panel that a draft is kept, without sending the panel again."""
    _KEPT(key=key, data=_clean(data))
