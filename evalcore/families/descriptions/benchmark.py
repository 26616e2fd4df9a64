"""Read benchmark.json: its entries, the runs that each was made from, and where they differ."""

import math
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.gradings import UNASSIGNED, GradedSuite
from evalcore.families.metrics import Statistics, statistics
from evalcore.numbers import disagrees, mean, weighted_mean
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import BenchmarkRunRow, DocumentRow, VersionRow

Measure = tuple[float | None, float | None]
"""The score and the duration of one test case in one run."""


class CaseScore(NamedTuple):
    """One test case in one entry."""

    case_id: str
    score: float | None
    duration_s: float | None
    node: Node


class Entry(NamedTuple):
    """One entry of a benchmark: one version of the description, measured."""

    version: str
    timestamp: datetime | None
    hash: str | None
    scores: Node
    cases: tuple[CaseScore, ...]
    node: Node

    @property
    def measures(self) -> dict[str, Measure]:
        """The score and the duration of each test case, in comparable form."""
        return {case.case_id: (plain(case.score), plain(case.duration_s)) for case in self.cases}


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


class Benchmark:
    """The benchmark of one suite: its entries and their versions, scores and runs.

    Runs are assigned by their id, by equal numbers in an entry, or by what their outputs say.
    """

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, cases: GradedSuite) -> None:
        self.plan = plan
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.cases = cases
        self.entries: list[Entry] = []
        self.skill_name: str | None = None
        self.versions: list[str] = []
        self.named: dict[str, Entry] = {}
        """Run to the first entry that names it."""
        self.ambiguous: set[str] = set()
        """The runs of which several versions have the numbers."""
        self._current: str | None = None
        self._candidates: dict[str, list[Entry]] = defaultdict(list)
        self._stated: dict[str, Stated | None] = {}
        self._outputs: dict[str, str] = {}  # run to its first output
        for path in plan.of("output"):
            self._outputs.setdefault(path.split("/")[-2], path)
        self._measures = Gathered(
            rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=plan.suite,
            configuration="-",
        )

    def read(self, path: str) -> None:
        """Read the entries of one benchmark.json."""
        value = self.reader.json(path)
        node = Node(self.reader, path, value or None, suite=self.suite)
        if value is not MISSING and not isinstance(value, dict):
            node.type_problem("an object")
        elif value is not MISSING and not node.has("entries"):
            message = "The file contains no list of entries."
            node.note("error", "no-entries", message, 'Write them as a list under "entries".')
        self.skill_name = node.text("skill_name") or None
        self._current = version_label(node, "description_version")
        for item in node.items("entries"):
            label = version_label(item, "description_version")
            if label is None:
                message = (
                    "This entry has no description_version, so its scores belong to no version."
                )
                hint = "Number the descriptions from 1."
                item.note("warning", "version-unnumbered", message, hint)
            cases = []
            for case in item.items("per_test_case"):
                if case_id := case.text("test_case_id"):
                    seconds = positive(case, "duration_seconds")
                    cases.append(CaseScore(case_id, case.number("score"), seconds, case))
            time, digest = item.time("timestamp"), item.text("description_hash") or None
            scores = item.child("scores")
            entry = Entry(label or UNASSIGNED, time, digest, scores, tuple(cases), item)
            self.entries.append(entry)
        entries = len(self.entries)
        self.rows.add(DocumentRow(path, "descriptions", "benchmark", self.suite, entries))

    def add_versions(self) -> None:
        """Add one version for each measured description, in the order of the entries.

        If one was measured more than once, the score of its newest entry is used.
        """
        first: dict[str, Entry] = {}
        newest = {entry.version: entry for entry in self.entries}
        for entry in self.entries:
            earlier = first.setdefault(entry.version, entry)
            if earlier is entry:
                last = newest[entry.version]
                score = plain(last.scores.get("mean"))
                at = last.node.path, last.node.at
                self.add_version(entry.version, *at, entry.hash, entry.timestamp, score)
            elif earlier.hash and entry.hash:
                hashes = (
                    text.lower().removeprefix("sha256:") for text in (earlier.hash, entry.hash)
                )
                shorter, longer = sorted(hashes, key=len)
                if not longer.startswith(shorter):
                    message = (
                        f"The description of {entry.version} has a different hash than in an "
                        "earlier entry."
                    )
                    hint = "Increase description_version whenever the description changes."
                    entry.node.note("warning", "hash-changed", message, hint, "description_hash")
        paths = self.plan.of("benchmark")
        if self._current and paths:
            self.add_version(self._current, paths[-1], "/description_version")

    def add_version(
        self,
        label: str,
        source: str,
        pointer: str,
        digest: str | None = None,
        created: datetime | None = None,
        score: float | None = None,
    ) -> None:
        """Add a version that is not known yet, with the hash of its description."""
        if label in self.versions:
            return
        self.rows.add(
            VersionRow(
                suite=self.suite,
                version=label,
                position=len(self.versions),
                created_at=created,
                content_hash=digest,
                is_current=None if self._current is None else label == self._current,
                stored_score=score,
                source=source,
                pointer=pointer,
            )
        )
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
        for path in self.plan.of("grading"):
            runs[run_of(path)][path.rpartition("/")[2].removesuffix(".json")] = path
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
        path = self._outputs.get(run)
        if path is not None and run not in self._stated:
            value = self.reader.peek(path)
            about = value if isinstance(value, dict) else {}
            number, digest = about.get("description_version"), about.get("description_hash")
            is_known = type(number) is int and number >= 0
            digest = digest if isinstance(digest, str) else None
            self._stated[run] = Stated(f"d{number}", digest, path) if is_known else None
        return self._stated.get(run)

    def add_scores(
        self, graded: Mapping[str, Mapping[str, Measure]], assigned: Mapping[str, Assigned]
    ) -> None:
        """Add the stored scores of each entry, with the computed ones beside them.

        `graded` maps each run to its test cases, `assigned` to its version.
        """
        row = BenchmarkRunRow(self.suite, "", benchmark=self.skill_name, configuration="-")
        for position, entry in enumerate(self.entries):
            runs = [run for run, given in assigned.items() if given.entry is entry]
            measured: dict[str, list[Measure]] = defaultdict(list)
            for run in runs:
                for case_id, own in graded.get(run, {}).items():
                    measured[case_id].append(own)
            notes = None
            if any(assigned[run].matched for run in runs):
                notes = f"Matched to {', '.join(runs)} by equal test cases, scores and durations."
            self.rows.add(
                row._replace(
                    benchmark_run=runs[0] if len(runs) == 1 else f"entry-{position}",
                    version=entry.version,
                    overall_score=plain(entry.scores.get("mean")),
                    ran_at=entry.timestamp,
                    notes=notes,
                    runs=sum(map(len, measured.values())),
                    source=entry.node.path,
                    pointer=entry.node.at,
                )
            )
            computed = {
                case_id: (mean(score for score, _ in found), mean(seconds for _, seconds in found))
                for case_id, found in measured.items()
            }
            self._add_entry(entry, computed)
        self._measures.flush()
        row = row._replace(notes="No benchmark entry names this run or has its numbers.")
        for run, given in assigned.items():
            if given.entry is None:
                count = len(graded.get(run, {}))
                self.rows.add(row._replace(benchmark_run=run, version=given.version, runs=count))

    def _add_entry(self, entry: Entry, computed: Mapping[str, Measure]) -> None:
        """Add the scores of an entry, and report where the computed ones differ."""
        if entry.scores.value is not None and not isinstance(entry.scores.value, dict):
            entry.scores.type_problem("an object")
        numbers = [entry.scores.number(key) for key in ("mean", "median", "std_dev", "min", "max")]
        stored = Statistics._make([*numbers, entry.node.whole("num_test_cases")])
        if any(number is not None for number in numbers):
            self._add(entry, "score", stored, node=entry.scores)
        for case in entry.cases:
            if case.case_id in self.cases.cases:
                note_restated(case.node, {"weight": self.cases.weight(case.case_id)})
            given = {"score": case.score, "duration_seconds": case.duration_s}
            for name, stated in given.items():
                self._add(entry, name, Statistics(stated), case.case_id, case.node)
            graded = computed.get(case.case_id, (None, None))
            for (name, stated), found in zip(given.items(), graded, strict=True):
                if found is None:
                    continue
                self._add(entry, name, Statistics(found), case.case_id)
                if stated is not None and stated != found and disagrees(stated, found):
                    is_now = f"is {stated:g}, but its grading gives {found:.4g}."
                    _note_difference(case.node, name, f"{name} of {case.case_id!r} {is_now}")
        scores = {case.case_id: case.score for case in entry.cases}
        if computed:
            scores = {case_id: score for case_id, (score, _) in computed.items()}
        own = statistics(scores.values())
        _compare(entry.scores, stored, own, "its gradings" if computed else "its test cases")
        self._add(entry, "score", own)
        known = [(name, score) for name, score in scores.items() if score is not None]
        weighted = weighted_mean([(score, self.cases.weight(name)) for name, score in known])
        if weighted is not None:
            self._add(entry, "weighted_score", Statistics(weighted, n=own.n))
        count = stored.n
        if count is not None and entry.cases and count != len(entry.cases):
            message = f"num_test_cases is {count}, but {len(entry.cases)} are listed."
            hint = "Write how many test cases were run."
            entry.node.note("warning", "derived-mismatch", message, hint, "num_test_cases")
        key = "total_duration_seconds"
        total = positive(entry.node, key)
        seconds = [case.duration_s for case in entry.cases if case.duration_s is not None]
        added = sum(seconds) if seconds else None
        self._add(entry, key, Statistics(total), node=entry.node)
        self._add(entry, key, Statistics(added))
        if total is not None and added is not None and disagrees(total, added):
            message = f"{key} is {total:g}, but the test cases add up to {added:g}."
            _note_difference(entry.node, key, message)

    def _add(
        self,
        entry: Entry,
        metric: str,
        found: Statistics,
        case_id: str | None = None,
        node: Node | None = None,
    ) -> None:
        """Add a metric, if there is any: stored at a node, else computed."""
        if found.mean is None and found.n is None:
            return
        place = ("computed", None, None) if node is None else ("stored", node.path, node.at)
        self._measures.add((entry.version, case_id, metric, *found, *place))


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


def _compare(node: Node, stored: Statistics, own: Statistics, where: str) -> None:
    """Report stored scores that differ from those of `where`."""
    if own.n is None:
        return
    keys = ("mean", "median", "std_dev", "min", "max")
    for key, given, found in zip(keys, stored[:5], own[:5], strict=True):
        if given is None:
            continue
        if found is None:
            # The spread of a single value: the seeds' tools write 0.
            if given:
                message = f"{key} is {given:g}, but cannot be computed from one test case."
                _note_difference(node, key, message)
        elif disagrees(given, found):
            if key == "std_dev" and not disagrees(given, found * math.sqrt((own.n - 1) / own.n)):
                sample = f"for a sample it is {found:.4g}"
                message = f"std_dev is {given:g}: that is for a population; {sample}."
                node.note("info", "population-deviation", message, "Divide by n - 1.", key)
            else:
                message = f"{key} is {given:g}, but from {where} it is {found:.4g}."
                _note_difference(node, key, message)


def _note_difference(node: Node, key: str, message: str) -> None:
    node.note("warning", "derived-mismatch", message, "Aggregate the benchmark again.", key)
