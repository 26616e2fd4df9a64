"""The test runs with their judgments and scores."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.families.records.judgments import JUDGE_TYPES, KIND, Mark, judgment_row
from evalcore.families.records.links import Links
from evalcore.families.records.rubrics import CURRENT, Case, Criterion, Rubric
from evalcore.families.records.scoring import Grade, Total, grade, passes
from evalcore.families.records.shapes import AGGREGATES, ORIGINATED_FROM, PRODUCES_RUN, said
from evalcore.families.records.store import Record, Store
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow

_FAILED_AS = {"timeout": "timeout", "refusal": "refused"}


class Run(NamedTuple):
    """A run as benchmarks and versions need it; one of a draft or deprecated case never counts."""

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
    marks: Mapping[str | None, list[Mark]],
    rows: Rows,
) -> dict[str, Run]:
    """Add the rows of every run with its judgments; return the runs by id."""
    failed_as = _failure_types(store, links)
    runs = {}
    for record in store.all("test-run"):
        node = store.node(record)
        case = _case(node, links.source(PRODUCES_RUN, record.id), record, cases)
        version = node.text("promptVersionRef") or case.version or CURRENT
        key = run_id(store.suite, case.id or "-", version, "-", record.id)
        judge_type = _judge_type(node)
        own = [_typed(mark, judge_type) for mark in marks.get(record.id, ())]
        graded = grade(own, case.rubric, judge_type)
        final = _final(node, record, graded, case.rubric)
        counts = case.status in (None, "active")
        run = Run(key, case, version, final.passed, counts, node.time("ranAt"), record)
        rows.add(_row(store, links, node, run, final, graded,
                      failed_as.get(record.id, "completed")))  # fmt: skip
        _add_judgments(run, own, graded, case.rubric, rows)
        _add_scores(key, graded, final, rows)
        _note_judgments(store, node, record, own, graded, case.rubric)
        runs[record.id] = run
    for mark in marks.get(None, ()):
        rows.add(judgment_row(mark, None))
    return runs


def _failure_types(store: Store, links: Links) -> dict[str, str]:
    """Return how a run ended, by run id, where a failure record says so."""
    found = {}
    for record in store.all("eval-failure"):
        kind = record.fields.get("failureType")
        run = links.target(ORIGINATED_FROM, record.id)
        if isinstance(kind, str) and kind in _FAILED_AS and run is not None:
            found[run] = _FAILED_AS[kind]
    return found


def _case(node: Node, name: str | None, record: Record, cases: Mapping[str, Case]) -> Case:
    if name is None:
        node.note("warning", "no-case", f"The test-run {said(record.id)} names no test case.",
                  "Add testCaseId.")  # fmt: skip
    return cases.get(name or "") or Case(name, None, None, None, None)


def _judge_type(node: Node) -> str | None:
    kind = node.text("judgeType")
    if kind is not None and kind not in JUDGE_TYPES:
        node.note("warning", "unknown-judge-type", f"{said(kind)} is no type of judge.",
                  f"Use one of {', '.join(JUDGE_TYPES)}.", "judgeType")  # fmt: skip
    return kind


def _typed(mark: Mark, judge_type: str | None) -> Mark:
    """Fill in the judge's type of a judgment that does not say it."""
    return mark if mark.judge_type else mark._replace(judge_type=judge_type or "llm")


def _final(node: Node, record: Record, graded: Grade, rubric: Rubric | None) -> Total:
    """Return the recorded total; what cannot be computed stays as the record has it."""
    found = graded.recorded
    score, most = node.number("totalScore"), node.number("maxPossibleScore")
    passed = node.flag("passed")
    if found.gap is not None:
        node.note(
            "info",
            "not-recomputed",
            f"The score of the test-run {said(record.id)} is shown as stored: {found.gap}.",
        )
        reached = passes(score, rubric)
        _compare_passed(node, passed, reached, score, rubric)
        return found._replace(score=score, max_score=most,
                              passed=passed if reached is None else reached)  # fmt: skip
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
        node.note("warning", "derived-mismatch",
                  f"The stored {key} is {stored:g}; {formula} gives {computed:.6g}.",
                  "Write the record again from its judgments.", key)  # fmt: skip


def _compare_passed(
    node: Node, stored: bool | None, computed: bool | None, score: float | None,
    rubric: Rubric | None,
) -> None:  # fmt: skip
    if stored is None or computed is None or stored == computed or rubric is None:
        return
    node.note("warning", "derived-mismatch",
              f"The stored passed is {str(stored).lower()}; {score:.6g} against the threshold "
              f"{rubric.threshold:g} gives {str(computed).lower()}.",
              "Write the record again from its judgments.", "passed")  # fmt: skip


def _row(
    store: Store, links: Links, node: Node, run: Run, final: Total, graded: Grade, status: str
) -> RunRow:
    record = run.record
    score, most = final.score, final.max_score
    duration = node.number("durationMs")
    output = record.fields.get("actualOutput") is not None
    return RunRow(
        run.run_id, store.suite, run.case.id, run.version, "-", record.id,
        links.source(AGGREGATES, record.id), "record", status, final.passed, score, most,
        score / most if score is not None and most else None,
        None, None, None, None, None, *graded.judge, run.case.executor, None,
        run.started_at, duration / 1000 if duration else None, None, None,
        record.path if output else None, record.path,
        record.at,
    )  # fmt: skip


def _add_judgments(
    run: Run, marks: Sequence[Mark], graded: Grade, rubric: Rubric | None, rows: Rows
) -> None:
    old = {id(mark) for mark in graded.replaced}
    for mark in marks:
        rows.add(judgment_row(mark, run.run_id, "superseded" if id(mark) in old else None))
    if rubric is not None:
        for criterion in graded.missing:
            rows.add(_unscored(run, criterion, graded))


def _unscored(run: Run, criterion: Criterion, graded: Grade) -> JudgmentRow:
    """Return the row of a criterion that the recorded judge left out."""
    judge, judge_type = graded.judge
    return JudgmentRow(
        run.run_id, KIND, criterion.id, judge, judge_type or "llm", None, criterion.low,
        criterion.high, None, None, None, None, None, "unscored", run.record.path, run.record.at,
        None, None,
    )  # fmt: skip


def _add_scores(key: str, graded: Grade, final: Total, rows: Rows) -> None:
    """Add one row for each judge; the recorded one is the run's own."""
    for (name, kind), own in {**graded.totals, graded.judge: final}.items():
        rows.add(RunScoreRow(key, name, kind, own.score, own.max_score, own.passed, own.judged,
                             own.expected))  # fmt: skip


def _note_judgments(
    store: Store, node: Node, record: Record, marks: Sequence[Mark], graded: Grade,
    rubric: Rubric | None,
) -> None:  # fmt: skip
    """Note judgments that are missing, repeated, or of a criterion that was not asked for."""
    if graded.missing:
        names = ", ".join(said(criterion.name) for criterion in graded.missing[:8])
        node.note("warning", "missing-judgment",
                  f"The test-run {said(record.id)} has no judgment of {names}; its total is not "
                  "known.", "Judge every criterion of the rubric.")  # fmt: skip
    for mark in graded.replaced:
        store.head(mark.record).note(
            "warning", "repeated-judgment",
            f"The same judge judged this criterion again later; {said(mark.record.id)} does not "
            "count.", "Let the newer judgment name this one in `supersedes`.",
        )  # fmt: skip
    asked = {criterion.id for criterion in rubric.criteria} if rubric else set()
    for mark in marks:
        if mark.known is not None and rubric is not None and mark.known.id not in asked:
            store.node(mark.record).note(
                "warning", "criterion-not-asked",
                f"The criterion {said(mark.known.name)} is not part of the rubric of this case; "
                "its judgment stands beside the total.",
                "Add it to the rubric's criteriaIds, or judge another one.", "criterionId",
            )  # fmt: skip
