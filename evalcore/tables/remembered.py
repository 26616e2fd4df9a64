"""What is remembered of the quality of a suite: benchmarks, approvals, and what was sent."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Str, Time


class BenchmarkDefinitionRow(NamedTuple):
    """A named set of test cases for one dimension of quality."""

    suite: Code
    benchmark: Code
    name: Str = None
    description: Str = None
    dimension: Str = None
    passing_threshold: Float = None
    owner: Code = None
    status: Code = None  # active, retired
    last_run_at: Time = None
    last_score: Float = None
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
    approval: Code
    version: Code
    baseline: Code = None
    decision: Code = None  # approved, refused, waived, withdrawn
    reason: Str = None
    benchmark: Code = None
    comparison: Code = None
    benchmark_runs: Str = None  # JSON list of ids
    version_sha256: Str = None
    evidence_sha256: Str = None
    owner: Code = None
    expires_at: Time = None
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None
    supersedes: Str = None  # JSON list of ids of the decisions that it replaces
    rivals: Str = None  # JSON list of ids of records that replace the same


class MessageRow(NamedTuple):
    """What was sent to others, or came from them: a task, a message or a lesson."""

    suite: Code
    message: Code
    kind: Code  # task, message, memory-item
    sender: Code = None
    recipient: Code = None
    subject: Str = None
    text: Str = None
    about_type: Code = None
    about: Code = None
    status: Code = None  # of a task: open, done
    in_reply_to: Code = None
    expects_answer: Bool = None
    payload: Str = None  # JSON
    author: Code = None
    created_at: Time = None
    source: Code = None
    pointer: Code = None
    rivals: Str = None  # JSON list of ids of records that replace the same
