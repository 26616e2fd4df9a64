"""One row type a table; its annotations are the table's columns.

`Code` is a short string that repeats (a categorical in the frame), `str` a name or sentence, `Text` a long
string that stays out of the frame and is fetched with `Tables.text`, `Time` an aware datetime.
Every column may be missing unless its comment says otherwise; missing is null, never 0 and never "".
"""

from datetime import datetime
from typing import Annotated, Literal, NamedTuple, get_args, get_type_hints

Kind = Literal["code", "str", "text", "float", "int", "bool", "time"]

Code = Annotated[str | None, "code"]
Str = Annotated[str | None, "str"]
Text = Annotated[str | None, "text"]
Float = Annotated[float | None, "float"]
Int = Annotated[int | None, "int"]
Bool = Annotated[bool | None, "bool"]
Time = Annotated[datetime | None, "time"]


class SuiteRow(NamedTuple):
    """A skill, prompt or benchmark store under evaluation."""

    suite: Code
    name: Str
    family: Code
    root: Str  # the folder that holds versions and runs
    skill_path: Str  # the folder of the skill itself, when it lies in the workspace
    headline: Code  # name of the headline metric
    runs_per_case: Int
    judge_model: Str


class CaseRow(NamedTuple):
    """What is asked."""

    suite: Code
    case_id: Code
    name: Str
    prompt: Str
    expected: Str
    tags: Str  # JSON list of strings
    weight: Float
    status: Code  # active, draft, deprecated
    files: Str  # JSON list of strings
    source: Code
    pointer: Code


class CriterionRow(NamedTuple):
    """What is checked in one case."""

    suite: Code
    case_id: Code
    kind: Code  # expectation, assertion, structural, rubric, convention
    criterion: Code
    description: Str
    required: Bool
    critical: Bool
    weight: Float
    min_score: Float
    max_score: Float
    pass_at: Float
    guide: Str  # JSON object score -> anchor text, or the judge's instructions as a JSON string
    position: Int
    source: Code
    pointer: Code


class VersionRow(NamedTuple):
    """A state of the skill or prompt, compared over time."""

    suite: Code
    version: Code
    position: Int
    description: Str
    created_at: Time
    git_hash: Str
    content_hash: Str
    path: Str
    is_current: Bool
    stored_score: Float
    source: Code
    pointer: Code


class RunRow(NamedTuple):
    """One execution of one case."""

    run_id: Code
    suite: Code
    case_id: Code
    version: Code
    configuration: Code
    run: Code
    benchmark_run: Code
    origin: Code  # grading, benchmark, record
    status: Code
    passed: Bool
    score: Float
    max_score: Float
    fraction: Float
    checks_passed: Int
    checks_total: Int
    required_score: Float
    gate_passed: Bool
    activated: Bool
    judge: Code
    judge_type: Code
    executor: Code
    model: Code
    started_at: Time
    duration_s: Float
    tokens: Float
    cost_usd: Float
    outputs: Str  # folder or file with what the run produced, relative to the workspace
    source: Code
    pointer: Code


class JudgmentRow(NamedTuple):
    """One criterion of one run, scored by one judge."""

    run_id: Code
    kind: Code
    criterion: Code
    judge: Code
    judge_type: Code
    score: Float
    min_score: Float
    max_score: Float
    fraction: Float
    passed: Bool
    confidence: Float
    confidence_level: Code
    judged_at: Time
    status: Code  # scored, unscored, stale, superseded
    source: Code
    pointer: Code
    rationale: Text
    evidence: Text


class RunScoreRow(NamedTuple):
    """The score of one run by one judge."""

    run_id: Code
    judge: Code
    judge_type: Code
    score: Float
    max_score: Float
    passed: Bool
    judged: Int
    expected: Int


class ClaimRow(NamedTuple):
    """Something the executor claimed, and whether it held."""

    run_id: Code
    claim: Str
    type: Code
    verified: Bool
    evidence: Str
    source: Code
    pointer: Code


class FeedbackRow(NamedTuple):
    """What somebody says about a run or about the evaluation itself."""

    suite: Code
    run_id: Code
    case_id: Code
    version: Code
    kind: Code  # suggestion, overall, vague, missing, suggested, aggregate, review
    target: Str  # the assertion or criterion it speaks of
    text: Str
    action: Str
    frequency: Int
    author: Code
    created_at: Time
    source: Code
    pointer: Code


class NoteRow(NamedTuple):
    """A remark beside a run, a benchmark or a suite."""

    suite: Code
    run_id: Code
    version: Code
    kind: Code  # user_notes, uncertainty, needs_review, workaround, factual_issue, benchmark, timing, assertion
    target: Str
    text: Str
    source: Code
    pointer: Code


class ComparisonRow(NamedTuple):
    """Two outputs or versions held against each other."""

    comparison_id: Code
    suite: Code
    case_id: Code
    version_a: Code
    version_b: Code
    winner: Code  # A, B, tie
    total_a: Float
    total_b: Float
    max_total: Float
    sample_size: Int
    judge: Code
    judge_type: Code
    blinded: Bool
    versions_from: Code  # document, analysis, record; null where A and B are not known
    confidence_level: Code
    compared_at: Time
    summary: Str
    source: Code
    pointer: Code


class ComparisonScoreRow(NamedTuple):
    """One criterion of one comparison."""

    comparison_id: Code
    criterion: Code
    score_a: Float
    score_b: Float
    max_score: Float
    justification_a: Str
    justification_b: Str
    pointer: Code


class AnalysisRow(NamedTuple):
    """One finding about why a version won or what to change."""

    suite: Code
    comparison_id: Code
    winner_version: Code
    loser_version: Code
    kind: Code  # strength, weakness, suggestion, differentiator, finding
    area: Str
    before: Str
    after: Str
    reasoning: Str
    source: Code
    pointer: Code


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


class RelationRow(NamedTuple):
    """A link between two records."""

    suite: Code
    source_type: Code
    source_id: Code
    relation: Code
    target_type: Code
    target_id: Code
    origin: Code  # field, record
    found: Bool
    source: Code
    pointer: Code


class ProblemRow(NamedTuple):
    """A fault found in a file."""

    path: Code
    pointer: Code
    severity: Code
    code: Code
    message: Str
    hint: Str
    suite: Code


class DocumentRow(NamedTuple):
    """A file that was recognised."""

    path: Str
    family: Code
    kind: Code
    suite: Code
    records: Int  # judged items, records or entries read from it


Row = (
    SuiteRow
    | CaseRow
    | CriterionRow
    | VersionRow
    | RunRow
    | JudgmentRow
    | RunScoreRow
    | ClaimRow
    | FeedbackRow
    | NoteRow
    | ComparisonRow
    | ComparisonScoreRow
    | AnalysisRow
    | BenchmarkRow
    | BenchmarkRunRow
    | TrendPointRow
    | FailureRow
    | RelationRow
    | ProblemRow
    | DocumentRow
)

TABLES: dict[str, type[Row]] = {
    "suites": SuiteRow,
    "cases": CaseRow,
    "criteria": CriterionRow,
    "versions": VersionRow,
    "runs": RunRow,
    "judgments": JudgmentRow,
    "run_scores": RunScoreRow,
    "claims": ClaimRow,
    "feedback": FeedbackRow,
    "notes": NoteRow,
    "comparisons": ComparisonRow,
    "comparison_scores": ComparisonScoreRow,
    "analyses": AnalysisRow,
    "benchmarks": BenchmarkRow,
    "benchmark_runs": BenchmarkRunRow,
    "trend_points": TrendPointRow,
    "failures": FailureRow,
    "relations": RelationRow,
    "problems": ProblemRow,
    "documents": DocumentRow,
}


def columns(row_type: type[Row]) -> dict[str, Kind]:
    """Return the columns of a row type in order, each with its kind."""
    hints = get_type_hints(row_type, include_extras=True)
    return {name: get_args(hints[name])[1] for name in row_type._fields}
