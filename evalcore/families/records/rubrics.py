"""Test cases, rubrics and their criteria."""

import json
from typing import Final, NamedTuple

import orjson

from evalcore.disk.values import Node, decoded
from evalcore.families.records.store import Links, Record, Store, listed
from evalcore.families.scoring import RUBRIC
from evalcore.problems import quoted
from evalcore.shapes.relations import COMPOSED_OF, EVALUATED_BY
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow

STATUSES: Final = ("active", "draft", "deprecated")
ASKED: Final = (
    "prompt", "query", "message", "question", "input", "text", "instruction", "instructions",
    "task", "request", "userMessage", "user_message", "content",
)  # fmt: skip
WANTED: Final = (
    "expected", "expectedOutput", "expected_output", "answer", "output", "response", "reply",
    "message", "text", "content", "result", "summary",
)  # fmt: skip


class Criterion(NamedTuple):
    """A criterion of a rubric; `row` is its row in the cases that the rubric judges."""

    id: str
    name: str
    weight: float | None
    low: float | None
    high: float | None
    record: Record
    row: CriterionRow


class Rubric(NamedTuple):
    """A rubric with the criteria found, in order; `missing` counts the others."""

    id: str
    threshold: float | None
    criteria: tuple[Criterion, ...]
    missing: int


class Case(NamedTuple):
    """The fields of a test case that runs need; an undefined one has at most an id."""

    id: str | None
    version: str | None = None
    executor: str | None = None
    status: str | None = None
    rubric: Rubric | None = None

    @property
    def counts(self) -> bool:
        """Whether its runs count; those of a draft or deprecated case never do."""
        return self.status in (None, "active")


def read_rubrics(store: Store, links: Links) -> tuple[dict[str, Criterion], dict[str, Rubric]]:
    """Return the criteria and the rubrics by id."""
    criteria = {}
    for record, node in store.read("rubric-criterion"):
        name = store.title(record, node) or record.id
        about = node.text("description")
        weight, low, high = map(node.number, ("weight", "minScore", "maxScore"))
        guide = node.text("scoringGuide")
        row = CriterionRow(
            suite=store.suite,
            case_id=None,
            kind=RUBRIC,
            criterion=record.id,
            description=f"{name}: {about}" if about and about != name else name,
            weight=weight,
            min_score=low,
            max_score=high,
            guide=None if guide is None else json.dumps(guide, ensure_ascii=False),
            source=record.path,
            pointer=record.at,
        )
        criteria[record.id] = Criterion(record.id, name, weight, low, high, record, row)
    rubrics = {}
    for record, node in store.read("rubric"):
        stated = links.targets(COMPOSED_OF, record.id)
        present = tuple(criteria[name] for name in stated if name in criteria)
        missing = len(stated) - len(present)
        rubrics[record.id] = Rubric(record.id, node.number("passingThreshold"), present, missing)
    return criteria, rubrics


def read_cases(
    store: Store, links: Links, rubrics: dict[str, Rubric], rows: Rows
) -> dict[str, Case]:
    """Add the rows of every case and its criteria; return the cases by id."""
    found = {}
    for record, node in store.read("test-case"):
        rubric = rubrics.get(links.target(EVALUATED_BY, record.id) or "")
        status = node.text("status")
        if status is None:
            outer = record.envelope.get("status")
            status = outer if outer in STATUSES else None
        elif status not in STATUSES:
            message = (
                f"The status {quoted(status)} of the test-case {quoted(record.id)} is not one of "
                f"{', '.join(STATUSES)}."
            )
            hint = "Use one of them; drafts stay out of rates."
            node.note("warning", "unknown-status", message, hint, "status")
        name = store.title(record, node)
        prompt = _readable(node, "inputs", ASKED)
        expected = _readable(node, "expectedOutputs", WANTED)
        tagged = node if node.has("tags") else store.head(record)
        tags = [tag for tag, _ in listed(tagged, "tags")]
        rows.add(
            CaseRow(
                suite=store.suite,
                case_id=record.id,
                name=name,
                prompt=prompt,
                expected=expected,
                tags=json.dumps(tags, ensure_ascii=False) if tagged.has("tags") else None,
                status=status,
                files="[]",
                source=record.path,
                pointer=record.at,
            )
        )
        for position, each in enumerate(rubric.criteria if rubric else ()):
            rows.add(each.row._replace(case_id=record.id, position=position))
        version = node.text("promptVersionRef") or None
        found[record.id] = Case(record.id, version, node.text("agentId"), status, rubric)
    return found


def _readable(node: Node, key: str, keys: tuple[str, ...]) -> str | None:
    """Return the readable text of an object field: the text under one of `keys`, else JSON.

    Other fields follow below the text as JSON, so that nothing is hidden.
    """
    value = decoded(node.get(key))
    if value is None or isinstance(value, str):
        return value or None
    text: str = ""
    if isinstance(value, dict):
        found = next((k for k in keys if isinstance(value.get(k), str) and value[k].strip()), None)
        if found is not None:
            text = value[found]
            value = {k: v for k, v in value.items() if k != found}
            if not value:
                return text
            text += "\n\n"
    try:
        return text + orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except (TypeError, UnicodeError):
        pass  # deeper, or larger in its numbers, than the fast writer goes
    try:
        return text + json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return f"{text}(nested too deeply to show here; see the raw document)"
