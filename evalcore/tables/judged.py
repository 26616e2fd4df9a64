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
    run: Code  # its number, or its own id
    benchmark_run: Code = None  # the benchmark run that it belongs to
    origin: Code = None  # grading, benchmark, record: what states it
    # completed, gate_failed, timeout, refused, length_cut count; all others are in no rate
    status: Code = None
    passed: Bool = None  # whether it passed as a whole; missing where a family does not say that
    score: Float = None  # by its recorded judge, as computed
    max_score: Float = None  # the highest possible score
    fraction: Float = None  # score / max_score, from 0 to 1
    checks_passed: Int = None  # criteria that passed
    checks_total: Int = None  # criteria with a verdict
    required_score: Float = None  # mean score of the required criteria
    gate_passed: Bool = None  # whether its critical checks passed
    activated: Bool = None  # whether the skill was used; missing unless recorded
    judge: Code = None  # the recorded judge
    judge_type: Code = None
    executor: Code = None  # what executed it
    model: Code = None  # the model that executed it
    started_at: Time = None  # when it began
    duration_s: Float = None  # seconds; 0 is not measured
    tokens: Float = None  # number of tokens; 0 is not measured
    cost_usd: Float = None  # US dollars; 0 is not measured
    outputs: Str = None  # folder or file with what the run produced, relative to the workspace
    source: Code = None
    pointer: Code = None


class StepRow(NamedTuple):
    """One thing that an agent did in a run, or that was said to it; read when it is asked for."""

    run_id: Code
    position: Int  # its place among the steps of the run, from 0
    turn: Int = None  # counts the answers of the model, each with what its tools gave
    parent: Int = None  # position of the call that began the sub-agent whose step it is
    # system, user, assistant, thinking, tool_call, tool_result, sub_agent, error, text
    kind: Code = None
    tool: Code = None  # the tool that was used
    status: Code = None  # ok, error; missing where the transcript does not say
    started_at: Time = None  # when it was said or begun
    duration_s: Float = None  # seconds until its result
    tokens: Float = None  # of the answer that begins with it, read and written
    cost_usd: Float = None  # US dollars of the answer that begins with it
    source: Code = None
    pointer: Str = None
    text: Text = None  # what was said, or what could not be understood
    arguments: Text = None  # JSON: what the tool was used with
    result: Text = None  # what the tool gave


class JudgmentRow(NamedTuple):
    """One criterion of one run, scored by one judge."""

    run_id: Code
    kind: Code  # expectation, assertion, structural, rubric, convention
    criterion: Code
    judge: Code = None
    judge_type: Code = None
    score: Float = None  # on the criterion's own scale
    min_score: Float = None  # lowest score of the scale
    max_score: Float = None  # highest score of the scale
    fraction: Float = None  # score / max_score, from 0 to 1
    passed: Bool = None  # missing for a scale without a pass mark
    confidence: Float = None  # from 0 to 1
    confidence_level: Code = None
    judged_at: Time = None  # when it was judged
    status: Code = None  # scored, unscored, stale, superseded, unattached
    seen: Code = None  # of a person's: nothing, recorded, others, recorded+others; null is unknown
    source: Code = None
    pointer: Code = None
    rationale: Text = None  # why it has this score
    evidence: Text = None  # what the judge quotes


class RunScoreRow(NamedTuple):
    """The score of one run by one judge."""

    run_id: Code
    judge: Code = None  # who judged the run; `adjudicated` for what was settled between people
    judge_type: Code = None
    score: Float = None  # by this judge
    max_score: Float = None  # the highest possible score
    passed: Bool = None  # whether it passed by this judge
    judged: Int = None  # criteria that this judge scored, or left to the rules that decided them
    expected: Int = None  # criteria to be scored
    # review of a person's records, repeated where the suite's own files repeat them, else
    # missing
    origin: Code = None


class ClaimRow(NamedTuple):
    """Something the executor claimed, and whether it held."""

    run_id: Code
    claim: Str  # what the executor says
    type: Code = None  # what kind of claim it is
    verified: Bool = None  # whether it held
    evidence: Str = None  # what shows it
    source: Code = None
    pointer: Code = None


class FeedbackRow(NamedTuple):
    """What somebody says about a run or about the evaluation itself."""

    suite: Code
    run_id: Code = None
    case_id: Code = None
    version: Code = None
    # suggestion, overall, vague, missing, suggested, aggregate, review; by people accepted,
    # rejected
    kind: Code = None
    target: Str = None  # the assertion or criterion it is about
    text: Str = None  # what is said
    action: Str = None  # what is to be done
    frequency: Int = None  # how many runs gave it
    author: Code = None
    created_at: Time = None  # when it was said
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
    target: Str = None  # what it is about
    text: Str = None  # the remark
    source: Code = None
    pointer: Code = None
    author: Code = None
    created_at: Time = None


class ExclusionRow(NamedTuple):
    """A run that a person left out of all rates."""

    suite: Code
    run_id: Code
    reason: Str  # why it is left out
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
    reason: Str  # why
    author: Code
    created_at: Time
    source: Code
    pointer: Code
