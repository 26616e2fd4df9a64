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
        self._assertion = CriterionRow(
            plan.suite, "", "assertion", "", None, min_score=0, max_score=1, pass_at=1
        )

    def read(self, path: str, reader: Reader) -> None:
        """Read the test cases of one eval_metadata.json."""
        value = reader.json(path)
        node = Node(reader, path, value or None, suite=self.suite)
        if isinstance(value, dict) and isinstance(value.get("test_cases"), list):
            self.known = True
            self.skill_name = node.text("skill_name") or None
            for case in node.items("test_cases"):
                case_id = case.text("id")
                if not case_id:
                    message = "This test case has no id, so no grading can name it."
                    case.note("error", "missing-id", message, "Give it an id of its own.")
                    continue
                if case_id in self.cases:
                    message = (
                        f"The id {case_id!r} is used by an earlier case; this one was not read."
                    )
                    hint = "Give each test case its own id."
                    case.note("warning", "duplicate-case", message, hint, "id")
                    continue
                stated = case.number("weight")
                weight = DEFAULT_WEIGHT if stated is None else stated
                tags = [text for text, _ in case.texts("tags")]
                self.rows.add(
                    CaseRow(
                        suite=self.suite,
                        case_id=case_id,
                        prompt=case.text("prompt"),
                        tags=json.dumps(tags, ensure_ascii=False) if case.has("tags") else None,
                        weight=weight,
                        status="active",
                        source=case.path,
                        pointer=case.at,
                    )
                )
                expected: dict[str, str] = {}
                for position, (text, at) in enumerate(case.texts("assertions")):
                    if text:
                        name = numbered(text, expected)
                        row = self._assertion._replace(case_id=case_id, criterion=name)
                        row = row._replace(description=text, position=position)
                        self.rows.add(row._replace(source=case.path, pointer=at))
                        expected[name] = text
                self.cases[case_id] = Case(expected, set(), weight)
        elif value is not MISSING:
            message = "The file contains no list of test cases."
            node.note("error", "no-cases", message, 'Write them as a list under "test_cases".')
        cases = len(self.cases)
        self.rows.add(DocumentRow(path, "descriptions", "eval_metadata", self.suite, cases))

    def add_case(self, case_id: str, source: str) -> Case:
        """Add a case that only a grading names."""
        row = CaseRow(self.suite, case_id, weight=DEFAULT_WEIGHT, status="active", source=source)
        self.rows.add(row._replace(pointer="/test_case_id"))
        case = self.cases[case_id] = Case({}, set(), DEFAULT_WEIGHT)
        return case

    def add_assertion(self, case_id: str, name: str, source: str, pointer: str) -> None:
        """Add an assertion that only a grading names."""
        case = self.cases[case_id]
        row = self._assertion._replace(case_id=case_id, criterion=name, description=name)
        position = len(case.expected) + len(case.extra)
        self.rows.add(row._replace(position=position, source=source, pointer=pointer))
        case.extra.add(name)

    def weight(self, case_id: str) -> float:
        """Return the weight of a case."""
        case = self.cases.get(case_id)
        return DEFAULT_WEIGHT if case is None else case.weight
