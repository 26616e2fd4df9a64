"""State of the Compare page: its view, its case list, and how clicks and keys change them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal

from evalcore.comparing.model import CasePair, Comparison, LeftOut
from evalcore.comparing.slices import criterion_values, tags_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.views.gradings.state import number_in
from evalcore.workspace.opened import Workspace

Shown = Literal["regressed", "improved", "same", "left"]
Tab = Literal["rates", "slices", "texts", "case"]
SHOWN: Final[tuple[Shown, ...]] = ("regressed", "improved", "same", "left")
TABS: Final[tuple[Tab, ...]] = ("rates", "slices", "texts", "case")
PAGE: Final = 50
_NUMBERS: Final = ("page", "slices", "ra", "rb")


@dataclass(frozen=True)
class View:
    """The address parameters of the Compare page, apart from the sidebar's.

    `a` and `b` name the requested sides, `page` is that of the list (None: the one of the open
    case, else the first), `slices` that of the criteria and tags. `ra` and `rb` are the numbers of
    the open run on each side, from 1; `file` is the output compared with that of the same name,
    `text` the text of the skill or prompt. `error` asks for the judge's error in the interval.
    """

    a: str | None = None
    b: str | None = None
    filter: Shown | None = None
    criterion: str | None = None
    tag: str | None = None
    page: int | None = None
    slices: int = 1
    case: str | None = None
    tab: Tab | None = None
    ra: int | None = None
    rb: int | None = None
    file: str | None = None
    text: str | None = None
    error: bool = False

    @property
    def open_tab(self) -> Tab:
        """The open tab: the requested one, else the case if one is open."""
        if self.tab is not None and (self.tab != "case" or self.case is not None):
            return self.tab
        return "rates" if self.case is None else "case"

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for defaults, which stay out of the address."""
        usual = "rates" if self.case is None else "case"
        return {
            "filter": self.filter,
            "criterion": self.criterion,
            "tag": self.tag,
            "page": _text(self.page),
            "slices": _beyond_first(self.slices),
            "case": self.case,
            "tab": None if self.open_tab == usual else self.open_tab,
            "ra": _text(self.ra),
            "rb": _text(self.rb),
            "file": self.file,
            "text": self.text,
            "error": "1" if self.error else None,
        }


def view_of(parameters: Mapping[str, str]) -> View:
    """Return the view of address parameters; invalid ones are ignored."""
    value = parameters.get
    return View(
        a=value("a"),
        b=value("b"),
        filter=next((name for name in SHOWN if name == value("filter")), None),
        criterion=value("criterion"),
        tag=value("tag"),
        page=number_in(value("page")),
        slices=number_in(value("slices")) or 1,
        case=value("case"),
        tab=next((name for name in TABS if name == value("tab")), None),
        ra=number_in(value("ra")),
        rb=number_in(value("rb")),
        file=value("file"),
        text=value("text"),
        error=value("error") == "1",
    )


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
    if keep is None and view.filter is None:
        return Listed(found.pairs, found.left_out)
    pairs = tuple(
        pair
        for pair in found.pairs
        if view.filter in (None, pair.change) and (keep is None or pair.case_id in keep)
    )
    left = tuple(
        case
        for case in found.left_out
        if view.filter in (None, "left") and (keep is None or case.case_id in keep)
    )
    return Listed(pairs, left)


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
    if did.get("filter") in SHOWN:
        shown = None if did["filter"] == view.filter else did["filter"]
        return replace(_opened(view, None), filter=shown, page=None)
    if did.get("clear") == "criterion":
        return replace(_opened(view, None), criterion=None, page=None)
    if did.get("clear") == "tag":
        return replace(_opened(view, None), tag=None, page=None)
    if isinstance(did.get("criterion"), str):
        return replace(
            _opened(view, None), criterion=did["criterion"], page=None, tab=view.open_tab
        )
    if isinstance(did.get("tag"), str):
        return replace(_opened(view, None), tag=did["tag"], page=None, tab=view.open_tab)
    if isinstance(did.get("case"), str):
        return replace(_opened(view, did["case"]), page=None)
    if did.get("step") in (1, -1):
        return _stepped(view, int(did["step"]), ids)
    return _turned(view, did)


def place_of(view: View, ids: tuple[str, ...]) -> int | None:
    """Return the position of the open case in the list, from 1; None if it is not in it."""
    return ids.index(view.case) + 1 if view.case in ids else None


def page_of(view: View, ids: tuple[str, ...]) -> int:
    """Return the page of the list to show: the requested one, else that of the open case."""
    last = max(-(-len(ids) // PAGE), 1)
    wanted = view.page or ((place_of(view, ids) or 1) - 1) // PAGE + 1
    return min(wanted, last)


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
    return replace(view, case=case, tab=None, ra=None, rb=None, file=None)


def _stepped(view: View, by: int, ids: tuple[str, ...]) -> View:
    place = place_of(view, ids)
    at = (place - 1 + by) if place is not None else 0
    if not 0 <= at < len(ids):
        return view
    return replace(_opened(view, ids[at]), page=None)


def _turned(view: View, did: Mapping[str, Any]) -> View:
    """Return the view after a change of page, tab or run."""
    tab = did.get("tab")
    if isinstance(tab, int) and 1 <= tab <= len(TABS):
        tab = TABS[tab - 1]
    if tab in TABS and (tab != "case" or view.case is not None):
        return replace(view, tab=tab)
    if all(isinstance(did.get(name), int) and did[name] > 0 for name in ("ra", "rb")):
        return replace(view, ra=did["ra"], rb=did["rb"], file=None)
    number = next((did[name] for name in _NUMBERS if isinstance(did.get(name), int)), 0)
    if number < 1:
        return view
    if "page" in did:
        return replace(view, page=number)
    if "slices" in did:
        return replace(view, slices=number)
    if "ra" in did:
        return replace(view, ra=number, file=None)
    return replace(view, rb=number, file=None)


def _beyond_first(page: int) -> str | None:
    return None if page == 1 else str(page)


def _text(number: int | None) -> str | None:
    return None if number is None else str(number)
