"""The test runs with their judgments and scores."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import structs

from evalcore.disk.values import Node
from evalcore.families.base import CURRENT, UNATTACHED
from evalcore.families.records.fields import RunFields
from evalcore.families.records.judgments import (
    Judgment,
    Placed,
    add_judgments,
    judge_type,
    status_of,
)
from evalcore.families.records.links import Links
from evalcore.families.records.loading import Record
from evalcore.families.records.rubrics import Case, Rubric
from evalcore.families.records.scoring import Grade, Total, grade, passes
from evalcore.families.records.shapes import AGGREGATES, ORIGINATED_FROM, PRODUCES_RUN, quoted
from evalcore.families.records.store import Store
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.shapes.judge import REPEATED
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow, RunScoreRow

_FAILED_AS = {"timeout": "timeout", "refusal": "refused"}


class Run(NamedTuple):
    """A run, as benchmarks and versions need it; one of a draft or deprecated case never counts."""

    run_id: str
    case: Case
    version: str
    passed: bool | None
    counts: bool
    started_at: datetime | None
    record: Record


def read_runs(
    store: Store,
    links: Links,
    cases: Mapping[str, Case],
    judgments: Mapping[str | None, list[Judgment]],
    rows: Rows,
) -> dict[str, Run]:
    """Add the rows of every run with its judgments; return the runs by id."""
    failed_as = _failure_types(store, links)
    runs = {}
    judged: list[Placed] = []
    for record in store.all("test-run"):
        fields = store.fields(record, RunFields)
        case = _case(store, links.source(PRODUCES_RUN, record.id), record, cases)
        version = fields.prompt_version_ref or case.version or CURRENT
        key = run_id(store.suite, case.id or "-", version, "-", record.id)
        kind = judge_type(store, record, fields.judge_type, "judgeType")
        own = [
            judgment if judgment.judge_type else structs.replace(judgment, judge_type=kind or "llm")
            for judgment in judgments.get(record.id, ())
        ]
        graded = grade(own, case.rubric, kind)
        final = _final(store, record, fields, graded, case.rubric)
        counts = case.status in (None, "active")
        started_at = store.time(record, "ranAt")
        run = Run(key, case, version, final.passed, counts, started_at, record)
        status = failed_as.get(record.id, "completed")
        rows.add(_row(store, links, run, fields.duration_ms, final, graded, status))
        judged.extend(_placed(run, own, graded))
        _add_scores(key, own, graded, final, rows)
        _note_judgments(store, record, own, graded, case.rubric)
        runs[record.id] = run
    judged.extend((None, judgment, _apart(judgment)) for judgment in judgments.get(None, ()))
    add_judgments(judged, rows)
    return runs


def _failure_types(store: Store, links: Links) -> dict[str, str]:
    """Return the status of runs by id, if a failure record tells it."""
    found = {}
    for record in store.all("eval-failure"):
        kind = record.fields.get("failureType")
        run = links.target(ORIGINATED_FROM, record.id)
        if isinstance(kind, str) and kind in _FAILED_AS and run is not None:
            found[run] = _FAILED_AS[kind]
    return found


def _case(store: Store, name: str | None, record: Record, cases: Mapping[str, Case]) -> Case:
    if name is None:
        store.node(record).note(
            "warning",
            "no-case",
            f"The test-run {quoted(record.id)} names no test case.",
            "Add testCaseId.",
        )
    return cases.get(name or "") or Case(name, None, None, None, None)


def _final(
    store: Store, record: Record, fields: RunFields, graded: Grade, rubric: Rubric | None
) -> Total:
    """Return the recorded total; the record's values are used for what cannot be computed."""
    found = graded.recorded
    score, most, passed = fields.total_score, fields.max_possible_score, fields.passed
    node = store.node(record)
    if found.gap is not None:
        node.note(
            "info",
            "not-recomputed",
            f"The score of the test-run {quoted(record.id)} is shown as stored: {found.gap}.",
        )
        reached = passes(score, rubric)
        _compare_passed(node, passed, reached, score, rubric)
        return found._replace(
            score=score, max_score=most, passed=passed if reached is None else reached
        )
    if found.score is None:
        return found
    _compare(node, "totalScore", score, found.score, "Σ weight·score")
    if found.max_score is not None:
        _compare(node, "maxPossibleScore", most, found.max_score, "Σ weight·maxScore")
    _compare_passed(node, passed, found.passed, found.score, rubric)
    return found if found.passed is not None else found._replace(passed=passed)


def _compare(node: Node, key: str, stored: float | None, computed: float, formula: str) -> None:
    # Many writers print 4.0 as 4, so a whole number says nothing about rounding here.
    if stored is not None and disagrees(float(stored), computed):
        node.note(
            "warning",
            "derived-mismatch",
            f"The stored {key} is {stored:g}; {formula} gives {computed:.6g}.",
            "Write the record again from its judgments.",
            key,
        )


def _compare_passed(
    node: Node,
    stored: bool | None,
    computed: bool | None,
    score: float | None,
    rubric: Rubric | None,
) -> None:
    if stored is None or computed is None or stored == computed or rubric is None:
        return
    node.note(
        "warning",
        "derived-mismatch",
        f"The stored passed is {str(stored).lower()}; {score:.6g} against the threshold "
        f"{rubric.threshold:g} gives {str(computed).lower()}.",
        "Write the record again from its judgments.",
        "passed",
    )


def _row(
    store: Store,
    links: Links,
    run: Run,
    duration: float | None,
    final: Total,
    graded: Grade,
    status: str,
) -> RunRow:
    record = run.record
    score, most = final.score, final.max_score
    output = record.fields.get("actualOutput") is not None
    judge, kind = graded.judge
    return RunRow(
        run_id=run.run_id,
        suite=store.suite,
        case_id=run.case.id,
        version=run.version,
        configuration="-",
        run=record.id,
        benchmark_run=links.source(AGGREGATES, record.id),
        origin="record",
        status=status,
        passed=final.passed,
        score=score,
        max_score=most,
        fraction=score / most if score is not None and most else None,
        judge=judge,
        judge_type=kind,
        executor=run.case.executor,
        started_at=run.started_at,
        duration_s=duration / 1000 if duration else None,
        outputs=record.path if output else None,
        source=record.path,
        pointer=record.at,
    )


def _placed(run: Run, judgments: Sequence[Judgment], graded: Grade) -> Iterator[Placed]:
    """Yield the judgments of a run, and those that the recorded judge left out."""
    old = {id(judgment) for judgment in graded.replaced}
    for judgment in judgments:
        unknown = judgment.known is None or _is_beside(judgment, run.case.rubric)
        apart = judgment.judge_type == "human" and unknown
        status = _apart(judgment) if apart else status_of(judgment)
        yield run.run_id, judgment, "superseded" if id(judgment) in old else status
    judge, kind = graded.judge
    for criterion in graded.missing:
        judgment = Judgment(
            record=run.record,
            criterion=criterion.id,
            known=criterion,
            judge=judge,
            judge_type=kind,
            low=criterion.low,
            high=criterion.high,
        )
        yield run.run_id, judgment, "unscored"


def _is_beside(judgment: Judgment, rubric: Rubric | None) -> bool:
    """Return whether a judgment is of a known criterion that a rubric does not have."""
    if judgment.known is None or rubric is None:
        return False
    return all(judgment.known.id != criterion.id for criterion in rubric.criteria)


def _apart(judgment: Judgment) -> str:
    """Return the status of a judgment that is part of no run's total."""
    status = status_of(judgment)
    return UNATTACHED if status == "scored" else status


def _add_scores(
    key: str, judgments: Sequence[Judgment], graded: Grade, final: Total, rows: Rows
) -> None:
    """Add one row for each judge; the recorded one is the run's own."""
    for (name, kind), own in {**graded.totals, graded.judge: final}.items():
        rows.add(
            RunScoreRow(
                run_id=key,
                judge=name,
                judge_type=kind,
                score=own.score,
                max_score=own.max_score,
                passed=own.passed,
                judged=own.judged,
                expected=own.expected,
                origin=REPEATED if _repeats(judgments, name, kind) else None,
            )
        )


def _repeats(judgments: Sequence[Judgment], judge: str | None, kind: str | None) -> bool:
    """Return whether the judgments of a judge were written from records of people."""
    return kind == "human" and any(
        (each.judge, each.judge_type) == (judge, kind) and each.repeats for each in judgments
    )


def _note_judgments(
    store: Store,
    record: Record,
    judgments: Sequence[Judgment],
    graded: Grade,
    rubric: Rubric | None,
) -> None:
    """Report judgments that are missing, repeated, or of a criterion outside the rubric."""
    if graded.missing:
        names = ", ".join(quoted(criterion.name) for criterion in graded.missing[:8])
        store.node(record).note(
            "warning",
            "missing-judgment",
            f"The test-run {quoted(record.id)} has no judgment of {names}; its total is not known.",
            "Judge every criterion of the rubric.",
        )
    for judgment in graded.replaced:
        store.head(judgment.record).note(
            "warning",
            "repeated-judgment",
            "The same judge judged this criterion again later; "
            f"{quoted(judgment.record.id)} does not count.",
            "Name this judgment in `supersedes` of the newer one.",
        )
    for judgment in judgments:
        if judgment.known is not None and _is_beside(judgment, rubric):
            store.node(judgment.record).note(
                "warning",
                "criterion-not-asked",
                f"The criterion {quoted(judgment.known.name)} is not part of the rubric of this "
                "case; its judgment is shown beside the total.",
                "Add it to the rubric's criteriaIds, or judge another one.",
                "criterionId",
            )
