"""Review records beside a suite, which are created and never changed.

Each is one file `<suite>/reviews/<type>/<id>.json`. A correction is a new record that names the one
it replaces in `supersedes`, or a list where it decides between several.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalcore.families.reviews.blind_models import (
    BlindJudgeRecord,
    BlindKeyRecord,
    BlindStudyRecord,
    BlindVerdictRecord,
)
from evalcore.families.reviews.memory_models import MEMORY_MODELS, PromptComparisonRecord
from evalcore.families.reviews.record_model import RecordModel, ReviewRecord, Sha256
from evalcore.families.reviews.review import (
    TYPES,
    Decision,
    FailureType,
    JudgeType,
    Severity,
)
from evalcore.shapes import parts
from evalcore.shapes.fields import RAW
from evalcore.shapes.models import Fraction, NotBlank, Number, Timestamp
from evalcore.shapes.written import Place, Written

Level = Literal["low", "medium", "high"]


class JudgmentFields(RecordModel):
    """One criterion of one run as a person scores it, or a rule or a model that judges it again.

    `testRunId` is the run's id, `criterionId` is `kind:criterion`. `judgedByType` is `human`, `llm`
    or `heuristic`: only a person's score ever counts as people's. `score` is null where the judge
    took the judgment back. `confidence` is 0 to 1, `confidenceLevel` the word where the judge chose
    one. `evidence` are passages of the output.
    """

    test_run_id: Annotated[str, Place("judgments.run_id", parts.CRITERIA)]
    criterion_id: Annotated[str, Place("judgments.kind, judgments.criterion", parts.CRITERIA)]
    score: Annotated[Number | None, Place("judgments.score, run_scores.score", parts.CRITERIA)]
    min_score: Annotated[Number, Place("judgments.min_score", parts.CRITERIA)]
    max_score: Annotated[Number, Place("judgments.max_score", parts.CRITERIA)]
    rationale: Annotated[NotBlank, Place("judgments.rationale", parts.CRITERIA)]
    judged_by: Annotated[str, Place("judgments.judge, run_scores.judge", parts.CRITERIA)]
    judged_by_type: Annotated[JudgeType, Place("judgments.judge_type", parts.CRITERIA)] = "human"
    judged_at: Annotated[Timestamp, Place("judgments.judged_at", parts.CRITERIA)]
    confidence: Annotated[Fraction | None, Place("judgments.confidence", parts.CRITERIA)] = None
    confidence_level: Annotated[
        Level | None, Place("judgments.confidence_level", parts.CRITERIA)
    ] = None
    evidence: Annotated[list[str], Place("judgments.evidence", parts.CRITERIA)] = Field(
        default_factory=list
    )


class AdjudicationFields(RecordModel):
    """What counts where judges of one criterion of one run disagree; it outranks them all.

    `judgmentIds` are the judgments that were weighed.
    """

    test_run_id: Annotated[str, Place("judgments.run_id", parts.CRITERIA)]
    criterion_id: Annotated[str, Place("judgments.kind, judgments.criterion", parts.CRITERIA)]
    score: Annotated[Number, Place("judgments.score, run_scores.score", parts.CRITERIA)]
    min_score: Annotated[Number, Place("judgments.min_score", parts.CRITERIA)]
    max_score: Annotated[Number, Place("judgments.max_score", parts.CRITERIA)]
    rationale: Annotated[NotBlank, Place("judgments.rationale", parts.CRITERIA)]
    judged_by: Annotated[str, Place(RAW, parts.JUDGE)]
    judged_at: Annotated[Timestamp, Place("judgments.judged_at", parts.CRITERIA)]
    judgment_ids: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)


class ExclusionFields(RecordModel):
    """A run that is left out of all rates, and why; `lifted` takes that back."""

    test_run_id: Annotated[str, Place("exclusions.run_id", parts.RUN)]
    reason: Annotated[NotBlank, Place("exclusions.reason", parts.RUN)]
    lifted: Annotated[bool, Place(RAW, parts.RUN)] = False


class NoteFields(RecordModel):
    """A free remark about a run, or about the suite where `testRunId` is null."""

    test_run_id: Annotated[str | None, Place("notes.run_id", parts.NOTES)] = None
    text: Annotated[str, Place("notes.text", parts.NOTES)]


class SkipFields(RecordModel):
    """A run that a judge passes over, and why; `lifted` takes that back."""

    test_run_id: Annotated[str, Place("requests.run_id", parts.JUDGE)]
    reason: Annotated[str, Place("requests.reason", parts.JUDGE)] = ""
    lifted: Annotated[bool, Place(RAW, parts.JUDGE)] = False


class ApprovalRequestFields(RecordModel):
    """A run that somebody sent to judging; `done` takes that back.

    `judges` says how many people are to judge all of it; where it is missing, any score answers.
    """

    test_run_id: Annotated[str, Place("requests.run_id", parts.GRID)]
    reason: Annotated[str, Place("requests.reason", parts.GRID)] = ""
    judges: Annotated[int | None, Field(ge=1), Place(RAW, parts.GRID)] = None
    done: Annotated[bool, Place(RAW, parts.GRID)] = False


class DrawnFrom(RecordModel):
    """The runs of one version and configuration that a batch was drawn from.

    `column` is `version/configuration` as it stands in run ids. `sha256` is that of their ids
    without the suite, sorted, one a line.
    """

    column: Annotated[str, Place(RAW, parts.JUDGE)]
    runs: Annotated[int, Place(RAW, parts.JUDGE)]
    sha256: Annotated[Sha256, Place(RAW, parts.JUDGE)]


class IndependentBatchFields(RecordModel):
    """A run that judges score before they see anybody's scores of it.

    `batch` is the id of all runs that were chosen together. `judges` are ids of judges, `names` the
    names of those who have no id yet. `drawn` says how the runs were chosen, `outOf` from how many.
    `population` is what they were drawn from: empty where they were chosen, missing in records that
    were written before evalcore kept it.
    """

    test_run_id: Annotated[str, Place(RAW, parts.JUDGE)]
    batch: Annotated[str, Place(RAW, parts.JUDGE)]
    judges: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)
    names: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)
    drawn: Annotated[Literal["random", "chosen"], Place(RAW, parts.JUDGE)]
    out_of: Annotated[int, Place(RAW, parts.JUDGE)]
    population: list[DrawnFrom] = Field(default_factory=list)
    reason: Annotated[str, Place(RAW, parts.JUDGE)] = ""


class RevealFields(RecordModel):
    """A run whose scores a judge looked at before judging it, though it is in a `batch`."""

    test_run_id: Annotated[str, Place(RAW, parts.JUDGE)]
    batch: Annotated[str, Place(RAW, parts.JUDGE)]


class FailureFields(RecordModel):
    """Why a run failed, as a person says it, and what resolved it.

    `testRunId` is the run's id, `affectedCriterionIds` are `kind:criterion`. `failureType` is
    missing where nobody can tell, `resolvedAt` where it is open.
    """

    test_run_id: Annotated[NotBlank, Place("failures.run_id", parts.FAILURES)]
    failure_type: Annotated[FailureType | None, Place("failures.failure_type", parts.FAILURES)] = (
        None
    )
    description: Annotated[NotBlank, Place("failures.description", parts.FAILURES)]
    affected_criterion_ids: Annotated[list[str], Place("failures.criteria", parts.FAILURES)] = (
        Field(default_factory=list)
    )
    severity: Annotated[Severity, Place("failures.severity", parts.FAILURES)]
    root_cause: Annotated[str | None, Place("failures.root_cause", parts.FAILURES)] = ""
    resolved_at: Annotated[Timestamp | None, Place("failures.resolved_at", parts.FAILURES)] = None
    resolution_notes: Annotated[str | None, Place("failures.resolution_notes", parts.FAILURES)] = (
        None
    )


class SuggestionDecisionFields(RecordModel):
    """What people decided about a suggestion for the evaluation itself; `open` takes that back.

    `asked` is a suggestion of a person: a criterion that the case of the run should have.
    `text` is the suggestion as a grader wrote it, `target` the criterion that it names, null where
    it names none. `testRunId` is a run whose grading makes it, null where only an aggregate does.
    """

    test_run_id: Annotated[str | None, Place("feedback.run_id", parts.RUBRIC)] = None
    target: Annotated[str | None, Place("feedback.target", parts.RUBRIC)] = None
    text: Annotated[NotBlank, Place("feedback.text", parts.RUBRIC)]
    decision: Annotated[Decision, Place("feedback.kind", parts.RUBRIC)]
    reason: Annotated[str, Place("feedback.action", parts.RUBRIC)] = ""


class JudgmentRecord(ReviewRecord):
    """One criterion of one run, scored beside its grading."""

    type: Literal["eval-judgment"] = "eval-judgment"
    fields: JudgmentFields


class AdjudicationRecord(ReviewRecord):
    """The score that counts where judges disagree."""

    type: Literal["adjudication"] = "adjudication"
    fields: AdjudicationFields


class ExclusionRecord(ReviewRecord):
    """A run left out of all rates, with the reason."""

    type: Literal["exclusion"] = "exclusion"
    fields: ExclusionFields
    created_at: Annotated[Timestamp, Place("exclusions.created_at", parts.JUDGE)]
    created_by: Annotated[str, Place("exclusions.author", parts.JUDGE)]


class NoteRecord(ReviewRecord):
    """A free remark about a run or a suite."""

    type: Literal["note"] = "note"
    fields: NoteFields
    created_at: Annotated[Timestamp, Place("notes.created_at", parts.JUDGE)]
    created_by: Annotated[str, Place("notes.author", parts.JUDGE)]


class SkipRecord(ReviewRecord):
    """A run that a judge passes over."""

    type: Literal["skip"] = "skip"
    fields: SkipFields
    created_at: Annotated[Timestamp, Place("requests.created_at", parts.JUDGE)]
    created_by: Annotated[str, Place("requests.author", parts.JUDGE)]


class ApprovalRequestRecord(ReviewRecord):
    """A run that waits for a person's judgment because somebody asked for it."""

    type: Literal["approval-request"] = "approval-request"
    fields: ApprovalRequestFields
    created_at: Annotated[Timestamp, Place("requests.created_at", parts.JUDGE)]
    created_by: Annotated[str, Place("requests.author", parts.JUDGE)]


class IndependentBatchRecord(ReviewRecord):
    """A run of an independent batch: hidden from its judges until they have judged it."""

    type: Literal["independent-batch"] = "independent-batch"
    fields: IndependentBatchFields


class RevealRecord(ReviewRecord):
    """A judge gave up judging a run independently, to see its scores."""

    type: Literal["reveal"] = "reveal"
    fields: RevealFields


class FailureRecord(ReviewRecord):
    """A failure of a run as a person classifies it, or resolves it."""

    type: Literal["eval-failure"] = "eval-failure"
    fields: FailureFields
    created_at: Annotated[Timestamp, Place("failures.created_at", parts.FAILURES)]
    created_by: Annotated[str, Place("failures.author", parts.FAILURES)]


class SuggestionDecisionRecord(ReviewRecord):
    """A suggestion of a grader for the evaluation itself, accepted or rejected by a person."""

    type: Literal["suggestion-decision"] = "suggestion-decision"
    fields: SuggestionDecisionFields
    created_at: Annotated[Timestamp, Place("feedback.created_at", parts.RUBRIC)]
    created_by: Annotated[str, Place("feedback.author", parts.RUBRIC)]


MODELS: tuple[type[ReviewRecord], ...] = (
    JudgmentRecord,
    AdjudicationRecord,
    ExclusionRecord,
    NoteRecord,
    SkipRecord,
    ApprovalRequestRecord,
    IndependentBatchRecord,
    RevealRecord,
    FailureRecord,
    SuggestionDecisionRecord,
    BlindStudyRecord,
    BlindJudgeRecord,
    BlindVerdictRecord,
    BlindKeyRecord,
    *MEMORY_MODELS,
)
BY_TYPE: dict[str, type[ReviewRecord]] = dict(zip(TYPES, MODELS, strict=True))

_TELLING_NULL: tuple[tuple[type[ReviewRecord], str], ...] = (
    (JudgmentRecord, "score"),
    (BlindVerdictRecord, "winner"),
    (BlindKeyRecord, "secret"),
    (PromptComparisonRecord, "winner"),
)

DOCUMENTS: tuple[Written, ...] = tuple(
    Written(kind, model, f"<suite>/reviews/{kind}/<id>.json") for kind, model in BY_TYPE.items()
)


def as_json(record: ReviewRecord) -> dict[str, Any]:
    """Return a record as it is written: keys in the order of its model, nothing that is missing."""
    found: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    for kind, name in _TELLING_NULL:
        if isinstance(record, kind) and getattr(record.fields, name) is None:
            found["fields"][name] = None
    return found
