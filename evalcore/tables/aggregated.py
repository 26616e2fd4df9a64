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
    """Why a run failed.

    `named_run` is the run as the document names it, also where no such run is known. A row whose
    `failure_id` another row of the suite `supersedes` counts no more; `rivals` stand beside it.
    """

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
    named_run: Str = None
    author: Code = None
    created_at: Time = None
    origin: Code = None  # recorded (in a document of the suite), person (a review record)
    supersedes: Str = None  # JSON list of ids of the failures that it replaces
    rivals: Str = None  # JSON list of ids of records that replace the same
