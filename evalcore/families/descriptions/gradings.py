"""Read gradings: one test case in one run each, every assertion passed or failed."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import (
    Assigned,
    Assignment,
    Measure,
    measure,
    positive,
    run_of,
)
from evalcore.families.descriptions.definitions import Case, Definitions
from evalcore.families.descriptions.documents import ASSERTION, GRADING
from evalcore.ids import run_id
from evalcore.numbers import disagrees
from evalcore.shapes.columns import BLOCK, Criterion, Judged, JudgmentColumns, Pattern
from evalcore.shapes.judge import HUMAN, Judge, judge_from, judge_of
from evalcore.shapes.judged import Items, Subject, judgment, label_of, numbered, unscored
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.restated import note_restated
from evalcore.shapes.runs import RunColumns
from evalcore.shapes.typed import Typed
from evalcore.tables.builder import Rows

ASSERTIONS: Final = Items(
    "assertions",
    "assertion",
    ASSERTION,
    words={"pass": True, "fail": False},
    spellings={"passed": True, "failed": False, "true": True, "false": False},
    defined="the text from eval_metadata.json",
)
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


class Timing(NamedTuple):
    """Start and duration of one run; None is not measured."""

    started_at: datetime | None = None
    duration_s: float | None = None


_NOT_TIMED: Final = Timing()


_SCALE: Final = dict(zip(("min_score", "max_score"), ASSERTIONS.scale, strict=True))
_SCORE: Final = ("score", "max_score", "judged", "expected")
_RUN: Final = (
    "benchmark_run", "score", "max_score", "fraction", "checks_passed", "checks_total",
    *Timing._fields,
)  # fmt: skip


class _Document(NamedTuple):
    """A grading; where it could be read by type, with what was found and the pattern of that."""

    path: str
    stem: str
    value: dict[str, Json]
    found: Any = None
    pattern: Pattern | None = None


_Read = tuple[Case, Judge, int, int, Timing]
"""What a grading says of its run beside its judgments: how many passed, of how many."""


class Gradings:
    """Reads every grading of one suite, run by run."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.graded: dict[str, dict[str, Measure]] = {}
        """Run to test case to its recomputed fraction and its duration."""
        self.assigned: dict[str, Assigned] = {}
        self.unread: list[str] = []
        """The files that say nothing of their run."""
        self._seen: dict[str, str] = {}  # run id to file
        self._unknown: dict[tuple[str, str], str] = {}  # test case and assertion to first file
        self._outputs = frozenset(plan.of("output"))
        self._remarks = RemarkColumns(plan.suite, rows, REMARKS)
        self._judgments = JudgmentColumns(rows)
        self._columns = RunColumns(rows, plan.suite, "descriptions", _RUN, _SCORE)

    def read(self, paths: Iterable[str], assignment: Assignment) -> None:
        """Read gradings, those of one run at a time; the assignment gives the runs' versions."""
        waiting = 0
        for _, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            # One run's documents are held together: all of them decide its version.
            documents = [found for path in group if (found := self._load(path)) is not None]
            if not documents:
                continue
            run = run_of(documents[0].path)
            assigned = assignment.decide(
                run, {each.stem: measure(each.value) for each in documents}
            )
            for document in documents:
                self._add(document, run, assigned)
            waiting += len(documents)
            if waiting >= BLOCK:
                waiting = 0
                self._flush()
        self._flush()
        # What repeats in many gradings is said once.
        for (case_id, name), path in self._unknown.items():
            node = Node(self.reader, path, None, "/assertions", self.suite)
            message = f"The test case {case_id!r} has no assertion {name!r}."
            hint = "Add it to eval_metadata.json, or write it word for word."
            node.note("warning", "unknown-criterion", message, hint)

    def _flush(self) -> None:
        for each in (self._judgments, self._remarks, self._columns):
            each.flush()

    def _load(self, path: str) -> _Document | None:
        stem = path.rpartition("/")[2].removesuffix(".json")
        value = self.reader.json(path)
        found = TYPED.read(value)
        case, pattern = self.definitions.cases.get(stem), None
        if (
            found is not None
            and case is not None
            and (found.test_case_id, found.run_id) == (stem, run_of(path))
            and (found.timestamp is None or parse_time(found.timestamp) is not None)
            and found.judge_type != HUMAN  # it may name the records that it was written from
        ):
            labels, expected = tuple([each.assertion for each in found.assertions]), case.expected
            judge = judge_from((found.judge,), found.judge_type)

            def criteria() -> list[Criterion] | None:
                if not labels or sorted(labels) != sorted(expected):
                    return None
                several = enumerate(labels)
                return [ASSERTIONS.criterion(label, index, judge) for index, label in several]

            pattern = self._judgments.pattern((stem, labels, judge), criteria)
        if found is not None and pattern is not None:
            self._columns.documents.add((path, len(found.assertions)))
            return _Document(path, stem, value, found, pattern)
        held = type(value) is dict and type(value.get("assertions")) is list
        self._columns.documents.add((path, len(value["assertions"]) if held else 0))
        if held:
            return _Document(path, stem, value)
        self.unread.append(path)
        node = Node(self.reader, path, value, suite=self.suite)
        if isinstance(value, dict):
            message = "The file contains no list of assertions, so it does not count."
            hint = 'Write the judged assertions as a list under "assertions".'
            node.note("error", "no-assertions", message, hint)
        elif value is not MISSING:
            node.type_problem("an object")
        return None

    def _add(self, document: _Document, run: str, assigned: Assigned) -> None:
        """Add all rows of one grading; `run` is that of its path."""
        path, case_id, value, found, pattern = document
        node = Node(self.reader, path, value, suite=self.suite)
        if pattern is None:
            case_id = _named(node, "test_case_id", case_id)
            run = _named(node, "run_id", run)
        key = run_id(self.suite, shown(case_id), assigned.version, "-", shown(run))
        if key in self._seen:
            message = (
                f"The run {run!r} of {case_id!r} is graded by {self._seen[key]} too; this file is "
                "ignored."
            )
            node.note("warning", "duplicate-run", message, "Keep one of the two.")
            return
        self._seen[key] = path
        self.assigned[run] = assigned
        about = About(key, case_id, assigned.version)
        if pattern is None:
            case, judge, passed, judged, timing = self._add_any(node, about)
        else:
            case, judge, passed, judged, timing = self._add_typed(path, found, pattern, about)
        fraction = passed / judged if judged else None
        self.graded.setdefault(run, {})[case_id] = fraction, timing.duration_s
        output = output_of(path)
        outputs = output if output in self._outputs else None
        score, top = (passed, judged) if judged else (None, None)
        scores = score, top, fraction, passed, judged
        self._columns.runs.add((*about, run, path, outputs, *judge[:2], run, *scores, *timing))
        expected = len(case.expected) or judged
        self._columns.run_scores.add((key, *judge.of_score, score, top, judged, expected))

    def _add_typed(self, path: str, found: Any, pattern: Pattern, about: About) -> _Read:
        """Add the judgments and remarks of a grading that was read by its type."""
        items = found.assertions
        verdicts = [each.result == "pass" for each in items]
        self._judgments.add(
            Judged(
                about.run_id,
                pattern,
                path,
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
                self._remarks.note(path, at, about, "assertion", each.notes, each.assertion)
        passed, judged = sum(verdicts), len(verdicts)
        if found.overall_score not in (None, passed / judged):
            stated = {"overall_score": found.overall_score}
            _compare(Node(self.reader, path, stated, suite=self.suite), passed, judged)
        timing = decoded_timing(found.timing)
        if timing is None:
            names = ("start", "end", "duration_seconds")
            times = {name: getattr(found.timing, name) for name in names}
            timing = read_timing(Node(self.reader, path, times, "/timing", self.suite))
        if found.factual_issues or found.eval_critique:
            remarked = {name: getattr(found, name) for name in REMARKS.fields}
            self._remarks.add(Node(self.reader, path, remarked, suite=self.suite), about)
        judge = judge_from((found.judge,), found.judge_type)
        return self.definitions.cases[about.case_id], judge, passed, judged, timing

    def _add_any(self, node: Node, about: About) -> _Read:
        """Add the judgments and remarks of a grading, however it is written."""
        self._judgments.flush()
        case_id = about.case_id
        case = self.definitions.cases.get(case_id)
        if case is None:
            if self.definitions.known:
                message = (
                    f"eval_metadata.json has no test case {case_id!r}; it is shown without prompt."
                )
                hint = "Add the test case, or correct the id."
                node.note("warning", "unknown-case", message, hint, "test_case_id")
            case = self.definitions.add_case(case_id, node.path)
        if case.expected:
            note_restated(node, {"weight": case.weight})
        judge = judge_of(node)
        subject = Subject(about.run_id, node.time("timestamp"), judge)
        results: dict[str, bool | None] = {}
        places: dict[str, str] = {}
        for item in node.all_items("assertions"):
            label = label_of(item, ASSERTIONS)
            if label is None:
                continue
            name = numbered(label, results)
            note_restated(item, _SCALE)
            note = item.text("notes") or None
            row = judgment(item, ASSERTIONS, name, subject)._replace(rationale=note)
            results[name], places[name] = row.passed, item.at
            self.rows.add(row)
            if note:
                self._remarks.note(node.path, f"{item.at}/notes", about, "assertion", note, name)
        # Assertions that only this grading names, and those without a result.
        for name, at in places.items():
            if name not in case.expected and name not in case.extra:
                if case.expected:
                    self._unknown.setdefault((case_id, name), node.path)
                self.definitions.add_assertion(case_id, name, node.path, at)
        missing = [name for name in case.expected if name not in results]
        for name in missing:
            self.rows.add(unscored(node.path, "/assertions", ASSERTIONS, name, subject))
        if missing:
            message = (
                f"{len(missing)} of {len(case.expected)} assertions of {case_id!r} have no result: "
                f"{missing[0]!r}{' and others' if len(missing) > 1 else ''}."
            )
            hint = "Grade the run again, or add the results."
            node.note("warning", "incomplete", message, hint, "assertions")
        timing = read_timing(node.child("timing"))
        verdicts = [passed for passed in results.values() if passed is not None]
        _compare(node, sum(verdicts), len(verdicts))
        self._remarks.add(node, about)
        return case, judge, sum(verdicts), len(verdicts), timing


def output_of(grading: str) -> str:
    """Return where the output is that a grading is about."""
    folder, _, name = grading.rpartition("/")
    return f"{folder.removesuffix('/grading')}/{name}"


def _named(node: Node, key: str, in_path: str) -> str:
    """Return who a grading is about: what it says itself, else its path."""
    value = node.text(key) or None
    if value is None:
        message = f"{key!r} is missing; {in_path!r} was read from the path."
        node.note("warning", "missing-identity", message, f"Write {key!r} into the file.")
        return in_path
    if value != in_path:
        message = f"{key!r} is {value!r} in the file and {in_path!r} in its path; the file is used."
        node.note("warning", "name-mismatch", message, "Rename the file or its folder.", key)
    return value


def _compare(node: Node, passed: int, judged: int) -> None:
    """Compare the stored fraction of passing assertions with the recomputed one."""
    stored, computed = node.number("overall_score"), passed / judged if judged else None
    if stored is None or stored == computed:
        return
    if computed is None:
        given = "no assertion was judged"
    elif disagrees(stored, computed):
        given = f"{passed} of {judged} pass, which is {computed:.3g}"
    else:
        return
    message = f"overall_score is {stored:g}, but {given}."
    hint = "Write the fraction of passing assertions."
    node.note("warning", "derived-mismatch", message, hint, "overall_score")


def read_timing(node: Node) -> Timing:
    """Return start and duration, after comparing the duration with start and end."""
    if node.value is None:
        return _NOT_TIMED
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return _NOT_TIMED
    start, end = node.time("start"), node.time("end")
    stored = positive(node, "duration_seconds")
    if start is None or end is None:
        return Timing(start, stored)
    measured = (end - start).total_seconds()
    if measured < 0:
        hint = "Write both times in the same zone."
        node.note("warning", "ends-before-start", "The run ends before it starts.", hint, "end")
        return Timing(start, stored)
    if stored is not None and disagrees(stored, measured):
        message = f"duration_seconds is {stored:g}, but from start to end it is {measured:g}."
        hint = "Write the seconds from start to end."
        node.note("warning", "derived-mismatch", message, hint, "duration_seconds")
    return Timing(start, stored or measured or None)


def decoded_timing(timing: Any) -> Timing | None:
    """Return start and duration of a decoded timing; None if `read_timing` is needed.

    It is much quicker, and runs are many.
    """
    if timing is None:
        return _NOT_TIMED
    start, end = parse_time(timing.start), parse_time(timing.end)
    stored = timing.duration_seconds
    if start is None or end is None or not stored or end < start:
        return None
    measured = (end - start).total_seconds()
    if stored != measured and disagrees(stored, measured):
        return None
    return Timing(start, stored)
