"""Rows of review records without scores: notes, decisions, exclusions, requests and skips."""

from collections.abc import Callable, Iterable
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.reviews.review import DECISION, Chain, Review
from evalcore.families.reviews.subjects import Subject
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ExclusionRow, FeedbackRow, NoteRow, RequestRow

_TAKEN_BACK = {"exclusion": "lifted", "skip": "lifted", "approval-request": "done"}
DECIDED: Final = ("accepted", "rejected")


def is_taken_back(review: Review) -> bool:
    """Return whether a record takes back what the records before it said."""
    return review.fields.get(_TAKEN_BACK.get(review.type, "")) is True


def add_other_records(
    suite: str,
    linked: Iterable[tuple[Chain, Subject | None]],
    node_of: Callable[[Review], Node],
    rows: Rows,
) -> None:
    """Add the rows of all records without scores, except withdrawn ones."""
    for chain, subject in linked:
        review = chain.head
        node = node_of(review)
        if review.type == "note":
            _add_note(suite, review, node, subject, rows)
        elif review.type == DECISION:
            _add_decision(suite, review, node, subject, rows)
        elif review.type in _TAKEN_BACK and not node.flag(_TAKEN_BACK[review.type]):
            _add_state(suite, review, node, subject, rows)


def _add_note(suite: str, review: Review, node: Node, subject: Subject | None, rows: Rows) -> None:
    text = node.text("text")
    if text is not None and text.strip():
        run, version = (subject.run.id, subject.run.version) if subject else (None, None)
        rows.add(
            NoteRow(
                suite=suite,
                run_id=run,
                version=version,
                kind="note",
                text=text,
                source=review.path,
                pointer="/fields/text",
                author=review.created_by or None,
                created_at=review.created_at,
            )
        )


def _add_decision(
    suite: str, review: Review, node: Node, subject: Subject | None, rows: Rows
) -> None:
    kind, text = node.text("decision"), node.text("text")
    if kind in DECIDED and text is not None and text.strip():
        run, version = (subject.run.id, subject.run.version) if subject else (None, None)
        rows.add(
            FeedbackRow(
                suite=suite,
                run_id=run,
                version=version,
                kind=kind,
                target=node.text("target"),
                text=text,
                action=node.text("reason") or None,
                author=review.created_by or None,
                created_at=review.created_at,
                source=review.path,
                pointer="/fields/text",
            )
        )


def _add_state(suite: str, review: Review, node: Node, subject: Subject | None, rows: Rows) -> None:
    run, reason = subject.run.id if subject else None, node.text("reason") or ""
    by, at = review.created_by or None, review.created_at
    if review.type != "exclusion":
        rows.add(
            RequestRow(
                suite=suite,
                run_id=run,
                kind=review.type,
                reason=reason,
                author=by,
                created_at=at,
                source=review.path,
                pointer="",
            )
        )
    elif reason.strip():
        rows.add(
            ExclusionRow(
                suite=suite,
                run_id=run,
                reason=reason,
                author=by,
                created_at=at,
                source=review.path,
                pointer="",
            )
        )
    else:
        node.note(
            "warning",
            "no-reason",
            "This excludes a run without giving a reason, so the run still counts.",
            "Add the reason why the run does not count.",
            "reason" if "reason" in review.fields else None,
        )
