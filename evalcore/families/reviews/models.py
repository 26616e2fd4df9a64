"""Review records beside a suite, which are created and never changed.

Each is one file `<suite>/reviews/<type>/<id>.json`. A correction is a new record that names the one
it replaces in `supersedes`, or a list where it decides between several. What is remembered has the
fields of seed 001, or is what seed 001 sends to its neighbours; a store keeps the same fields in
records of its own form.
"""

from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from pydantic import Field, SerializeAsAny
from pydantic_core import PydanticCustomError

from evalcore.families.base import SCHEMA, Documents
from evalcore.families.reviews.review import (
    TYPES,
    ApprovalDecision,
    Decision,
    Drawn,
    FailureType,
    JudgeType,
    Part,
    Reasons,
    Seen,
    Severity,
    TaskStatus,
    Winner,
)
from evalcore.shapes import parts
from evalcore.shapes.faults import faults
from evalcore.shapes.fields import COUNT, FROM_1, RAW, TEXT, Constant, Document, ListOf, Text
from evalcore.shapes.models import (
    Fraction,
    NotBlank,
    Number,
    Place,
    RecordModel,
    Sha256,
    Timestamp,
    shape_of,
)

_ID: Final = Text(pattern="[0-9a-f-]{36}", meaning="an id of 36 digits, letters a to f and hyphens")


class RunIdentity(RecordModel):
    """What a run is, whatever folder is opened to see it.

    `place` is its grading relative to the folder that holds `reviews`; `caseNames` are the names of
    its case beside `caseId`. Which run a record is about is decided by these, then by `testRunId`.
    """

    place: str | None = None
    case_id: str | None = None
    case_names: list[str] = Field(default_factory=list)
    version: str | None = None
    configuration: str | None = None
    run: str | None = None


class Of(NamedTuple):
    """The type of record that fields are of; its time and its author are columns of `table`.

    The field `null` is written where it is null, as that says something.
    """

    kind: str
    table: str = ""
    shown: str = parts.JUDGE
    null: str = ""


class Fields(RecordModel):
    """The fields of one type of record, which the first sentence of a docstring describes."""

    of: ClassVar[Of] = Of("")

    def model_post_init(self, _: Any, /) -> None:
        """Check the fields by their shape.

        Raises:
            PydanticCustomError: one is not valid; pydantic makes it a `ValidationError`.
        """
        if found := faults(shape_of(type(self)), self.model_dump(by_alias=True), limit=1):
            raise PydanticCustomError("shape", "{message}", {"message": found[0].message})


class Basis(RecordModel):
    """What a judgment rests on, as sha256; where one is another by now, the score is stale.

    `output` is over all output files of the run, `prompt` over what was asked, `criterion` over the
    criterion as it was worded, scaled and anchored. `promptSource` and `criterionSource` are the
    documents that said so, as seen from the grading of the run. What was not there, or not defined
    by any document, is missing.

    `seen` is what the judge could have seen of the run before, as far as the server knew: the
    recorded scores, those of other people; nothing where the list is empty. It is missing in
    records that were written before evalcore kept it.

    `judging` is what a model's judgment was made with: model, parameters, sha256 of prompt and
    criteria, and how it was asked.

    `reasons` is for which verdicts the suite required a reason when a person gave this one. It is
    missing in records that were written before this could be chosen: each had to have one.
    """

    output_sha256: str | None = None
    prompt_sha256: str | None = None
    prompt_source: str | None = None
    criterion_sha256: str | None = None
    criterion_source: str | None = None
    run: RunIdentity | None = None
    seen: Annotated[list[Seen] | None, Place("judgments.seen", parts.CRITERIA)] = None
    judging: dict[str, Any] | None = None
    reasons: Reasons | None = None


class ReviewRecord(RecordModel):
    """What every record has: `id` is that of the submission, `createdBy` the judge."""

    id: Annotated[str, _ID, Place("documents.path", parts.DOCUMENTS)]
    type: Annotated[str, Place("documents.kind", parts.DOCUMENTS)]
    schema_version: Annotated[Literal[1], Constant(SCHEMA), Place(RAW, parts.DOCUMENTS)] = Field(
        default=SCHEMA, alias="schema"
    )
    fields: SerializeAsAny[Fields]
    created_at: Timestamp
    created_by: str
    supersedes: Annotated[str | list[str] | None, Place(RAW, parts.DOCUMENTS)] = None
    evalcore: Basis | None = None


Level = Literal["low", "medium", "high"]


class JudgmentFields(Fields):
    """One criterion of one run, scored beside its grading.

    `testRunId` is the run's id, `criterionId` is `kind:criterion`. `judgedByType` is `human`, `llm`
    or `heuristic`: only a person's score ever counts as people's. `score` is null where the judge
    took the judgment back. `rationale` is empty where none was given, which counts only as far as
    `evalcore.reasons` allows that. `confidence` is 0 to 1, `confidenceLevel` the word where the
    judge chose one. `evidence` are passages of the output.
    """

    of = Of("eval-judgment", null="score")
    placed = Place("judgments.{}", parts.CRITERIA)
    test_run_id: Annotated[str, "judgments.run_id"]
    criterion_id: Annotated[str, "judgments.kind, judgments.criterion"]
    score: Annotated[Number | None, "judgments.score, run_scores.score"]
    min_score: Number
    max_score: Number
    rationale: str
    judged_by: Annotated[str, "judgments.judge, run_scores.judge"]
    judged_by_type: Annotated[JudgeType, "judgments.judge_type"] = "human"
    judged_at: Timestamp
    confidence: Fraction | None = None
    confidence_level: Level | None = None
    evidence: list[str] = Field(default_factory=list)


class AdjudicationFields(Fields):
    """The score that counts where judges disagree. It outranks theirs.

    `judgmentIds` are the judgments that were weighed.
    """

    of = Of("adjudication")
    placed = Place("judgments.{}", parts.CRITERIA)
    test_run_id: Annotated[str, "judgments.run_id"]
    criterion_id: Annotated[str, "judgments.kind, judgments.criterion"]
    score: Annotated[Number, "judgments.score, run_scores.score"]
    min_score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: Annotated[str, Place(RAW, parts.JUDGE)]
    judged_at: Timestamp
    judgment_ids: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)


class ExclusionFields(Fields):
    """A run left out of all rates, with the reason. `lifted` takes that back."""

    of = Of("exclusion", "exclusions")
    placed = Place("exclusions.{}", parts.RUN)
    test_run_id: Annotated[str, "exclusions.run_id"]
    reason: NotBlank
    lifted: Annotated[bool, RAW] = False


class NoteFields(Fields):
    """A free remark about a run or a suite. Where `testRunId` is null, it is about the suite."""

    of = Of("note", "notes")
    placed = Place("notes.{}", parts.NOTES)
    test_run_id: Annotated[str | None, "notes.run_id"] = None
    text: str


class SkipFields(Fields):
    """A run that a judge passes over. `lifted` takes that back."""

    of = Of("skip", "requests")
    placed = Place("requests.{}", parts.JUDGE)
    test_run_id: Annotated[str, "requests.run_id"]
    reason: str = ""
    lifted: Annotated[bool, RAW] = False


class RuleVerdict(RecordModel):
    """A criterion that a rule decided; `share` is the achieved part of its scale, 0 to 1."""

    criterion_id: str
    passed: bool
    share: Fraction
    rationale: str = ""


class ApprovalRequestFields(Fields):
    """A run that waits for a person's judgment because somebody asked for it.

    `done` takes that back. `judges` says how many people are to judge all of it; where it is
    missing, any score answers. `decided` are the criteria that rules decided, which people need not
    judge.
    """

    of = Of("approval-request", "requests")
    placed = Place(RAW, parts.GRID)
    test_run_id: Annotated[str, "requests.run_id"]
    reason: Annotated[str, "requests.reason"] = ""
    judges: Annotated[int, FROM_1] | None = None
    decided: list[RuleVerdict] | None = None
    done: bool = False


class DrawnFrom(RecordModel):
    """The runs of one version and configuration that a batch was drawn from.

    `column` is `version/configuration` as it stands in run ids. `sha256` is that of their ids
    without the suite, sorted, one a line.
    """

    column: str
    runs: int
    sha256: Sha256


class IndependentBatchFields(Fields):
    """A run of an independent batch: hidden from its judges until they have judged it.

    `batch` is the id of all runs that were chosen together. `judges` are ids of judges, `names` the
    names of those who have no id yet. `drawn` says how the runs were chosen, `outOf` from how many.
    `population` is what they were drawn from: empty where they were chosen, missing in records that
    were written before evalcore kept it.
    """

    of = Of("independent-batch")
    test_run_id: str
    batch: str
    judges: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    drawn: Literal["random", "chosen"]
    out_of: int
    population: list[DrawnFrom] = Field(default_factory=list)
    reason: str = ""


class JudgingRuleFields(Fields):
    """For which verdicts of the suite a reason is required. The record that stands is the rule."""

    of = Of("judging-rule")
    reasons: Reasons


class RevealFields(Fields):
    """A judge gave up judging a run independently, to see its scores."""

    of = Of("reveal")
    test_run_id: str
    batch: str


class FailureFields(Fields):
    """A failure of a run as a person classifies it, or resolves it.

    `testRunId` is the run's id, `affectedCriterionIds` are `kind:criterion`. `failureType` is
    missing where nobody can tell, `resolvedAt` where it is open.
    """

    of = Of("eval-failure", "failures", parts.FAILURES)
    placed = Place("failures.{}", parts.FAILURES)
    test_run_id: Annotated[NotBlank, "failures.run_id"]
    failure_type: FailureType | None = None
    description: NotBlank
    affected_criterion_ids: Annotated[list[str], "failures.criteria"] = Field(default_factory=list)
    severity: Severity
    root_cause: str | None = ""
    resolved_at: Timestamp | None = None
    resolution_notes: str | None = None


class SuggestionDecisionFields(Fields):
    """A suggestion of a grader for the evaluation itself, accepted or rejected by a person.

    The decision `open` takes that back, `asked` is a suggestion of a person: a criterion that the
    case of the run should have. `text` is the suggestion as a grader wrote it, `target` the
    criterion that it names, null where it names none. `testRunId` is a run whose grading makes it,
    null where only an aggregate does.
    """

    of = Of("suggestion-decision", "feedback", parts.RUBRIC)
    placed = Place("feedback.{}", parts.RUBRIC)
    test_run_id: Annotated[str | None, "feedback.run_id"] = None
    target: str | None = None
    text: NotBlank
    decision: Annotated[Decision, "feedback.kind"]
    reason: Annotated[str, "feedback.action"] = ""


class SavedViewFields(Fields):
    """A name for a view of the suite. Its address narrows, sorts and shows the list of a page.

    `address` has the parameters of the address by name, without folder and suite. `removed` takes
    the view away.
    """

    of = Of("saved-view")
    placed = Place(RAW, parts.GRID)
    name: NotBlank
    page: Literal["gradings"]
    address: dict[str, str]
    removed: bool = False


class BlindPair(RecordModel):
    """Two runs of one case that are compared blind, with the sha256 of what each had made."""

    pair: str
    case_id: str
    run_a: str
    run_b: str
    output_a: str
    output_b: str


class BlindCriterion(RecordModel):
    """A criterion that both outputs are scored by in a blind study."""

    name: NotBlank
    description: str = ""
    low: int
    high: int


class BlindStudyFields(Fields):
    """A blind study of two sides. Judges compare outputs without knowing whose they are.

    `commitment` is the sha256 of the secret that decides for each judge which side is left, with
    the pairs; `blind-key` tells the secret at the end. `judges` are ids, `names` the names of those
    who have no id yet; with neither, whoever joins judges. `judgesPerTask` is missing where every
    judge compares every pair. `reasons` is what the suite required when the study was made, which
    holds to its end; where it is missing, every verdict needs a reason.
    """

    of = Of("blind-study")
    side_a: str
    side_b: str
    pairs: list[BlindPair]
    criteria: list[BlindCriterion] = Field(default_factory=list)
    judges: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    judges_per_task: Annotated[int, FROM_1] | None = None
    drawn: Drawn = "one"
    reasons: Reasons | None = None
    commitment: Sha256


class BlindJudgeFields(Fields):
    """A judge's part in a blind study. They join, give up judging blind, or are told the sides."""

    of = Of("blind-judge")
    study: str
    part: Part


class BlindScore(RecordModel):
    """How a blind judge scores both outputs by one criterion."""

    criterion: str
    left: Number
    right: Number


class BlindVerdictFields(Fields):
    """A judge's verdict on one pair of a blind study. Left and right are as on the screen.

    `winner` is null where the judge took the verdict back. `knows` says that the judge recognised
    which is which; such verdicts are reported apart. `rationale` may be empty where the study does
    not require it.
    """

    of = Of("blind-verdict", null="winner")
    study: str
    pair: str
    winner: Winner | None
    scores: list[BlindScore] = Field(default_factory=list)
    rationale: str
    knows: bool = False
    judged_at: Timestamp


class BlindKeyFields(Fields):
    """The key of a blind study, which ends it. `secret` is null where the key file is gone."""

    of = Of("blind-key", null="secret")
    study: str
    secret: str | None


class BenchmarkFields(Fields):
    """A benchmark of the suite. It is a named set of test cases for one dimension of quality.

    `testCaseIds` are ids of cases of the suite. `lastRunAt` and `lastScore` are those of its newest
    benchmark run.
    """

    of = Of("benchmark", "benchmark_definitions", parts.BENCHMARKS)
    placed = Place("benchmark_definitions.{}", parts.BENCHMARKS)
    name: NotBlank
    description: str = ""
    test_case_ids: Annotated[
        list[str],
        ListOf(TEXT, filled=True),
        "benchmark_definitions.cases, relations.target_id",
    ]
    dimension: str
    passing_threshold: Number
    owner_id: Annotated[str, "benchmark_definitions.owner"]
    last_run_at: Timestamp | None = None
    last_score: Number | None = None
    status: Literal["active", "retired"] = "active"


class BenchmarkRunFields(Fields):
    """One run of a benchmark. Its test runs are of one version and configuration.

    `overallScore` is the mean over the cases, `passRate` the share that passed, both 0 to 1.
    """

    of = Of("benchmark-run")
    placed = Place("benchmark_runs.{}", parts.OVERVIEW)
    benchmark_id: Annotated[NotBlank, "benchmark_runs.benchmark"]
    test_run_ids: Annotated[list[str], "relations.target_id"]
    overall_score: Fraction
    pass_rate: Fraction
    ran_at: Timestamp
    triggered_by: str
    notes: str = ""


class TrendFields(Fields):
    """How a benchmark went over time, as computed after one of its runs.

    `dataPoints` is JSON text: a list of objects with `date` and `score`, oldest first.
    """

    of = Of("eval-trend")
    placed = Place("trend_points.{}", parts.TRENDS)
    benchmark_id: Annotated[NotBlank, "trend_points.benchmark"]
    dimension: str
    data_points: Annotated[str, "trend_points.date, trend_points.score"]
    direction: Literal["improving", "degrading", "stable"]
    last_computed_at: Annotated[Timestamp, "trend_points.computed_at"]


class PromptComparisonFields(Fields):
    """Two versions compared by a benchmark. `winner` is one of them, null for a tie.

    Relations `references` name the benchmark runs of both. `notes` is the recommendation.
    """

    of = Of("prompt-comparison", null="winner")
    placed = Place("comparisons.{}", parts.COMPARISONS)
    benchmark_id: Annotated[NotBlank, "comparisons.benchmark"]
    prompt_version_a: Annotated[str, "comparisons.version_a"]
    prompt_version_b: Annotated[str, "comparisons.version_b"]
    score_a: Annotated[Number, "comparisons.total_a"]
    score_b: Annotated[Number, "comparisons.total_b"]
    winner: str | None = None
    sample_size: Annotated[int, COUNT]
    compared_at: Timestamp
    notes: Annotated[str, "comparisons.summary"] = ""


class RelationFields(Fields):
    """A relation between two records. Seed 001 names it, and their fields do not hold it."""

    of = Of("relation")
    placed = Place("relations.{}", parts.DOCUMENTS)
    source_id: NotBlank
    relation: NotBlank
    target_id: NotBlank


class TaskFields(Fields):
    """A task for somebody. `resolution` says what was done.

    `aboutType` and `aboutId` name the record that it is about.
    """

    of = Of("task", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    title: Annotated[NotBlank, "messages.subject"]
    description: Annotated[str, "messages.text"]
    status: TaskStatus = "open"
    assignee: Annotated[str | None, "messages.recipient"] = None
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    resolution: Annotated[str | None, "messages.payload"] = None


class MessageFields(Fields):
    """A message to a program or a person. `inReplyTo` is the message that it answers."""

    of = Of("message", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    sender: NotBlank
    recipient: NotBlank
    subject: NotBlank
    text: str
    payload: dict[str, Any] = Field(default_factory=dict)
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    in_reply_to: str | None = None
    expects_answer: bool = False


class MemoryItemFields(Fields):
    """A lesson for an agent. It is what a failure or a run taught."""

    of = Of("memory-item", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    agent_id: Annotated[str | None, "messages.recipient"] = None
    lesson: Annotated[NotBlank, "messages.text"]
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    tags: Annotated[list[str], "messages.payload"] = Field(default_factory=list)


class ApprovalFields(Fields):
    """A decision on a version. It says whether `version` may replace `baseline`.

    `versionSha256` is that of the version's content, `evidenceSha256` that of both benchmark runs
    with their runs and judgments; where one is another by now, the decision has lapsed. A `waived`
    one has an `owner` and ends at `expiresAt`.
    """

    of = Of("approval", "approvals", parts.APPROVALS)
    placed = Place("approvals.{}", parts.APPROVALS)
    version: NotBlank
    baseline: str | None = None
    benchmark_id: Annotated[str | None, "approvals.benchmark"] = None
    decision: ApprovalDecision
    reason: NotBlank
    comparison_id: Annotated[str | None, "approvals.comparison"] = None
    benchmark_run_ids: Annotated[list[str], "approvals.benchmark_runs"] = Field(
        default_factory=list
    )
    version_sha256: Sha256 | None = None
    evidence_sha256: Sha256 | None = None
    owner: str | None = None
    expires_at: Timestamp | None = None


def _document(fields: type[Fields]) -> Document:
    """Return what describes the records that have these fields."""
    kind, table, shown, _ = fields.of
    of_all, known = shape_of(ReviewRecord), shape_of(ReviewRecord).by_name
    own = [
        known["type"]._replace(type=Text(words=(kind,)), absent=True),
        known["fields"]._replace(type=shape_of(fields)),
    ]
    for name, column in ("createdAt", "created_at"), ("createdBy", "author"):
        if table:
            own.append(known[name]._replace(column=f"{table}.{column}", shown=shown))
    about, _, _ = " ".join((fields.__doc__ or "").split()).partition(". ")
    shape = of_all.with_fields(f"{about.rstrip('.')}.", *own)
    return Document(kind, shape, f"<suite>/reviews/{kind}/<id>.json")


FIELDS: Final = {each.of.kind: each for each in Fields.__subclasses__()}
BY_TYPE: Final = {kind: _document(FIELDS[kind]) for kind in TYPES}
DOCUMENTS: Final = Documents(tuple(BY_TYPE.values()))


def as_json(record: ReviewRecord) -> dict[str, Any]:
    """Return a record as it is written: keys in the order of its model, nothing that is missing."""
    found: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    null = record.fields.of.null
    if null and getattr(record.fields, null) is None:
        found["fields"][null] = None
    return found
