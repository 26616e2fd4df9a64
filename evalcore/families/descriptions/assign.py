"""Assign runs to versions of the description, as gradings do not name their version."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.base import Plan

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


class Stated(NamedTuple):
    """The version of the description that an output says it is of; `source` is the output."""

    version: str
    hash: str | None
    source: str


class Assignment:
    """Assigns runs to versions: by their id, by equal numbers in an entry, or by their outputs."""

    def __init__(self, plan: Plan, reader: Reader, claims: Sequence[Claim]) -> None:
        """Start with what the entries of the benchmark say of their runs."""
        self.named = {name: claim for claim in reversed(claims) for name in claim.run_ids}
        self.ambiguous: set[str] = set()
        self._reader = reader
        self._candidates: dict[str, list[Claim]] = defaultdict(list)
        self._stated: dict[str, Stated | None] = {}
        self._outputs: dict[str, str] = {}  # run to its first output
        for path in plan.of("output"):
            self._outputs.setdefault(path.split("/")[-2], path)
        runs: dict[str, dict[str, str]] = defaultdict(dict)  # run to test case to path
        for path in plan.of("grading"):
            runs[run_of(path)][path.rpartition("/")[2].removesuffix(".json")] = path
        alike: dict[frozenset[str], list[str]] = defaultdict(list)
        for run, paths in runs.items():
            if run not in self.named:
                alike[frozenset(paths)].append(run)
        for claim in claims:
            if claim.run_ids or not claim.cases:
                continue
            possible = alike.get(frozenset(claim.cases), [])
            # Gradings are read in advance only until one run is left.
            for case, wanted in claim.cases.items():
                if len(possible) > 1:
                    found = [(run, reader.peek(runs[run][case])) for run in possible]
                    possible = [run for run, value in found if measure(value) == wanted]
            if len(possible) == 1:
                self._candidates[possible[0]].append(claim)

    def decide(self, run: str, measures: Mapping[str, Measure]) -> Assigned:
        """Return the version of a run with these measures of its test cases."""
        claim = self.named.get(run)
        is_named = claim is not None
        if claim is None:
            equal = [each for each in self._candidates.get(run, ()) if each.cases == measures]
            if len({each.version for each in equal}) > 1:
                self.ambiguous.add(run)
                return Assigned(UNASSIGNED)
            claim = equal[0] if equal else None
        if claim is None or claim.version == UNASSIGNED:
            said = self.stated(run)
            if said is not None:
                return Assigned(said.version)
        if claim is None:
            return Assigned(UNASSIGNED)
        return Assigned(claim.version, claim.position, matched=not is_named)

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


def plain(value: Json) -> float | None:
    """Return a number in comparable form; None for anything else."""
    if type(value) in (int, float) and abs(value) < 1e15:
        return round(float(value), 6)
    return None


def run_of(path: str) -> str:
    """Return the run whose folder of gradings contains a path."""
    return path.rsplit("/", 3)[-3] if path.count("/") > 1 else ""
