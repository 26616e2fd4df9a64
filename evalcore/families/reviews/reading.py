"""Read the reviews of the suites with the same root into rows."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import parse_time
from evalcore.families.base import RECORDED, REVIEWS
from evalcore.families.remembering import failure_row
from evalcore.families.reviews.lookup import (
    Lookup,
    Outputs,
    Run,
    Subject,
    run_named,
    subjects,
)
from evalcore.families.reviews.marks import TAKEN_BACK, Linked, ReviewContext, add_mark, add_totals
from evalcore.families.reviews.matching import Attached, Folder, attach
from evalcore.families.reviews.memory_records import add_memory
from evalcore.families.reviews.review import (
    BLIND_STUDY,
    DECISION,
    EPOCH,
    FAILURE,
    MARKS,
    REMEMBERED,
    SAVED_VIEW,
    SINGLE,
    Chain,
    Review,
    by_another,
    chains,
    checked,
    joined,
    judge_type_of,
    origin_of,
    scope,
)
from evalcore.families.reviews.saved_views import view_faults
from evalcore.families.scoring import RUBRIC
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    DocumentRow,
    ExclusionRow,
    FeedbackRow,
    FingerprintRow,
    NoteRow,
    RequestRow,
)

BROKEN: Final = "broken"

FAMILY: Final = REVIEWS
"""What the documents are listed as; no suite is of this family."""


def read_reviews(
    files: Iterable[tuple[Folder, Sequence[tuple[str, Json]]]],
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> set[str]:
    """Add the rows of the records of some `reviews` folders; return the paths that were read.

    The files of each folder are (path, value); problems of one do not affect others. Records in
    several folders of one suite are read together, so that one corrects the other.
    """
    outputs = Outputs(reader)
    by_suite: dict[str, list[Attached]] = defaultdict(list)
    taken: set[str] = set()
    for folder, content in files:
        own = folder.own[0].id if folder.own else None
        found: list[Review] = []
        broken: list[str] = []
        for path, value in content:
            review = checked(path, value, reader, own)
            if review is not None:
                found.append(review)
            elif own is not None:
                broken.append(path)
        for each in attach(found, folder, known, outputs.sha256):
            review, suite, _ = each
            by_suite[suite.id].append(each)
            taken.add(review.path)
            rows.add(DocumentRow(review.path, FAMILY, review.type, suite.id, records=1))
        for path in broken:
            taken.add(path)
            rows.add(DocumentRow(path, FAMILY, BROKEN, own, records=0))
    for suite in known.suites:
        if suite.id in by_suite:
            _read_suite(ReviewContext(suite, known, reader, rows, outputs, by_suite[suite.id]))
    return taken


def _read_suite(context: ReviewContext) -> None:
    """Add the rows of the records of one suite.

    Scores that others than their judges wrote are kept apart: they count for nothing.
    """
    runs = {run.id: run for each in context.attached if (run := each.match.run) is not None}
    facts = subjects(context.known, context.suite, runs.values())
    failures: list[tuple[Review, Subject | None]] = []
    foreign: list[tuple[Review, Subject | None]] = []
    remembered: list[Review] = []
    scopes: dict[tuple[str, ...], tuple[Subject | None, list[Review]]] = {}
    for review, _, match in context.attached:
        subject = facts[match.run.id] if match.run is not None else None
        if by_another(review):
            foreign.append((review, subject))
        elif review.type in REMEMBERED:
            remembered.append(review)
        elif review.type == FAILURE:
            failures.append((review, subject))
        else:
            kind, person, criterion = scope(review)
            if context.suite.family.is_store:
                criterion = criterion.removeprefix(f"{RUBRIC}:")
            # A run is the same under another of its names.
            name = subject.run.id if subject is not None else run_named(review) or ""
            key = name, kind, person, judge_type_of(review), criterion
            scopes.setdefault(key, (subject, []))[1].append(review)
    add_memory(context, remembered)
    scored: list[Linked] = []
    others: list[Linked] = []
    for subject, members in scopes.values():
        kind, found = members[0].type, chains(members)
        one = [joined(found)] if kind in SINGLE else found
        (scored if kind in MARKS else others).extend((chain, subject) for chain in one)
    others.sort(key=lambda each: each[0].head.order)
    context.note_foreign(review for review, _ in foreign)
    for chain, subject in (*scored, *others):
        context.note_chain(chain, subject)
    marks = [add_mark(context, review, subject, "foreign") for review, subject in foreign]
    marks += [
        add_mark(context, review, subject, "superseded")
        for chain, subject in scored
        for review in (*chain.replaced, *chain.rivals)
    ]
    marks += [add_mark(context, chain.head, subject, "head") for chain, subject in scored]
    add_totals(context, marks, facts)
    add_other_records(context, others)
    add_fingerprints(context, (*scored, *others))
    add_failures(context, failures)


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
            text, at = node.text("text"), "/fields/text"
            if text is not None and text.strip():
                rows.add(NoteRow(**said, version=version, kind="note", text=text, pointer=at))
        elif review.type == DECISION:
            kind, text, at = node.text("decision"), node.text("text"), "/fields/text"
            if kind in ("accepted", "rejected", "asked") and text is not None and text.strip():
                target, action = node.text("target"), node.text("reason") or None
                told = FeedbackRow(**said, version=version, kind=kind, text=text, pointer=at)
                rows.add(told._replace(target=target, action=action))
        elif review.type == SAVED_VIEW:
            for field, message in view_faults(review.fields):
                hint = "Remove the file, or save the view again on its page."
                key = field if field in review.fields else None
                node.note("warning", "not-a-view", f"{message} The view is not used.", hint, key)
        elif review.type in TAKEN_BACK and not node.flag(TAKEN_BACK[review.type]):
            reason = node.text("reason") or ""
            if review.type != "exclusion":
                rows.add(RequestRow(**said, kind=review.type, reason=reason, pointer=""))
            elif reason.strip():
                rows.add(ExclusionRow(**said, reason=reason, pointer=""))
            else:
                message = "This excludes a run without giving a reason, so the run still counts."
                hint = "Add the reason why the run does not count."
                key = "reason" if "reason" in review.fields else None
                node.note("warning", "no-reason", message, hint, key)


def add_fingerprints(context: ReviewContext, linked: Iterable[Linked]) -> None:
    """Add a row for each output whose sha256 a current record states, with whether it is so now.

    A record that another one replaced says no more what the evaluation rests on.
    """
    for chain, subject in linked:
        review = chain.head
        stated: list[tuple[Run, str, str]] = []
        sha256 = review.basis.get("outputSha256")
        if subject is not None and isinstance(sha256, str):
            stated.append((subject.run, sha256, "/evalcore/outputSha256"))
        if review.type == BLIND_STUDY:
            # The ids of its runs are those of the open folder: only the suite's part differs.
            sides: dict[str, tuple[str, str]] = {}
            pairs: Any = review.fields.get("pairs")
            for at, pair in enumerate(pairs if isinstance(pairs, list) else []):
                for side in "AB" if isinstance(pair, dict) else "":
                    name, sha256 = pair.get(f"run{side}"), pair.get(f"output{side}")
                    tail = name.partition("::")[2] if isinstance(name, str) else ""
                    if tail and isinstance(sha256, str):
                        place = pointer("fields", "pairs", at, f"output{side}")
                        sides.setdefault(f"{context.suite.prefix}::{tail}", (sha256, place))
            runs = context.known.runs(sides)
            stated += [(runs[name][0], *said) for name, said in sides.items() if name in runs]
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


def add_failures(context: ReviewContext, failures: Sequence[tuple[Review, Subject | None]]) -> None:
    """Add a row for each failure that people classified, and report what contradicts.

    A failure is nobody's own: anybody may replace it, also one that a store of records holds.
    Failures that documents of the suite hold are the oldest of their chains. Chains of one run that
    replace no such failure are one: two people may classify the same run at the same time, and then
    somebody has to decide.
    """
    if not failures:
        return
    suite, known = context.suite.id, context.known
    of = {review.id: subject for review, subject in failures}
    columns = ("failure_id", "origin", "source")
    stored = [
        Review(FAILURE, name, {}, EPOCH, "", (), {}, source)
        for name, origin, source in known.rows("failures", columns, "suite", [suite])
        if origin == RECORDED and name not in of
    ]
    of_run: dict[str, list[Chain]] = defaultdict(list)
    found: list[Chain] = []
    for chain in chains([*stored, *(review for review, _ in failures)]):
        if chain.head.id not in of:
            continue
        subject = of[chain.head.id]
        run = subject.run.id if subject is not None else run_named(chain.head) or ""
        if all(member.id in of for member in chain.members):
            of_run[run].append(chain)
        else:
            found.append(chain)
    for chain in (*found, *map(joined, of_run.values())):
        review, subject = chain.head, of[chain.head.id]
        context.note_chain(chain, subject)
        said, listed = context.said(chain), review.fields.get("affectedCriterionIds")
        names = listed if isinstance(listed, list) else []
        criteria = [name for name in names if isinstance(name, str)]
        failed = subject.run.id if subject is not None else None
        row = failure_row(said, failed, criteria, parse_time(review.fields.get("resolvedAt")))
        context.rows.add(
            row._replace(
                named_run=run_named(review),
                origin=origin_of(review.created_by),
                supersedes=json.dumps(said.supersedes, ensure_ascii=False),
                rivals=json.dumps(said.rivals, ensure_ascii=False),
            )
        )
