"""Read evals.json: the test cases and their expectations."""

import json
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
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
    required: tuple[str, ...]
    decided: bool
    """Whether `required` is known of every criterion."""
    extra: set[str]
    """Criteria that only gradings name."""


class Definitions:
    """The cases of one suite, including those that only gradings name."""

    def __init__(self, plan: Plan, rows: Rows) -> None:
        self.suite = plan.suite
        self.rows = rows
        self.known = False
        self.skill: str | None = None
        self.cases: dict[str, Case] = {}
        self.prompts: dict[str, list[str]] = {}
        self._conventions: set[tuple[str, str]] = set()

    def add(self, case_id: str, expected: dict[str, bool | None], decided: bool = True) -> Case:
        """Add one case."""
        required = tuple(name for name, needed in expected.items() if needed)
        sure = decided and None not in expected.values()
        case = self.cases[case_id] = Case(expected, required, sure, set())
        return case

    def synthesise(self, case_id: str, source: str) -> Case:
        """Add a case that only a grading names; whether anything is required is unknown."""
        self.rows.add(
            CaseRow(
                suite=self.suite,
                case_id=case_id,
                status="active",
                source=source,
                pointer="/case_id",
            )
        )
        self.conventions(case_id, CONVENTIONS, source)
        return self.add(case_id, {}, decided=False)

    def recall(self, known: bool, case_id: str, conventions: Iterable[str]) -> None:
        """Restore the conventions of a case; `known` says that evals.json has the case."""
        self.known = self.known or known
        self._conventions.update((case_id, name) for name in conventions)

    def extend(self, case_id: str, name: str, source: str, pointer: str) -> None:
        """Add a criterion that only a grading names."""
        case = self.cases[case_id]
        position = len(case.expected) + len(case.extra)
        self._expectation(case_id, name, None, None, position, source, pointer)
        case.extra.add(name)

    def conventions(
        self, case_id: str, names: Mapping[str, str | None], source: str | None
    ) -> None:
        """Add conventions of one case, each once."""
        for position, (name, description) in enumerate(names.items()):
            if (case_id, name) in self._conventions:
                continue
            self._conventions.add((case_id, name))
            self.rows.add(
                CriterionRow(
                    suite=self.suite,
                    case_id=case_id,
                    kind="convention",
                    criterion=name,
                    description=description,
                    required=False,
                    min_score=0,
                    max_score=1,
                    pass_at=1,
                    position=position,
                    source=source,
                )
            )

    def read(self, path: str, reader: Reader) -> None:
        """Read the cases of one evals.json."""
        value = reader.json(path)
        if value is MISSING:
            self._document(path, 0)
            return
        node = Node(reader, path, value, suite=self.suite)
        if not isinstance(value, dict) or not isinstance(value.get("cases"), list):
            (node.child("cases") if isinstance(value, dict) else node).note(
                "error",
                "no-cases",
                "The file contains no list of cases.",
                'Write the test cases as a list under "cases".',
            )
            self._document(path, 0)
            return
        self.known = True
        self.skill = node.text("skill")
        for case in node.items("cases"):
            self._case(case)
        self._document(path, len(self.cases))

    def _document(self, path: str, records: int) -> None:
        self.rows.add(
            DocumentRow(
                path=path, family="improve", kind="evals", suite=self.suite, records=records
            )
        )

    def _case(self, node: Node) -> None:
        case_id = node.text("id")
        if not case_id:
            node.note(
                "error",
                "missing-id",
                "This case has no id, so no grading can name it.",
                "Give it an id in kebab-case.",
            )
            return
        if case_id in self.cases:
            node.note(
                "warning",
                "duplicate-case",
                f"The id {case_id!r} is used by an earlier case; this one was not read.",
                "Give each case its own id.",
                "id",
            )
            return
        prompt = node.text("prompt")
        if prompt:
            self.prompts.setdefault(prompt.strip(), []).append(case_id)
        files = [text for text, _ in node.texts("files")]
        self.rows.add(
            CaseRow(
                suite=self.suite,
                case_id=case_id,
                prompt=prompt,
                status="active",
                files=json.dumps(files, ensure_ascii=False) if node.has("files") else None,
                source=node.path,
                pointer=node.at,
            )
        )
        self._expectations(case_id, node)
        self.conventions(case_id, CONVENTIONS, None)

    def _expectations(self, case_id: str, case: Node) -> None:
        expected: dict[str, bool | None] = {}
        for position, node in enumerate(case.items("expectations")):
            description = node.text("description")
            label = node.text("criterion") or description
            if not label:
                node.note(
                    "error",
                    "missing-label",
                    "This expectation has no label.",
                    'Name it under "criterion".',
                )
                continue
            required = node.flag("required")
            if required is None:
                node.note(
                    "warning",
                    "required-unknown",
                    f"It is not stated whether {label!r} is required.",
                    'Write "required": true or false.',
                )
            name = numbered(label, expected)
            self._expectation(case_id, name, description, required, position, node.path, node.at)
            expected[name] = required
        self.add(case_id, expected)

    def _expectation(
        self,
        case_id: str,
        name: str,
        description: str | None,
        required: bool | None,
        position: int,
        source: str,
        pointer: str,
    ) -> None:
        self.rows.add(
            CriterionRow(
                suite=self.suite,
                case_id=case_id,
                kind="expectation",
                criterion=name,
                description=description,
                required=required,
                min_score=1,
                max_score=MAX_SCORE,
                pass_at=PASS_AT,
                guide=GUIDE,
                position=position,
                source=source,
                pointer=pointer,
            )
        )
