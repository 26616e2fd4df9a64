"""What was aggregated or followed over time."""

from typing import NamedTuple

from evalcore.tables.kinds import Code, Float, Int, Str, Time


class BenchmarkRow(NamedTuple):
    """One metric of one version and configuration, aggregated."""

    suite: Code
    version: Code
    configuration: Code
    case_id: Code
    metric: Code
    mean: Float
    median: Float
    stddev: Float
    min: Float
    max: Float
    n: Int
    origin: Code  # stored, computed
    text: Str  # the stored value where it is not a number
    source: Code
    pointer: Code


class BenchmarkRunRow(NamedTuple):
    """The runs of one version and configuration made together."""

    suite: Code
    benchmark_run: Code
    benchmark: Code
    name: Str
    dimension: Str
    version: Code
    configuration: Code
    overall_score: Float
    pass_rate: Float
    passing_threshold: Float
    ran_at: Time
    triggered_by: Code
    notes: Str
    runs: Int
    status: Code
    source: Code
    pointer: Code


class TrendPointRow(NamedTuple):
    """One dated score of a stored trend."""

    suite: Code
    benchmark: Code
    trend_id: Code
    dimension: Code
    date: Time
    score: Float
    direction: Code
    computed_at: Time
    source: Code
    pointer: Code


class FailureRow(NamedTuple):
    """Why a run failed."""

    suite: Code
    failure_id: Code
    run_id: Code
    failure_type: Code
    description: Str
    criteria: Str  # JSON list of criterion ids
    severity: Code
    root_cause: Str
    resolved_at: Time
    resolution_notes: Str
    source: Code
    pointer: Code
