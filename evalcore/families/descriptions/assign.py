"""Assign runs to versions of the description, as gradings do not name their version."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import UNASSIGNED, Entry, Measure, plain


class Assigned(NamedTuple):
    """The version of a run, its benchmark entry, and whether it was matched by equal numbers."""

    version: str
    entry: Entry | None = None
    matched: bool = False


class Stated(NamedTuple):
    """The version of the description that an output says it is of; `source` is the output."""

    version: str
    hash: str | None
    source: str


class Assignment:
    """Assigns runs to versions: by their id, by equal numbers in an entry, or by their outputs."""

    def __init__(self, plan: Plan, reader: Reader, entries: Sequence[Entry]) -> None:
        """Start with the entries of the benchmark, some of which name their runs."""
        self.named: dict[str, Entry] = {}  # run to its first entry
        self.ambiguous: set[str] = set()
        self._reader = reader
        self._candidates: dict[str, list[Entry]] = defaultdict(list)
        self._stated: dict[str, Stated | None] = {}
        self._outputs: dict[str, str] = {}  # run to its first output
        for path in plan.of("output"):
            self._outputs.setdefault(path.split("/")[-2], path)
        unnamed: list[Entry] = []
        for entry in entries:
            keys = [key for key in ("run_id", "run_ids") if entry.node.has(key)]
            names = [name for key in keys for name, _ in entry.node.texts(key)]
            for name in names:
                self.named.setdefault(name, entry)
            if entry.cases and not names:
                unnamed.append(entry)
        runs: dict[str, dict[str, str]] = defaultdict(dict)  # run to test case to path
        for path in plan.of("grading"):
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
                    found = [(run, reader.peek(runs[run][case])) for run in possible]
                    possible = [run for run, value in found if measure(value) == own]
            if len(possible) == 1:
                self._candidates[possible[0]].append(entry)

    def decide(self, run: str, measures: Mapping[str, Measure]) -> Assigned:
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
            value = self._reader.peek(path)
            number = value.get("description_version") if isinstance(value, dict) else None
            digest = value.get("description_hash") if isinstance(value, dict) else None
            is_known = type(number) is int and number >= 0
            digest = digest if isinstance(digest, str) else None
            self._stated[run] = Stated(f"d{number}", digest, path) if is_known else None
        return self._stated.get(run)


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
