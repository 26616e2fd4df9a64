"""Test cases, rubrics and their criteria."""

import json
from typing import NamedTuple

from evalcore.disk.values import Node
from evalcore.families.records.links import Links
from evalcore.families.records.loading import Record
from evalcore.families.records.shapes import COMPOSED_OF, EVALUATED_BY, quoted
from evalcore.families.records.store import Store
from evalcore.families.records.values import ASKED, WANTED, names_json, readable
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

STATUSES = ("active", "draft", "deprecated")


class Criterion(NamedTuple):
    """A criterion of a rubric."""

    id: str
    name: str
    description: str | None
    weight: float | None
    low: float | None
    high: float | None
    guide: str | None
    record: Record


class Rubric(NamedTuple):
    """A rubric with the criteria found, in order; `missing` counts the others."""

    id: str
    threshold: float | None
    criteria: tuple[Criterion, ...]
    missing: int


class Case(NamedTuple):
    """The fields of a test case that runs need; an undefined one has at most an id."""

    id: str | None
    version: str | None
    executor: str | None
    status: str | None
    rubric: Rubric | None


def title(store: Store, record: Record, node: Node) -> str | None:
    """Return the name of a record: its own, else the title of its envelope."""
    return node.text("name") or store.head(record).text("title")


def read_criteria(store: Store) -> dict[str, Criterion]:
    """Return the criteria by id."""
    found = {}
    for record in store.all("rubric-criterion"):
        node = store.node(record)
        found[record.id] = Criterion(
            record.id,
            title(store, record, node) or record.id,
            node.text("description"),
            node.number("weight"),
            node.number("minScore"),
            node.number("maxScore"),
            node.text("scoringGuide"),
            record,
        )
    return found


def read_rubrics(store: Store, links: Links, criteria: dict[str, Criterion]) -> dict[str, Rubric]:
    """Return the rubrics by id."""
    found = {}
    for record in store.all("rubric"):
        stated = links.targets(COMPOSED_OF, record.id)
        present = tuple(criteria[name] for name in stated if name in criteria)
        threshold = store.node(record).number("passingThreshold")
        found[record.id] = Rubric(record.id, threshold, present, len(stated) - len(present))
    return found


def read_cases(
    store: Store, links: Links, rubrics: dict[str, Rubric], rows: Rows
) -> dict[str, Case]:
    """Add the rows of every case and its criteria; return the cases by id."""
    found = {}
    for record in store.all("test-case"):
        node = store.node(record)
        rubric = rubrics.get(links.target(EVALUATED_BY, record.id) or "")
        status = _status(record, node)
        rows.add(
            CaseRow(
                suite=store.suite,
                case_id=record.id,
                name=title(store, record, node),
                prompt=readable(node, "inputs", ASKED),
                expected=readable(node, "expectedOutputs", WANTED),
                tags=names_json(node if node.has("tags") else store.head(record), "tags"),
                status=status,
                files="[]",
                source=record.path,
                pointer=record.at,
            )
        )
        for position, criterion in enumerate(rubric.criteria if rubric else ()):
            rows.add(_criterion_row(store.suite, record.id, position, criterion))
        found[record.id] = Case(
            record.id, node.text("promptVersionRef") or None, node.text("agentId"), status, rubric
        )
    return found


def _status(record: Record, node: Node) -> str | None:
    """Return the status of a case; the envelope's status is used only if it is valid."""
    status = node.text("status")
    if status is None:
        outer = record.envelope.get("status")
        return outer if outer in STATUSES else None
    if status not in STATUSES:
        node.note(
            "warning",
            "unknown-status",
            f"The status {quoted(status)} of the test-case "
            f"{quoted(record.id)} is not one of {', '.join(STATUSES)}.",
            "Use one of them; drafts stay out of rates.",
            "status",
        )
    return status


def described(criterion: Criterion) -> str:
    """Return a criterion as one text: its name, then its description."""
    if not criterion.description or criterion.description == criterion.name:
        return criterion.name
    return f"{criterion.name}: {criterion.description}"


def _criterion_row(suite: str, case_id: str, position: int, criterion: Criterion) -> CriterionRow:
    guide = None if criterion.guide is None else json.dumps(criterion.guide, ensure_ascii=False)
    return CriterionRow(
        suite=suite,
        case_id=case_id,
        kind="rubric",
        criterion=criterion.id,
        description=described(criterion),
        weight=criterion.weight,
        min_score=criterion.low,
        max_score=criterion.high,
        guide=guide,
        position=position,
        source=criterion.record.path,
        pointer=criterion.record.at,
    )
