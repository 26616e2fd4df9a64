"""What came of judging stored outputs again: what was stored beside the gradings, and what not."""

from collections.abc import Iterator
from typing import NamedTuple

from evalcore.engine.progress import Progress, RunProgress
from evalcore.views.runs.words import AGAIN_KEEPS
from evalcore.views.words import wording


class _Counts(NamedTuple):
    """How much was stored of the test runs that are done, and how much of each kind was not."""

    runs: int = 0
    records: int = 0
    undecided: int = 0
    not_asked: int = 0
    closed: int = 0
    checks: int = 0
    conventions: int = 0

    def plus(self, one: RunProgress) -> "_Counts":
        """Return the counts with one more test run."""
        graded = one.graded
        if graded is None or not one.is_written:
            return self
        decided = sum(each.passed is not None for each in graded.judged)
        closed = bool(graded.checks) and graded.gate is not True and not graded.judged
        more = (
            1,
            len(one.paths),
            len(graded.judged) - decided,
            decided - len(one.paths),
            int(closed),
            len(graded.checks),
            len(graded.conventions),
        )
        return _Counts(*(a + b for a, b in zip(self, more, strict=True)))


def second_words(found: Progress) -> list[str]:
    """Return what was stored of outputs that were judged again, and what not; else nothing."""
    if not found.plan.again:
        return []
    counts = _Counts()
    for one in found.runs:
        counts = counts.plus(one)
    runs = wording.count(counts.runs, "test run")
    criteria = wording.count(counts.records, "criterion")
    stored = f"{criteria} of {runs} stored {AGAIN_KEEPS}: {found.plan.reviews}."
    left = list(_not_stored(counts))
    return [stored, *([f"Not stored: {', '.join(left)}."] if left else [])]


def _not_stored(counts: _Counts) -> Iterator[str]:
    for n, noun, why in (
        (counts.undecided, "criterion", "that nothing decided"),
        (counts.not_asked, "criterion", "that the grading words differently"),
        (counts.closed, "test run", "whose gate is closed"),
        (counts.checks, "structural check", ""),
        (counts.conventions, "convention", ""),
    ):
        if n:
            yield f"{wording.count(n, noun)} {why}".strip()
