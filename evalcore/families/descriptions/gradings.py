"""Read gradings: one test case in one run each, every assertion passed or failed."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.descriptions.assertions import ASSERTIONS, Assertions, Outcome
from evalcore.families.descriptions.assign import (
    UNASSIGNED,
    Assigned,
    Assignment,
    Measure,
    measure,
    plain,
    run_of,
)
from evalcore.families.descriptions.definitions import Case, Definitions
from evalcore.families.descriptions.documents import GRADING
from evalcore.families.descriptions.timing import Timing, decoded_timing, read_timing
from evalcore.families.descriptions.ungraded import StatedVersions
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.shapes.columns import BLOCK, Judged, JudgmentColumns, Pattern
from evalcore.shapes.judge import HUMAN, Judge, judge_from, judge_of
from evalcore.shapes.judged import Subject
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.restated import note_restated
from evalcore.shapes.runs import RunColumns
from evalcore.shapes.typed import Typed
from evalcore.tables.builder import Rows

REMARKS: Final = Remarks(
    notes={"factual_issues": "factual_issue"},
    feedback=("eval_critique",),
    feedback_kinds={
        "vague_assertions": "vague",
        "missing_coverage": "missing",
        "suggested_assertions": "suggested",
    },
    claims=None,
)
TYPED: Final = Typed(GRADING, as_is=REMARKS.fields, refused=("weight",))

_SCORE: Final = ("score", "max_score", "judged", "expected")
_RUN: Final = (
    "benchmark_run",
    "score",
    "max_score",
    "fraction",
    "checks_passed",
    "checks_total",
    *Timing._fields,
)

Graded = dict[str, dict[str, Measure]]
"""Run to test case to its recomputed fraction and its duration."""


class _Grading(NamedTuple):
    """One file: read by type with the pattern of its judgments, or as its JSON value."""

    path: str
    stem: str
    found: Any
    pattern: Pattern | None
    value: dict[str, Json]


class _Run(NamedTuple):
    """A grading with the run and the test case that it is about."""

    about: About
    path: str
    run: str
    outputs: str | None


class Gradings:
    """Reads every grading of one suite, run by run."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.graded: Graded = {}
        self.assigned: dict[str, Assigned] = {}
        self._remarks = RemarkColumns(plan.suite, rows, REMARKS)
        self._assertions = Assertions(plan.suite, reader, rows, definitions, self._remarks)
        self._judgments = JudgmentColumns(rows)
        self._columns = RunColumns(rows, plan.suite, "descriptions", _RUN, _SCORE)
        self._outputs = frozenset(plan.of("output"))
        self.stated = StatedVersions(plan, reader)
        self.seen: dict[str, str] = {}  # run id to file
        self._prefixes: dict[tuple[str, str], str] = {}
        self._suffixes: dict[str, str] = {}

    def read(self, paths: Iterable[str], assignment: Assignment) -> None:
        """Read gradings, those of one run at a time; the assignment gives the runs' versions."""
        waiting = 0
        for folder, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            of_run = list(group)
            run = run_of(of_run[0])
            # One run's documents are held together: all of them decide its version.
            documents = list(self._read_all(of_run, run))
            measures = {each.stem: _measure(each) for each in documents}
            assigned = self._stated(run, assignment.decide(run, measures), assignment)
            for document in documents:
                self._add(document, run, assigned, folder)
            waiting += len(documents)
            if waiting >= BLOCK:
                waiting = 0
                self.flush()
        self.flush()

    def _stated(self, run: str, assigned: Assigned, assignment: Assignment) -> Assigned:
        """Return the version of a run that no entry has: what its outputs say, if they do."""
        if assigned.version != UNASSIGNED or run in assignment.ambiguous:
            return assigned
        said = self.stated.of(run)
        return assigned if said is None else Assigned(said.version)

    def finish(self) -> None:
        """Say once for all gradings what repeats in many."""
        self._assertions.finish()

    def flush(self) -> None:
        """Add the rows of the gradings read so far."""
        for each in (self._judgments, self._remarks, self._columns):
            each.flush()

    def _read_all(self, paths: Iterable[str], run: str) -> Iterator[_Grading]:
        for path in paths:
            stem = path.rpartition("/")[2].removesuffix(".json")
            value = self.reader.json(path)
            found = TYPED.read(value)
            pattern = None if found is None else self._pattern(found, stem, run)
            if found is not None and pattern is not None:
                self._columns.documents.add((path, len(found.assertions)))
                yield _Grading(path, stem, found, pattern, {})
                continue
            held = type(value) is dict and type(value.get("assertions")) is list
            self._columns.documents.add((path, len(value["assertions"]) if held else 0))
            if held:
                yield _Grading(path, stem, None, None, value)
            else:
                self._note_no_grading(path, value)

    def _pattern(self, found: Any, stem: str, run: str) -> Pattern | None:
        """Return what runs with these assertions share; None where the grading is an odd one."""
        if found.test_case_id != stem or found.run_id != run or stem not in self.definitions.cases:
            return None
        if found.timestamp is not None and parse_time(found.timestamp) is None:
            return None
        if found.judge_type == HUMAN:  # it may name the records that it was written from
            return None
        labels = tuple([each.assertion for each in found.assertions])
        expected = self.definitions.cases[stem].order

        judge = judge_from((found.judge,), found.judge_type)

        def criteria() -> list[Any] | None:
            if not labels or sorted(labels) != sorted(expected):
                return None
            return [ASSERTIONS.criterion(label, index, judge) for index, label in enumerate(labels)]

        return self._judgments.pattern((stem, labels, judge), criteria)

    def _note_no_grading(self, path: str, value: Json) -> None:
        node = Node(self.reader, path, value, suite=self.suite)
        if isinstance(value, dict):
            node.note(
                "error",
                "no-assertions",
                "The file contains no list of assertions, so it does not count.",
                'Write the judged assertions as a list under "assertions".',
            )
        elif value is not MISSING:
            node.type_problem("an object")

    def _add(self, document: _Grading, folder_run: str, assigned: Assigned, folder: str) -> None:
        """Add all rows of one grading."""
        path, stem, found, pattern, value = document
        node = Node(self.reader, path, value, suite=self.suite)
        case_id, run = stem, folder_run
        if pattern is None:
            case_id, run = _named(node, "test_case_id", stem), _named(node, "run_id", folder_run)
        key = self._prefix(case_id, assigned.version) + self._suffix(run)
        if key in self.seen:
            self._duplicate(node, case_id, run, self.seen[key])
            return
        self.seen[key] = path
        self.assigned[run] = assigned
        output = f"{folder.removesuffix('/grading')}/{stem}.json"
        about = About(key, case_id, assigned.version)
        row = _Run(about, path, run, output if output in self._outputs else None)
        if pattern is None:
            self._add_any(node, row)
        else:
            self._add_typed(row, found, pattern)

    def _add_any(self, node: Node, row: _Run) -> None:
        """Add a grading, however it is written."""
        self._judgments.flush()
        about = row.about
        case = self.definitions.cases.get(about.case_id) or self._new_case(node, about.case_id)
        if case.expected:
            note_restated(node, {"weight": case.weight})
        judge = judge_of(node)
        subject = Subject(about.run_id, node.time("timestamp"), judge)
        outcome = self._assertions.read(row.path, node.value["assertions"], case, about, subject)
        timing = read_timing(node.child("timing"))
        self._compare(node, outcome)
        self._add_run(row, judge, outcome, timing, case)
        self._remarks.add(node, about)

    def _add_typed(self, row: _Run, found: Any, pattern: Pattern) -> None:
        """Add a grading that was read by its type."""
        about, items = row.about, found.assertions
        verdicts = [each.result == "pass" for each in items]
        self._judgments.add(
            Judged(
                about.run_id,
                pattern,
                row.path,
                verdicts,
                rationales=[each.notes for each in items],
                evidence=[each.evidence for each in items],
                levels=[each.confidence for each in items],
                judged_at=parse_time(found.timestamp),
            )
        )
        for index, each in enumerate(items):
            if each.notes:
                at = f"/assertions/{index}/notes"
                self._remarks.note(row.path, at, about, "assertion", each.notes, each.assertion)
        outcome = Outcome(sum(verdicts), len(verdicts))
        stored = found.overall_score
        if stored is not None and stored != outcome.fraction:
            stated = {"overall_score": stored}
            self._compare(Node(self.reader, row.path, stated, suite=self.suite), outcome)
        timing = decoded_timing(found.timing) or self._timing(row.path, found.timing)
        judge = judge_from((found.judge,), found.judge_type)
        self._add_run(row, judge, outcome, timing, self.definitions.cases[about.case_id])
        if found.factual_issues or found.eval_critique:
            fields = {name: getattr(found, name) for name in REMARKS.fields}
            self._remarks.add(Node(self.reader, row.path, fields, suite=self.suite), about)

    def _timing(self, path: str, timing: Any) -> Timing:
        fields = {name: getattr(timing, name) for name in ("start", "end", "duration_seconds")}
        return read_timing(Node(self.reader, path, fields, "/timing", self.suite))

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
            f"The run {run!r} of {case_id!r} is graded by {first} too; this file is ignored.",
            "Keep one of the two.",
        )

    def _new_case(self, node: Node, case_id: str) -> Case:
        if self.definitions.known:
            node.note(
                "warning",
                "unknown-case",
                f"eval_metadata.json has no test case {case_id!r}; it is shown without prompt.",
                "Add the test case, or correct the id.",
                "test_case_id",
            )
        return self.definitions.synthesise(case_id, node.path)

    def _compare(self, node: Node, outcome: Outcome) -> None:
        """Compare the stored fraction of passing assertions with the recomputed one."""
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
        self, row: _Run, judge: Judge, outcome: Outcome, timing: Timing, case: Case
    ) -> None:
        """Add the rows of one run and of its score."""
        about, path, run, outputs = row
        self.graded.setdefault(run, {})[about.case_id] = outcome.fraction, timing.duration_s
        passed, judged = outcome
        score, top = (passed, judged) if judged else (None, None)
        scores = score, top, outcome.fraction, passed, judged
        self._columns.runs.add((*about, run, path, outputs, *judge[:2], run, *scores, *timing))
        expected = len(case.order) or judged
        self._columns.run_scores.add((about.run_id, *judge.of_score, score, top, judged, expected))


def _measure(document: _Grading) -> Measure:
    """Return the score and the duration that a grading holds, as a benchmark copies them."""
    found = document.found
    if found is None:
        return measure(document.value)
    duration = None if found.timing is None else found.timing.duration_seconds
    return plain(found.overall_score), plain(duration) or None


def _named(node: Node, key: str, in_path: str) -> str:
    """Return who a grading is about: what it says itself, else its path."""
    value = node.text(key) or None
    if value is None:
        node.note(
            "warning",
            "missing-identity",
            f"{key!r} is missing; {in_path!r} was read from the path.",
            f"Write {key!r} into the file.",
        )
        return in_path
    if value != in_path:
        node.note(
            "warning",
            "name-mismatch",
            f"{key!r} is {value!r} in the file and {in_path!r} in its path; the file is used.",
            "Rename the file or its folder.",
            key,
        )
    return value
