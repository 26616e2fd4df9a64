"""Assign runs to versions of the description, as gradings do not name their version."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader

UNASSIGNED: Final = "unassigned"

Measure = tuple[float | None, float | None]
"""The score and the duration of one test case in one run."""


class Claim(NamedTuple):
    """A benchmark entry's information on its runs."""

    position: int
    version: str
    run_ids: tuple[str, ...]
    cases: Mapping[str, Measure]


class Assigned(NamedTuple):
    """The version of a run, its benchmark entry, and whether it was matched by equal numbers."""

    version: str
    entry: int | None = None
    matched: bool = False


class Assignment:
    """Assigns runs to benchmark entries, by run id or by equal cases, scores and durations."""

    def __init__(
        self, claims: Sequence[Claim], candidates: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        """Start with the entries, and the positions of candidate entries of each run."""
        self.claims = {claim.position: claim for claim in claims}
        self.ambiguous: set[str] = set()
        self.named = {name: claim for claim in reversed(claims) for name in claim.run_ids}
        self.candidates = {} if candidates is None else candidates

    def decide(self, run: str, measures: Mapping[str, Measure]) -> Assigned:
        """Return the version of a run with these measures of its test cases."""
        if claim := self.named.get(run):
            return Assigned(claim.version, claim.position)
        possible = [self.claims[position] for position in self.candidates.get(run, ())]
        equal = [claim for claim in possible if claim.cases == measures]
        if len({claim.version for claim in equal}) > 1:
            self.ambiguous.add(run)
        elif equal:
            return Assigned(equal[0].version, equal[0].position, matched=True)
        return Assigned(UNASSIGNED)


def assignment_of(reader: Reader, claims: list[Claim], gradings: list[str]) -> Assignment:
    """Return the assignment of the runs that have these gradings."""
    found: dict[str, list[int]] = defaultdict(list)
    assignment, runs = Assignment(claims, found), _runs(gradings)
    alike: dict[frozenset[str], list[str]] = defaultdict(list)
    for run, paths in runs.items():
        if run not in assignment.named:
            alike[frozenset(paths)].append(run)
    measures = _Measures(reader)
    for claim in claims:
        if not claim.run_ids and claim.cases:
            possible = alike.get(frozenset(claim.cases), [])
            for run in measures.narrowed(claim, possible, runs):
                found[run].append(claim.position)
    return assignment


class _Measures:
    """Reads the measures of gradings in advance, each once."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._read: dict[str, Measure] = {}

    def narrowed(
        self, claim: Claim, possible: list[str], runs: dict[str, dict[str, str]]
    ) -> list[str]:
        """Return the only possible run; none if several have equal numbers."""
        for case, wanted in claim.cases.items():
            if len(possible) <= 1:
                return possible
            possible = [run for run in possible if self._measured(runs[run][case]) == wanted]
        return possible if len(possible) == 1 else []

    def _measured(self, path: str) -> Measure:
        if path not in self._read:
            value = self._reader.peek(path)
            self._read[path] = measure(value) if isinstance(value, dict) else (None, None)
        return self._read[path]


def measure(value: dict[str, Json]) -> Measure:
    """Return the score and duration of a grading, as copied to a benchmark."""
    timing = value.get("timing")
    duration = timing.get("duration_seconds") if isinstance(timing, dict) else None
    return plain(value.get("overall_score")), plain(duration) or None


def plain(value: Json) -> float | None:
    """Return a number in comparable form; None for anything else."""
    if type(value) in (int, float) and abs(value) < 1e15:
        return round(float(value), 6)
    return None


def run_of(path: str) -> str:
    """Return the run whose folder of gradings contains a path."""
    return path.rsplit("/", 3)[-3] if path.count("/") > 1 else ""


def _runs(gradings: list[str]) -> dict[str, dict[str, str]]:
    """Return run to test case to path, taken from the paths."""
    runs: dict[str, dict[str, str]] = defaultdict(dict)
    for path in gradings:
        name = path.rpartition("/")[2]
        runs[run_of(path)][name.removesuffix(".json")] = path
    return runs
