"""What was aggregated or followed over time."""

from typing import NamedTuple

from evalcore.tables.kinds import Code, Float, Int, Str, Time


class BenchmarkRow(NamedTuple):
    """One metric of one version and configuration, aggregated."""

    suite: Code
    version: Code
    configuration: Code
    case_id: Code = None
    metric: Code = None
    mean: Float = None
    median: Float = None
    stddev: Float = None
    min: Float = None
    max: Float = None
    n: Int = None
    origin: Code = None  # stored, computed
    text: Str = None  # the stored value where it is not a number
    source: Code = None
    pointer: Code = None


class BenchmarkRunRow(NamedTuple):
    """The runs of one version and configuration made together."""

    suite: Code
    benchmark_run: Code
    benchmark: Code = None
    name: Str = None
    dimension: Str = None
    version: Code = None
    configuration: Code = None
    overall_score: Float = None
    pass_rate: Float = None
    passing_threshold: Float = None
    ran_at: Time = None
    triggered_by: Code = None
    notes: Str = None
    runs: Int = None
    status: Code = None
    source: Code = None
    pointer: Code = None


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
