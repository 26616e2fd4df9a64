"""Rows of review records without scores, and of what each record says that outputs were."""

from collections.abc import Iterable
from typing import Any, Final

from evalcore.families.reviews.context import TAKEN_BACK, Linked, ReviewContext
from evalcore.families.reviews.lookup import Run
from evalcore.families.reviews.review import BLIND_STUDY, DECISION, Review
from evalcore.problems import pointer
from evalcore.tables.rows import ExclusionRow, FeedbackRow, FingerprintRow, NoteRow, RequestRow

_TEXT: Final = "/fields/text"
_OUTPUT: Final = "outputSha256"
_SIDES: Final = (("runA", "outputA"), ("runB", "outputB"))


def add_other_records(context: ReviewContext, linked: Iterable[Linked]) -> None:
    """Add the rows of notes, decisions, exclusions, requests and skips, except withdrawn ones."""
    rows = context.rows
    for chain, subject in linked:
        review = chain.head
        node = context.node(review)
        version = subject.run.version if subject else None
        said: dict[str, Any] = {
            "suite": context.suite.id,
            "run_id": subject.run.id if subject else None,
            "author": review.created_by or None,
            "created_at": review.created_at,
            "source": review.path,
        }
        if review.type == "note":
            text = node.text("text")
            if text is not None and text.strip():
                rows.add(NoteRow(**said, version=version, kind="note", text=text, pointer=_TEXT))
        elif review.type == DECISION:
            kind, text = node.text("decision"), node.text("text")
            if kind in ("accepted", "rejected", "asked") and text is not None and text.strip():
                target, action = node.text("target"), node.text("reason") or None
                told = FeedbackRow(**said, version=version, kind=kind, text=text, pointer=_TEXT)
                rows.add(told._replace(target=target, action=action))
        elif review.type in TAKEN_BACK and not node.flag(TAKEN_BACK[review.type]):
            reason = node.text("reason") or ""
            if review.type != "exclusion":
                rows.add(RequestRow(**said, kind=review.type, reason=reason, pointer=""))
            elif reason.strip():
                rows.add(ExclusionRow(**said, reason=reason, pointer=""))
            else:
                node.note(
                    "warning",
                    "no-reason",
                    "This excludes a run without giving a reason, so the run still counts.",
                    "Add the reason why the run does not count.",
                    "reason" if "reason" in review.fields else None,
                )


def add_fingerprints(context: ReviewContext, linked: Iterable[Linked]) -> None:
    """Add a row for each output whose sha256 a current record states, with whether it is so now.

    A record that another one replaced says no more what the evaluation rests on.
    """
    for chain, subject in linked:
        review = chain.head
        stated: list[tuple[Run, str, str]] = []
        sha256 = review.basis.get(_OUTPUT)
        if subject is not None and isinstance(sha256, str):
            stated.append((subject.run, sha256, pointer("evalcore", _OUTPUT)))
        if review.type == BLIND_STUDY:
            of_pairs = _of_pairs(review, context.suite.prefix)
            runs = context.known.runs(of_pairs) if of_pairs else {}
            stated += [(runs[name][0], *said) for name, said in of_pairs.items() if name in runs]
        for run, sha256, place in stated:
            context.rows.add(
                FingerprintRow(
                    suite=context.suite.id,
                    run_id=run.id,
                    kind=review.type,
                    kept=context.outputs.sha256(run) == sha256,
                    author=review.created_by or None,
                    source=review.path,
                    pointer=place,
                )
            )


def _of_pairs(review: Review, prefix: str) -> dict[str, tuple[str, str]]:
    """Return sha256 and pointer by run of what a blind study states of both sides of its pairs.

    The runs have the ids that they have in the folder that is open: only the suite's part differs.
    """
    found: dict[str, tuple[str, str]] = {}
    pairs: Any = review.fields.get("pairs")
    for at, pair in enumerate(pairs if isinstance(pairs, list) else []):
        for run, output in _SIDES if isinstance(pair, dict) else ():
            name, sha256 = pair.get(run), pair.get(output)
            tail = name.partition("::")[2] if isinstance(name, str) else ""
            if tail and isinstance(sha256, str):
                found.setdefault(
                    f"{prefix}::{tail}", (sha256, pointer("fields", "pairs", at, output))
                )
    return found
