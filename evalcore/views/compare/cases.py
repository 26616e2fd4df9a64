"""The list of cases on Compare: each one's direction of change, and its value on both sides."""

from typing import Final

from evalcore.comparing.model import CasePair, Comparison, LeftOut
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.tables.exported import Listing
from evalcore.views.blocks import paging
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.comparison import CaseList, Counts
from evalcore.views.compare.state import PAGE, Listed, Shown, View, ends, page_of, place_of
from evalcore.views.verdict.changes import change_counts
from evalcore.views.verdict.differences import agreeing_places, points
from evalcore.views.verdict.limits import left_out_words
from evalcore.views.words import wording

EMPTY: Final[dict[Shown | None, str]] = {
    None: "No case is in this list.",
    "improved": "No case improved.",
    "regressed": "No case regressed.",
    "same": "No case stayed the same.",
    "left": "No case is left out.",
}
HEAD = ("case_id", "name", "change", "a", "b", "difference", "runs_a", "runs_b", "left_out_because")
_NEAR: Final = 1e-6


def counts_block(found: Comparison, view: View) -> Counts:
    """Describe the counts of cases by direction of change; each one is a filter."""
    items = [
        {
            "key": one.key,
            "n": one.n,
            "label": one.word,
            "mark": one.mark,
            "hint": one.hint,
            "on": view.filter == one.key,
        }
        for one in change_counts(found)
    ]
    narrowed = [
        {"name": name, "text": f"{name}: {value[:90]}"}
        for name, value in (("criterion", view.criterion), ("tag", view.tag))
        if value is not None
    ]
    total = len(found.pairs) + len(found.left_out)
    some = f"compared on {len(found.pairs):,} of {wording.count(total, 'case')}"
    return Counts(items, narrowed, some if found.left_out and found.pairs else "")


def list_block(found: Comparison, cases: Listed, view: View) -> CaseList:
    """Describe one page of the list of cases."""
    ids = cases.ids
    page = paging.page_of(page_of(view, ids), len(ids), PAGE)
    total = len(found.pairs) + len(found.left_out)
    of = "" if len(ids) == total else f"{len(ids):,} of "
    span = f"{page.span} · " if page.pages > 1 else ""
    return CaseList(
        label="Cases, regressed first",
        rows=[
            {"id": case.case_id, "name": case.name, "on": case.case_id == view.case}
            | case_data(case, found.headline)
            for case in cases.every[page.rows]
        ],
        page=page.number,
        pages=page.pages,
        foot=f"{span}{of}{wording.count(total, 'case')}",
        empty=EMPTY[view.filter],
        **ends(ids, place_of(view, ids), view.filter),
    )


def values(pair: CasePair, headline: str) -> str:
    """Return the value of a case on both sides, with the number of runs behind it."""
    sides = ((pair.a, pair.runs_a), (pair.b, pair.runs_b))
    passed = [value * runs for value, runs in sides]
    if headline == SHARE and all(abs(number - round(number)) < _NEAR for number in passed):
        if pair.runs_a == pair.runs_b == 1:
            a, b = ("passed" if value > 0.5 else "failed" for value, _ in sides)
            return f"A {a} · B {b} · 1 run each"
        a, b = (f"{round(value * runs):,} of {runs:,}" for value, runs in sides)
        return f"A {a} {'run' if pair.runs_a == 1 else 'runs'} · B {b}"
    runs = f"{wording.count(pair.runs_a, 'run')} each"
    if pair.runs_a != pair.runs_b:
        runs = f"{pair.runs_a:,} and {wording.count(pair.runs_b, 'run')}"
    of = "efficiency " if headline == EFFICIENCY else ""
    a, b = sides_of(pair, headline)
    return f"{of}A {a} → B {b} · {runs}"


def sides_of(pair: CasePair, headline: str) -> tuple[str, str]:
    """Return the values of a case on both sides, with decimals that agree with its difference."""
    places = agreeing_places(pair.a, pair.b, headline)
    return wording.headline(pair.a, headline, places), wording.headline(pair.b, headline, places)


def change_of(pair: CasePair, headline: str) -> str:
    """Return the difference of a case as what its two values show; empty if it is the same."""
    if pair.change == "same":
        return ""
    return points(pair.difference, headline, agreeing_places(pair.a, pair.b, headline))


def case_data(case: CasePair | LeftOut, headline: str) -> PanelData:
    """Describe how a case changed: its mark, the word for it, both values, and by how much."""
    if isinstance(case, LeftOut):
        why = left_out_words(case.reason)
        return {"change": "left", "word": "left out", "values": why, "points": ""}
    return {
        "change": case.change,
        "word": case.change,
        "values": values(case, headline),
        "points": change_of(case, headline),
    }


def pairs_listing(cases: Listed) -> Listing:
    """Return a row for each listed case: both values from 0 to 1, or why it does not count."""
    pairs = [
        (p.case_id, p.name, p.change, p.a, p.b, p.difference, p.runs_a, p.runs_b, None)
        for p in cases.pairs
    ]
    left = [(case.case_id, case.name, *(None,) * 6, case.reason) for case in cases.left]
    return Listing("comparison", HEAD, [*pairs, *left])
