"""Review records beside a suite, which are created and never changed.

Each is one file `<suite>/reviews/<type>/<id>.json`. A correction is a new record that names the one
it replaces in `supersedes`, or a list where it decides between several. What is remembered has the
fields of seed 001, or is what seed 001 sends to its neighbours; a store keeps the same fields in
records of its own form.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple

from msgspec import ValidationError, convert, field, to_builtins

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


class RunIdentity(RecordModel, kw_only=True):
    """What a run is, whatever folder is opened; `place` is relative to the folder of `reviews`."""

    place: str | None = None
    case_id: str | None = None
    case_names: list[str] = []
    version: str | None = None
    configuration: str | None = None
    run: str | None = None


class Of(NamedTuple):
    """The type of a record, the table of its time and author, and a field written even if null."""

    kind: str
    table: str = ""
    shown: str = parts.JUDGE
    null: str = ""


class Fields(RecordModel, kw_only=True):
    """The fields of one type of record, which the first sentence of a docstring describes."""

    of: ClassVar[Of] = Of("")

    def __post_init__(self) -> None:
        """Check the fields by their shape.

        Raises:
            ValidationError: one is not valid; the message says which.
        """
        if found := faults(shape_of(type(self)), self.with_nulls(), limit=1):
            raise ValidationError(found[0].message)

    def with_nulls(self) -> dict[str, Any]:
        """Return the fields as a store has them: what is missing is null."""
        found: dict[str, Any] = to_builtins(self)
        return found

    def written(self) -> dict[str, Any]:
        """Return the fields as a record beside a suite has them."""
        return without_nulls(self.of.kind, self.with_nulls())


class Basis(RecordModel, kw_only=True):
    """What a judgment rests on, as sha256; where one is another by now, the score is stale.

    Sources are documents as seen from the grading of the run. `seen` are scores that the judge
    could have seen, `judging` is how a model was asked, `reasons` what the suite required. What
    was not there is missing, and so is what older records do not have.
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


class ReviewRecord(RecordModel, kw_only=True):
    """What every record has: `id` is that of the submission, `createdBy` the judge."""

    id: Annotated[str, _ID, Place("documents.path", parts.DOCUMENTS)]
    type: Annotated[str, Place("documents.kind", parts.DOCUMENTS)]
    schema_version: Annotated[Literal[1], Constant(SCHEMA), Place(RAW, parts.DOCUMENTS)] = field(
        default=SCHEMA, name="schema"
    )
    fields: dict[str, Any]
    created_at: Timestamp
    created_by: str
    supersedes: Annotated[str | list[str] | None, Place(RAW, parts.DOCUMENTS)] = None
    evalcore: Basis | None = None


Level = Literal["low", "medium", "high"]


class JudgmentFields(Fields, kw_only=True):
    """One criterion of one run, scored beside its grading.

    `criterionId` is `kind:criterion`. Only a score of the type `human` counts as people's; it is
    null where the judge took it back. `rationale` may be empty as far as `evalcore.reasons` allows.
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
    evidence: list[str] = []


class AdjudicationFields(Fields, kw_only=True):
    """The score that counts where judges disagree. It outranks theirs."""

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
    judgment_ids: Annotated[list[str], Place(RAW, parts.JUDGE)] = []


class ExclusionFields(Fields, kw_only=True):
    """A run left out of all rates, with the reason. `lifted` takes that back."""

    of = Of("exclusion", "exclusions")
    placed = Place("exclusions.{}", parts.RUN)
    test_run_id: Annotated[str, "exclusions.run_id"]
    reason: NotBlank
    lifted: Annotated[bool, RAW] = False


class NoteFields(Fields, kw_only=True):
    """A free remark about a run or a suite. Where `testRunId` is null, it is about the suite."""

    of = Of("note", "notes")
    placed = Place("notes.{}", parts.NOTES)
    test_run_id: Annotated[str | None, "notes.run_id"] = None
    text: str


class SkipFields(Fields, kw_only=True):
    """A run that a judge passes over. `lifted` takes that back."""

    of = Of("skip", "requests")
    placed = Place("requests.{}", parts.JUDGE)
    test_run_id: Annotated[str, "requests.run_id"]
    reason: str = ""
    lifted: Annotated[bool, RAW] = False


class RuleVerdict(RecordModel, kw_only=True):
    """A criterion that a rule decided; `share` is the achieved part of its scale, 0 to 1."""

    criterion_id: str
    passed: bool
    share: Fraction
    rationale: str = ""


class ApprovalRequestFields(Fields, kw_only=True):
    """A run that waits for a person's judgment because somebody asked for it.

    `judges` says how many people are to judge what rules have not `decided`; without it, any score
    answers. `done` takes the request back.
    """

    of = Of("approval-request", "requests")
    placed = Place(RAW, parts.GRID)
    test_run_id: Annotated[str, "requests.run_id"]
    reason: Annotated[str, "requests.reason"] = ""
    judges: Annotated[int, FROM_1] | None = None
    decided: list[RuleVerdict] | None = None
    done: bool = False


class DrawnFrom(RecordModel, kw_only=True):
    """A `version/configuration` that runs were drawn from, and the sha256 of their sorted ids."""

    column: str
    runs: int
    sha256: Sha256


class IndependentBatchFields(Fields, kw_only=True):
    """A run of an independent batch: hidden from its judges until they have judged it.

    `judges` are ids, `names` those of judges without an id yet. `population` is what the runs were
    drawn from; older records do not have it.
    """

    of = Of("independent-batch")
    test_run_id: str
    batch: str
    judges: list[str] = []
    names: list[str] = []
    drawn: Literal["random", "chosen"]
    out_of: int
    population: list[DrawnFrom] = []
    reason: str = ""


class JudgingRuleFields(Fields, kw_only=True):
    """For which verdicts of the suite a reason is required. The record that stands is the rule."""

    of = Of("judging-rule")
    reasons: Reasons


class RevealFields(Fields, kw_only=True):
    """A judge gave up judging a run independently, to see its scores."""

    of = Of("reveal")
    test_run_id: str
    batch: str


class FailureFields(Fields, kw_only=True):
    """A failure of a run as a person classifies it, or resolves it."""

    of = Of("eval-failure", "failures", parts.FAILURES)
    placed = Place("failures.{}", parts.FAILURES)
    test_run_id: Annotated[NotBlank, "failures.run_id"]
    failure_type: FailureType | None = None
    description: NotBlank
    affected_criterion_ids: Annotated[list[str], "failures.criteria"] = []
    severity: Severity
    root_cause: str | None = ""
    resolved_at: Timestamp | None = None
    resolution_notes: str | None = None


class SuggestionDecisionFields(Fields, kw_only=True):
    """A suggestion of a grader for the evaluation itself, accepted or rejected by a person.

    `open` takes that back, `asked` is a person's own suggestion. `target` is the criterion that it
    names, `testRunId` a run whose grading makes it.
    """

    of = Of("suggestion-decision", "feedback", parts.RUBRIC)
    placed = Place("feedback.{}", parts.RUBRIC)
    test_run_id: Annotated[str | None, "feedback.run_id"] = None
    target: str | None = None
    text: NotBlank
    decision: Annotated[Decision, "feedback.kind"]
    reason: Annotated[str, "feedback.action"] = ""


class SavedViewFields(Fields, kw_only=True):
    """A name for a view of the suite. Its address has the parameters of a page by name."""

    of = Of("saved-view")
    placed = Place(RAW, parts.GRID)
    name: NotBlank
    page: Literal["gradings"]
    address: dict[str, str]
    removed: bool = False


class BlindPair(RecordModel, kw_only=True):
    """Two runs of one case that are compared blind, with the sha256 of what each had made."""

    pair: str
    case_id: str
    run_a: str
    run_b: str
    output_a: str
    output_b: str


class BlindCriterion(RecordModel, kw_only=True):
    """A criterion that both outputs are scored by in a blind study."""

    name: NotBlank
    description: str = ""
    low: int
    high: int


class BlindStudyFields(Fields, kw_only=True):
    """A blind study of two sides. Judges compare outputs without knowing whose they are.

    `commitment` is the sha256 of the secret that decides which side is left, with the pairs. With
    neither `judges` nor `names`, whoever joins judges. Without `judgesPerTask` every judge compares
    every pair; without `reasons` every verdict needs one.
    """

    of = Of("blind-study")
    side_a: str
    side_b: str
    pairs: list[BlindPair]
    criteria: list[BlindCriterion] = []
    judges: list[str] = []
    names: list[str] = []
    judges_per_task: Annotated[int, FROM_1] | None = None
    drawn: Drawn = "one"
    reasons: Reasons | None = None
    commitment: Sha256


class BlindJudgeFields(Fields, kw_only=True):
    """A judge's part in a blind study. They join, give up judging blind, or are told the sides."""

    of = Of("blind-judge")
    study: str
    part: Part


class BlindScore(RecordModel, kw_only=True):
    """How a blind judge scores both outputs by one criterion."""

    criterion: str
    left: Number
    right: Number


class BlindVerdictFields(Fields, kw_only=True):
    """A judge's verdict on one pair of a blind study. Left and right are as on the screen.

    `winner` is null where the judge took it back; `knows` that they recognised which is which.
    """

    of = Of("blind-verdict", null="winner")
    study: str
    pair: str
    winner: Winner | None
    scores: list[BlindScore] = []
    rationale: str
    knows: bool = False
    judged_at: Timestamp


class BlindKeyFields(Fields, kw_only=True):
    """The key of a blind study, which ends it. `secret` is null where the key file is gone."""

    of = Of("blind-key", null="secret")
    study: str
    secret: str | None


class BenchmarkFields(Fields, kw_only=True):
    """A benchmark of the suite. It is a named set of test cases for one dimension of quality."""

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


class BenchmarkRunFields(Fields, kw_only=True):
    """One run of a benchmark. Its test runs are of one version and configuration."""

    of = Of("benchmark-run")
    placed = Place("benchmark_runs.{}", parts.OVERVIEW)
    benchmark_id: Annotated[NotBlank, "benchmark_runs.benchmark"]
    test_run_ids: Annotated[list[str], "relations.target_id"]
    overall_score: Fraction
    pass_rate: Fraction
    ran_at: Timestamp
    triggered_by: str
    notes: str = ""


class TrendFields(Fields, kw_only=True):
    """How a benchmark went over time, as computed after one of its runs."""

    of = Of("eval-trend")
    placed = Place("trend_points.{}", parts.TRENDS)
    benchmark_id: Annotated[NotBlank, "trend_points.benchmark"]
    dimension: str
    data_points: Annotated[str, "trend_points.date, trend_points.score"]
    direction: Literal["improving", "degrading", "stable"]
    last_computed_at: Annotated[Timestamp, "trend_points.computed_at"]


class PromptComparisonFields(Fields, kw_only=True):
    """Two versions compared by a benchmark. `winner` is one of them, null for a tie."""

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


class RelationFields(Fields, kw_only=True):
    """A relation between two records. Seed 001 names it, and their fields do not hold it."""

    of = Of("relation")
    placed = Place("relations.{}", parts.DOCUMENTS)
    source_id: NotBlank
    relation: NotBlank
    target_id: NotBlank


class TaskFields(Fields, kw_only=True):
    """A task for somebody. `resolution` says what was done."""

    of = Of("task", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    title: Annotated[NotBlank, "messages.subject"]
    description: Annotated[str, "messages.text"]
    status: TaskStatus = "open"
    assignee: Annotated[str | None, "messages.recipient"] = None
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    resolution: Annotated[str | None, "messages.payload"] = None


class MessageFields(Fields, kw_only=True):
    """A message to a program or a person. `inReplyTo` is the message that it answers."""

    of = Of("message", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    sender: NotBlank
    recipient: NotBlank
    subject: NotBlank
    text: str
    payload: dict[str, Any] = {}
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    in_reply_to: str | None = None
    expects_answer: bool = False


class MemoryItemFields(Fields, kw_only=True):
    """A lesson for an agent. It is what a failure or a run taught."""

    of = Of("memory-item", "messages", parts.MESSAGES)
    placed = Place("messages.{}", parts.MESSAGES)
    agent_id: Annotated[str | None, "messages.recipient"] = None
    lesson: Annotated[NotBlank, "messages.text"]
    about_type: str | None = None
    about_id: Annotated[str | None, "messages.about"] = None
    tags: Annotated[list[str], "messages.payload"] = []


class ApprovalFields(Fields, kw_only=True):
    """A decision on a version. It says whether `version` may replace `baseline`.

    It lapses where one of the digests is another by now; a `waived` one ends at `expiresAt`.
    """

    of = Of("approval", "approvals", parts.APPROVALS)
    placed = Place("approvals.{}", parts.APPROVALS)
    version: NotBlank
    baseline: str | None = None
    benchmark_id: Annotated[str | None, "approvals.benchmark"] = None
    decision: ApprovalDecision
    reason: NotBlank
    comparison_id: Annotated[str | None, "approvals.comparison"] = None
    benchmark_run_ids: Annotated[list[str], "approvals.benchmark_runs"] = []
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


def without_nulls(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields as a record of a type has them beside a suite: a null says something there."""
    found, null = {n: each for n, each in fields.items() if each is not None}, FIELDS[kind].of.null
    return found | ({null: None} if null and null not in found else {})


def renewed(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that replaces one with these: all of its type, then unknown.

    Raises:
        ValidationError: they are not those of a record of this type.
    """
    known = convert(fields, FIELDS[kind]).with_nulls()
    return known | {name: each for name, each in fields.items() if name not in known}
