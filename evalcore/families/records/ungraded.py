"""Agent-runs from which no test-run was written yet: their runs wait, outside the rates."""

from collections.abc import Iterator, Mapping

from evalcore.families.base import CURRENT, PENDING
from evalcore.families.records.fields import AgentRunFields
from evalcore.families.records.loading import Record
from evalcore.families.records.rubrics import Case
from evalcore.families.records.runs import Run
from evalcore.families.records.shapes import AGENT_RUN, quoted
from evalcore.families.records.store import Store, missing_reference
from evalcore.ids import run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow


def add_ungraded(store: Store, cases: Mapping[str, Case], rows: Rows) -> list[Run]:
    """Add a row for each run that waits for its judgments; return these runs.

    It has the id that the test-run will have, so that what people say of it stays with it.
    """
    found = []
    for name, record in _waiting(store).items():
        fields = store.fields(record, AgentRunFields)
        asked = fields.test_case_id
        case = cases.get(asked or "")
        if case is None:
            _note_case(store, record, asked)
            continue
        version = fields.prompt_version_ref or case.version or CURRENT
        key = run_id(store.suite, case.id or "-", version, "-", name)
        counts = case.status in (None, "active")
        run = Run(key, case, version, None, counts, store.time(record, "startedAt"), record)
        rows.add(_row(store, run, name, fields.duration_ms))
        found.append(run)
    return found


def _waiting(store: Store) -> dict[str, Record]:
    """Return by the id of its test-run the newest agent-run of each that is not there."""
    found: dict[str, Record] = {}
    for name, record in _named(store):
        other = found.get(name)
        if other is None:
            found[name] = record
            continue
        newest = record if record.changed_at() >= other.changed_at() else other
        found[name] = newest
        older = other if newest is record else record
        store.node(older).note(
            "warning",
            "repeated-agent-run",
            f"The agent-run {quoted(newest.id)} is of the same test-run and takes precedence; "
            f"{quoted(older.id)} does not count.",
            "Give each execution its own test-run.",
            "testRunId",
        )
    return found


def _named(store: Store) -> Iterator[tuple[str, Record]]:
    for record in store.all(AGENT_RUN):
        name = record.fields["testRunId"]
        if not isinstance(name, str):
            name = store.node(record).text("testRunId")
        if name and store.find("test-run", name) is None:
            yield name, record


def _note_case(store: Store, record: Record, name: str | None) -> None:
    if name:
        at = f"{record.fields_at}/testCaseId"
        others = store.types_with(name)
        store.note(
            missing_reference(store.suite, record, "testCaseId", "test-case", name, at, others)
        )


def _row(store: Store, run: Run, name: str, duration: float | None) -> RunRow:
    return RunRow(
        run_id=run.run_id,
        suite=store.suite,
        case_id=run.case.id,
        version=run.version,
        configuration="-",
        run=name,
        origin="record",
        status=PENDING,
        executor=run.case.executor,
        started_at=run.started_at,
        duration_s=duration / 1000 if duration else None,
        outputs=run.record.path,
        source=run.record.path,
        pointer=run.record.at,
    )
