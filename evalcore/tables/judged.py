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
    benchmark_run: Code = None
    origin: Code = None  # grading, benchmark, record
    status: Code = None
    passed: Bool = None
    score: Float = None
    max_score: Float = None
    fraction: Float = None
    checks_passed: Int = None
    checks_total: Int = None
    required_score: Float = None
    gate_passed: Bool = None
    activated: Bool = None
    judge: Code = None
    judge_type: Code = None
    executor: Code = None
    model: Code = None
    started_at: Time = None
    duration_s: Float = None
    tokens: Float = None
    cost_usd: Float = None
    outputs: Str = None  # folder or file with what the run produced, relative to the workspace
    source: Code = None
    pointer: Code = None


class JudgmentRow(NamedTuple):
    """One criterion of one run, scored by one judge."""

    run_id: Code
    kind: Code
    criterion: Code
    judge: Code = None
    judge_type: Code = None
    score: Float = None
    min_score: Float = None
    max_score: Float = None
    fraction: Float = None
    passed: Bool = None
    confidence: Float = None
    confidence_level: Code = None
    judged_at: Time = None
    status: Code = None  # scored, unscored, stale, superseded, unattached
    seen: Code = None  # of a person's: nothing, recorded, others, recorded+others; null is unknown
    source: Code = None
    pointer: Code = None
    rationale: Text = None
    evidence: Text = None


class RunScoreRow(NamedTuple):
    """The score of one run by one judge."""

    run_id: Code
    judge: Code = None
    judge_type: Code = None
    score: Float = None
    max_score: Float = None
    passed: Bool = None
    judged: Int = None
    expected: Int = None
    # review where it comes from a person's records, repeated where the suite's own files repeat
    # such records, else missing
    origin: Code = None


class ClaimRow(NamedTuple):
    """Something the executor claimed, and whether it held."""

    run_id: Code
    claim: Str
    type: Code = None
    verified: Bool = None
    evidence: Str = None
    source: Code = None
    pointer: Code = None


class FeedbackRow(NamedTuple):
    """What somebody says about a run or about the evaluation itself."""

    suite: Code
    run_id: Code = None
    case_id: Code = None
    version: Code = None
    # suggestion, overall, vague, missing, suggested, aggregate, review; of a person's decision
    # about a suggestion: accepted, rejected
    kind: Code = None
    target: Str = None  # the assertion or criterion it speaks of
    text: Str = None
    action: Str = None
    frequency: Int = None
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None


class NoteRow(NamedTuple):
    """A remark beside a run, a benchmark or a suite."""

    suite: Code
    run_id: Code = None
    version: Code = None
    # user_notes, uncertainty, needs_review, workaround, factual_issue, benchmark, timing,
    # assertion, note (what a person wrote beside judging)
    kind: Code = None
    target: Str = None
    text: Str = None
    source: Code = None
    pointer: Code = None
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


class FingerprintRow(NamedTuple):
    """What a record says that the output of a run was when it was judged, sent or compared."""

    suite: Code
    run_id: Code
    kind: Code  # the type of the record, as eval-judgment, approval-request, blind-study
    kept: Bool  # whether the output is still the same
    author: Code
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
