"""What people and evalcore remember beside a suite: records that are created and never changed.

Each is one file `<suite>/reviews/<type>/<id>.json`. A correction is a new record that names the one
it replaces in `supersedes`.
"""

from typing import Annotated, Any, Literal

from pydantic import Field

from evalcore.documents.base import Document, Fraction, NotBlank, Number, SeedModel, Timestamp
from evalcore.documents.record_fields import RecordModel

SCHEMA: Literal[1] = 1


class Basis(RecordModel):
    """What a judgment rests on, as sha256; where one is another by now, the score is stale.

    `output` is over all output files of the run, `prompt` over what was asked, `criterion` over the
    criterion as it was worded, scaled and anchored. What was not there is null.
    """

    output_sha256: str | None = None
    prompt_sha256: str | None = None
    criterion_sha256: str | None = None


class ReviewRecord(RecordModel):
    """What every record has: `id` is that of the submission, `createdBy` the judge."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]
    type: str
    schema_version: Literal[1] = Field(default=SCHEMA, alias="schema")
    fields: SeedModel
    created_at: Timestamp
    created_by: str
    supersedes: str | None = None
    evalcore: Basis | None = None


class HumanJudgmentFields(RecordModel):
    """One criterion of one run as a person scores it.

    `testRunId` is the run's id, `criterionId` is `kind:criterion`. `score` is null where the judge
    took the judgment back. `confidence` is 0 to 1, `confidenceLevel` the word where the judge chose
    one. `evidence` are passages of the output.
    """

    test_run_id: str
    criterion_id: str
    score: Number | None
    min_score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: str
    judged_by_type: Literal["human"] = "human"
    judged_at: Timestamp
    confidence: Fraction | None = None
    confidence_level: Literal["low", "medium", "high"] | None = None
    evidence: list[str] = Field(default_factory=list)


class AdjudicationFields(RecordModel):
    """What counts where judges of one criterion of one run disagree; it outranks them all.

    `judgmentIds` are the judgments that were weighed.
    """

    test_run_id: str
    criterion_id: str
    score: Number
    min_score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: str
    judged_at: Timestamp
    judgment_ids: list[str] = Field(default_factory=list)


class ExclusionFields(RecordModel):
    """A run that is left out of all rates, and why; `lifted` takes that back."""

    test_run_id: str
    reason: NotBlank
    lifted: bool = False


class NoteFields(RecordModel):
    """A free remark about a run, or about the suite where `testRunId` is null."""

    test_run_id: str | None = None
    text: str


class SkipFields(RecordModel):
    """A run that a judge passes over, and why; `lifted` takes that back."""

    test_run_id: str
    reason: str = ""
    lifted: bool = False


class ApprovalRequestFields(RecordModel):
    """A run that somebody sent to judging; `done` takes that back."""

    test_run_id: str
    reason: str = ""
    done: bool = False


class HumanJudgmentRecord(ReviewRecord):
    """One criterion of one run, scored by a person."""

    type: Literal["eval-judgment"] = "eval-judgment"
    fields: HumanJudgmentFields


class AdjudicationRecord(ReviewRecord):
    """The score that counts where judges disagree."""

    type: Literal["adjudication"] = "adjudication"
    fields: AdjudicationFields


class ExclusionRecord(ReviewRecord):
    """A run left out of all rates, with the reason."""

    type: Literal["exclusion"] = "exclusion"
    fields: ExclusionFields


class NoteRecord(ReviewRecord):
    """A free remark about a run or a suite."""

    type: Literal["note"] = "note"
    fields: NoteFields


class SkipRecord(ReviewRecord):
    """A run that a judge passes over."""

    type: Literal["skip"] = "skip"
    fields: SkipFields


class ApprovalRequestRecord(ReviewRecord):
    """A run that waits for a person's judgment because somebody asked for it."""

    type: Literal["approval-request"] = "approval-request"
    fields: ApprovalRequestFields


MODELS: tuple[type[ReviewRecord], ...] = (
    HumanJudgmentRecord,
    AdjudicationRecord,
    ExclusionRecord,
    NoteRecord,
    SkipRecord,
    ApprovalRequestRecord,
)


def _document(model: type[ReviewRecord]) -> Document:
    kind = str(model.model_fields["type"].default)
    return Document(kind, model, f"<suite>/reviews/{kind}/<id>.json", (model.__doc__ or "").strip())


DOCUMENTS: tuple[Document, ...] = tuple(map(_document, MODELS))
BY_TYPE: dict[str, type[ReviewRecord]] = {
    document.kind: model for document, model in zip(DOCUMENTS, MODELS, strict=True)
}


def as_json(record: ReviewRecord) -> dict[str, Any]:
    """Return a record as it is written: keys in the order of its model, nothing that is missing."""
    found: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(record, HumanJudgmentRecord) and record.fields.score is None:
        found["fields"]["score"] = None
    return found
