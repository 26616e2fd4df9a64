"""The documents of the `rubric` family: structural checks first, then a rubric scored 1 to 5."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, Field, model_validator
from pydantic_core import PydanticCustomError

from evalcore.documents import iterations
from evalcore.documents.base import (
    Count,
    Document,
    Fraction,
    Mean5,
    NonNegative,
    Number,
    Score5,
    SeedModel,
    chosen,
    tag,
)

CheckType = Literal[
    "file_exists",
    "file_contains",
    "file_not_contains",
    "no_errors",
    "file_count",
    "custom_script",
]


class EvalConfig(SeedModel):
    """How the evals run: how often, with a gate before the judge, who judges, with a baseline."""

    runs_per_eval: Annotated[int, Field(ge=1)] = 3
    structural_gate: bool | None = None
    judge_model: str | None = None
    baseline_comparison: bool | None = None


class StructuralExpectation(SeedModel):
    """What every structural check has; a critical one that fails closes the gate."""

    id: str
    description: str
    critical: bool


class FileExists(StructuralExpectation):
    """At least one file matches the glob `pattern`."""

    type: Literal["file_exists"]
    pattern: str


class _Content(StructuralExpectation):
    pattern: str
    match: str | None = None
    match_any: list[str] | None = None
    match_regex: str | None = None

    @model_validator(mode="after")
    def _says_what_to_find(self) -> Self:
        if self.match is None and self.match_any is None and self.match_regex is None:
            raise PydanticCustomError("rule", "must have match, match_any or match_regex")
        return self


class FileContains(_Content):
    """A file that matches `pattern` holds the text, one of the texts, or the regular expression."""

    type: Literal["file_contains"]


class FileNotContains(_Content):
    """No file that matches `pattern` holds it, save near a text of `except_context`."""

    type: Literal["file_not_contains"]
    except_context: list[str] = Field(default_factory=list)


class NoErrors(StructuralExpectation):
    """The transcript shows no error."""

    type: Literal["no_errors"]


class FileCount(StructuralExpectation):
    """The number of files that match `pattern`, compared with `count` by `operator`."""

    type: Literal["file_count"]
    pattern: str
    count: Count
    operator: Literal["==", ">=", "<="]


class CustomScript(StructuralExpectation):
    """A bash command; exit code 0 passes."""

    type: Literal["custom_script"]
    script: str


_CHECK_TYPES: tuple[str, ...] = CheckType.__args__  # type: ignore[attr-defined]


def _check_type(value: Any) -> str | None:
    kind = getattr(value, "type", None) if isinstance(value, BaseModel) else None
    if isinstance(value, dict):
        kind = value.get("type")
    return kind if isinstance(kind, str) and kind in _CHECK_TYPES else None


AnyStructuralExpectation = Annotated[
    Annotated[FileExists, tag("file_exists")]
    | Annotated[FileContains, tag("file_contains")]
    | Annotated[FileNotContains, tag("file_not_contains")]
    | Annotated[NoErrors, tag("no_errors")]
    | Annotated[FileCount, tag("file_count")]
    | Annotated[CustomScript, tag("custom_script")],
    chosen(_check_type, "one of " + ", ".join(_CHECK_TYPES), "type"),
]


class ScoreAnchors(SeedModel):
    """What a score of 1, 3 and 5 means."""

    poor: str = Field(alias="1")
    acceptable: str = Field(alias="3")
    excellent: str = Field(alias="5")


class Dimension(SeedModel):
    """One dimension of the rubric; a higher weight counts more in the weighted mean."""

    id: str
    name: str
    description: str
    weight: NonNegative
    scoring: ScoreAnchors


class QualityRubric(SeedModel):
    """The dimensions that the judge scores."""

    dimensions: list[Dimension]


class EvalCase(iterations.EvalCase):
    """One eval with structural checks and a rubric."""

    name: str
    structural_expectations: list[AnyStructuralExpectation]
    quality_rubric: QualityRubric


class EvalsDocument(iterations.EvalsDocument):
    """evals.json: the evals of a skill and how they run."""

    eval_config: EvalConfig | None = None
    # Every eval of this document is one of the extended kind; the base class is never filled.
    evals: list[EvalCase]  # type: ignore[assignment]


class StructuralResult(SeedModel):
    """One structural check, passed or failed, with the evidence for it."""

    id: str
    text: str
    type: CheckType
    passed: bool
    evidence: str
    critical: bool


class StructuralDocument(SeedModel):
    """structural.json: the structural checks of one run; a closed gate skips the judge."""

    expectations: list[StructuralResult]
    summary: iterations.PassSummary
    gate_passed: bool


class RubricScore(SeedModel):
    """One dimension scored 1 to 5, and why."""

    score: Score5
    evidence: str


class RubricSummary(SeedModel):
    """The weighted mean of the scores, and the same as a share of 5."""

    weighted_mean: Mean5
    max_possible: Number
    normalized: Fraction


class GradingDocument(iterations.GradingDocument):
    """grading.json: expectations and rubric of one run; no scores where nothing was judged."""

    rubric_scores: dict[str, RubricScore] | None = None
    rubric_summary: RubricSummary | None = None


class ConfigurationSummary(iterations.ConfigurationSummary):
    """The metrics of one configuration with the rubric's; `consistency` is null for one run."""

    rubric_normalized: iterations.Stat | None = None
    overall_efficiency: iterations.Stat | None = None
    consistency: Number | None = None
    rubric_dimensions: dict[str, iterations.Stat] | None = None


class RunSummary(iterations.RunSummary):
    """The configurations by name, with the rubric's metrics."""

    # As with the evals: narrower than the base class, which is never filled.
    __pydantic_extra__: dict[str, ConfigurationSummary] = Field(  # type: ignore[assignment]
        init=False
    )


class BenchmarkDocument(iterations.BenchmarkDocument):
    """benchmark.json: the runs of one iteration, summed up with the rubric's metrics."""

    run_summary: RunSummary


class AggregatedSuggestion(SeedModel):
    """A way to make the evals better, in how many runs it came up, and what was decided on it."""

    frequency: Annotated[int, Field(ge=1)]
    assertion: str | None
    reason: str
    action: str | None


class FeedbackAggregateDocument(SeedModel):
    """eval_feedback_aggregate.json: what all runs of an iteration say of the evals."""

    skill_name: str
    iteration: Count
    total_runs: Count
    suggestions: list[AggregatedSuggestion]


_RUN = "<workspace>/iteration-<N>/<eval>/<configuration>/run-<R>"

DOCUMENTS: tuple[Document, ...] = (
    Document("evals", EvalsDocument, "<skill>/evals/evals.json", "The evals of a skill."),
    Document(
        "structural",
        StructuralDocument,
        f"{_RUN}/structural.json",
        "The structural checks of one run.",
    ),
    Document(
        "grading",
        GradingDocument,
        f"{_RUN}/grading.json",
        "The expectations and the rubric of one run, graded.",
    ),
    iterations.TIMING,
    Document(
        "benchmark",
        BenchmarkDocument,
        "<workspace>/iteration-<N>/benchmark.json",
        "The runs of one iteration, summed up.",
    ),
    Document(
        "eval_feedback_aggregate",
        FeedbackAggregateDocument,
        "<workspace>/iteration-<N>/eval_feedback_aggregate.json",
        "What all runs of an iteration say of the evals.",
    ),
)
