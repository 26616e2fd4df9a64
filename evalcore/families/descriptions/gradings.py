"""Read gradings: one test case in one run each, every assertion passed or failed."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.descriptions.assertions import Assertions, Outcome, Subject
from evalcore.families.descriptions.assign import Assigned, Assignment, Measure, measure
from evalcore.families.descriptions.definitions import Case, Definitions
from evalcore.families.descriptions.remarks import Remarks
from evalcore.families.descriptions.timing import Timing, read_timing
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.tables.builder import Rows
from evalcore.tables.rows import DocumentRow, RunRow, RunScoreRow

Graded = dict[str, dict[str, Measure]]
"""Run to test case to its recomputed fraction and its duration."""


class _Grading(NamedTuple):
    path: str
    value: dict[str, Json]
    stem: str


class Gradings:
    """Reads every grading of one suite, run by run."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.assertions = Assertions(plan.suite, reader, rows, definitions)
        self.remarks = Remarks(plan.suite, reader, rows)
        self.graded: Graded = {}
        self.assigned: dict[str, Assigned] = {}
        self._outputs = frozenset(plan.of("output"))
        self._paths = plan.of("grading")
        self._seen: dict[str, str] = {}
        self._prefixes: dict[tuple[str, str], str] = {}
        self._suffixes: dict[str, str] = {}

    def read(self, assignment: Assignment) -> None:
        """Read the gradings; the versions of their runs come from the assignment."""
        for folder, paths in groupby(self._paths, key=lambda path: path.rpartition("/")[0]):
            run = folder.rpartition("/")[0].rpartition("/")[2]
            # One run's documents are held together: all of them decide its version.
            documents = list(self._documents(paths))
            measures = {document.stem: measure(document.value) for document in documents}
            assigned = assignment.decide(run, measures)
            for document in documents:
                self._grading(document, run, assigned, folder)
        self.assertions.finish()

    def _documents(self, paths: Iterator[str]) -> Iterator[_Grading]:
        for path in paths:
            value = self.reader.json(path)
            held = type(value) is dict and type(value.get("assertions")) is list
            count = len(value["assertions"]) if held else 0
            self.rows.add(DocumentRow(path, "descriptions", "grading", self.suite, count))
            if held:
                yield _Grading(path, value, path.rpartition("/")[2].removesuffix(".json"))
                continue
            node = Node(self.reader, path, value, suite=self.suite)
            if isinstance(value, dict):
                node.note(
                    "error",
                    "no-assertions",
                    "The file holds no list of assertions, so nothing of it counts.",
                    'Write the judged assertions as a list under "assertions".',
                )
            elif value is not MISSING:
                node.wrong_here("an object")

    def _grading(self, document: _Grading, folder_run: str, assigned: Assigned, at: str) -> None:
        path, value, stem = document
        case_id, run = value.get("test_case_id"), value.get("run_id")
        node = Node(self.reader, path, value, suite=self.suite)
        if case_id != stem or run != folder_run:
            case_id, run = _named(node, "test_case_id", stem), _named(node, "run_id", folder_run)
        label = assigned.version
        key = self._prefix(case_id, label) + self._suffix(run)
        if key in self._seen:
            self._duplicate(node, case_id, run, self._seen[key])
            return
        self._seen[key] = path
        self.assigned[run] = assigned
        case = self.definitions.cases.get(case_id) or self._new_case(node, case_id)
        subject = Subject(path, key, case_id, label, _time(node))
        outcome = self.assertions.read(subject, value["assertions"], case)
        timing = read_timing(node.child("timing"))
        self._compare(node, outcome)
        self.graded.setdefault(run, {})[case_id] = outcome.fraction, timing.duration_s
        output = f"{at.removesuffix('/grading')}/{stem}.json"
        self._add_run(subject, run, outcome, timing, output if output in self._outputs else None)
        self._add_score(key, outcome, case)
        self.remarks.read(node, subject)

    def _prefix(self, case_id: str, label: str) -> str:
        prefix = self._prefixes.get((case_id, label))
        if prefix is None:
            prefix = run_id(self.suite, shown(case_id), label, "-", "")
            self._prefixes[case_id, label] = prefix
        return prefix

    def _suffix(self, run: str) -> str:
        if run not in self._suffixes:
            self._suffixes[run] = run_id("", "", "", "", shown(run)).rpartition("#")[2]
        return self._suffixes[run]

    def _duplicate(self, node: Node, case_id: str, run: str, first: str) -> None:
        node.note(
            "warning",
            "duplicate-run",
            f"The run {run!r} of {case_id!r} is graded by {first} too; this file was left out.",
            "Keep one of the two.",
        )

    def _new_case(self, node: Node, case_id: str) -> Case:
        if self.definitions.known:
            node.note(
                "warning",
                "unknown-case",
                f"eval_metadata.json has no test case {case_id!r}; it is shown without prompt.",
                "Add the test case, or mend the id.",
                "test_case_id",
            )
        return self.definitions.synthesise(case_id, node.path)

    def _compare(self, node: Node, outcome: Outcome) -> None:
        """Hold the stored fraction of passing assertions against the recomputed one."""
        stored, computed = node.number("overall_score"), outcome.fraction
        if stored is None or stored == computed:
            return
        if computed is None or disagrees(stored, computed):
            given = "no assertion was judged" if computed is None else f"{outcome.passed} of "
            given += "" if computed is None else f"{outcome.judged} pass, which is {computed:.3g}"
            node.note(
                "warning",
                "derived-mismatch",
                f"overall_score is {stored:g}, but {given}.",
                "Write the fraction of passing assertions.",
                "overall_score",
            )

    def _add_run(
        self, subject: Subject, run: str, outcome: Outcome, timing: Timing, outputs: str | None
    ) -> None:
        self.rows.add(
            RunRow(subject.key, self.suite, subject.case_id, subject.version, "-", run, run,
                   "grading", "completed", None, outcome.passed if outcome.judged else None,
                   outcome.judged or None, outcome.fraction, outcome.passed, outcome.judged, None,
                   None, None, None, "llm", None, None, timing.started_at, timing.duration_s,
                   None, None, outputs, subject.path, "")
        )  # fmt: skip

    def _add_score(self, key: str, outcome: Outcome, case: Case) -> None:
        judged = outcome.judged
        self.rows.add(
            RunScoreRow(key, None, "llm", outcome.passed if judged else None, judged or None, None,
                        judged, len(case.order) or judged)
        )  # fmt: skip


def _named(node: Node, key: str, in_path: str) -> str:
    """Return who a grading is about: what it says itself, else its path."""
    value = node.text(key) or None
    if value is None:
        node.note(
            "warning",
            "missing-identity",
            f"{key!r} is missing; {in_path!r} was taken from the path.",
            f"Write {key!r} into the file.",
        )
        return in_path
    if value != in_path:
        node.note(
            "warning",
            "name-mismatch",
            f"{key!r} is {value!r} in the file and {in_path!r} in its path; the file was believed.",
            "Rename the file or its folder.",
            key,
        )
    return value


def _time(node: Node) -> datetime | None:
    """Return the time of a grading without the cost of a problem where it is well written."""
    return parse_time(node.get("timestamp")) or node.time("timestamp")
