"""The documents of the `iterations` family: expectations, with and without a skill."""

from typing import Annotated

from pydantic import Field

from evalcore.documents.base import (
    OBJECT,
    TEXT,
    TEXT_OR_OBJECT,
    Count,
    Document,
    Fraction,
    NonNegative,
    Number,
    SeedModel,
    Timestamp,
)
from evalcore.documents.progress import FeedbackDocument, HistoryDocument
from evalcore.documents.sides import AnalysisDocument, ComparisonDocument


class EvalCase(SeedModel):
    """One eval; `files` are relative to the skill. Younger files say `assertions`."""

    id: int
    prompt: str
    expected_output: str
    files: list[str] = Field(default_factory=list)
    expectations: list[str] | None = None
    assertions: list[str] | None = None


class EvalsDocument(SeedModel):
    """evals.json: the evals of a skill."""

    skill_name: str
    evals: list[EvalCase]


class EvalMetadataDocument(SeedModel):
    """eval_metadata.json: one eval as it was asked in one iteration."""

    eval_id: int
    eval_name: str
    prompt: str
    assertions: list[str]


class ExpectationResult(SeedModel):
    """One expectation, passed or failed, with the evidence for it."""

    text: str
    passed: bool
    evidence: str


class PassSummary(SeedModel):
    """How many of the checks passed; `pass_rate` is 0 to 1."""

    passed: Count
    failed: Count
    total: Count
    pass_rate: Fraction


class ExecutionMetrics(SeedModel):
    """What the executor did: calls by tool, steps, errors, and characters written."""

    tool_calls: dict[str, Count] = Field(default_factory=dict)
    total_tool_calls: Count | None = None
    total_steps: Count | None = None
    files_created: list[str] = Field(default_factory=list)
    errors_encountered: Count | None = None
    output_chars: Count | None = None
    transcript_chars: Count | None = None


class RunTiming(SeedModel):
    """Seconds that the executor and the grader took."""

    executor_duration_seconds: NonNegative | None = None
    grader_duration_seconds: NonNegative | None = None
    total_duration_seconds: NonNegative | None = None


class Claim(SeedModel):
    """Something the executor said of its work, its kind, and whether it holds."""

    claim: str
    type: str
    verified: bool
    evidence: str


class UserNotes(SeedModel):
    """What the executor was not sure of, wants looked at, or worked around."""

    uncertainties: list[str] = Field(default_factory=list)
    needs_review: list[str] = Field(default_factory=list)
    workarounds: list[str] = Field(default_factory=list)


class EvalSuggestion(SeedModel):
    """A way to make the evals better; without `assertion` it is about all of them."""

    assertion: str | None = None
    reason: str


class EvalFeedback(SeedModel):
    """What the grader says of the evals themselves."""

    suggestions: list[EvalSuggestion] = Field(default_factory=list)
    overall: str | None = None


UserNotesOrText = Annotated[Annotated[str, TEXT] | Annotated[UserNotes, OBJECT], TEXT_OR_OBJECT]
EvalFeedbackOrText = Annotated[
    Annotated[str, TEXT] | Annotated[EvalFeedback, OBJECT], TEXT_OR_OBJECT
]


class GradingDocument(SeedModel):
    """grading.json: the expectations of one run, each with its evidence.

    What the executor did not supply is absent; notes and feedback are text or an object.
    """

    expectations: list[ExpectationResult]
    summary: PassSummary
    execution_metrics: ExecutionMetrics | None = None
    timing: RunTiming | None = None
    claims: list[Claim] = Field(default_factory=list)
    user_notes_summary: UserNotesOrText | None = None
    eval_feedback: EvalFeedbackOrText | None = None


class TimingDocument(SeedModel):
    """timing.json: tokens and wall clock of one run; null where they were not measured."""

    total_tokens: Count | None
    duration_ms: NonNegative | None
    total_duration_seconds: NonNegative | None = None
    executor_start: Timestamp | None = None
    executor_end: Timestamp | None = None
    executor_duration_seconds: NonNegative | None = None
    grader_start: Timestamp | None = None
    grader_end: Timestamp | None = None
    grader_duration_seconds: NonNegative | None = None


class BenchmarkMetadata(SeedModel):
    """What was run: the skill, the models, the evals and how often each."""

    skill_name: str
    skill_path: str | None = None
    executor_model: str | None = None
    analyzer_model: str | None = None
    timestamp: Timestamp
    evals_run: list[int | str]
    runs_per_configuration: Annotated[int, Field(ge=1)]


class BenchmarkResult(SeedModel):
    """The numbers of one run; 0 seconds or tokens mean that they were not measured."""

    pass_rate: Fraction
    passed: Count
    failed: Count
    total: Count
    time_seconds: NonNegative | None = None
    tokens: NonNegative | None = None
    tool_calls: Count | None = None
    errors: Count | None = None


class BenchmarkRun(SeedModel):
    """One run of one eval in one configuration."""

    eval_id: int
    eval_name: str | None = None
    configuration: str
    run_number: Annotated[int, Field(ge=1)]
    result: BenchmarkResult
    expectations: list[ExpectationResult] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


class Stat(SeedModel):
    """A metric over runs; `stddev` is null for a single run."""

    mean: Number
    stddev: NonNegative | None
    min: Number | None = None
    max: Number | None = None


class ConfigurationSummary(SeedModel):
    """The metrics of one configuration."""

    pass_rate: Stat
    time_seconds: Stat | None = None
    tokens: Stat | None = None


class SummaryDelta(SeedModel):
    """The first configuration minus the second, as signed text like "+0.50"."""

    pass_rate: str | None = None
    time_seconds: str | None = None
    tokens: str | None = None


class RunSummary(SeedModel):
    """The configurations by name, and the difference between the first two."""

    __pydantic_extra__: dict[str, ConfigurationSummary] = Field(init=False)

    delta: SummaryDelta | None = None


class BenchmarkDocument(SeedModel):
    """benchmark.json: the runs of one iteration, side by side and summed up."""

    metadata: BenchmarkMetadata | None = None
    runs: list[BenchmarkRun] = Field(default_factory=list)
    run_summary: RunSummary
    notes: list[str] = Field(default_factory=list)


_RUN = "<workspace>/iteration-<N>/<eval>/<configuration>/run-<R>"

TIMING = Document(
    "timing", TimingDocument, f"{_RUN}/timing.json", "Tokens and wall clock of one run."
)

DOCUMENTS: tuple[Document, ...] = (
    Document("evals", EvalsDocument, "<skill>/evals/evals.json", "The evals of a skill."),
    Document(
        "eval_metadata",
        EvalMetadataDocument,
        "<workspace>/iteration-<N>/<eval>/eval_metadata.json",
        "One eval as it was asked in one iteration.",
    ),
    Document(
        "grading", GradingDocument, f"{_RUN}/grading.json", "The expectations of one run, graded."
    ),
    TIMING,
    Document(
        "benchmark",
        BenchmarkDocument,
        "<workspace>/iteration-<N>/benchmark.json",
        "The runs of one iteration, side by side and summed up.",
    ),
    Document(
        "feedback",
        FeedbackDocument,
        "<workspace>/iteration-<N>/feedback.json",
        "What a reader wrote about the runs of one iteration.",
    ),
    Document(
        "history",
        HistoryDocument,
        "<workspace>/history.json",
        "The versions of a skill and the best of them.",
    ),
    Document(
        "comparison",
        ComparisonDocument,
        "<workspace>/iteration-<N>/<eval>/comparison-<N>.json",
        "Two outputs of one prompt, compared blind by a rubric made for it.",
    ),
    Document(
        "analysis",
        AnalysisDocument,
        "<workspace>/iteration-<N>/<eval>/analysis.json",
        "Why the winner of a comparison won, and what would improve the loser.",
    ),
)
