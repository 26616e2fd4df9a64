"""Turn the documents of one suite of the `descriptions` family into rows."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import Plan
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
from evalcore.families.metrics import Statistics, statistics
from evalcore.numbers import disagrees, mean, weighted_mean
from evalcore.shapes.columns import BLOCK
from evalcore.shapes.judge import judge_of, was_blind
from evalcore.shapes.judged import Columns, Items
from evalcore.shapes.remarks import Remarks
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import AnalysisRow, BenchmarkRunRow, DocumentRow, VersionRow

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


AGGREGATE: Final = "Aggregate the benchmark again."
SPREAD: Final = ("mean", "median", "std_dev", "min", "max")
"""The fields of the scores of an entry, in the order of `Statistics`."""
MAX_SCORE: Final = 5

Measure = tuple[float | None, float | None]
"""The score and the duration of one test case in one run."""


class Entry(NamedTuple):
    """One entry of a benchmark; `cases` as it states them, `measures` in comparable form."""

    version: str
    timestamp: datetime | None
    hash: str | None
    cases: list[tuple[str, Measure, Node]]
    measures: dict[str, Measure]
    node: Node

    @property
    def mean(self) -> float | None:
        """The mean score that it states."""
        return plain(self.node.child("scores").get("mean"))


class Stated(NamedTuple):
    """The version of the description that an output, or an entry, says it is of."""

    version: str
    hash: str | None
    source: str


class Assigned(NamedTuple):
    """The version of a run, its benchmark entry, and whether it was matched by equal numbers."""

    version: str
    entry: Entry | None = None
    matched: bool = False


def read(plan: Plan, reader: Reader, rows: Rows) -> None:
    """Add every row of one suite; unreadable values are reported to the reader."""
    suite = DescriptionSuite(plan, reader, rows)
    for path in suite.files["eval_metadata"]:
        suite.read_cases(path)
    for path in suite.files["benchmark"]:
        suite.read_benchmark(path)
    folder = (plan.skill_path or "").rpartition("/")[2] or reader.listing.root.resolve().name
    rows.add(suite.row(suite.skill or suite.benchmark or folder or ".", HEADLINE))
    suite.add_versions()
    suite.match()
    paths = suite.files["grading"]
    suite.read(paths)
    # Runs of known cases without a grading that can be read: they have an output, or an unread one.
    versions: dict[str, Stated] = {}
    graded, outputs = set(paths) - set(suite.unread), dict.fromkeys(suite.files["output"])
    lost = {output_of(path): path for path in suite.unread}
    for path in outputs | lost if suite.known else ():
        folder, _, name = path.rpartition("/")
        case_id, run = stem(path), folder.rpartition("/")[2]
        if case_id not in suite.cases or f"{folder}/grading/{name}" in graded:
            continue
        claim, said = suite.named.get(run), suite.stated(run)
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
        suite.add_version(UNASSIGNED, source, "/run_id")
        several = [run for run in runs if run in suite.ambiguous]
        more = f" ({', '.join(several[:3])}: several entries have its numbers)" if several else ""
        message = (
            f"The version of {len(runs)} of {len(suite.assigned)} runs is not known: "
            f"{', '.join(runs[:5])}{' and others' if len(runs) > 5 else ''}{more}."
        )
        hint = 'Write "run_id" into the entry of benchmark.json that was made from the run.'
        reader.problem(source, "/run_id", "info", "version-unassigned", message, hint, plan.suite)
    for run, given in suite.assigned.items():
        said = suite.stated(run) if given.entry is None else None
        if said is not None:
            versions.setdefault(said.version, said)
    for label, said in versions.items():
        pointer = "" if label == UNASSIGNED else "/description_version"
        suite.add_version(label, said.source, pointer, said.hash)
    suite.add_scores()
    suite.read_comparisons()
    if paths and not suite.files["eval_metadata"]:
        message = (
            f"There is no eval_metadata.json in {plan.root or '.'}; the test cases are those of "
            "the gradings."
        )
        hint = "Add the file, so that prompts and missing assertions are known."
        reader.problem(paths[0], "", "warning", "metadata-not-found", message, hint, plan.suite)


class DescriptionSuite(GradedSuite):
    """Reads gradings run by run, as all those of one decide its version.

    A run is assigned to the entry of the benchmark that names it or has its numbers, else to the
    version that its outputs say.
    """

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
        self.entries: list[Entry] = []
        self.benchmark: str | None = None
        """The name of the skill in the benchmark."""
        self.versions: list[str] = []
        self.named: dict[str, Entry] = {}
        """Run to the first entry that names it."""
        self.ambiguous: set[str] = set()
        """The runs of which several versions have the numbers."""
        self._current: str | None = None
        self._candidates: dict[str, list[Entry]] = defaultdict(list)
        self._stated: dict[str, Stated | None] = {}
        self._outputs = frozenset(self.files["output"])
        self._output_of_run: dict[str, str] = {}
        """Run to its first output."""
        for path in self.files["output"]:
            self._output_of_run.setdefault(path.split("/")[-2], path)
        self._measures = Gathered(
            rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=self.suite,
            configuration="-",
        )

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

    def read_benchmark(self, path: str) -> None:
        """Read the entries of one benchmark.json."""
        value = self.reader.json(path)
        node = self.node(path, value or None)
        if value is not MISSING and not isinstance(value, dict):
            node.type_problem("an object")
        elif value is not MISSING and not node.has("entries"):
            message = "The file contains no list of entries."
            node.note("error", "no-entries", message, 'Write them as a list under "entries".')
        self.benchmark = node.text("skill_name") or None
        self._current = version_label(node, "description_version")
        for item in node.items("entries"):
            label = version_label(item, "description_version")
            if label is None:
                message = (
                    "This entry has no description_version, so its scores belong to no version."
                )
                hint = "Number the descriptions from 1."
                item.note("warning", "version-unnumbered", message, hint)
            cases: list[tuple[str, Measure, Node]] = []
            for case in item.items("per_test_case"):
                if case_id := case.text("test_case_id"):
                    seconds = positive(case, "duration_seconds")
                    cases.append((case_id, (case.number("score"), seconds), case))
            time, digest = item.time("timestamp"), item.text("description_hash") or None
            version = label or UNASSIGNED
            measures = {name: (plain(own[0]), plain(own[1])) for name, own, _ in cases}
            self.entries.append(Entry(version, time, digest, cases, measures, item))
        entries = len(self.entries)
        self.rows.add(DocumentRow(path, "descriptions", "benchmark", self.suite, entries))

    def add_versions(self) -> None:
        """Add one version for each measured description; of several scores, the newest is used."""
        first: dict[str, Entry] = {}
        newest = {entry.version: entry for entry in self.entries}
        for entry in self.entries:
            earlier = first.setdefault(entry.version, entry)
            if earlier is entry:
                last = newest[entry.version]
                stated = {"created_at": entry.timestamp, "stored_score": last.mean}
                self.add_version(entry.version, last.node.path, last.node.at, entry.hash, **stated)
            elif earlier.hash and entry.hash:
                hashes = [h.lower().removeprefix("sha256:") for h in (earlier.hash, entry.hash)]
                shorter, longer = sorted(hashes, key=len)
                if not longer.startswith(shorter):
                    message = (
                        f"The description of {entry.version} has a different hash than in an "
                        "earlier entry."
                    )
                    hint = "Increase description_version whenever the description changes."
                    entry.node.note("warning", "hash-changed", message, hint, "description_hash")
        paths = self.files["benchmark"]
        if self._current and paths:
            self.add_version(self._current, paths[-1], "/description_version")

    def add_version(
        self, label: str, source: str, pointer: str, digest: str | None = None, **stated: Any
    ) -> None:
        """Add a version that is not known yet, with the hash of its description."""
        if label in self.versions:
            return
        is_current = None if self._current is None else label == self._current
        row = VersionRow(self.suite, label, len(self.versions), content_hash=digest, **stated)
        self.rows.add(row._replace(is_current=is_current, source=source, pointer=pointer))
        self.versions.append(label)

    def match(self) -> None:
        """Find the runs that each entry may be of: those it names, or with its test cases."""
        unnamed: list[Entry] = []
        for entry in self.entries:
            keys = [key for key in ("run_id", "run_ids") if entry.node.has(key)]
            names = [name for key in keys for name, _ in entry.node.texts(key)]
            for name in names:
                self.named.setdefault(name, entry)
            if entry.cases and not names:
                unnamed.append(entry)
        runs: dict[str, dict[str, str]] = defaultdict(dict)  # run to test case to path
        for path in self.files["grading"]:
            runs[run_of(path)][stem(path)] = path
        alike: dict[frozenset[str], list[str]] = defaultdict(list)
        for run, paths in runs.items():
            if run not in self.named:
                alike[frozenset(paths)].append(run)
        for entry in unnamed:
            wanted = entry.measures
            possible = alike.get(frozenset(wanted), [])
            # Gradings are read in advance only until one run is left.
            for case, own in wanted.items():
                if len(possible) > 1:
                    found = [(run, self.reader.peek(runs[run][case])) for run in possible]
                    possible = [run for run, value in found if measure(value) == own]
            if len(possible) == 1:
                self._candidates[possible[0]].append(entry)

    def version_of(self, run: str, measures: Mapping[str, Measure]) -> Assigned:
        """Return the version of a run with these measures of its test cases."""
        entry = self.named.get(run)
        is_named = entry is not None
        if entry is None:
            equal = [each for each in self._candidates.get(run, ()) if each.measures == measures]
            if len({each.version for each in equal}) > 1:
                self.ambiguous.add(run)
                return Assigned(UNASSIGNED)
            entry = equal[0] if equal else None
        if entry is None or entry.version == UNASSIGNED:
            said = self.stated(run)
            if said is not None:
                return Assigned(said.version)
        if entry is None:
            return Assigned(UNASSIGNED)
        return Assigned(entry.version, entry, matched=not is_named)

    def stated(self, run: str) -> Stated | None:
        """Return what the first output of a run says of its version: evalcore writes it there."""
        path = self._output_of_run.get(run)
        if path is not None and run not in self._stated:
            value = self.reader.peek(path)
            about = value if isinstance(value, dict) else {}
            number, digest = about.get("description_version"), about.get("description_hash")
            is_known = type(number) is int and number >= 0
            digest = digest if isinstance(digest, str) else None
            self._stated[run] = Stated(f"d{number}", digest, path) if is_known else None
        return self._stated.get(run)

    def add_scores(self) -> None:
        """Add the stored scores of each entry, with the computed ones beside them."""
        row = BenchmarkRunRow(self.suite, "", benchmark=self.benchmark, configuration="-")
        for position, entry in enumerate(self.entries):
            runs = [run for run, given in self.assigned.items() if given.entry is entry]
            measured: dict[str, list[Measure]] = defaultdict(list)
            for run in runs:
                for case_id, own in self.graded.get(run, {}).items():
                    measured[case_id].append(own)
            notes = None
            if any(self.assigned[run].matched for run in runs):
                notes = f"Matched to {', '.join(runs)} by equal test cases, scores and durations."
            listed = row._replace(
                benchmark_run=runs[0] if len(runs) == 1 else f"entry-{position}",
                version=entry.version,
                overall_score=entry.mean,
                ran_at=entry.timestamp,
                notes=notes,
                runs=sum(map(len, measured.values())),
            )
            self.rows.add(listed._replace(source=entry.node.path, pointer=entry.node.at))
            computed = {
                case_id: (mean(score for score, _ in found), mean(seconds for _, seconds in found))
                for case_id, found in measured.items()
            }
            self._add_entry(entry, computed)
        self._measures.flush()
        row = row._replace(notes="No benchmark entry names this run or has its numbers.")
        for run, given in self.assigned.items():
            if given.entry is None:
                count = len(self.graded.get(run, {}))
                self.rows.add(row._replace(benchmark_run=run, version=given.version, runs=count))

    def _add_entry(self, entry: Entry, computed: Mapping[str, Measure]) -> None:
        """Add the scores of an entry, and report where the computed ones differ."""

        def add(
            metric: str, found: Statistics, case_id: str | None = None, node: Node | None = None
        ) -> None:
            """Add a metric, if there is any: stored at a node, else computed."""
            place = ("computed", None, None) if node is None else ("stored", node.path, node.at)
            if found.mean is not None or found.n is not None:
                self._measures.add((entry.version, case_id, metric, *found, *place))

        scores, at = entry.node.child("scores"), entry.node
        if scores.value is not None and not isinstance(scores.value, dict):
            scores.type_problem("an object")
        numbers = [scores.number(key) for key in SPREAD]
        stored = Statistics._make([*numbers, at.whole("num_test_cases")])
        if any(number is not None for number in numbers):
            add("score", stored, node=scores)
        for case_id, given, node in entry.cases:
            if case_id in self.cases:
                note_restated(node, {"weight": self.weight(case_id)})
            names = ("score", "duration_seconds")
            for name, stated in zip(names, given, strict=True):
                add(name, Statistics(stated), case_id, node)
            for name, stated, found in zip(names, given, computed.get(case_id, ()), strict=False):
                if found is None:
                    continue
                add(name, Statistics(found), case_id)
                if stated is not None and stated != found and disagrees(stated, found):
                    of = f" of {case_id!r}"
                    differs(node, name, f"its grading gives {found:.4g}", AGGREGATE, of)
        measured = computed or {case_id: own for case_id, own, _ in entry.cases}
        known = {name: score for name, (score, _) in measured.items() if score is not None}
        own = statistics(known.values())
        _compare(scores, stored, own, "its gradings" if computed else "its test cases")
        add("score", own)
        pairs = [(score, self.weight(name)) for name, score in known.items()]
        weighted = weighted_mean(pairs)
        if weighted is not None:
            add("weighted_score", Statistics(weighted, n=own.n))
        if stored.n is not None and entry.cases and stored.n != len(entry.cases):
            said, hint = f"{len(entry.cases)} are listed", "Write how many test cases were run."
            differs(at, "num_test_cases", said, hint)
        key = "total_duration_seconds"
        total = positive(at, key)
        seconds = [given[1] for _, given, _ in entry.cases if given[1] is not None]
        added = sum(seconds) if seconds else None
        add(key, Statistics(total), node=at)
        add(key, Statistics(added))
        if total is not None and added is not None and disagrees(total, added):
            differs(at, key, f"the test cases add up to {added:g}", AGGREGATE)

    def read(self, paths: Iterable[str]) -> None:
        """Read gradings, those of one run at a time; the benchmark gives their version."""
        waiting = 0
        for _, group in groupby(paths, key=lambda path: path.rpartition("/")[0]):
            gradings = [found for path in group if (found := self.load(path)) is not None]
            if not gradings:
                continue
            run = run_of(gradings[0].node.path)
            measures = {stem(each.node.path): measure(each.node.value) for each in gradings}
            assigned = self.version_of(run, measures)
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

    def read_comparisons(self) -> None:
        """Add the comparisons of one suite."""
        taken: set[str] = set()
        for node in self.documents("comparison"):
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
            self._add_comparison(node, f"{self.suite}::{name}")

    def _add_comparison(self, node: Node, key: str) -> None:
        """Add one comparison with its scores and differentiators."""
        winner = winner_of(node, '"A", "B" or "tie"')
        labels: list[str | None] = []
        for side in ("version_a", "version_b"):
            label = version_label(node, side)
            labels.append(label)
            if label and label not in self.versions:
                message = (
                    f"No benchmark entry is about {label}; it is listed because it was compared."
                )
                node.note("info", "unknown-version", message, "Run the benchmark for it.", side)
                self.add_version(label, node.path, f"/{side}")
        names = ("score_a", "score_b", "justification_a", "justification_b")
        items = ((None, item) for item in node.items("criteria_scores"))
        pairs = add_scores(self, key, items, names, MAX_SCORE)
        total_a, total_b, max_total = _totals(node, pairs)
        if total_a is not None and total_b is not None and winner is not None:
            ahead = "A" if total_a > total_b else "B" if total_b > total_a else None
            # With equal totals a judge may still prefer one side.
            if ahead not in (None, winner):
                note_contradiction(node, winner, total_a, total_b)
        judge = judge_of(node)
        case_id = node.text("test_case_id") or None
        if case_id and self.known and case_id not in self.cases:
            message = f"eval_metadata.json has no test case {case_id!r}."
            hint = "Add the test case, or correct the id."
            node.note("warning", "unknown-case", message, hint, "test_case_id")
        row = comparison_row(node, key, winner, judge)._replace(case_id=case_id)
        row = row._replace(version_a=labels[0], version_b=labels[1], versions_from="document")
        row = row._replace(total_a=total_a, total_b=total_b, max_total=max_total)
        blinded = judge.repeats or was_blind(node.value) or None
        time, summary = node.time("timestamp"), node.text("summary") or None
        self.rows.add(row._replace(blinded=blinded, compared_at=time, summary=summary))
        won, lost = {"A": labels, "B": labels[::-1]}.get(winner or "", (None, None))
        for text, at in node.texts("key_differentiators"):
            finding = AnalysisRow(node.suite, key, won, lost, "differentiator", reasoning=text)
            self.rows.add(finding._replace(source=node.path, pointer=at))


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


def version_label(node: Node, key: str) -> str | None:
    """Return the label of a description version: `d2` for 2, also written as "2" or "d2"."""
    value = node.get(key)
    if isinstance(value, str) and (digits := value.strip().lower().removeprefix("d")).isdecimal():
        return f"d{int(digits[:15])}"
    number = node.number(key)
    return None if number is None else f"d{number:.15g}"


def plain(value: Json) -> float | None:
    """Return a number in comparable form; None for anything else."""
    if type(value) in (int, float) and abs(value) < 1e15:
        return round(float(value), 6)
    return None


def positive(node: Node, key: str) -> float | None:
    """Return a number above 0; 0 and null both mean "not measured"."""
    value = node.number(key)
    if value is not None and value < 0:
        message = f"{key} is {value:g}; it was not read."
        node.note("warning", "negative", message, "Measure again.", key)
        return None
    return value or None


def measure(value: Json) -> Measure:
    """Return the score and duration of a grading, as copied to a benchmark."""
    if not isinstance(value, dict):
        return None, None
    timing = value.get("timing")
    duration = timing.get("duration_seconds") if isinstance(timing, dict) else None
    return plain(value.get("overall_score")), plain(duration) or None


def run_of(path: str) -> str:
    """Return the run whose folder of gradings contains a path."""
    return path.rsplit("/", 3)[-3] if path.count("/") > 1 else ""


def stem(path: str) -> str:
    """Return the test case, or the comparison, that a file is named after."""
    return path.rpartition("/")[2].removesuffix(".json")


def _compare(node: Node, stored: Statistics, own: Statistics, where: str) -> None:
    """Report stored scores that differ from those of `where`."""
    if own.n is None:
        return
    for key, given, found in zip(SPREAD, stored[:5], own[:5], strict=True):
        if given is None:
            continue
        if found is None:
            if given:  # the spread of a single value: the seeds' tools write 0
                differs(node, key, "cannot be computed from one test case", AGGREGATE)
        elif disagrees(given, found):
            if key == "std_dev" and not disagrees(given, found * math.sqrt((own.n - 1) / own.n)):
                sample = f"for a sample it is {found:.4g}"
                message = f"std_dev is {given:g}: that is for a population; {sample}."
                node.note("info", "population-deviation", message, "Divide by n - 1.", key)
            else:
                differs(node, key, f"from {where} it is {found:.4g}", AGGREGATE)
