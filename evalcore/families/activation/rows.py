"""The rows of versions and runs: a description is a version, each run of a query a run."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.families.activation.cases import CRITERIA, KIND, Case, Cases
from evalcore.families.activation.measured import Measurement, Version
from evalcore.families.activation.outcomes import Run
from evalcore.ids import run_id
from evalcore.numbers import mean
from evalcore.tables.builder import Rows
from evalcore.tables.rows import BenchmarkRow, JudgmentRow, RunRow, VersionRow

ALONE: Final = "-"
AS_EXPECTED: Final = "queries answered as expected"
RATES: Final = {True: "hit rate", False: "false alarm rate"}


def add_versions(rows: Rows, suite: str, versions: Iterable[Version], cases: Cases) -> None:
    """Add each description as a version, with its stored and computed totals."""
    for position, (label, text, found) in enumerate(versions):
        rows.add(
            VersionRow(
                suite=suite,
                version=label,
                position=position,
                description=text,
                content_hash=None if text is None else hashlib.sha256(text.encode()).hexdigest(),
                source=found[0].path,
                pointer=found[0].about.described_at,
            )
        )
        for row in (*_shares(suite, label, found), *_rates(suite, label, found, cases)):
            rows.add(row)


def add_runs(rows: Rows, suite: str, version: Version, cases: Cases) -> None:
    """Add the runs of a version, numbered by case over all its measurements."""
    counts: Counter[str] = Counter()
    for measurement in version.measured:
        for case_id, runs in measurement.runs.items():
            case = cases.all[case_id]
            for run in runs:
                counts[case_id] += 1
                row = _run(suite, case, version.label, counts[case_id], run)
                rows.add(row._replace(model=measurement.about.model))
                if case.expected is not None:
                    rows.add(_judgment(row.run_id, case.expected, run))


def _run(suite: str, case: Case, label: str, number: int, run: Run) -> RunRow:
    passed = None if case.expected is None else run.activated is case.expected
    score = None if passed is None else float(passed)
    return RunRow(
        run_id=run_id(suite, case.case_id, label, ALONE, number),
        suite=suite,
        case_id=case.case_id,
        version=label,
        configuration=ALONE,
        run=str(number),
        origin="grading",
        status="completed",
        passed=passed,
        score=score,
        max_score=None if passed is None else 1.0,
        fraction=score,
        checks_passed=None if passed is None else int(passed),
        checks_total=None if passed is None else 1,
        activated=run.activated,
        judge_type="heuristic",
        source=run.source,
        pointer=run.pointer,
    )


def _judgment(name: str | None, expected: bool, run: Run) -> JudgmentRow:
    passed = run.activated is expected
    return JudgmentRow(
        run_id=name,
        kind=KIND,
        criterion=CRITERIA[expected],
        judge_type="heuristic",
        score=float(passed),
        min_score=0.0,
        max_score=1.0,
        fraction=float(passed),
        passed=passed,
        status="scored",
        source=run.source,
        pointer=run.pointer,
        rationale=run.rationale,
    )


def _shares(suite: str, label: str, found: Iterable[Measurement]) -> Iterator[BenchmarkRow]:
    """Yield the shares of queries, as the documents state them and as their lists give them."""
    for measurement in found:
        for split, origin, share in measurement.shares:
            yield BenchmarkRow(
                suite=suite,
                version=label,
                configuration=ALONE,
                metric=AS_EXPECTED if split is None else f"{AS_EXPECTED} ({split})",
                mean=share.passed / share.total,
                n=share.total,
                origin=origin,
                source=share.path or None,
                pointer=share.pointer if share.path else None,
            )


def _rates(
    suite: str, label: str, found: Iterable[Measurement], cases: Cases
) -> Iterator[BenchmarkRow]:
    """Yield hits and false alarms: how often queries activated the skill, mean over queries."""
    flags: dict[str, list[bool]] = {}
    for measurement in found:
        for case_id, runs in measurement.runs.items():
            flags.setdefault(case_id, []).extend(run.activated for run in runs)
    for expected, metric in RATES.items():
        own = [mean(each) for name, each in flags.items() if cases.all[name].expected is expected]
        if own:
            yield BenchmarkRow(
                suite=suite,
                version=label,
                configuration=ALONE,
                metric=metric,
                mean=mean(own),
                n=len(own),
                origin="computed",
            )
