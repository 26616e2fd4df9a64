"""Read eval_metadata.json, and gradings of one test case in one run each: assertions that pass."""

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import (
    Assigned,
    Benchmark,
    Measure,
    measure,
    positive,
    run_of,
)
from evalcore.families.descriptions.documents import ASSERTION, GRADING
from evalcore.families.gradings import NOTHING, Form, GradedSuite, Grading, Measured, Total
from evalcore.numbers import disagrees
from evalcore.shapes.columns import BLOCK, Judged
from evalcore.shapes.judge import judge_of
from evalcore.shapes.judged import Items, Subject
from evalcore.shapes.remarks import Remarks
from evalcore.shapes.restated import note_restated
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
ASSERTIONS: Final = Items(
    "assertions",
    "assertion",
    ASSERTION,
    words={"pass": True, "fail": False},
    spellings={"passed": True, "failed": False, "true": True, "false": False},
    defined="the text from eval_metadata.json",
)
FORM: Final = Form(
    family="descriptions",
    kind="eval_metadata",
    skill="skill_name",
    cases="test_cases",
    case="test case",
    case_field="test_case_id",
    weight=1.0,
    items=ASSERTIONS,
    label="assertion",
    labels_describe=True,
    note="notes",
    remarks=REMARKS,
    typed=Typed(GRADING, as_is=REMARKS.fields, refused=("weight",)),
    unknown_case="eval_metadata.json has no test case {case!r}; it is shown without prompt.",
    unknown_criterion="The test case {case!r} has no assertion {name!r}.",
    graded_twice="The run {run!r} of {case!r} is graded by {file} too; this file is ignored.",
    hints={
        "no-cases": 'Write them as a list under "test_cases".',
        "missing-id": "Give it an id of its own.",
        "no-assertions": 'Write the judged assertions as a list under "assertions".',
        "unknown-case": "Add the test case, or correct the id.",
        "unknown-criterion": "Add it to eval_metadata.json, or write it word for word.",
        "duplicate-run": "Keep one of the two.",
    },
)


class DescriptionSuite(GradedSuite):
    """Reads gradings run by run, as all those of one decide its version."""

    form = FORM

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        super().__init__(plan, reader, rows)
        self.graded: dict[str, dict[str, Measure]] = {}
        """Run to test case to its recomputed fraction and its duration."""
        self.assigned: dict[str, Assigned] = {}
        self._outputs = frozenset(plan.of("output"))

    def define(self, case: Node) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return weight, tags and prompt of a test case, and its assertions that are not empty."""
        stated, tags = case.number("weight"), [text for text, _ in case.texts("tags")]
        columns = {
            "weight": FORM.weight if stated is None else stated,
            "tags": json.dumps(tags, ensure_ascii=False) if case.has("tags") else None,
            "prompt": case.text("prompt"),
        }
        texts = enumerate(case.texts("assertions"))
        return columns, [
            (position, text, {"description": text, "pointer": at})
            for position, (text, at) in texts
            if text
        ]

    def read(self, paths: Iterable[str], benchmark: Benchmark) -> None:
        """Read gradings, those of one run at a time; the benchmark gives their version."""
        waiting = 0
        for _, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            gradings = [found for path in group if (found := self.load(path)) is not None]
            if not gradings:
                continue
            run = run_of(gradings[0].node.path)
            measures = {_stem(each.node.path): measure(each.node.value) for each in gradings}
            assigned = benchmark.version_of(run, measures)
            for grading in gradings:
                self._add(grading, run, assigned)
            waiting += len(gradings)
            if waiting >= BLOCK:
                waiting = 0
                self.flush()
        self.flush()
        self.note_unknown()

    def usual(self, path: str, found: Any) -> str | None:
        """Return the test case where path and content say the same, and the time is one."""
        case_id = _stem(path)
        is_named = (found.test_case_id, found.run_id) == (case_id, run_of(path))
        is_dated = found.timestamp is None or parse_time(found.timestamp) is not None
        return case_id if is_named and is_dated else None

    def note_incomplete(self, doc: Node, case_id: str, missing: Sequence[str]) -> None:
        """Note how many assertions have no result."""
        message = (
            f"{len(missing)} of {len(self.cases[case_id].expected)} assertions of {case_id!r} have "
            f"no result: {missing[0]!r}{' and others' if len(missing) > 1 else ''}."
        )
        hint = "Grade the run again, or add the results."
        doc.note("warning", "incomplete", message, hint, "assertions")

    def _add(self, grading: Grading, run: str, assigned: Assigned) -> None:
        """Add all rows of one grading; `run` is that of its path."""
        node, pattern, found, judge = grading
        path, timing = node.path, None
        if pattern is None:
            case_id = _named(node, "test_case_id", _stem(path))
            run = _named(node, "run_id", run)
        else:
            case_id = found.test_case_id
        taken = self.take(node, case_id, assigned.version, run)
        if taken is None:
            return
        about, case = taken
        self.assigned[run] = assigned
        if pattern is None:
            if case.expected:
                note_restated(node, {"weight": case.weight})
            judge = judge_of(node)
            subject = Subject(about.run_id, node.time("timestamp"), judge)
            scores = self.results(node, about, case, subject)
            verdicts = [score == 1 for score in scores.values() if score is not None]
            timing = read_timing(node.child("timing"))
        else:
            items = found.assertions
            verdicts = [each.result == "pass" for each in items]
            self.judgments.add(
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
                    self.remarks.note(path, at, about, "assertion", each.notes, each.assertion)
        passed, judged = sum(verdicts), len(verdicts)
        fraction = passed / judged if judged else None
        if pattern is None or found.overall_score not in (None, fraction):
            _compare(node, passed, judged)
        timing = timing or converted_timing(found.timing) or read_timing(node.child("timing"))
        self.remarks.add(node, about)
        self.graded.setdefault(run, {})[case_id] = fraction, timing.duration_s
        output = output_of(path)
        place = run, path, output if output in self._outputs else None
        top = judged or None
        total = Total(passed if judged else None, top, fraction, passed, judged)
        self.add_run(about, place, judge, len(case.expected) or judged, total, timing, run)


def _stem(path: str) -> str:
    """Return the test case that a file is named after."""
    return path.rpartition("/")[2].removesuffix(".json")


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


def read_timing(node: Node) -> Measured:
    """Return start and duration, after comparing the duration with start and end."""
    if node.value is None:
        return NOTHING
    if not isinstance(node.value, dict):
        node.type_problem("an object")
        return NOTHING
    start, end = node.time("start"), node.time("end")
    stored = positive(node, "duration_seconds")
    if start is None or end is None:
        return Measured(start, stored)
    measured = (end - start).total_seconds()
    if measured < 0:
        hint = "Write both times in the same zone."
        node.note("warning", "ends-before-start", "The run ends before it starts.", hint, "end")
        return Measured(start, stored)
    if stored not in (None, measured) and disagrees(stored, measured):
        message = f"duration_seconds is {stored:g}, but from start to end it is {measured:g}."
        hint = "Write the seconds from start to end."
        node.note("warning", "derived-mismatch", message, hint, "duration_seconds")
    return Measured(start, stored or measured or None)


def converted_timing(timing: Any) -> Measured | None:
    """Return at once what a converted timing says; None where it needs a second look."""
    if timing is None:
        return NOTHING
    start, end = parse_time(timing.start), parse_time(timing.end)
    stored = timing.duration_seconds
    if start is None or end is None or not stored or end < start:
        return None
    seconds = (end - start).total_seconds()
    return None if stored != seconds and disagrees(stored, seconds) else Measured(start, stored)
