"""The versions of a suite: each description of a skill, with its runs from all documents."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from evalcore.families.activation.cases import CRITERIA, KIND, Cases
from evalcore.families.activation.outcomes import Run, finished
from evalcore.families.activation.queries import About, squeezed
from evalcore.ids import run_id
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, JudgmentRow, RunRow, VersionRow

ALONE: Final = "-"
RATES: Final = {True: "hit rate", False: "false alarm rate"}

_GENERIC: Final = frozenset({"results", "result", "output", "optimization-result", "summary"})


@dataclass
class Measurement:
    """The runs of one description in one document; `trial` where each run is a file of its own."""

    path: str
    about: About
    runs: dict[str, list[Run]] = field(default_factory=dict)
    """Case id to the runs of its query."""
    shares: list[BenchmarkRow] = field(default_factory=list)
    """The shares of queries answered as expected, as the document and its lists give them."""
    trial: bool = False

    def repeats(self, other: "Measurement") -> bool:
        """Say whether these are the runs of another document: all counts are the same."""
        for one, two in (
            (self.about.marks, other.about.marks),
            (self.about.model, other.about.model),
        ):
            if one and two and one != two:
                return False
        both = self.runs.keys() & other.runs.keys()
        own, others = (
            [Counter((run.activated, run.rate) for run in each.runs[case]) for case in both]
            for each in (self, other)
        )
        return self.path != other.path and bool(both) and own == others

    def join(self, other: "Measurement") -> None:
        """Take what only the other document has; a trial's runs are in their order."""
        for case, runs in other.runs.items():
            if case not in self.runs or (other.trial and not self.trial):
                self.runs[case] = runs
        self.shares += other.shares
        self.trial |= other.trial


Versions = Mapping[str, Sequence[Measurement]]
"""Label of each description to its measurements."""


def joined(
    found: Iterable[Measurement],
) -> tuple[Versions, list[tuple[Measurement, Measurement]]]:
    """Return the measurements by description, and those that repeat another document's.

    A label is the iteration, else the stated one, else the name of the document; further ones have
    the document's name beside it, and then a number.
    """
    by_description: dict[object, list[Measurement]] = {}
    repeated = []
    for new in found:
        # Without its text, a description is told by the file and the iteration.
        text = new.about.description
        key = (new.path, new.about.iteration) if text is None else squeezed(text)
        known = by_description.setdefault(key, [])
        same = next((each for each in known if new.repeats(each)), None)
        if same is None:
            known.append(new)
            continue
        if not new.trial:
            repeated.append((new, same))
        same.join(new)
    versions: dict[str, list[Measurement]] = {}
    for measured in by_description.values():
        abouts = [each.about for each in measured]
        iteration = next((a.iteration for a in abouts if a.iteration is not None), None)
        stated = next((a.label for a in abouts if a.label is not None), None)
        # The name of a file, or of its folder where all such files have the same name.
        folder, _, file = measured[0].path.rpartition("/")
        stem, above = file.rpartition(".")[0], folder.rpartition("/")[2]
        name = above if stem.lower() in _GENERIC and above else stem or file
        label = first = f"iteration-{iteration}" if iteration is not None else stated or name
        number = 1
        while label in versions:
            label = f"{first} ({name} {number})" if number > 1 else f"{first} ({name})"
            number += 1
        versions[label] = measured
    return versions, repeated


def add_versions(rows: Rows, versions: Versions, cases: Cases) -> None:
    """Add each description as a version, with its stored and computed totals and its runs."""
    for position, (version, measured) in enumerate(versions.items()):
        first = measured[0]
        text = first.about.description
        rows.add(
            VersionRow(
                suite=cases.suite,
                version=version,
                position=position,
                description=text,
                content_hash=None if text is None else hashlib.sha256(text.encode()).hexdigest(),
                source=first.path,
                pointer=first.about.described_at,
            )
        )
        for row in _benchmarks(version, measured, cases):
            rows.add(row)
        _add_runs(rows, version, measured, cases)


def _add_runs(rows: Rows, version: str, measured: Iterable[Measurement], cases: Cases) -> None:
    """Add the runs of a version, numbered by case over all its measurements."""
    numbers: Counter[str] = Counter()
    found = ((each, *one) for each in measured for one in each.runs.items())
    for measurement, case_id, runs in found:
        expected = cases.all[case_id].expected
        for run in runs:
            numbers[case_id] += 1
            known = None not in (expected, run.activated)
            passed = run.activated is expected if known else None
            score = None if passed is None else float(passed)
            name = run_id(cases.suite, case_id, version, ALONE, numbers[case_id])
            rows.add(
                RunRow(
                    run_id=name,
                    suite=cases.suite,
                    case_id=case_id,
                    version=version,
                    configuration=ALONE,
                    run=str(numbers[case_id]),
                    origin="grading" if run.rate is None else "benchmark",
                    status="error" if run.crashed else "completed",
                    passed=passed,
                    score=score,
                    max_score=None if passed is None else 1.0,
                    fraction=score,
                    checks_passed=None if passed is None else int(passed),
                    checks_total=None if passed is None else 1,
                    activated=run.activated,
                    judge_type="heuristic",
                    model=measurement.about.model,
                    source=run.source,
                    pointer=run.pointer,
                )
            )
            if expected is not None and not run.crashed:
                rows.add(
                    JudgmentRow(
                        run_id=name,
                        kind=KIND,
                        criterion=CRITERIA[expected],
                        judge_type="heuristic",
                        score=score,
                        min_score=0.0,
                        max_score=1.0,
                        fraction=score,
                        passed=passed,
                        status="unscored" if passed is None else "scored",
                        source=run.source,
                        pointer=run.pointer,
                        rationale=run.rationale,
                    )
                )


def _benchmarks(
    version: str, measured: Iterable[Measurement], cases: Cases
) -> Iterator[BenchmarkRow]:
    """Yield shares of queries, as documents state and as lists give them, then both rates.

    These are hits and false alarms: how often queries activated the skill, mean over queries.
    """
    row = BenchmarkRow(cases.suite, version, ALONE)
    flags: dict[str, list[bool]] = {}
    for measurement in measured:
        for share in measurement.shares:
            yield share._replace(version=version)
        for case_id, runs in measurement.runs.items():
            flags.setdefault(case_id, []).extend(finished(runs))
            for run in (run for run in runs if run.rate is not None):
                of_case = row._replace(
                    configuration=None,
                    case_id=case_id,
                    origin="stored",
                    source=run.source,
                    pointer=run.pointer,
                )
                yield of_case._replace(metric="trigger_rate", mean=run.rate)
                if run.passed is not None:
                    yield of_case._replace(metric="pass", text=str(run.passed).lower())
    for expected, metric in RATES.items():
        known = ((cases.all[name].expected, each) for name, each in flags.items() if each)
        own = [mean(each) for should, each in known if should is expected]
        if own:
            yield row._replace(metric=metric, mean=mean(own), n=len(own), origin="computed")
