"""The list of cases on Compare: each one's direction of change, and its value on both sides."""

from typing import Final

from evalcore.comparing.model import CasePair, Change, Comparison, LeftOut
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.views.blocks.comparison import CaseList, CountFilter, Counts, ListedCase, Narrowed
from evalcore.views.compare.state import (
    PAGE,
    Listed,
    Shown,
    View,
    ends,
    page_of,
    place_of,
)
from evalcore.views.verdict.changes import change_counts
from evalcore.views.verdict.differences import points
from evalcore.views.verdict.sentence import left_out_words
from evalcore.views.words import wording

CHANGE_WORDS: Final[dict[Change, str]] = {
    "improved": "improved",
    "regressed": "regressed",
    "same": "same",
}
EMPTY: Final[dict[Shown | None, str]] = {
    None: "No case is in this list.",
    "improved": "No case improved.",
    "regressed": "No case regressed.",
    "same": "No case stayed the same.",
    "left": "No case is left out.",
}
_NEAR: Final = 1e-6


def counts_block(found: Comparison, view: View) -> Counts:
    """Describe the counts of cases by direction of change; each one is a filter."""
    items = [
        CountFilter(
            key=one.key,
            n=one.n,
            label=one.word,
            mark=one.mark,
            hint=one.hint,
            on=view.filter == one.key,
        )
        for one in change_counts(found)
    ]
    narrowed = [
        Narrowed(name, f"{name}: {value[:90]}")
        for name, value in (("criterion", view.criterion), ("tag", view.tag))
        if value is not None
    ]
    total = len(found.pairs) + len(found.left_out)
    some = f"compared on {len(found.pairs):,} of {wording.count(total, 'case')}"
    note = some if found.left_out and found.pairs else ""
    return Counts(items, narrowed, note)


def list_block(found: Comparison, cases: Listed, view: View) -> CaseList:
    """Describe one page of the list of cases."""
    ids = cases.ids
    pages = max(-(-len(ids) // PAGE), 1)
    page = page_of(view, ids)
    first = (page - 1) * PAGE
    shown = cases.every[first : first + PAGE]
    total = len(found.pairs) + len(found.left_out)
    of = "" if len(ids) == total else f"{len(ids):,} of "
    span = f"{first + 1:,}–{first + len(shown):,} · " if pages > 1 else ""
    return CaseList(
        label="Cases, regressed first",
        rows=[_row(case, found.headline, view.case) for case in shown],
        page=page,
        pages=pages,
        foot=f"{span}{of}{wording.count(total, 'case')}",
        empty=EMPTY[view.filter],
        **ends(ids, place_of(view, ids), view.filter),
    )


def values(pair: CasePair, headline: str) -> str:
    """Return the value of a case on both sides, with the number of runs behind it."""
    if headline == SHARE and _counts(pair.a, pair.runs_a) and _counts(pair.b, pair.runs_b):
        if pair.runs_a == pair.runs_b == 1:
            return f"A {_ended(pair.a)} · B {_ended(pair.b)} · 1 run each"
        first = f"A {_of(pair.a, pair.runs_a)} {'run' if pair.runs_a == 1 else 'runs'}"
        return f"{first} · B {_of(pair.b, pair.runs_b)}"
    runs = f"{wording.count(pair.runs_a, 'run')} each"
    if pair.runs_a != pair.runs_b:
        runs = f"{pair.runs_a:,} and {wording.count(pair.runs_b, 'run')}"
    of = "efficiency " if headline == EFFICIENCY else ""
    first, second = (wording.headline(value, headline) for value in (pair.a, pair.b))
    return f"{of}A {first} → B {second} · {runs}"


def _row(case: CasePair | LeftOut, headline: str, chosen: str | None) -> ListedCase:
    if isinstance(case, LeftOut):
        change, word, text, by = "left", "left out", left_out_words(case.reason), ""
    else:
        change, word, text = case.change, CHANGE_WORDS[case.change], values(case, headline)
        by = points(case.difference, headline) if case.change != "same" else ""
    on = case.case_id == chosen
    return ListedCase(
        id=case.case_id, name=case.name, on=on, change=change, word=word, values=text, points=by
    )


def _counts(value: float, runs: int) -> bool:
    """Return whether a value is a number of passed runs."""
    return abs(value * runs - round(value * runs)) < _NEAR


def _of(value: float, runs: int) -> str:
    return f"{round(value * runs):,} of {runs:,}"


def _ended(value: float) -> str:
    return "passed" if value > 0.5 else "failed"
