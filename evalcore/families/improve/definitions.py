"""Read evals.json: the test cases and their expectations."""

import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.names import slashed
from evalcore.shapes.judged import numbered
from evalcore.tables.builder import Rows
from evalcore.tables.rows import CaseRow, CriterionRow, DocumentRow

PASS_AT: Final = 3
MAX_SCORE: Final = 5
CONVENTIONS: Final = {
    "frontmatter": "The frontmatter is valid and has a name and a description.",
    "description_field": "The description says when to use the skill, not how it works.",
    "token_efficiency": "The skill is as short as its kind allows.",
    "progressive_disclosure": "What matters most comes first, details later.",
    "type_alignment": "The skill has the parts that its type needs.",
}
GUIDE: Final = json.dumps(
    {
        "1": "Criterion unaddressed or contradicted",
        "2": "Partially addressed; significant gaps",
        "3": "Met minimally; superficial",
        "4": "Met well; nuanced",
        "5": "Exemplary; all nuances covered",
    }
)


class Case(NamedTuple):
    """What a grading of one case is compared with."""

    expected: dict[str, bool | None]
    """Criterion to required, as evals.json has them; None where it does not say."""
    decided: bool
    """Whether it is known of every criterion if it is required."""
    extra: set[str]
    """Criteria that only gradings name."""
    conventions: set[str]
    """Conventions that only gradings name."""


class Definitions:
    """The cases of one suite, including those that only gradings name."""

    def __init__(self, plan: Plan, rows: Rows) -> None:
        self.suite = plan.suite
        self.rows = rows
        self.known = False
        self.skill: str | None = None
        self.cases: dict[str, Case] = {}
        self.prompts: dict[str, list[str]] = {}
        scale = CriterionRow(plan.suite, "", "expectation", "", None, min_score=1)
        self._expectation = scale._replace(max_score=MAX_SCORE, pass_at=PASS_AT, guide=GUIDE)
        scale = CriterionRow(plan.suite, "", "convention", "", None, min_score=0)
        self._convention = scale._replace(max_score=1, pass_at=1, required=False)

    def read(self, path: str, reader: Reader) -> None:
        """Read the cases of one evals.json."""
        value = reader.json(path)
        node = Node(reader, path, value, suite=self.suite)
        if isinstance(value, dict) and isinstance(value.get("cases"), list):
            self.known = True
            self.skill = node.text("skill")
            for case in node.items("cases"):
                case_id = case.text("id")
                if not case_id:
                    message = "This case has no id, so no grading can name it."
                    case.note("error", "missing-id", message, "Give it an id in kebab-case.")
                    continue
                if case_id in self.cases:
                    message = (
                        f"The id {case_id!r} is used by an earlier case; this one was not read."
                    )
                    case.note(
                        "warning", "duplicate-case", message, "Give each case its own id.", "id"
                    )
                    continue
                prompt = case.text("prompt")
                if prompt:
                    self.prompts.setdefault(prompt.strip(), []).append(case_id)
                files = [slashed(text) for text, _ in case.texts("files")]
                self.rows.add(
                    CaseRow(
                        suite=self.suite,
                        case_id=case_id,
                        prompt=prompt,
                        status="active",
                        files=json.dumps(files, ensure_ascii=False) if case.has("files") else None,
                        source=case.path,
                        pointer=case.at,
                    )
                )
                expected: dict[str, bool | None] = {}
                for position, item in enumerate(case.items("expectations")):
                    description = item.text("description")
                    label = item.text("criterion") or description
                    if not label:
                        message = "This expectation has no label."
                        item.note("error", "missing-label", message, 'Name it under "criterion".')
                        continue
                    required = item.flag("required")
                    if required is None:
                        message = f"It is not stated whether {label!r} is required."
                        hint = 'Write "required": true or false.'
                        item.note("warning", "required-unknown", message, hint)
                    name = numbered(label, expected)
                    expected[name] = required
                    row = self._expectation._replace(case_id=case_id, criterion=name)
                    row = row._replace(description=description, required=required)
                    row = row._replace(source=item.path, pointer=item.at)
                    self.rows.add(row._replace(position=position))
                self.add(case_id, expected, decided=None not in expected.values())
                self._add_conventions(case_id, CONVENTIONS, None)
        elif value is not MISSING:
            message = "The file contains no list of cases."
            place = node.child("cases") if isinstance(value, dict) else node
            place.note(
                "error", "no-cases", message, 'Write the test cases as a list under "cases".'
            )
        self.rows.add(DocumentRow(path, "improve", "evals", self.suite, records=len(self.cases)))

    def add(self, case_id: str, expected: dict[str, bool | None], decided: bool) -> Case:
        """Take a case as known; its rows are added elsewhere."""
        case = self.cases[case_id] = Case(expected, decided, set(), set())
        return case

    def add_case(self, case_id: str, source: str) -> Case:
        """Add a case that only a grading names; whether anything is required is unknown."""
        row = CaseRow(self.suite, case_id, status="active", source=source, pointer="/case_id")
        self.rows.add(row)
        self._add_conventions(case_id, CONVENTIONS, source)
        return self.add(case_id, {}, decided=False)

    def add_criterion(self, case_id: str, name: str, source: str, pointer: str) -> None:
        """Add a criterion that only a grading names."""
        case = self.cases[case_id]
        row = self._expectation._replace(case_id=case_id, criterion=name, source=source)
        position = len(case.expected) + len(case.extra)
        self.rows.add(row._replace(position=position, pointer=pointer))
        case.extra.add(name)

    def add_convention(self, case_id: str, name: str, source: str) -> None:
        """Add a convention that only gradings name, once."""
        known = self.cases[case_id].conventions
        if name not in known:
            known.add(name)
            self._add_conventions(case_id, {name: None}, source)

    def _add_conventions(
        self, case_id: str, names: Mapping[str, str | None], source: str | None
    ) -> None:
        for position, (name, description) in enumerate(names.items()):
            row = self._convention._replace(case_id=case_id, criterion=name, source=source)
            self.rows.add(row._replace(description=description, position=position))
