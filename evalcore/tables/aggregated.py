"""What was aggregated or followed over time."""

from typing import NamedTuple

from evalcore.tables.kinds import Code, Float, Int, Str, Time


class BenchmarkRow(NamedTuple):
    """One metric of one version and configuration, aggregated."""

    suite: Code
    version: Code
    configuration: Code
    case_id: Code = None  # the case, missing where it is of all cases
    metric: Code = None  # what was measured
    mean: Float = None  # in the metric's own unit
    median: Float = None  # as the mean
    stddev: Float = None  # sample standard deviation; missing below two values
    min: Float = None  # lowest value
    max: Float = None  # highest value
    n: Int = None  # number of values
    origin: Code = None  # stored in a document, or computed from the runs
    text: Str = None  # the stored value where it is not a number
    source: Code = None
    pointer: Code = None


class BenchmarkRunRow(NamedTuple):
    """The runs of one version and configuration made together."""

    suite: Code
    benchmark_run: Code  # its id
    benchmark: Code = None
    name: Str = None  # a name for people
    dimension: Str = None
    version: Code = None
    configuration: Code = None
    overall_score: Float = None  # as stated
    pass_rate: Float = None  # as stated, from 0 to 1
    passing_threshold: Float = None  # share of runs that must pass, from 0 to 1
    ran_at: Time = None  # when it ran
    triggered_by: Code = None  # who or what started it
    notes: Str = None  # remarks
    runs: Int = None  # how many test runs it has
    status: Code = None  # as stated
    source: Code = None
    pointer: Code = None


class TrendPointRow(NamedTuple):
    """One dated score of a stored trend."""

    suite: Code
    benchmark: Code
    trend_id: Code  # the stored trend
    dimension: Code
    date: Time  # when the score was taken
    score: Float  # as stated
    direction: Code  # improving, stable, degrading: as stated
    computed_at: Time  # when the trend was computed
    source: Code
    pointer: Code


class FailureRow(NamedTuple):
    """Why a run failed.

    `named_run` is the run as the document names it, also where no such run is known. A row whose
    `failure_id` another row of the suite `supersedes` counts no more; `rivals` stand beside it.
    """

    suite: Code
    failure_id: Code  # its id
    run_id: Code
    failure_type: Code  # what kind of failure it is
    description: Str  # what happened
    criteria: Str  # JSON list of criterion ids
    severity: Code  # how bad it is
    root_cause: Str  # why it happened
    resolved_at: Time  # when it was resolved
    resolution_notes: Str  # how it was resolved
    source: Code
    pointer: Code
    named_run: Str = None  # the run as the document names it
    author: Code = None
    created_at: Time = None
    origin: Code = None  # recorded (in a document of the suite), person (a review record)
    supersedes: Str = None  # JSON list of ids of the failures that it replaces
    rivals: Str = None  # JSON list of ids of records that replace the same
