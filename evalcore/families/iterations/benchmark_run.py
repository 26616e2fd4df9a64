"""One run that only a benchmark describes, to rows."""

from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations import notes
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.figures import Figures
from evalcore.families.iterations.items import other_lists, side_named
from evalcore.families.iterations.judged_lists import add_dimension, add_unknown, read_items
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Checks,
    Facts,
    RunContext,
    SuiteContext,
    about,
    run_row,
)
from evalcore.names import ITEMS
from evalcore.shapes.judge import UNNAMED
from evalcore.shapes.remarks import About

NOTES: Final = ("notes", "note")


def has_items(item: Node) -> bool:
    """Say whether a run in a benchmark lists what was checked."""
    return any(isinstance(item.get(name), list) and item.get(name) for name in ITEMS)


def add_run(
    context: SuiteContext, key: str, place: RunContext, item: Node, figures: Figures
) -> Facts:
    """Add one run that only a benchmark describes; its items are read like a grading's."""
    checks = _checks(context, key, place.case, item, figures)
    scores = _quality(context, key, place.case, item)
    passed, total, rate = figures.passed, figures.total, figures.rate
    if checks.scored:
        passed, total, rate = checks.passed, checks.scored, checks.rate
    score, top = _score(passed, total, rate)
    row = run_row(key, place, "benchmark")._replace(
        status="error" if figures.broken and not checks.all else "completed",
        score=score,
        max_score=top,
        fraction=rate,
        checks_passed=passed,
        checks_total=total,
        duration_s=figures.seconds,
        tokens=figures.tokens,
        cost_usd=figures.cost,
        source=item.path,
        pointer=item.at,
    )
    context.add_run(row, place.judge, checks.scored + scores, checks.all + scores)
    _add_notes(context, about(key, place), item)
    return Facts(
        version=place.at.version,
        configuration=place.at.configuration,
        case_id=place.case.case_id,
        run_id=key,
        pass_rate=rate,
        structural_rate=None,
        normalized=None,
        seconds=figures.seconds,
        tokens=figures.tokens,
        dimensions={},
        passed=passed,
        total=total,
        unscored=checks.unscored,
    )


def _checks(context: SuiteContext, key: str, case: Case, item: Node, figures: Figures) -> Checks:
    """Add the judgments of a run: its items, else its verdict, also one that is not known."""
    for name, _ in other_lists(item.value):
        if side_named(name) is not None:
            what = f"The items in {name!r} were not read."
            item.note("warning", "second-list", what, "List them as a separate run.", name)
    if figures.by_verdict or has_items(item):
        return read_items(context, key, case, item)
    if figures.unread is not None and figures.rate is None:
        return add_unknown(context, key, case, item)
    if isinstance(figures.unread, str):
        what = f"The verdict {figures.unread!r} is read as the score next to it, {figures.rate:g}."
        context.tolerate(item.path, item.at, "verdict-word", what, "Write it as a pass_rate.")
    return NO_CHECKS


def _score(
    passed: int | None, total: int | None, share: float | None
) -> tuple[float | None, float | None]:
    """Return score and maximum: the counts, else the rate; a count of nothing is no score."""
    if share is None:
        return None, None
    if passed is None:
        return share, 1.0
    return float(passed), None if total is None else float(total)


def _add_notes(context: SuiteContext, run: About, item: Node) -> None:
    """Add the notes that a benchmark has on one of its runs."""
    for name in NOTES:
        for text, at, plain in notes.notes_of(item, name):
            context.remarks.note(item.path, at, run, "benchmark", text)
            if not plain:
                context.tolerate(item.path, at, notes.CODE, notes.MESSAGE, notes.HINT)


def _quality(context: SuiteContext, key: str, case: Case, item: Node) -> int:
    """Add the scores from 1 to 5 that an entry has beside its checks; return how many."""
    scores = item.child("quality")
    found = [
        (name, node, score)
        for name, node in (scores.fields() if isinstance(scores.value, dict) else ())
        if (score := finite(node.value)) is not None and 1 <= score <= RUBRIC_MAX
    ]
    context.count(item.path, len(found))
    for name, node, score in found:
        add_dimension(context, key, case, name, score, node, UNNAMED)
    return len(found)
