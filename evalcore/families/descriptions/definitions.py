"""Read eval_metadata.json: the test cases and the assertions of each."""

import json
from typing import NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.shapes.judged import numbered
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow, DocumentRow

DEFAULT_WEIGHT = 1.0


class Case(NamedTuple):
    """What a grading of one test case is compared with."""

    expected: dict[str, str]
    """The assertions of eval_metadata.json: name to text."""
    extra: set[str]
    """Assertions that only gradings name."""
    weight: float


class Definitions:
    """The test cases of one suite, including those that only gradings name."""

    def __init__(self, plan: Plan, rows: Rows) -> None:
        self.suite = plan.suite
        self.rows = rows
        self.known = False
        self.skill_name: str | None = None
        self.cases: dict[str, Case] = {}

    def read(self, path: str, reader: Reader) -> None:
        """Read the test cases of one eval_metadata.json."""
        value = reader.json(path)
        node = Node(reader, path, value or None, suite=self.suite)
        if isinstance(value, dict) and isinstance(value.get("test_cases"), list):
            self.known = True
            self.skill_name = node.text("skill_name") or None
            for case in node.items("test_cases"):
                self._read_case(case)
        elif value is not MISSING:
            message = "The file contains no list of test cases."
            node.note("error", "no-cases", message, 'Write them as a list under "test_cases".')
        self.rows.add(
            DocumentRow(
                path=path,
                family="descriptions",
                kind="eval_metadata",
                suite=self.suite,
                records=len(self.cases),
            )
        )

    def _read_case(self, node: Node) -> None:
        case_id = node.text("id")
        if not case_id:
            message = "This test case has no id, so no grading can name it."
            node.note("error", "missing-id", message, "Give it an id of its own.")
            return
        if case_id in self.cases:
            message = f"The id {case_id!r} is used by an earlier case; this one was not read."
            hint = "Give each test case its own id."
            node.note("warning", "duplicate-case", message, hint, "id")
            return
        stated = node.number("weight")
        weight = DEFAULT_WEIGHT if stated is None else stated
        tags = [text for text, _ in node.texts("tags")]
        self.rows.add(
            CaseRow(
                suite=self.suite,
                case_id=case_id,
                prompt=node.text("prompt"),
                tags=json.dumps(tags, ensure_ascii=False) if node.has("tags") else None,
                weight=weight,
                status="active",
                source=node.path,
                pointer=node.at,
            )
        )
        expected: dict[str, str] = {}
        for position, (text, at) in enumerate(node.texts("assertions")):
            if text:
                name = numbered(text, expected)
                self._add_assertion(case_id, name, text, position, node.path, at)
                expected[name] = text
        self.cases[case_id] = Case(expected, set(), weight)

    def add_case(self, case_id: str, source: str) -> Case:
        """Add a case that only a grading names."""
        self.rows.add(
            CaseRow(
                suite=self.suite,
                case_id=case_id,
                weight=DEFAULT_WEIGHT,
                status="active",
                source=source,
                pointer="/test_case_id",
            )
        )
        case = self.cases[case_id] = Case({}, set(), DEFAULT_WEIGHT)
        return case

    def add_assertion(self, case_id: str, name: str, source: str, pointer: str) -> None:
        """Add an assertion that only a grading names."""
        case = self.cases[case_id]
        position = len(case.expected) + len(case.extra)
        self._add_assertion(case_id, name, name, position, source, pointer)
        case.extra.add(name)

    def weight(self, case_id: str) -> float:
        """Return the weight of a case."""
        case = self.cases.get(case_id)
        return DEFAULT_WEIGHT if case is None else case.weight

    def _add_assertion(
        self, case_id: str, name: str, text: str, position: int, source: str, pointer: str
    ) -> None:
        self.rows.add(
            CriterionRow(
                suite=self.suite,
                case_id=case_id,
                kind="assertion",
                criterion=name,
                description=text,
                min_score=0,
                max_score=1,
                pass_at=1,
                position=position,
                source=source,
                pointer=pointer,
            )
        )
