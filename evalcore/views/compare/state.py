"""State of the Compare page: its view, its case list, and how clicks and keys change them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

from evalcore.comparing.model import CasePair, Comparison, LeftOut
from evalcore.comparing.slices import criterion_values, tags_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.views.blocks import paging
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.workspace.opened import Workspace

Shown = Literal["regressed", "improved", "same", "left"]
Tab = Literal["rates", "slices", "texts", "case", "steps"]
SHOWN: Final[tuple[Shown, ...]] = ("regressed", "improved", "same", "left")
TABS: Final[tuple[Tab, ...]] = ("rates", "slices", "texts", "case", "steps")
PAGE: Final = 50


@dataclass(frozen=True)
class View(Address):
    """The address parameters of the Compare page, apart from the sidebar's.

    `a` and `b` name the requested sides, `page` is that of the list (None: the one of the open
    case, else the first), `slices` that of the criteria and tags. `ra` and `rb` are the numbers of
    the open run on each side, from 1; `file` is the output compared with that of the same name,
    `text` the text of the skill or prompt, `rows` the page of steps side by side. `error` asks for
    the judge's error in the interval.
    """

    a: str | None = parameter("a", write=None)
    b: str | None = parameter("b", write=None)
    filter: Shown | None = choice("filter", SHOWN)
    criterion: str | None = parameter("criterion")
    tag: str | None = parameter("tag")
    page: int | None = number("page")
    slices: int = number("slices", 1)
    case: str | None = parameter("case")
    tab: Tab | None = choice("tab", TABS)
    ra: int | None = number("ra")
    rb: int | None = number("rb")
    file: str | None = parameter("file")
    text: str | None = parameter("text")
    error: bool = flag("error")
    rows: int | None = number("rows")

    @property
    def open_tab(self) -> Tab:
        """The open tab: the requested one, else the case if one is open."""
        if self.tab is not None and (self.tab != "case" or self.case is not None):
            return self.tab
        return "rates" if self.case is None else "case"

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        usual = "rates" if self.case is None else "case"
        tab = None if self.open_tab == usual else self.open_tab
        return super().parameters() | {"tab": tab}


@dataclass(frozen=True)
class Listed:
    """The cases that a view lists: those that count first, changed ones at the top."""

    pairs: tuple[CasePair, ...]
    left: tuple[LeftOut, ...]

    @property
    def every(self) -> tuple[CasePair | LeftOut, ...]:
        """All cases in their order."""
        return (*self.pairs, *self.left)

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The ids of all cases in their order."""
        return tuple(case.case_id for case in self.every)


def listed(found: Comparison, ws: Workspace, view: View) -> Listed:
    """Return the cases that pass a view's filters; `ws` is the workspace of side B."""
    keep = _narrowed(ws, found.b.suite, found.b.column, view.criterion, view.tag)

    def passes(case: CasePair | LeftOut, change: Shown) -> bool:
        return view.filter in (None, change) and (keep is None or case.case_id in keep)

    return Listed(
        tuple(pair for pair in found.pairs if passes(pair, pair.change)),
        tuple(case for case in found.left_out if passes(case, "left")),
    )


@memoize_per_workspace
def _narrowed(
    ws: Workspace, suite: str, column: Column, criterion: str | None, tag: str | None
) -> frozenset[str] | None:
    """Return the cases with a criterion and a tag; None if neither is set."""
    kept_by = []
    if criterion is not None:
        known = criterion_values(ws, suite, column)
        kept_by.append(frozenset(known["case"][known["criterion"] == criterion].astype(str)))
    if tag is not None:
        tagged = tags_of(ws, suite)
        kept_by.append(frozenset(case for case, tags in tagged.items() if tag in tags))
    return frozenset.intersection(*kept_by) if kept_by else None


def reduce(view: View, did: Mapping[str, Any], ids: tuple[str, ...]) -> View:
    """Return the view after a user action; `ids` are the cases listed before.

    Invalid actions change nothing.
    """
    closed = replace(_opened(view, None), page=None)
    if did.get("filter") in SHOWN:
        return replace(closed, filter=None if did["filter"] == view.filter else did["filter"])
    if did.get("clear") == "criterion":
        return replace(closed, criterion=None)
    if did.get("clear") == "tag":
        return replace(closed, tag=None)
    for name in ("criterion", "tag"):
        if isinstance(did.get(name), str):
            return replace(closed, **{name: did[name]}, tab=view.open_tab)
    if isinstance(did.get("case"), str):
        return replace(_opened(view, did["case"]), page=None)
    if did.get("step") in (1, -1):
        place = place_of(view, ids)
        at = 0 if place is None else place - 1 + int(did["step"])
        return replace(_opened(view, ids[at]), page=None) if 0 <= at < len(ids) else view
    return _turned(view, did)


def place_of(view: View, ids: tuple[str, ...]) -> int | None:
    """Return the position of the open case in the list, from 1; None if it is not in it."""
    return ids.index(view.case) + 1 if view.case in ids else None


def page_of(view: View, ids: tuple[str, ...]) -> int:
    """Return the page of the list to show: the requested one, else that of the open case."""
    wanted = view.page or paging.page_with((place_of(view, ids) or 1) - 1, PAGE)
    return paging.page_of(wanted, len(ids), PAGE).number


def ends(ids: tuple[str, ...], place: int | None, shown: Shown | None) -> dict[str, str | None]:
    """Return the sentences for a step past the first or last case; None if the step is possible."""
    word = {"left": "left-out "}.get(shown or "", f"{shown} " if shown else "")
    total = len(ids)
    if not total:
        return dict.fromkeys(("first", "last"), "There is no case in this list.")
    first, last = f"This is the first of the {total:,} {word}cases.", None
    if total == 1:
        first = f"This is the only {word}case of the list."
    if place == total:
        last = first if total == 1 else f"That was the last of the {total:,} {word}cases."
    return {"first": first if place == 1 else None, "last": last}


def _opened(view: View, case: str | None) -> View:
    """Open a case, or none; runs and file are those of the case that was open."""
    if case is not None and case == view.case:
        return replace(view, tab=None)
    tab: Tab | None = "steps" if view.open_tab == "steps" and case is not None else None
    return replace(view, case=case, tab=tab, ra=None, rb=None, file=None, rows=None)


def _turned(view: View, did: Mapping[str, Any]) -> View:
    """Return the view after a change of tab, page or run."""
    tab = did.get("tab")
    if isinstance(tab, int) and 1 <= tab <= len(TABS):
        tab = TABS[tab - 1]
    if tab in TABS and (tab != "case" or view.case is not None):
        return replace(view, tab=tab)
    if all(isinstance(did.get(name), int) and did[name] > 0 for name in ("ra", "rb")):
        return replace(view, ra=did["ra"], rb=did["rb"], file=None, rows=None)
    for name in ("page", "slices", "rows", "ra", "rb"):
        if isinstance(did.get(name), int) and did[name] > 0:
            turned = replace(view, **{name: did[name]})
            return replace(turned, file=None, rows=None) if name in ("ra", "rb") else turned
    return view
