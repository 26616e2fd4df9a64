"""The test runs with their scores, agent-runs that wait for theirs, and the versions of both."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from msgspec import structs

from evalcore.disk.values import Node
from evalcore.families.base import CURRENT, PENDING
from evalcore.families.records.judgments import (
    Grade,
    Judgment,
    Placed,
    Total,
    add_judgments,
    grade,
    judge_type,
    passes,
)
from evalcore.families.records.links import Links
from evalcore.families.records.rubrics import Case, Rubric
from evalcore.families.records.shapes import (
    AGENT_RUN,
    AGGREGATES,
    ORIGINATED_FROM,
    PRODUCES_RUN,
)
from evalcore.families.records.store import Record, Store
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.problems import quoted
from evalcore.shapes.judge import HUMAN, REPEATED, names_records
from evalcore.shapes.prompts import names_of, prompt_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow, RunScoreRow, VersionRow

_FAILED_AS = {"timeout": "timeout", "refusal": "refused"}


class Run(NamedTuple):
    """A run, as benchmarks and versions need it."""

    run_id: str
    case: Case
    version: str
    passed: bool | None
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
    failed_as = {}
    for record in store.all("eval-failure"):
        failure = record.fields.get("failureType")
        failed = links.target(ORIGINATED_FROM, record.id)
        if isinstance(failure, str) and failure in _FAILED_AS and failed is not None:
            failed_as[failed] = _FAILED_AS[failure]
    runs = {}
    judged: list[Placed] = []
    for record in store.all("test-run"):
        node = store.node(record)
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
        final = _final(node, record, graded.recorded, case.rubric)
        key = run_id(store.suite, case.id or "-", version, "-", record.id)
        run = Run(key, case, version, final.passed, node.time("ranAt"), record)
        row = _row(store, run, record.id, failed_as.get(record.id, "completed"), node)
        score, most = final.score, final.max_score
        judge, judged_by = graded.judge
        rows.add(
            row._replace(
                benchmark_run=links.source(AGGREGATES, record.id),
                passed=final.passed,
                score=score,
                max_score=most,
                fraction=score / most if score is not None and most else None,
                judge=judge,
                judge_type=judged_by,
            )
        )
        judged.extend(_placed(store, run, own, graded))
        for (judge, judged_by), total in {**graded.totals, graded.judge: final}.items():
            repeats = judged_by == HUMAN and any(
                (each.judge, each.judge_type) == (judge, judged_by)
                and names_records(each.record.envelope)
                for each in own
            )
            rows.add(
                RunScoreRow(
                    run_id=key,
                    judge=judge,
                    judge_type=judged_by,
                    score=total.score,
                    max_score=total.max_score,
                    passed=total.passed,
                    judged=total.judged,
                    expected=total.expected,
                    origin=REPEATED if repeats else None,
                )
            )
        runs[record.id] = run
    unattached = judgments.get(None, ())
    judged.extend((None, judgment, judgment.status(attached=False)) for judgment in unattached)
    add_judgments(judged, rows)
    return runs


def _final(node: Node, record: Record, computed: Total, rubric: Rubric | None) -> Total:
    """Return the recorded total; the record's values are used for what cannot be computed."""
    score, most = node.number("totalScore"), node.number("maxPossibleScore")
    passed = node.flag("passed")
    if computed.gap is not None:
        message = (
            f"The score of the test-run {quoted(record.id)} is shown as stored: {computed.gap}."
        )
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


def _row(store: Store, run: Run, name: str, status: str, node: Node) -> RunRow:
    """Return the row of a run that nobody has judged."""
    record = run.record
    duration = node.number("durationMs")
    return RunRow(
        run_id=run.run_id,
        suite=store.suite,
        case_id=run.case.id,
        version=run.version,
        configuration="-",
        run=name,
        origin="record",
        status=status,
        executor=run.case.executor,
        started_at=run.started_at,
        duration_s=duration / 1000 if duration else None,
        outputs=record.path if record.fields.get("actualOutput") is not None else None,
        source=record.path,
        pointer=record.at,
    )


def _placed(
    store: Store, run: Run, judgments: Sequence[Judgment], graded: Grade
) -> Iterator[Placed]:
    """Yield the judgments of a run, and those that the recorded judge left out.

    Reported are judgments that are missing, repeated, or of a criterion outside the rubric.
    """
    record, rubric = run.record, run.case.rubric
    asked = {criterion.id for criterion in rubric.criteria} if rubric else set()
    replaced = {id(judgment) for judgment in graded.replaced}
    beside = []
    for judgment in judgments:
        known = judgment.known
        is_beside = known is not None and rubric is not None and known.id not in asked
        if is_beside:
            beside.append(judgment)
        is_apart = judgment.judge_type == HUMAN and (known is None or is_beside)
        status = judgment.status(attached=not is_apart)
        is_old = id(judgment) in replaced
        yield run.run_id, judgment, "superseded" if is_old else status
    judge, kind = graded.judge
    for criterion in graded.missing:
        low, high = criterion.low, criterion.high
        unscored = Judgment(record, criterion.id, criterion, judge, kind, low=low, high=high)
        yield run.run_id, unscored, "unscored"
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


def read_waiting(store: Store, cases: Mapping[str, Case], rows: Rows) -> list[Run]:
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
        key = run_id(store.suite, case.id or "-", version, "-", name)
        run = Run(key, case, version, None, node.time("startedAt"), record)
        rows.add(_row(store, run, name, PENDING, node))
        found.append(run)
    return found


_NEVER = datetime.max.replace(tzinfo=UTC)


class Mention(NamedTuple):
    """A record that names a prompt version, and when."""

    version: str
    date: datetime | None
    record: Record
    pointer: str


def add_versions(
    store: Store,
    cases: Mapping[str, Case],
    runs: Iterable[Run],
    compared: Iterable[Mention],
    rows: Rows,
) -> None:
    """Add one row for each prompt version, in the order of their first runs.

    Those of prompts that nothing here was run with or asks for come first, so that none of them
    passes for the newest.
    """
    mentions = []
    for run in runs:
        at = run.record.fields_at + ("/promptVersionRef" if run.version != CURRENT else "")
        mentions.append(Mention(run.version, run.started_at, run.record, at))
    mentions.extend(compared)
    for record in store.all("test-case"):
        version = cases[record.id].version
        if version is not None:
            at = f"{record.fields_at}/promptVersionRef"
            mentions.append(Mention(version, None, record, at))
    first: dict[str, Mention] = {}
    for mention in mentions:
        known = first.get(mention.version)
        if known is None or (mention.date or _NEVER) < (known.date or _NEVER):
            first[mention.version] = mention
    asked = {prompt_in(version) for version in first} - {None}
    # Versions of which the store holds the records, called as it calls others.
    held = [names_of({**each.envelope, **each.fields, "id": each.id}) for each in store.prompts]
    named = set(first)
    by_id = any(names[-1] in named for names in held)
    for record, names in zip(store.prompts, held, strict=True):
        label = next((name for name in names if name in named), names[-1 if by_id else 0])
        first.setdefault(label, Mention(label, None, record, record.at))

    def order(mention: Mention) -> tuple[bool, datetime, list[tuple[int, str]]]:
        prompt = prompt_in(mention.version)
        is_asked = not asked or prompt is None or prompt in asked
        parts = re.split(r"(\d+)", mention.version)
        natural = [
            (int(part) if part.isdecimal() and len(part) < 20 else -1, part) for part in parts
        ]
        return is_asked, mention.date or _NEVER, natural

    for position, mention in enumerate(sorted(first.values(), key=order)):
        rows.add(
            VersionRow(
                suite=store.suite,
                version=mention.version,
                position=position,
                created_at=mention.date,
                source=mention.record.path,
                pointer=mention.pointer,
            )
        )
