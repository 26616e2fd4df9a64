"""What records say that outputs were, each beside what the output is now."""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from evalcore.families.reviews.context import ReviewContext
from evalcore.families.reviews.lookup import Lookup, Run
from evalcore.families.reviews.review import BLIND_STUDY, Chain, Review
from evalcore.families.reviews.subjects import Subject
from evalcore.problems import pointer
from evalcore.tables.rows import FingerprintRow

OUTPUT: Final = "outputSha256"
_SIDES: Final = (("runA", "outputA"), ("runB", "outputB"))


class _Stated(NamedTuple):
    """A run, the sha256 that its output had, and where the record says so."""

    run: Run
    sha256: str
    pointer: str


def add_fingerprints(
    context: ReviewContext, linked: Iterable[tuple[Chain, Subject | None]], known: Lookup
) -> None:
    """Add a row for each output whose sha256 a current record states.

    A record that another one replaced says no more what the evaluation rests on.
    """
    for chain, subject in linked:
        review = chain.head
        for stated in (*_of_record(review, subject), *_of_pairs(context, review, known)):
            context.rows.add(
                FingerprintRow(
                    suite=context.suite.id,
                    run_id=stated.run.id,
                    kind=review.type,
                    kept=context.outputs.sha256(stated.run) == stated.sha256,
                    author=review.created_by or None,
                    source=review.path,
                    pointer=stated.pointer,
                )
            )


def _of_record(review: Review, subject: Subject | None) -> Iterator[_Stated]:
    """Yield what a record about one run states."""
    sha256 = review.basis.get(OUTPUT)
    if subject is not None and isinstance(sha256, str):
        yield _Stated(subject.run, sha256, pointer("evalcore", OUTPUT))


def _of_pairs(context: ReviewContext, review: Review, known: Lookup) -> Iterator[_Stated]:
    """Yield what a blind study states of both sides of its pairs, each run once."""
    pairs = review.fields.get("pairs") if review.type == BLIND_STUDY else None
    named: dict[str, tuple[str, str]] = {}
    for at, pair in enumerate(pairs if isinstance(pairs, list) else []):
        for run, output in _SIDES if isinstance(pair, dict) else ():
            name, sha256 = _run_id(context, pair.get(run)), pair.get(output)
            if name is not None and isinstance(sha256, str):
                named.setdefault(name, (sha256, pointer("fields", "pairs", at, output)))
    runs = known.runs(named) if named else {}
    for name, (sha256, place) in named.items():
        if name in runs:
            yield _Stated(runs[name][0], sha256, place)


def _run_id(context: ReviewContext, name: Any) -> str | None:
    """Return the id that a run has in the folder that is open: only its suite's part differs."""
    tail = name.partition("::")[2] if isinstance(name, str) else ""
    return f"{context.suite.prefix}::{tail}" if tail else None
