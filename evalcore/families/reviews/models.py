"""Review records beside a suite, which are created and never changed.

Each is one file `<suite>/reviews/<type>/<id>.json`. A correction is a new record that names the one
it replaces in `supersedes`, or a list where it decides between several. What is remembered has the
fields of seed 001, or is what seed 001 sends to its neighbours; a store keeps the same fields in
records of its own form.
"""

from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, cast

from pydantic import ConfigDict, Field, create_model
from pydantic.alias_generators import to_camel

from evalcore.families.base import SCHEMA, Documents
from evalcore.families.reviews.review import (
    TYPES,
    ApprovalDecision,
    Decision,
    Drawn,
    FailureType,
    JudgeType,
    Part,
    Seen,
    Severity,
    TaskStatus,
    Winner,
)
from evalcore.shapes import parts
from evalcore.shapes.fields import RAW
from evalcore.shapes.models import Fraction, NotBlank, Number, Place, SeedModel, Timestamp, Written

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class RecordModel(SeedModel):
    """An object with keys in camelCase; `placed` is where a field goes that does not say it."""

    placed: ClassVar[Place] = Place(RAW, parts.JUDGE)

    model_config = ConfigDict(alias_generator=to_camel)


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
    """The type of record that fields are of; its time and its author are columns of `table`."""

    kind: str
    about: str
    table: str = ""
    shown: str = parts.JUDGE


class Fields(RecordModel):
    """The fields of one type of record."""

    of: ClassVar[Of]


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
    """

    output_sha256: str | None = None
    prompt_sha256: str | None = None
    prompt_source: str | None = None
    criterion_sha256: str | None = None
    criterion_source: str | None = None
    run: RunIdentity | None = None
    seen: Annotated[list[Seen] | None, Place("judgments.seen", parts.CRITERIA)] = None
    judging: dict[str, Any] | None = None


class ReviewRecord(RecordModel):
    """What every record has: `id` is that of the submission, `createdBy` the judge."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$"), Place("documents.path", parts.DOCUMENTS)]
    type: Annotated[str, Place("documents.kind", parts.DOCUMENTS)]
    schema_version: Annotated[Literal[1], Place(RAW, parts.DOCUMENTS)] = Field(
        default=SCHEMA, alias="schema"
    )
    fields: SeedModel
    created_at: Timestamp
    created_by: str
    supersedes: Annotated[str | list[str] | None, Place(RAW, parts.DOCUMENTS)] = None
    evalcore: Basis | None = None


Level = Literal["low", "medium", "high"]


class JudgmentFields(Fields):
    """One criterion of one run as a person scores it, or a rule or a model that judges it again.

    `testRunId` is the run's id, `criterionId` is `kind:criterion`. `judgedByType` is `human`, `llm`
    or `heuristic`: only a person's score ever counts as people's. `score` is null where the judge
    took the judgment back. `confidence` is 0 to 1, `confidenceLevel` the word where the judge chose
    one. `evidence` are passages of the output.
    """

    of = Of("eval-judgment", "One criterion of one run, scored beside its grading.")
    placed = Place("judgments.{}", parts.CRITERIA)
    test_run_id: Annotated[str, Place("judgments.run_id", parts.CRITERIA)]
    criterion_id: Annotated[str, Place("judgments.kind, judgments.criterion", parts.CRITERIA)]
    score: Annotated[Number | None, Place("judgments.score, run_scores.score", parts.CRITERIA)]
    min_score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: Annotated[str, Place("judgments.judge, run_scores.judge", parts.CRITERIA)]
    judged_by_type: Annotated[JudgeType, Place("judgments.judge_type", parts.CRITERIA)] = "human"
    judged_at: Timestamp
    confidence: Fraction | None = None
    confidence_level: Level | None = None
    evidence: list[str] = Field(default_factory=list)


class AdjudicationFields(Fields):
    """What counts where judges of one criterion of one run disagree; it outranks them all.

    `judgmentIds` are the judgments that were weighed.
    """

    of = Of("adjudication", "The score that counts where judges disagree.")
    placed = Place("judgments.{}", parts.CRITERIA)
    test_run_id: Annotated[str, Place("judgments.run_id", parts.CRITERIA)]
    criterion_id: Annotated[str, Place("judgments.kind, judgments.criterion", parts.CRITERIA)]
    score: Annotated[Number, Place("judgments.score, run_scores.score", parts.CRITERIA)]
    min_score: Number
    max_score: Number
    rationale: NotBlank
    judged_by: Annotated[str, Place(RAW, parts.JUDGE)]
    judged_at: Timestamp
    judgment_ids: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)


class ExclusionFields(Fields):
    """A run that is left out of all rates, and why; `lifted` takes that back."""

    of = Of("exclusion", "A run left out of all rates, with the reason.", "exclusions")
    placed = Place("exclusions.{}", parts.RUN)
    test_run_id: Annotated[str, Place("exclusions.run_id", parts.RUN)]
    reason: NotBlank
    lifted: Annotated[bool, Place(RAW, parts.RUN)] = False


class NoteFields(Fields):
    """A free remark about a run, or about the suite where `testRunId` is null."""

    of = Of("note", "A free remark about a run or a suite.", "notes")
    placed = Place("notes.{}", parts.NOTES)
    test_run_id: Annotated[str | None, Place("notes.run_id", parts.NOTES)] = None
    text: str


class SkipFields(Fields):
    """A run that a judge passes over, and why; `lifted` takes that back."""

    of = Of("skip", "A run that a judge passes over.", "requests")
    placed = Place("requests.{}", parts.JUDGE)
    test_run_id: Annotated[str, Place("requests.run_id", parts.JUDGE)]
    reason: str = ""
    lifted: Annotated[bool, Place(RAW, parts.JUDGE)] = False


class ApprovalRequestFields(Fields):
    """A run that somebody sent to judging; `done` takes that back.

    `judges` says how many people are to judge all of it; where it is missing, any score answers.
    """

    of = Of(
        "approval-request",
        "A run that waits for a person's judgment because somebody asked for it.",
        "requests",
    )
    placed = Place(RAW, parts.GRID)
    test_run_id: Annotated[str, Place("requests.run_id", parts.GRID)]
    reason: Annotated[str, Place("requests.reason", parts.GRID)] = ""
    judges: Annotated[int | None, Field(ge=1)] = None
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
    """A run that judges score before they see anybody's scores of it.

    `batch` is the id of all runs that were chosen together. `judges` are ids of judges, `names` the
    names of those who have no id yet. `drawn` says how the runs were chosen, `outOf` from how many.
    `population` is what they were drawn from: empty where they were chosen, missing in records that
    were written before evalcore kept it.
    """

    of = Of(
        "independent-batch",
        "A run of an independent batch: hidden from its judges until they have judged it.",
    )
    test_run_id: str
    batch: str
    judges: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    drawn: Literal["random", "chosen"]
    out_of: int
    population: list[DrawnFrom] = Field(default_factory=list)
    reason: str = ""


class RevealFields(Fields):
    """A run whose scores a judge looked at before judging it, though it is in a `batch`."""

    of = Of("reveal", "A judge gave up judging a run independently, to see its scores.")
    test_run_id: str
    batch: str


class FailureFields(Fields):
    """Why a run failed, as a person says it, and what resolved it.

    `testRunId` is the run's id, `affectedCriterionIds` are `kind:criterion`. `failureType` is
    missing where nobody can tell, `resolvedAt` where it is open.
    """

    of = Of(
        "eval-failure",
        "A failure of a run as a person classifies it, or resolves it.",
        "failures",
        parts.FAILURES,
    )
    placed = Place("failures.{}", parts.FAILURES)
    test_run_id: Annotated[NotBlank, Place("failures.run_id", parts.FAILURES)]
    failure_type: FailureType | None = None
    description: NotBlank
    affected_criterion_ids: Annotated[list[str], Place("failures.criteria", parts.FAILURES)] = (
        Field(default_factory=list)
    )
    severity: Severity
    root_cause: str | None = ""
    resolved_at: Timestamp | None = None
    resolution_notes: str | None = None


class SuggestionDecisionFields(Fields):
    """What people decided about a suggestion for the evaluation itself; `open` takes that back.

    `asked` is a suggestion of a person: a criterion that the case of the run should have.
    `text` is the suggestion as a grader wrote it, `target` the criterion that it names, null where
    it names none. `testRunId` is a run whose grading makes it, null where only an aggregate does.
    """

    of = Of(
        "suggestion-decision",
        "A suggestion of a grader for the evaluation itself, accepted or rejected by a person.",
        "feedback",
        parts.RUBRIC,
    )
    placed = Place("feedback.{}", parts.RUBRIC)
    test_run_id: Annotated[str | None, Place("feedback.run_id", parts.RUBRIC)] = None
    target: str | None = None
    text: NotBlank
    decision: Annotated[Decision, Place("feedback.kind", parts.RUBRIC)]
    reason: Annotated[str, Place("feedback.action", parts.RUBRIC)] = ""


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
    """A study in which judges compare outputs of two sides without knowing which is which.

    `commitment` is the sha256 of the secret that decides for each judge which side is left, with
    the pairs; `blind-key` tells the secret at the end. `judges` are ids, `names` the names of those
    who have no id yet; with neither, whoever joins judges. `judgesPerTask` is missing where every
    judge compares every pair.
    """

    of = Of("blind-study", "A blind study of two sides.")
    side_a: str
    side_b: str
    pairs: list[BlindPair]
    criteria: list[BlindCriterion] = Field(default_factory=list)
    judges: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    judges_per_task: Annotated[int | None, Field(ge=1)] = None
    drawn: Drawn = "one"
    commitment: Sha256


class BlindJudgeFields(Fields):
    """A judge who joins a blind study, gives up judging it blind, or was told which is which."""

    of = Of("blind-judge", "A judge's part in a blind study.")
    study: str
    part: Part


class BlindScore(RecordModel):
    """How a blind judge scores both outputs by one criterion."""

    criterion: str
    left: Number
    right: Number


class BlindVerdictFields(Fields):
    """Which of two outputs a blind judge finds better, as they stood on the screen.

    `winner` is null where the judge took the verdict back. `knows` says that the judge recognised
    which is which; such verdicts are reported apart.
    """

    of = Of("blind-verdict", "A judge's verdict on one pair of a blind study.")
    study: str
    pair: str
    winner: Winner | None
    scores: list[BlindScore] = Field(default_factory=list)
    rationale: NotBlank
    knows: bool = False
    judged_at: Timestamp


class BlindKeyFields(Fields):
    """The end of a blind study: the secret that it kept; null where its key file is gone."""

    of = Of("blind-key", "The key of a blind study, which ends it.")
    study: str
    secret: str | None


class BenchmarkFields(Fields):
    """A named set of test cases for one dimension of quality.

    `testCaseIds` are ids of cases of the suite. `lastRunAt` and `lastScore` are those of its newest
    benchmark run.
    """

    of = Of("benchmark", "A benchmark of the suite.", "benchmark_definitions", parts.BENCHMARKS)
    placed = Place("benchmark_definitions.{}", parts.BENCHMARKS)
    name: NotBlank
    description: str = ""
    test_case_ids: Annotated[
        list[str],
        Field(min_length=1),
        Place("benchmark_definitions.cases, relations.target_id", parts.BENCHMARKS),
    ]
    dimension: str
    passing_threshold: Number
    owner_id: Annotated[str, Place("benchmark_definitions.owner", parts.BENCHMARKS)]
    last_run_at: Timestamp | None = None
    last_score: Number | None = None
    status: Literal["active", "retired"] = "active"


class BenchmarkRunFields(Fields):
    """Test runs of one version and configuration on the cases of a benchmark.

    `overallScore` is the mean over the cases, `passRate` the share that passed, both 0 to 1.
    """

    of = Of("benchmark-run", "One run of a benchmark.")
    placed = Place("benchmark_runs.{}", parts.OVERVIEW)
    benchmark_id: Annotated[NotBlank, Place("benchmark_runs.benchmark", parts.OVERVIEW)]
    test_run_ids: Annotated[list[str], Place("relations.target_id", parts.OVERVIEW)]
    overall_score: Fraction
    pass_rate: Fraction
    ran_at: Timestamp
    triggered_by: str
    notes: str = ""


class TrendFields(Fields):
    """How the score of a benchmark went over time.

    `dataPoints` is JSON text: a list of objects with `date` and `score`, oldest first.
    """

    of = Of("eval-trend", "How a benchmark went over time, as computed after one of its runs.")
    placed = Place("trend_points.{}", parts.TRENDS)
    benchmark_id: Annotated[NotBlank, Place("trend_points.benchmark", parts.TRENDS)]
    dimension: str
    data_points: Annotated[str, Place("trend_points.date, trend_points.score", parts.TRENDS)]
    direction: Literal["improving", "degrading", "stable"]
    last_computed_at: Annotated[Timestamp, Place("trend_points.computed_at", parts.TRENDS)]


class PromptComparisonFields(Fields):
    """Two versions on one benchmark; `winner` is one of them, null for a tie.

    Relations `references` name the benchmark runs of both. `notes` is the recommendation.
    """

    of = Of("prompt-comparison", "Two versions compared by a benchmark.")
    placed = Place("comparisons.{}", parts.COMPARISONS)
    benchmark_id: Annotated[NotBlank, Place("comparisons.benchmark", parts.COMPARISONS)]
    prompt_version_a: Annotated[str, Place("comparisons.version_a", parts.COMPARISONS)]
    prompt_version_b: Annotated[str, Place("comparisons.version_b", parts.COMPARISONS)]
    score_a: Annotated[Number, Place("comparisons.total_a", parts.COMPARISONS)]
    score_b: Annotated[Number, Place("comparisons.total_b", parts.COMPARISONS)]
    winner: str | None = None
    sample_size: Annotated[int, Field(ge=0)]
    compared_at: Timestamp
    notes: Annotated[str, Place("comparisons.summary", parts.COMPARISONS)] = ""


class RelationFields(Fields):
    """A relation of seed 001 between two records that their fields do not hold."""

    of = Of("relation", "A relation between two records.")
    placed = Place("relations.{}", parts.DOCUMENTS)
    source_id: NotBlank
    relation: NotBlank
    target_id: NotBlank


class TaskFields(Fields):
    """Something that somebody has to do; `resolution` says what was done.

    `aboutType` and `aboutId` name the record that it is about.
    """

    of = Of("task", "A task for somebody.", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    title: Annotated[NotBlank, Place("messages.subject", parts.MESSAGES)]
    description: Annotated[str, Place("messages.text", parts.MESSAGES)]
    status: TaskStatus = "open"
    assignee: Annotated[str | None, Place("messages.recipient", parts.MESSAGES)] = None
    about_type: str | None = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    resolution: Annotated[str | None, Place("messages.payload", parts.MESSAGES)] = None


class MessageFields(Fields):
    """What one program or person tells another; an answer names what it answers in `inReplyTo`."""

    of = Of("message", "A message to a program or a person.", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    sender: NotBlank
    recipient: NotBlank
    subject: NotBlank
    text: str
    payload: dict[str, Any] = Field(default_factory=dict)
    about_type: str | None = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    in_reply_to: str | None = None
    expects_answer: bool = False


class MemoryItemFields(Fields):
    """A lesson that an agent is to remember: what a failure or a run taught."""

    of = Of("memory-item", "A lesson for an agent.", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    agent_id: Annotated[str | None, Place("messages.recipient", parts.MESSAGES)] = None
    lesson: Annotated[NotBlank, Place("messages.text", parts.MESSAGES)]
    about_type: str | None = None
    about_id: Annotated[str | None, Place("messages.about", parts.MESSAGES)] = None
    tags: Annotated[list[str], Place("messages.payload", parts.MESSAGES)] = Field(
        default_factory=list
    )


class ApprovalFields(Fields):
    """A decision on whether `version` may replace `baseline`, and what it rests on.

    `versionSha256` is that of the version's content, `evidenceSha256` that of both benchmark runs
    with their runs and judgments; where one is another by now, the decision has lapsed. A `waived`
    one has an `owner` and ends at `expiresAt`.
    """

    of = Of("approval", "A decision on a version.", "approvals", parts.APPROVALS)
    placed = Place("approvals.{}", parts.APPROVALS)
    version: NotBlank
    baseline: str | None = None
    benchmark_id: Annotated[str | None, Place("approvals.benchmark", parts.APPROVALS)] = None
    decision: ApprovalDecision
    reason: NotBlank
    comparison_id: Annotated[str | None, Place("approvals.comparison", parts.APPROVALS)] = None
    benchmark_run_ids: Annotated[list[str], Place("approvals.benchmark_runs", parts.APPROVALS)] = (
        Field(default_factory=list)
    )
    version_sha256: Sha256 | None = None
    evidence_sha256: Sha256 | None = None
    owner: str | None = None
    expires_at: Timestamp | None = None


def _record(fields: type[Fields]) -> type[ReviewRecord]:
    """Return the model of the records that have these fields."""
    of, literal = fields.of, cast(Any, Literal)
    own: dict[str, Any] = {"type": (literal[of.kind], of.kind), "fields": (fields, ...)}
    if of.table:
        for name, kind, column in (
            ("created_at", Timestamp, "created_at"),
            ("created_by", str, "author"),
        ):
            own[name] = (Annotated[kind, Place(f"{of.table}.{column}", of.shown)], ...)
    name = fields.__name__.replace("Fields", "Record")
    return create_model(name, __base__=ReviewRecord, __doc__=of.about, **own)


_FIELDS: Final = {each.of.kind: each for each in Fields.__subclasses__()}
BY_TYPE: Final = {kind: _record(_FIELDS[kind]) for kind in TYPES}

_TELLING_NULL: Final = {
    "eval-judgment": "score",
    "blind-verdict": "winner",
    "blind-key": "secret",
    "prompt-comparison": "winner",
}

DOCUMENTS: Final = Documents(
    tuple(
        Written(kind, model, f"<suite>/reviews/{kind}/<id>.json") for kind, model in BY_TYPE.items()
    )
)


def as_json(record: ReviewRecord) -> dict[str, Any]:
    """Return a record as it is written: keys in the order of its model, nothing that is missing."""
    found: dict[str, Any] = record.model_dump(mode="json", by_alias=True, exclude_none=True)
    name = _TELLING_NULL.get(record.type)
    if name is not None and getattr(record.fields, name) is None:
        found["fields"][name] = None
    return found
