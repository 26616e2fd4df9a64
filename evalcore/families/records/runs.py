"""The test runs with their judgments and totals, agent-runs that wait for theirs, and versions."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.base import CURRENT, PENDING, UNATTACHED, is_review
from evalcore.families.records.shapes import AGENT_RUN
from evalcore.families.records.store import Case, Criterion, Record, Rubric, Store, note_missing
from evalcore.families.scoring import RUBRIC, Total, confidence, is_invalid, weighted
from evalcore.ids import run_id
from evalcore.numbers import at_least, disagrees
from evalcore.problems import quoted
from evalcore.shapes.judge import HUMAN, MODEL, REPEATED, TYPES, names_records
from evalcore.shapes.prompts import names_of, prompt_in
from evalcore.shapes.relations import AGGREGATES, CONTAINS, ORIGINATED_FROM, PRODUCES_RUN, SCORES
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import CHUNK
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import JudgmentRow, RunRow, RunScoreRow, VersionRow

_FAILED_AS: Final = {"timeout": "timeout", "refusal": "refused"}
_EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)

Judged = tuple[JudgmentRow, Record]
"""A judgment, without its run, and its record."""
Judge = tuple[str | None, str | None]
"""(name, type)"""


def read_runs(store: Store) -> None:
    """Add the rows of every run with its judgments, and keep the runs by id."""
    rows, failed_as = store.rows, dict[str | None, str]()
    for record in store.all("eval-failure"):
        failure = record.value.get("failureType")
        if isinstance(failure, str) and failure in _FAILED_AS:
            failed_as[store.target(ORIGINATED_FROM, record.id)] = _FAILED_AS[failure]
    judgments = _judgments(store)
    judged = Gathered(rows.tables["judgments"], JudgmentRow._fields)
    for record in store.all("test-run"):
        name = store.source(PRODUCES_RUN, record.id)
        if name is None:
            message = f"The test-run {quoted(record.id)} names no test case."
            record.note("warning", "no-case", message, "Add testCaseId.")
        case = store.cases.get(name or "") or Case(name)
        version = record.text("promptVersionRef") or case.version or CURRENT
        kind = _judge_type(record, "judgeType")
        own = [
            (row if row.judge_type else row._replace(judge_type=kind or MODEL), by)
            for row, by in judgments.get(record.id, ())
        ]
        graded = _grade(store, own, case.rubric, kind)
        final = _final(record, graded.recorded, graded.gap, case.rubric)
        score, most = final.score, final.max_score
        run = _row(store, record, record.id, case, version, "ranAt")._replace(
            benchmark_run=store.source(AGGREGATES, record.id),
            status=failed_as.get(record.id, "completed"),
            passed=final.passed,
            score=score,
            max_score=most,
            fraction=score / most if score is not None and most else None,
            judge=graded.judge[0],
            judge_type=graded.judge[1],
        )
        store.runs[record.id] = run
        rows.add(run)
        _add_judgments(store, record, run.run_id, case.rubric, own, graded, judged)
        repeating = {(row.judge, HUMAN) for row, by in own if names_records(by.envelope)}
        for (judge, of), total in (graded.totals | {graded.judge: final}).items():
            origin = REPEATED if (judge, of) in repeating else None
            rows.add(RunScoreRow(run.run_id, judge, of, *total, origin=origin))
        if len(store.runs) % CHUNK == 0:
            judged.flush()
    for row, _ in judgments.get(None, ()):
        judged.add(row._replace(status=UNATTACHED) if row.status == "scored" else row)
    judged.flush()


def _judgments(store: Store) -> dict[str | None, list[Judged]]:
    """Return the judgments by run id; those without an existing run under None."""
    judgments: dict[str | None, list[Judged]] = defaultdict(list)
    runs, current = store.by_type["test-run"], store.by_type["eval-judgment"]
    old = (record for record in store.superseded if record.type == "eval-judgment")
    for record in chain(current.values(), old):
        name = store.target(SCORES, record.id)
        known = store.criteria.get(name or "")
        run = store.source(CONTAINS, record.id)
        run, status = run if run in runs else None, "scored"
        score, rationale = record.number("score"), record.text("rationale")
        high, low = record.number("maxScore"), known.row.min_score if known else None
        if known is not None and known.row.max_score is not None:
            high = known.row.max_score
        if record.id not in current:
            status = "superseded"
        else:
            who = f"judgment {quoted(record.id)}"
            hint = "Correct the score, or the scale of the criterion."
            if is_invalid(record, who, rationale, (score, low, high), hint):
                score = None
            if known is not None:
                defined = {"weight": known.row.weight, "min_score": low}
                note_restated(record, {**defined, "max_score": known.row.max_score})
            if score is None:
                status = "unscored"
        judge, kind = record.text("judgedBy"), _judge_type(record, "judgedByType")
        row = JudgmentRow(
            run_id=None,
            kind=RUBRIC,
            criterion=name,
            judge=judge,
            judge_type=kind or (MODEL if run is None else None),
            score=score,
            min_score=low,
            max_score=high,
            fraction=score / high if score is not None and high else None,
            confidence=confidence(record),
            judged_at=record.time("judgedAt"),
            rationale=rationale,
            status=status,
            source=record.path,
            pointer=record.top,
        )
        judgments[run].append((row, record))
    return judgments


def _judge_type(node: Node, key: str) -> str | None:
    """Return the type of judge in the field `key`; unknown ones are reported."""
    kind = node.text(key)
    if kind is not None and kind not in TYPES:
        message, hint = f"{quoted(kind)} is not a type of judge.", f"Use one of {', '.join(TYPES)}."
        node.note("warning", "unknown-judge-type", message, hint, key)
    return kind


class Graded(NamedTuple):
    """The judgments of one run added up: as recorded, with its judge, and for every judge.

    `gap` says why the recorded total cannot be computed at all, if so.
    """

    recorded: Total
    gap: str | None
    judge: Judge
    totals: dict[Judge, Total]
    replaced: list[Record]
    missing: list[Criterion]


def _grade(
    store: Store, judgments: Sequence[Judged], rubric: Rubric | None, judge_type: str | None
) -> Graded:
    """Grade a run whose record names `judge_type` as the type of its judge.

    Each judge's newest judgment of a criterion counts. The recorded ones are by the run's type of
    judge; if several of that type judged, by the one who judged most of it, completed by the
    others. Reviews beside the store are not recorded.
    """
    judges: dict[Judge, dict[str, Judged]] = {}
    replaced = []
    current = [each for each in judgments if each[0].status != "superseded"]
    for row, record in sorted(current, key=lambda of: (of[0].judged_at or _EARLIEST, of[1].id)):
        own = judges.setdefault((row.judge, row.judge_type), {})
        if (old := own.get(row.criterion or "")) is not None:
            replaced.append(old[1])
        own[row.criterion or ""] = row, record
    totals = {judge: _total(store, own, rubric) for judge, own in judges.items()}
    fitting = [
        {name: judged for name, judged in own.items() if not is_review(judged[1].path)}
        for (_, kind), own in judges.items()
        if judge_type in (None, kind)
    ]
    recorded: dict[str, Judged] = {}
    for own in sorted(fitting, key=len, reverse=True):
        recorded = {**own, **recorded}
    names = {(row.judge, row.judge_type) for row, _ in recorded.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        (judge,) = names
    elif names and judge_type is None:
        judge = (None, next(iter(recorded.values()))[0].judge_type)
    missing = [each for each in rubric.criteria if each.record.id not in recorded] if rubric else []
    is_whole = recorded == judges.get(judge)
    total, gap = totals[judge] if is_whole else _total(store, recorded, rubric)
    sums = {judge: total for judge, (total, _) in totals.items()}
    return Graded(total, gap, judge, sums, replaced, missing if recorded else [])


def _total(
    store: Store, judgments: Mapping[str, Judged], rubric: Rubric | None
) -> tuple[Total, str | None]:
    """Add up judgments by criterion over the rubric (without one: over the judged criteria).

    Return also why that cannot be done, if so; else the score is None where one is unscored.
    """
    missing = rubric.missing if rubric is not None else 0
    if rubric is not None and (rubric.criteria or missing):
        criteria: Sequence[Criterion] = rubric.criteria
    else:
        criteria = [store.criteria[name] for name in judgments if name in store.criteria]
    weights = [criterion.row.weight for criterion in criteria]
    # What nobody judged has the scale of its criterion, and no score.
    found = [
        judgments[each.record.id][0] if each.record.id in judgments else each.row
        for each in criteria
    ]
    scores = [row.score if isinstance(row, JudgmentRow) else None for row in found]
    judged, expected = len(scores) - scores.count(None), len(criteria) + missing
    gap = None
    if not judgments:
        gap = "it has no judgment of the judge it names"
    elif missing:
        gap = "a criterion of its rubric is not in this store"
    elif not weights:
        gap = "none of its judgments names a criterion of this store"
    elif None in weights:
        gap = "a criterion has no weight"
    if gap is not None:
        return Total(None, None, None, judged, expected), gap
    score = weighted(zip(weights, scores, strict=True))
    most = weighted(zip(weights, [row.max_score for row in found], strict=True))
    return Total(score, most, _passes(score, rubric), judged, expected), None


def _passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Return whether a total reaches the rubric's threshold; None if either is unknown."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def _final(record: Record, computed: Total, gap: str | None, rubric: Rubric | None) -> Total:
    """Return the recorded total; the record's values are used for what cannot be computed."""
    score, most = record.number("totalScore"), record.number("maxPossibleScore")
    passed, hint = record.flag("passed"), "Write the record again from its judgments."
    if gap is not None:
        message = f"The score of the test-run {quoted(record.id)} is shown as stored: {gap}."
        record.note("info", "not-recomputed", message)
        computed = computed._replace(score=score, max_score=most, passed=_passes(score, rubric))
    elif computed.score is None:
        return computed
    else:
        for key, stored, ours, formula in (
            ("totalScore", score, computed.score, "Σ weight·score"),
            ("maxPossibleScore", most, computed.max_score, "Σ weight·maxScore"),
        ):
            # Many writers print 4.0 as 4, so a whole number says nothing about rounding here.
            if stored is not None and ours is not None and disagrees(float(stored), ours):
                message = f"The stored {key} is {stored:g}; {formula} gives {ours:.6g}."
                record.note("warning", "derived-mismatch", message, hint, key)
    if computed.passed is None:
        return computed._replace(passed=passed)
    if passed is not None and passed != computed.passed and rubric is not None:
        message = (
            f"The stored passed is {str(passed).lower()}; {computed.score:.6g} against the "
            f"threshold {rubric.threshold:g} gives {str(computed.passed).lower()}."
        )
        record.note("warning", "derived-mismatch", message, hint, "passed")
    return computed


def _row(store: Store, record: Record, name: str, case: Case, version: str, began: str) -> RunRow:
    """Return the row of a run that nobody has judged, from the fields of its record."""
    started, duration = record.time(began), record.number("durationMs")
    key = run_id(store.suite, case.id or "-", version, "-", name)
    return RunRow(
        *(key, store.suite, case.id, version, "-", name),
        origin="record",
        status=PENDING,
        executor=case.executor,
        started_at=started,
        duration_s=duration / 1000 if duration else None,
        outputs=record.path if record.has("actualOutput") else None,
        source=record.path,
        pointer=record.top,
    )


def _add_judgments(
    store: Store,
    record: Record,
    run: str | None,
    rubric: Rubric | None,
    judgments: Sequence[Judged],
    graded: Graded,
    judged: Gathered,
) -> None:
    """Add the judgments of the run of a record, and those that the recorded judge left out.

    Reported are judgments that are missing, repeated, or of a criterion outside the rubric.
    """
    asked = {criterion.record.id for criterion in rubric.criteria} if rubric else None
    replaced, beside = set(map(id, graded.replaced)), []
    for row, by in judgments:
        is_known = row.criterion in store.criteria
        is_beside = is_known and asked is not None and row.criterion not in asked
        if is_beside:
            beside.append((row, by))
        status = row.status
        if id(by) in replaced:
            status = "superseded"
        elif status == "scored" and row.judge_type == HUMAN and (is_beside or not is_known):
            status = UNATTACHED
        judged.add((run, *(row if status == row.status else row._replace(status=status))[1:]))
    for criterion in graded.missing:
        low, high = criterion.row.min_score, criterion.row.max_score
        judge, kind = graded.judge
        unscored = JudgmentRow(run, RUBRIC, criterion.record.id, judge, kind or MODEL)
        unscored = unscored._replace(min_score=low, max_score=high, status="unscored")
        judged.add(unscored._replace(source=record.path, pointer=record.top))
    if graded.missing:
        names = ", ".join(quoted(criterion.name) for criterion in graded.missing[:8])
        message = (
            f"The test-run {quoted(record.id)} has no judgment of {names}; its total is not known."
        )
        record.note("warning", "missing-judgment", message, "Judge every criterion of the rubric.")
    for by in graded.replaced:
        message = (
            f"The same judge judged this criterion again later; {quoted(by.id)} does not count."
        )
        hint = "Name this judgment in `supersedes` of the newer one."
        by.head.note("warning", "repeated-judgment", message, hint)
    for row, by in beside:
        name = quoted(store.criteria[row.criterion or ""].name)
        message = (
            f"The criterion {name} is not part of the rubric of this case; its judgment is shown "
            "beside the total."
        )
        hint = "Add it to the rubric's criteriaIds, or judge another one."
        by.note("warning", "criterion-not-asked", message, hint, "criterionId")


def read_waiting(store: Store) -> list[RunRow]:
    """Add a row for each agent-run that waits for its judgments; return these runs.

    It has the id that the test-run will have, so that what people say of it stays with it. The
    newest agent-run of each test-run that is not there waits.
    """
    waiting: dict[str, Record] = {}
    for record in store.all(AGENT_RUN):
        name = record.text("testRunId")
        if not name or store.find("test-run", name) is not None:
            continue
        other = waiting.setdefault(name, record)
        if other is not record:
            older, newest = sorted((other, record), key=Record.changed_at)
            waiting[name] = newest
            message = (
                f"The agent-run {quoted(newest.id)} is of the same test-run and takes precedence; "
                f"{quoted(older.id)} does not count."
            )
            hint, key = "Give each execution its own test-run.", "testRunId"
            older.note("warning", "repeated-agent-run", message, hint, key)
    found = []
    for name, record in waiting.items():
        asked = record.text("testCaseId")
        case = store.cases.get(asked or "")
        if case is not None:
            version = record.text("promptVersionRef") or case.version or CURRENT
            found.append(_row(store, record, name, case, version, "startedAt"))
            store.rows.add(found[-1])
        elif asked:
            at, others = f"{record.at}/testCaseId", store.types_with(asked)
            note_missing(record, "testCaseId", "test-case", asked, at, others)
    return found


def add_versions(store: Store, waiting: Iterable[RunRow], compared: Iterable[VersionRow]) -> None:
    """Add one row for each prompt version, in the order of their first runs.

    Those of prompts that nothing here was run with or asks for come first, so that none of them
    passes for the newest.
    """
    named = []
    for run in chain(store.runs.values(), waiting):
        at = f"{run.pointer}/fields" + ("/promptVersionRef" if run.version != CURRENT else "")
        named.append(version_row(store.suite, run.version, run.started_at, run.source, at))
    named.extend(compared)
    for record in store.all("test-case"):
        version = store.cases[record.id].version
        if version is not None:
            at = f"{record.at}/promptVersionRef"
            named.append(version_row(store.suite, version, None, record.path, at))
    first: dict[str | None, VersionRow] = {}
    for row in named:
        known = first.get(row.version)
        if known is None or (row.created_at or _NEVER) < (known.created_at or _NEVER):
            first[row.version] = row
    asked = {prompt_in(version) for version in first} - {None}
    # Versions of which the store holds the records, called as it calls others.
    held = [names_of({**each.envelope, **each.value, "id": each.id}) for each in store.prompts]
    used = set(first)
    by_id = any(names[-1] in used for names in held)
    for record, names in zip(store.prompts, held, strict=True):
        label = next((name for name in names if name in used), names[-1 if by_id else 0])
        first.setdefault(label, version_row(store.suite, label, None, record.path, record.top))

    def order(row: VersionRow) -> tuple[bool, datetime, list[tuple[int, str]]]:
        prompt = prompt_in(row.version)
        is_asked = not asked or prompt is None or prompt in asked
        parts = re.split(r"(\d+)", row.version or "")
        natural = [
            (int(part) if part.isdecimal() and len(part) < 20 else -1, part) for part in parts
        ]
        return is_asked, row.created_at or _NEVER, natural

    for position, row in enumerate(sorted(first.values(), key=order)):
        store.rows.add(row._replace(position=position))


def version_row(
    suite: str, version: str | None, date: datetime | None, path: str | None, at: str
) -> VersionRow:
    """Return the row of a prompt version that a record names at a place, without its position."""
    return VersionRow(suite, version, None, created_at=date, source=path, pointer=at)
