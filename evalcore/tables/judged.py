"""What was run and judged: runs, judgments, scores, and what was said beside them."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Text, Time


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
    origin: Code = None  # review where it comes from a person's records, else missing


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
    # user_notes, uncertainty, needs_review, workaround, factual_issue, benchmark, timing,
    # assertion, note (what a person wrote beside judging)
    kind: Code
    target: Str
    text: Str
    source: Code
    pointer: Code
    author: Code = None
    created_at: Time = None


class ExclusionRow(NamedTuple):
    """A run that a person left out of all rates."""

    suite: Code
    run_id: Code
    reason: Str
    author: Code
    created_at: Time
    source: Code
    pointer: Code


class RequestRow(NamedTuple):
    """A run that was sent to judging, or that a judge passes over."""

    suite: Code
    run_id: Code
    kind: Code  # approval-request, skip
    reason: Str
    author: Code
    created_at: Time
    source: Code
    pointer: Code
