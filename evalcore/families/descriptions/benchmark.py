"""Read benchmark.json: its entries, the runs that each was made from, and where they differ."""

import math
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Json
from evalcore.disk.values import Node
from evalcore.families.gradings import UNASSIGNED, GradedSuite, differs
from evalcore.families.metrics import Statistics, statistics
from evalcore.numbers import disagrees, mean, weighted_mean
from evalcore.shapes.restated import note_restated
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import BenchmarkRunRow, DocumentRow, VersionRow

Measure = tuple[float | None, float | None]
"""The score and the duration of one test case in one run."""

AGGREGATE: Final = "Aggregate the benchmark again."
SPREAD: Final = ("mean", "median", "std_dev", "min", "max")
"""The fields of the scores of an entry, in the order of `Statistics`."""


class Entry(NamedTuple):
    """One entry of a benchmark: one version of the description, measured.

    `cases` are its test cases with score and duration as stated, and where.
    """

    version: str
    timestamp: datetime | None
    hash: str | None
    cases: list[tuple[str, Measure, Node]]
    node: Node

    @property
    def measures(self) -> dict[str, Measure]:
        """The score and the duration of each test case, in comparable form."""
        return {case_id: (plain(own[0]), plain(own[1])) for case_id, own, _ in self.cases}

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


class Benchmark:
    """The benchmark of one suite: its entries and their versions, scores and runs.

    Runs are assigned by their id, by equal numbers in an entry, or by what their outputs say.
    """

    def __init__(self, cases: GradedSuite) -> None:
        self.suite = cases.suite
        self.reader = cases.reader
        self.rows = cases.rows
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
        for path in cases.files["output"]:
            self._outputs.setdefault(path.split("/")[-2], path)
        self._measures = Gathered(
            self.rows.tables["benchmarks"],
            ("version", "case_id", "metric", *Statistics._fields, "origin", "source", "pointer"),
            suite=self.suite,
            configuration="-",
        )

    def read(self, path: str) -> None:
        """Read the entries of one benchmark.json."""
        value = self.reader.json(path)
        node = self.cases.node(path, value or None)
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
            cases: list[tuple[str, Measure, Node]] = []
            for case in item.items("per_test_case"):
                if case_id := case.text("test_case_id"):
                    seconds = positive(case, "duration_seconds")
                    cases.append((case_id, (case.number("score"), seconds), case))
            time, digest = item.time("timestamp"), item.text("description_hash") or None
            version = label or UNASSIGNED
            self.entries.append(Entry(version, time, digest, cases, item))
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
        paths = self.cases.files["benchmark"]
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
        for path in self.cases.files["grading"]:
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
        for run, given in assigned.items():
            if given.entry is None:
                count = len(graded.get(run, {}))
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
            if case_id in self.cases.cases:
                note_restated(node, {"weight": self.cases.weight(case_id)})
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
        pairs = [(score, self.cases.weight(name)) for name, score in known.items()]
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
