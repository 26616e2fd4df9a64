"""What is remembered of the quality of a suite: benchmarks, approvals, and what was sent."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Str, Time


class BenchmarkDefinitionRow(NamedTuple):
    """A named set of test cases for one dimension of quality."""

    suite: Code
    benchmark: Code  # its id
    name: Str = None  # a name for people
    description: Str = None  # what it is for
    dimension: Str = None
    passing_threshold: Float = None  # share of runs that must pass, from 0 to 1
    owner: Code = None  # who answers for it
    status: Code = None  # active, retired
    last_run_at: Time = None  # when it ran last, as stated
    last_score: Float = None  # its last score, as stated
    cases: Str = None  # JSON list of case ids
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None
    rivals: Str = None  # JSON list of ids of records that replace the same


class ApprovalRow(NamedTuple):
    """A decision on whether a version may replace its baseline.

    `version_sha256` and `evidence_sha256` are what it was decided on: it lapses when they change.
    """

    suite: Code
    approval: Code  # its id
    version: Code  # the version decided on
    baseline: Code = None  # the version that it would replace
    decision: Code = None  # approved, refused, waived, withdrawn
    reason: Str = None  # why
    benchmark: Code = None  # the benchmark that it rests on
    comparison: Code = None  # the comparison that it rests on
    benchmark_runs: Str = None  # JSON list of ids
    version_sha256: Str = None  # of the version's content
    evidence_sha256: Str = None  # of what it was decided on
    owner: Code = None  # who decided
    expires_at: Time = None  # until when it holds
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None
    supersedes: Str = None  # JSON list of ids of the decisions that it replaces
    rivals: Str = None  # JSON list of ids of records that replace the same


class MessageRow(NamedTuple):
    """What was sent to others, or came from them: a task, a message or a lesson."""

    suite: Code
    message: Code  # its id
    kind: Code  # task, message, memory-item
    sender: Code = None  # who sent it
    recipient: Code = None  # to whom
    subject: Str = None  # its title
    text: Str = None  # what it says
    about_type: Code = None  # the type of what it is about
    about: Code = None  # the id of what it is about
    status: Code = None  # of a task: open, done
    in_reply_to: Code = None  # the id of the message that it answers
    expects_answer: Bool = None  # whether it waits for one
    payload: Str = None  # JSON
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None
    rivals: Str = None  # JSON list of ids of records that replace the same
