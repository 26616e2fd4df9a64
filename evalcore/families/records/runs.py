"""The test runs with their judgments and totals, agent-runs that wait for theirs, and versions."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import chain
from typing import Any, NamedTuple

import msgspec
from msgspec import structs

from evalcore.disk.values import Node
from evalcore.families.base import CURRENT, PENDING, UNATTACHED, is_review
from evalcore.families.records.rubrics import Case, Criterion, Rubric
from evalcore.families.records.shapes import AGENT_RUN
from evalcore.families.records.store import Links, Record, Store
from evalcore.families.scoring import RUBRIC, Total, confidence, is_invalid, weighted
from evalcore.ids import run_id
from evalcore.numbers import at_least, disagrees
from evalcore.problems import quoted
from evalcore.shapes.judge import HUMAN, MODEL, REPEATED, TYPES, names_records
from evalcore.shapes.prompts import names_of, prompt_in
from evalcore.shapes.relations import AGGREGATES, CONTAINS, ORIGINATED_FROM, PRODUCES_RUN, SCORES
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import CHUNK, Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import RunRow, RunScoreRow, VersionRow

_FAILED_AS = {"timeout": "timeout", "refusal": "refused"}
_EARLIEST = datetime.min.replace(tzinfo=UTC)
_NEVER = datetime.max.replace(tzinfo=UTC)


class Judgment(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One judgment; `score` is None if it is unscored, `criterion` the id if known."""

    record: Record
    criterion: str | None
    known: Criterion | None
    judge: str | None
    judge_type: str | None
    score: float | None = None
    low: float | None = None
    high: float | None = None
    confidence: float | None = None
    judged_at: datetime | None = None
    rationale: str | None = None
    superseded: bool = False


def read_judgments(
    store: Store, links: Links, criteria: dict[str, Criterion]
) -> dict[str | None, list[Judgment]]:
    """Return the judgments by run id; those without an existing run under None."""
    judgments: dict[str | None, list[Judgment]] = defaultdict(list)
    runs = store.by_type["test-run"]
    old = [record for record in store.superseded if record.type == "eval-judgment"]
    current = store.by_type["eval-judgment"]
    for record in chain(current.values(), old):
        name = links.target(SCORES, record.id)
        known = criteria.get(name) if name is not None else None
        run = links.source(CONTAINS, record.id)
        node, superseded = store.node(record), record.id not in current
        score, rationale = node.number("score"), node.text("rationale")
        high, low = node.number("maxScore"), known.low if known else None
        if known is not None and known.high is not None:
            high = known.high
        if not superseded:
            hint = "Correct the score, or the scale of the criterion."
            who = f"judgment {quoted(record.id)}"
            if is_invalid(node, who, rationale, (score, low, high), hint):
                score = None
            if known is not None:
                defined = {"weight": known.weight, "min_score": low, "max_score": known.high}
                note_restated(node, defined)
        judge, kind = node.text("judgedBy"), judge_type(node, "judgedByType")
        judgments[run if run in runs else None].append(
            Judgment(
                record=record,
                criterion=name,
                known=known,
                judge=judge,
                judge_type=kind,
                score=score,
                low=low,
                high=high,
                confidence=confidence(node),
                judged_at=node.time("judgedAt"),
                rationale=rationale,
                superseded=superseded,
            )
        )
    return judgments


def judge_type(node: Node, key: str) -> str | None:
    """Return the type of judge in the field `key`; unknown ones are reported."""
    kind = node.text(key)
    if kind is not None and kind not in TYPES:
        message, hint = f"{quoted(kind)} is not a type of judge.", f"Use one of {', '.join(TYPES)}."
        node.note("warning", "unknown-judge-type", message, hint, key)
    return kind


Judge = tuple[str | None, str | None]
"""(name, type)"""


Counted = tuple[Total, str | None]
"""A judge's total of a run, and why it cannot be computed at all, if so.

Without a reason its score is None where a criterion is unscored.
"""


class Grade(NamedTuple):
    """All judgments of one run: the recorded total with its judge, and every judge's own total."""

    recorded: Counted
    judge: Judge
    totals: dict[Judge, Counted]
    replaced: list[Judgment]
    missing: list[Criterion]


def grade(judgments: Sequence[Judgment], rubric: Rubric | None, judge_type: str | None) -> Grade:
    """Grade a run whose record names `judge_type` as the type of its judge.

    Each judge's newest judgment of a criterion counts. The recorded ones are by the run's type of
    judge; if several of that type judged, by the one who judged most of it, completed by the
    others. Reviews beside the store are not recorded.
    """
    judges: dict[Judge, dict[str, Judgment]] = {}
    replaced = []
    current = [judgment for judgment in judgments if not judgment.superseded]
    for judgment in sorted(current, key=lambda each: (each.judged_at or _EARLIEST, each.record.id)):
        own = judges.setdefault((judgment.judge, judgment.judge_type), {})
        if (old := own.get(judgment.criterion or "")) is not None:
            replaced.append(old)
        own[judgment.criterion or ""] = judgment
    totals = {judge: _total(own, rubric) for judge, own in judges.items()}
    fitting = [
        {name: judgment for name, judgment in own.items() if not is_review(judgment.record.path)}
        for (_, kind), own in judges.items()
        if judge_type in (None, kind)
    ]
    recorded: dict[str, Judgment] = {}
    for own in sorted(fitting, key=len, reverse=True):
        recorded = {**own, **recorded}
    names = {(judgment.judge, judgment.judge_type) for judgment in recorded.values()}
    judge: Judge = (None, judge_type)
    if len(names) == 1:
        (judge,) = names
    elif names and judge_type is None:
        judge = (None, next(iter(recorded.values())).judge_type)
    missing = [each for each in rubric.criteria if each.id not in recorded] if rubric else []
    total = totals[judge] if recorded == judges.get(judge) else _total(recorded, rubric)
    return Grade(total, judge, totals, replaced, missing if recorded else [])


def _total(judgments: Mapping[str, Judgment], rubric: Rubric | None) -> Counted:
    """Add up judgments by criterion over the rubric (without one: over the judged criteria)."""
    if rubric is not None and (rubric.criteria or rubric.missing):
        criteria: Sequence[Criterion] = rubric.criteria
    else:
        criteria = [each.known for each in judgments.values() if each.known is not None]
    missing = rubric.missing if rubric is not None else 0
    weights = [criterion.weight for criterion in criteria]
    found = [(criterion, judgments.get(criterion.id)) for criterion in criteria]
    scores = [judgment.score if judgment else None for _, judgment in found]
    gap = None
    if not judgments:
        gap = "it has no judgment of the judge it names"
    elif missing:
        gap = "a criterion of its rubric is not in this store"
    elif not weights:
        gap = "none of its judgments names a criterion of this store"
    elif None in weights:
        gap = "a criterion has no weight"
    judged, expected = len(scores) - scores.count(None), len(criteria) + missing
    if gap is not None:
        return Total(None, None, None, judged, expected), gap
    score = weighted(zip(weights, scores, strict=True))
    highest = [judgment.high if judgment else criterion.high for criterion, judgment in found]
    most, passed = weighted(zip(weights, highest, strict=True)), passes(score, rubric)
    return Total(score, most, passed, judged, expected), None


def passes(score: float | None, rubric: Rubric | None) -> bool | None:
    """Return whether a total reaches the rubric's threshold; None if either is unknown."""
    if score is None or rubric is None or rubric.threshold is None:
        return None
    return at_least(score, rubric.threshold)


def read_runs(
    store: Store,
    links: Links,
    cases: Mapping[str, Case],
    judgments: Mapping[str | None, list[Judgment]],
    rows: Rows,
) -> dict[str, RunRow]:
    """Add the rows of every run with its judgments; return the runs by id."""
    failed_as = {}
    for record in store.all("eval-failure"):
        failure = record.fields.get("failureType")
        failed = links.target(ORIGINATED_FROM, record.id)
        if isinstance(failure, str) and failure in _FAILED_AS and failed is not None:
            failed_as[failed] = _FAILED_AS[failure]
    runs = {}
    names = (
        "run_id", "criterion", "judge", "judge_type", "score", "min_score", "max_score", "fraction",
        "confidence", "judged_at", "status", "source", "pointer", "rationale",
    )  # fmt: skip
    judged = Gathered(rows.tables["judgments"], names, kind=RUBRIC)
    for record, node in store.read("test-run"):
        name = links.source(PRODUCES_RUN, record.id)
        if name is None:
            message = f"The test-run {quoted(record.id)} names no test case."
            node.note("warning", "no-case", message, "Add testCaseId.")
        case = cases.get(name or "") or Case(name)
        version = node.text("promptVersionRef") or case.version or CURRENT
        kind = judge_type(node, "judgeType")
        own = [
            judgment if judgment.judge_type else structs.replace(judgment, judge_type=kind or "llm")
            for judgment in judgments.get(record.id, ())
        ]
        graded = grade(own, case.rubric, kind)
        final = _final(node, record, *graded.recorded, case.rubric)
        score, most = final.score, final.max_score
        judge, judged_by = graded.judge
        run = runs[record.id] = _row(store, node, record.id, case, version, "ranAt")._replace(
            benchmark_run=links.source(AGGREGATES, record.id),
            status=failed_as.get(record.id, "completed"),
            passed=final.passed,
            score=score,
            max_score=most,
            fraction=score / most if score is not None and most else None,
            judge=judge,
            judge_type=judged_by,
        )
        rows.add(run)
        _add_judgments(store, record, run.run_id, case.rubric, own, graded, judged)
        totals = {who: total for who, (total, _) in graded.totals.items()} | {graded.judge: final}
        for (judge, judged_by), total in totals.items():
            repeats = judged_by == HUMAN and any(
                (each.judge, each.judge_type) == (judge, judged_by)
                and names_records(each.record.envelope)
                for each in own
            )
            origin = REPEATED if repeats else None
            rows.add(RunScoreRow(run.run_id, judge, judged_by, *total, origin=origin))
        if len(runs) % CHUNK == 0:
            judged.flush()
    for judgment in judgments.get(None, ()):
        judged.add(_judgment_row(None, judgment, attached=False))
    judged.flush()
    return runs


def _final(
    node: Node, record: Record, computed: Total, gap: str | None, rubric: Rubric | None
) -> Total:
    """Return the recorded total; the record's values are used for what cannot be computed."""
    score, most = node.number("totalScore"), node.number("maxPossibleScore")
    passed = node.flag("passed")
    if gap is not None:
        message = f"The score of the test-run {quoted(record.id)} is shown as stored: {gap}."
        node.note("info", "not-recomputed", message)
        computed = computed._replace(score=score, max_score=most, passed=passes(score, rubric))
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
                hint = "Write the record again from its judgments."
                node.note("warning", "derived-mismatch", message, hint, key)
    if computed.passed is None:
        return computed._replace(passed=passed)
    if passed is not None and passed != computed.passed and rubric is not None:
        message = (
            f"The stored passed is {str(passed).lower()}; {computed.score:.6g} against the "
            f"threshold {rubric.threshold:g} gives {str(computed.passed).lower()}."
        )
        hint = "Write the record again from its judgments."
        node.note("warning", "derived-mismatch", message, hint, "passed")
    return computed


def _row(store: Store, node: Node, name: str, case: Case, version: str, started_at: str) -> RunRow:
    """Return the row of a run that nobody has judged, from the fields of its record."""
    at = node.at.removesuffix("/fields")
    started, duration = node.time(started_at), node.number("durationMs")
    return RunRow(
        run_id=run_id(store.suite, case.id or "-", version, "-", name),
        suite=store.suite,
        case_id=case.id,
        version=version,
        configuration="-",
        run=name,
        origin="record",
        status=PENDING,
        executor=case.executor,
        started_at=started,
        duration_s=duration / 1000 if duration else None,
        outputs=node.path if node.has("actualOutput") else None,
        source=node.path,
        pointer=at,
    )


def _judgment_row(
    run: str | None, each: Judgment, *, attached: bool = True, replaced: bool = False
) -> tuple[Any, ...]:
    """Return the row of a judgment; it is not `attached` where it is part of no run's total."""
    status = "scored" if attached else UNATTACHED
    if replaced or each.superseded:
        status = "superseded"
    elif each.score is None:
        status = "unscored"
    fraction = each.score / each.high if each.score is not None and each.high else None
    scale = each.score, each.low, each.high, fraction
    who = run, each.criterion, each.judge, each.judge_type or MODEL
    where = each.record.path, each.record.at
    return *who, *scale, each.confidence, each.judged_at, status, *where, each.rationale


def _add_judgments(
    store: Store,
    record: Record,
    run: str | None,
    rubric: Rubric | None,
    judgments: Sequence[Judgment],
    graded: Grade,
    judged: Gathered,
) -> None:
    """Add the judgments of the run of a record, and those that the recorded judge left out.

    Reported are judgments that are missing, repeated, or of a criterion outside the rubric.
    """
    asked = {criterion.id for criterion in rubric.criteria} if rubric else set()
    replaced = {id(judgment) for judgment in graded.replaced}
    beside = []
    for judgment in judgments:
        known = judgment.known
        is_beside = known is not None and rubric is not None and known.id not in asked
        if is_beside:
            beside.append(judgment)
        is_apart = judgment.judge_type == HUMAN and (known is None or is_beside)
        is_old = id(judgment) in replaced
        judged.add(_judgment_row(run, judgment, attached=not is_apart, replaced=is_old))
    judge, kind = graded.judge
    for criterion in graded.missing:
        low, high = criterion.low, criterion.high
        unscored = Judgment(record, criterion.id, criterion, judge, kind, low=low, high=high)
        judged.add(_judgment_row(run, unscored))
    if graded.missing:
        names = ", ".join(quoted(criterion.name) for criterion in graded.missing[:8])
        store.node(record).note(
            "warning",
            "missing-judgment",
            f"The test-run {quoted(record.id)} has no judgment of {names}; its total is not known.",
            "Judge every criterion of the rubric.",
        )
    for judgment in graded.replaced:
        message = (
            "The same judge judged this criterion again later; "
            f"{quoted(judgment.record.id)} does not count."
        )
        hint = "Name this judgment in `supersedes` of the newer one."
        store.head(judgment.record).note("warning", "repeated-judgment", message, hint)
    for judgment in beside:
        name = quoted(judgment.known.name if judgment.known else "")
        message = (
            f"The criterion {name} is not part of the rubric of this case; its judgment is shown "
            "beside the total."
        )
        hint = "Add it to the rubric's criteriaIds, or judge another one."
        node = store.node(judgment.record)
        node.note("warning", "criterion-not-asked", message, hint, "criterionId")


def read_waiting(store: Store, cases: Mapping[str, Case], rows: Rows) -> list[RunRow]:
    """Add a row for each agent-run that waits for its judgments; return these runs.

    It has the id that the test-run will have, so that what people say of it stays with it. The
    newest agent-run of each test-run that is not there waits.
    """
    waiting: dict[str, Record] = {}
    for record in store.all(AGENT_RUN):
        name = store.node(record).text("testRunId")
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
            store.node(older).note("warning", "repeated-agent-run", message, hint, key)
    found = []
    for name, record in waiting.items():
        node = store.node(record)
        asked = node.text("testCaseId")
        case = cases.get(asked or "")
        if case is None:
            if asked:
                at = f"{record.fields_at}/testCaseId"
                store.note_missing(record, "testCaseId", "test-case", asked, at)
            continue
        version = node.text("promptVersionRef") or case.version or CURRENT
        found.append(_row(store, node, name, case, version, "startedAt"))
        rows.add(found[-1])
    return found


def add_versions(
    store: Store,
    cases: Mapping[str, Case],
    runs: Iterable[RunRow],
    compared: Iterable[VersionRow],
    rows: Rows,
) -> None:
    """Add one row for each prompt version, in the order of their first runs.

    Those of prompts that nothing here was run with or asks for come first, so that none of them
    passes for the newest.
    """
    named = []
    for run in runs:
        at = f"{run.pointer}/fields" + ("/promptVersionRef" if run.version != CURRENT else "")
        named.append(version_row(store.suite, run.version, run.started_at, run.source, at))
    named.extend(compared)
    for record in store.all("test-case"):
        version = cases[record.id].version
        if version is not None:
            at = f"{record.fields_at}/promptVersionRef"
            named.append(version_row(store.suite, version, None, record.path, at))
    first: dict[str | None, VersionRow] = {}
    for row in named:
        known = first.get(row.version)
        if known is None or (row.created_at or _NEVER) < (known.created_at or _NEVER):
            first[row.version] = row
    asked = {prompt_in(version) for version in first} - {None}
    # Versions of which the store holds the records, called as it calls others.
    held = [names_of({**each.envelope, **each.fields, "id": each.id}) for each in store.prompts]
    used = set(first)
    by_id = any(names[-1] in used for names in held)
    for record, names in zip(store.prompts, held, strict=True):
        label = next((name for name in names if name in used), names[-1 if by_id else 0])
        first.setdefault(label, version_row(store.suite, label, None, record.path, record.at))

    def order(row: VersionRow) -> tuple[bool, datetime, list[tuple[int, str]]]:
        prompt = prompt_in(row.version)
        is_asked = not asked or prompt is None or prompt in asked
        parts = re.split(r"(\d+)", row.version or "")
        natural = [
            (int(part) if part.isdecimal() and len(part) < 20 else -1, part) for part in parts
        ]
        return is_asked, row.created_at or _NEVER, natural

    for position, row in enumerate(sorted(first.values(), key=order)):
        rows.add(row._replace(position=position))


def version_row(
    suite: str, version: str | None, date: datetime | None, path: str | None, at: str
) -> VersionRow:
    """Return the row of a prompt version that a record names at a place, without its position."""
    return VersionRow(suite, version, None, created_at=date, source=path, pointer=at)
