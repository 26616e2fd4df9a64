"""Turn the documents of one suite of the `descriptions` family into rows."""

import json
import math
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
    Stated,
    measure,
    positive,
    run_of,
    stem,
    version_label,
)
from evalcore.families.descriptions.documents import ASSERTION
from evalcore.families.gradings import (
    NOTHING,
    UNASSIGNED,
    GradedSuite,
    Grading,
    Measured,
    Total,
    add_scores,
    comparison_row,
    differs,
    missing_identity,
    name_mismatch,
    note_contradiction,
    pending_run,
    winner_of,
)
from evalcore.numbers import disagrees
from evalcore.shapes.columns import BLOCK
from evalcore.shapes.judge import judge_of, was_blind
from evalcore.shapes.judged import Columns, Items
from evalcore.shapes.remarks import Remarks
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow

HEADLINE: Final = "fraction of passing assertions"
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


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    suite = DescriptionSuite(plan, reader, rows)
    for path in suite.files["eval_metadata"]:
        suite.read_cases(path)
    benchmark = Benchmark(suite)
    for path in suite.files["benchmark"]:
        benchmark.read(path)
    folder = (plan.skill_path or "").rpartition("/")[2] or reader.listing.root.resolve().name
    rows.add(suite.row(suite.skill or benchmark.skill_name or folder or ".", HEADLINE))
    benchmark.add_versions()
    benchmark.match()
    paths = suite.files["grading"]
    suite.read(paths, benchmark)
    # Runs of known cases without a grading that can be read: they have an output, or an unread one.
    versions: dict[str, Stated] = {}
    graded, outputs = set(paths) - set(suite.unread), dict.fromkeys(suite.files["output"])
    lost = {output_of(path): path for path in suite.unread}
    for path in outputs | lost if suite.known else ():
        folder, _, name = path.rpartition("/")
        case_id, run = stem(path), folder.rpartition("/")[2]
        if case_id not in suite.cases or f"{folder}/grading/{name}" in graded:
            continue
        claim, said = benchmark.named.get(run), benchmark.stated(run)
        if claim is not None or said is None:
            version = UNASSIGNED if claim is None else claim.version
            said = Stated(version, None, lost.get(path, path))
        versions.setdefault(said.version, said)
        row = pending_run(plan, case_id, said.version, run)._replace(benchmark_run=run)
        there = path if path in outputs else None
        rows.add(row._replace(outputs=there, source=lost.get(path)))
    runs = [run for run, given in suite.assigned.items() if given.version == UNASSIGNED]
    if runs:
        inside = f"/runs/{runs[0]}/grading/"
        source = next((path for path in paths if inside in f"/{path}"), paths[0])
        benchmark.add_version(UNASSIGNED, source, "/run_id")
        several = [run for run in runs if run in benchmark.ambiguous]
        more = f" ({', '.join(several[:3])}: several entries have its numbers)" if several else ""
        message = (
            f"The version of {len(runs)} of {len(suite.assigned)} runs is not known: "
            f"{', '.join(runs[:5])}{' and others' if len(runs) > 5 else ''}{more}."
        )
        hint = 'Write "run_id" into the entry of benchmark.json that was made from the run.'
        reader.problem(source, "/run_id", "info", "version-unassigned", message, hint, plan.suite)
    for run, given in suite.assigned.items():
        said = benchmark.stated(run) if given.entry is None else None
        if said is not None:
            versions.setdefault(said.version, said)
    for label, said in versions.items():
        pointer = "" if label == UNASSIGNED else "/description_version"
        benchmark.add_version(label, said.source, pointer, said.hash)
    benchmark.add_scores(suite.graded, suite.assigned)
    read_comparisons(suite, benchmark)
    if paths and not suite.files["eval_metadata"]:
        message = (
            f"There is no eval_metadata.json in {plan.root or '.'}; the test cases are those of "
            "the gradings."
        )
        hint = "Add the file, so that prompts and missing assertions are known."
        reader.problem(paths[0], "", "warning", "metadata-not-found", message, hint, plan.suite)


class DescriptionSuite(GradedSuite):
    """Reads gradings run by run, as all those of one decide its version."""

    family = "descriptions"
    kind = "eval_metadata"
    skill_field = "skill_name"
    cases_field = "test_cases"
    case_word = "test case"
    case_field = "test_case_id"
    judged_at = "timestamp"
    items = ASSERTIONS
    label = "assertion"
    note = "notes"
    labels_describe = True
    default_weight = 1.0
    remark_fields = REMARKS

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        super().__init__(plan, reader, rows)
        self.graded: dict[str, dict[str, Measure]] = {}
        """Run to test case to its recomputed fraction and its duration."""
        self.assigned: dict[str, Assigned] = {}
        self._outputs = frozenset(self.files["output"])

    def define(self, case: Node) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return weight, tags and prompt of a test case, and its assertions that are not empty."""
        stated, tags = case.number("weight"), [text for text, _ in case.texts("tags")]
        columns = {
            "weight": self.default_weight if stated is None else stated,
            "tags": json.dumps(tags, ensure_ascii=False) if case.has("tags") else None,
            "prompt": case.text("prompt"),
        }
        return columns, [
            (position, text, {"description": text, "pointer": at})
            for position, (text, at) in enumerate(case.texts("assertions"))
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
            measures = {stem(each.node.path): measure(each.node.value) for each in gradings}
            assigned = benchmark.version_of(run, measures)
            for grading in gradings:
                self._add(grading, run, assigned)
            waiting += len(gradings)
            if waiting >= BLOCK:
                waiting = 0
                self.flush()
        self.flush()
        self.note_unknown()

    def usual(self, path: str, value: dict[str, Any], columns: Columns) -> str | None:  # noqa: ARG002 - items say nothing more
        """Return the test case where path and content say the same, and the time is one."""
        case_id, time = stem(path), value.get("timestamp")
        is_named = value.get("test_case_id") == case_id and value.get("run_id") == run_of(path)
        is_dated = time is None or parse_time(time) is not None
        return case_id if is_named and is_dated and value.get("weight") is None else None

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
        node, pattern, *_ = grading
        path = node.path
        if pattern is None:
            case_id = _named(node, "test_case_id", stem(path))
            run = _named(node, "run_id", run)
        else:
            case_id = stem(path)
        taken = self.take(node, case_id, assigned.version, run)
        if taken is None:
            return
        about, case = taken
        self.assigned[run] = assigned
        if pattern is None and case.expected:
            note_restated(node, {"weight": case.weight})
        judge, scores = self.results(grading, about, case)
        verdicts = [score for score in scores.values() if score is not None]
        timing = read_timing(node.child("timing"))
        passed, judged = verdicts.count(1), len(verdicts)
        fraction = passed / judged if judged else None
        key, hint = "overall_score", "Write the fraction of passing assertions."
        stored = node.number(key)
        if stored is not None and stored != fraction:
            if fraction is None:
                differs(node, key, "no assertion was judged", hint)
            elif disagrees(stored, fraction):
                differs(node, key, f"{passed} of {judged} pass, which is {fraction:.3g}", hint)
        self.remarks.add(node, about)
        self.graded.setdefault(run, {})[case_id] = fraction, timing.duration_s
        output = output_of(path)
        place = run, path, output if output in self._outputs else None
        score = passed if judged else None
        total = Total(score, judged or None, fraction, passed, judged)
        self.add_run(about, place, judge, len(case.expected) or judged, total, timing, run)


def output_of(grading: str) -> str:
    """Return where the output is that a grading is about."""
    folder, _, name = grading.rpartition("/")
    return f"{folder.removesuffix('/grading')}/{name}"


def _named(node: Node, key: str, in_path: str) -> str:
    """Return who a grading is about: what it says itself, else its path."""
    value = node.text(key) or None
    if value is None:
        missing_identity(node, key, in_path)
    elif value != in_path:
        name_mismatch(node, key, value, in_path)
    return value or in_path


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
        said = f"from start to end it is {measured:g}"
        differs(node, "duration_seconds", said, "Write the seconds from start to end.")
    return Measured(start, stored or measured or None)


MAX_SCORE: Final = 5


def read_comparisons(suite: GradedSuite, benchmark: Benchmark) -> None:
    """Add the comparisons of one suite."""
    taken: set[str] = set()
    for node in suite.documents("comparison"):
        in_path, stated = stem(node.path), node.text("comparison_id")
        if stated and stated != in_path:
            name_mismatch(node, "comparison_id", stated, in_path)
        name = stated or in_path
        if name in taken:
            shown = f"this one is shown as {in_path!r}"
            message = f"The id {name!r} is used by another comparison; {shown}."
            hint = "Give each comparison its own id."
            node.note("warning", "duplicate-comparison", message, hint, "comparison_id")
            name = in_path if in_path not in taken else node.path
        taken.add(name)
        _add(node, f"{suite.suite}::{name}", suite, benchmark)


def _add(node: Node, key: str, suite: GradedSuite, benchmark: Benchmark) -> None:
    """Add one comparison with its scores and differentiators."""
    winner = winner_of(node, '"A", "B" or "tie"')
    labels: list[str | None] = []
    for side in ("version_a", "version_b"):
        label = version_label(node, side)
        labels.append(label)
        if label and label not in benchmark.versions:
            message = f"No benchmark entry is about {label}; it is listed because it was compared."
            node.note("info", "unknown-version", message, "Run the benchmark for it.", side)
            benchmark.add_version(label, node.path, f"/{side}")
    names = ("score_a", "score_b", "justification_a", "justification_b")
    items = ((None, item) for item in node.items("criteria_scores"))
    pairs = add_scores(suite, key, items, names, MAX_SCORE)
    total_a, total_b, max_total = _totals(node, pairs)
    if total_a is not None and total_b is not None and winner is not None:
        ahead = "A" if total_a > total_b else "B" if total_b > total_a else None
        # With equal totals a judge may still prefer one side.
        if ahead not in (None, winner):
            note_contradiction(node, winner, total_a, total_b)
    judge = judge_of(node)
    case_id = node.text("test_case_id") or None
    if case_id and suite.known and case_id not in suite.cases:
        message = f"eval_metadata.json has no test case {case_id!r}."
        hint = "Add the test case, or correct the id."
        node.note("warning", "unknown-case", message, hint, "test_case_id")
    row = comparison_row(node, key, winner, judge)._replace(case_id=case_id)
    row = row._replace(version_a=labels[0], version_b=labels[1], versions_from="document")
    row = row._replace(total_a=total_a, total_b=total_b, max_total=max_total)
    blinded = judge.repeats or was_blind(node.value) or None
    time, summary = node.time("timestamp"), node.text("summary") or None
    suite.rows.add(row._replace(blinded=blinded, compared_at=time, summary=summary))
    won, lost = {"A": labels, "B": labels[::-1]}.get(winner or "", (None, None))
    for text, at in node.texts("key_differentiators"):
        finding = AnalysisRow(node.suite, key, won, lost, "differentiator", reasoning=text)
        suite.rows.add(finding._replace(source=node.path, pointer=at))


def _totals(
    node: Node, pairs: list[tuple[float, float]]
) -> tuple[float | None, float | None, float | None]:
    """Return the totals and their maximum; a total is the sum of the scores or their mean."""
    stored = node.number("total_score_a"), node.number("total_score_b")
    if not pairs:
        return (*stored, None)
    sums = math.fsum(a for a, _ in pairs), math.fsum(b for _, b in pairs)
    count = len(pairs)
    means = sums[0] / count, sums[1] / count
    # A sum of whole scores is exact; only a mean may have been rounded.
    for totals, maximum, is_sum in ((sums, MAX_SCORE * count, True), (means, MAX_SCORE, False)):
        sides = list(zip(stored, totals, strict=True))
        if all(
            math.isclose(stated, own, abs_tol=0.01) if is_sum else not disagrees(stated, own)
            for stated, own in sides
            if stated is not None
        ):
            a, b = (own if stated is None else stated for stated, own in sides)
            return a, b, maximum
    shown = ["missing" if value is None else f"{value:g}" for value in stored]
    message = (
        f"The totals are {shown[0]} and {shown[1]}, but the scores add up to {sums[0]:g} and "
        f"{sums[1]:g}, and their means are {means[0]:.3g} and {means[1]:.3g}."
    )
    hint = "Write the sum of the scores of each side."
    node.note("warning", "derived-mismatch", message, hint, "total_score_a")
    return (*stored, None)
