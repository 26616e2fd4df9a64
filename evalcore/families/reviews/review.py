"""A record of a `reviews` folder: how a file is known as one, and which of several counts."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple, get_args

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import parse_time
from evalcore.families.base import REVIEWS, SCHEMA
from evalcore.families.chains import linked

JUDGMENT: Final = "eval-judgment"
ADJUDICATION: Final = "adjudication"
MARKS: Final = (JUDGMENT, ADJUDICATION)
FailureType = Literal["wrong-output", "hallucination", "format-error", "timeout", "refusal"]
JudgeType = Literal["human", "llm", "heuristic"]
"""Who judges: a person, a model or a rule."""
PERSON: Final[JudgeType] = "human"
_JUDGE_TYPES: Final[tuple[JudgeType, ...]] = get_args(JudgeType)
Severity = Literal["critical", "major", "minor"]
Decision = Literal["accepted", "rejected", "open", "asked"]
Winner = Literal["left", "right", "tie", "both bad"]
"""What a blind judge says of the two outputs on the screen."""
Part = Literal["joined", "gave up", "revealed"]
"""What a judge did in a blind study beside judging: what ends their part is never taken back."""
Drawn = Literal["one", "all"]
"""How many runs of each case and side a blind study compares."""
ApprovalDecision = Literal["approved", "refused", "waived", "withdrawn"]
TaskStatus = Literal["open", "done"]
Seen = Literal["recorded", "others"]
"""Whose scores of a run a judge could have seen before: the recorded ones, other people's."""
Reasons = Literal["required", "for a fail", "optional"]
"""For which verdicts of a suite a reason in words is required."""
REQUIRED: Final[Reasons] = "required"
"""What holds where nobody chose: a score without its reason gives nobody anything to work with."""
REASONS: Final[tuple[Reasons, ...]] = get_args(Reasons)
NO_REASON: Final = "no reason given"
"""What stands where a reason would, if a verdict has none."""
NOTHING: Final = "nothing"
"""In the column `seen`: the judge saw no score of the run before."""
ORIGIN: Final = "review"
"""The origin of the scores of runs that records add up to."""
SINGLE: Final = (*MARKS, "skip")
"""The types of which one record of a scope counts; of the others, one of each chain."""
ADJUDICATED: Final = "adjudicated"
"""Who has judged, as the tables say, where it was decided what counts."""
INDEPENDENT: Final = "independent-batch"
REVEAL: Final = "reveal"
JUDGING_RULE: Final = "judging-rule"
FAILURE: Final = "eval-failure"
DECISION: Final = "suggestion-decision"
SAVED_VIEW: Final = "saved-view"
BLIND_STUDY: Final = "blind-study"
BLIND_JUDGE: Final = "blind-judge"
BLIND_VERDICT: Final = "blind-verdict"
BLIND_KEY: Final = "blind-key"
BENCHMARK: Final = "benchmark"
BENCHMARK_RUN: Final = "benchmark-run"
TREND: Final = "eval-trend"
PROMPT_COMPARISON: Final = "prompt-comparison"
RELATION: Final = "relation"
TASK: Final = "task"
MESSAGE: Final = "message"
LESSON: Final = "memory-item"
APPROVAL: Final = "approval"
REMEMBERED: Final = (
    BENCHMARK, BENCHMARK_RUN, TREND, PROMPT_COMPARISON, RELATION, TASK, MESSAGE, LESSON, APPROVAL,
)  # fmt: skip
"""What is remembered of the whole suite; judging never asks for it."""
TYPES: Final = (
    JUDGMENT, ADJUDICATION, "exclusion", "note", "skip", "approval-request", INDEPENDENT, REVEAL,
    FAILURE, DECISION, SAVED_VIEW, BLIND_STUDY, BLIND_JUDGE, BLIND_VERDICT, BLIND_KEY, JUDGING_RULE,
    *REMEMBERED,
)  # fmt: skip
UNFINISHED: Final = ".tmp"
"""The folder inside `reviews` where a record is written before it has its name."""

EPOCH: Final = datetime.min.replace(tzinfo=UTC)
_BY_TIME: Final = attrgetter("created_at", "id")


class Review(NamedTuple):
    """A record whose fields are not validated yet; `path` is that of its file."""

    type: str
    id: str
    fields: Mapping[str, Any]
    created_at: datetime
    created_by: str
    supersedes: tuple[str, ...]
    basis: Mapping[str, Any]
    path: str

    @property
    def order(self) -> tuple[datetime, str]:
        """The sort key by time; ids grow with their creation time."""
        return self.created_at, self.id


class Chain(NamedTuple):
    """Records that replace each other; a person must decide between the head and its rivals."""

    head: Review
    replaced: tuple[Review, ...]
    rivals: tuple[Review, ...]

    @property
    def heads(self) -> tuple[Review, ...]:
        """The records that a new one has to replace to be the only one that counts."""
        return (*self.rivals, self.head)

    @property
    def members(self) -> tuple[Review, ...]:
        """All records."""
        return (*self.replaced, *self.rivals, self.head)


def is_written_here(value: object) -> bool:
    """Return whether a JSON value is a record written by evalcore, wherever it is."""
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        return False
    kind = value.get("type")
    return isinstance(kind, str) and kind in TYPES


def review_of(value: Any, path: str) -> Review | None:
    """Return the record of a JSON value, None if evalcore did not write it."""
    if not is_written_here(value):
        return None
    name, fields = value.get("id"), value.get("fields")
    if not isinstance(name, str) or not name or not isinstance(fields, dict):
        return None
    by, old, basis = (value.get(key) for key in ("createdBy", "supersedes", "evalcore"))
    names = old if isinstance(old, list) else [old]
    return Review(
        value["type"],
        name,
        fields,
        parse_time(value.get("createdAt")) or EPOCH,
        by if isinstance(by, str) else "",
        tuple(dict.fromkeys(each for each in names if isinstance(each, str) and each)),
        basis if isinstance(basis, dict) else {},
        path,
    )


def needs_reason(rule: object, fails: bool) -> bool:
    """Return whether a verdict needs a reason in words; whatever is no rule requires one."""
    return rule not in REASONS[1:] or (fails and rule != "optional")


class Decided(NamedTuple):
    """What a rule decided of a criterion: whether it is met, the share of its scale, and why."""

    passed: bool
    share: float
    why: str


def decided_in(request: Review) -> dict[str, Decided]:
    """Return what rules had decided when a request left the rest to people, by `kind:criterion`."""
    stated, found = request.fields.get("decided"), dict[str, Decided]()
    for each in stated if isinstance(stated, list) else ():
        match each:
            case {
                "criterionId": str(key),
                "passed": bool(passed),
                "share": int() | float() as share,
            }:
                why = each.get("rationale")
                found[key] = Decided(passed, share, why if isinstance(why, str) else "")
    return found


def judge_of(review: Review) -> str:
    """Return the judge in the fields, else the author of the record.

    The reserved name of adjudications is never a judge's name, so nobody outranks others by it. A
    judgment that another wrote has both names.
    """
    name = _named(review)
    if name == review.created_by != ADJUDICATED:
        return name
    if by_another(review):
        return f"{name} (written by {review.created_by})"
    return f"{name} (a judge)" if name == ADJUDICATED and review.type == JUDGMENT else name


def judge_type_of(review: Review) -> JudgeType:
    """Return what kind of judge a record is from: a person, unless a judgment says otherwise."""
    stated = review.fields.get("judgedByType") if review.type == JUDGMENT else None
    return next((each for each in _JUDGE_TYPES if each == stated), PERSON)


def is_by_person(review: Review) -> bool:
    """Return whether a record is a person's; judgments may be a model's or a rule's."""
    return judge_type_of(review) == PERSON


def by_another(review: Review) -> bool:
    """Return whether another than its judge wrote a judgment, which then counts for nothing."""
    by = review.created_by
    return bool(by) and review.type == JUDGMENT and _named(review) != by


def _named(review: Review) -> str:
    """Return the judge that a record names, else its author."""
    named = review.fields.get("judgedBy")
    return named if isinstance(named, str) and named else review.created_by


def scope(review: Review) -> tuple[str, str, str]:
    """Return type, person and criterion: among the records of one run, only those replace another.

    Nobody replaces another's judgments, skips and reveals; everybody may replace other records.
    """
    kind = review.type
    if kind in MARKS:
        key = review.fields.get("criterionId")
        name = key if isinstance(key, str) else ""
        return kind, judge_of(review) if kind == JUDGMENT else "", name
    return kind, review.created_by if kind in ("skip", REVEAL) else "", ""


def chains(reviews: Sequence[Review]) -> list[Chain]:
    """Group records of one scope into chains of `supersedes`, in the order of their heads.

    The newest of several heads counts until a record replaces all of them; the others are its
    rivals, whatever their dates. Names of records that are not among `reviews` are passed over.
    """
    if len(reviews) == 1:
        return [Chain(reviews[0], (), ())]
    known = {review.id: review for review in sorted(reviews, key=_BY_TIME)}
    links = {
        review.id: [name for name in review.supersedes if name in known and name != review.id]
        for review in known.values()
        if review.supersedes
    }
    found = []
    for heads, replaced in linked(links):
        *rivals, head = sorted((known.pop(name) for name in heads), key=_BY_TIME)
        old = sorted((known.pop(name) for name in replaced), key=_BY_TIME)
        found.append(Chain(head, tuple(old), tuple(rivals)))
    found += [Chain(review, (), ()) for review in known.values()]
    return sorted(found, key=lambda chain: chain.head.order)


def joined(found: Sequence[Chain]) -> Chain:
    """Return several chains as one, of whose heads the newest counts; the chains are in order."""
    if len(found) == 1:
        return found[0]
    heads = sorted((each for chain in found for each in (chain.head, *chain.rivals)), key=_BY_TIME)
    old = sorted((each for chain in found for each in chain.replaced), key=_BY_TIME)
    return Chain(heads[-1], tuple(old), tuple(heads[:-1]))


BY_RULE: Final = "evalcore"
"""The author of what a program writes by a rule."""
MODEL_MARK: Final = "model:"
"""What precedes the name of a model that wrote a record; a person's id has no colon."""


def origin_of(author: str | None, otherwise: str = "person") -> str:
    """Return who says what a failure is, by the author of its record."""
    if author == BY_RULE:
        return "rule"
    return "model" if author is not None and author.startswith(MODEL_MARK) else otherwise


_HINT: Final = "docs/families.md lists the records of a `reviews` folder and their fields."

_UNFINISHED: Final = f"{REVIEWS}/{UNFINISHED}/"


class ReviewPath(NamedTuple):
    """The parts of a review's path: root of the suite, type folder, and name without `.json`."""

    root: str
    type: str
    name: str


def review_path(path: str) -> ReviewPath | None:
    """Return the parts of `<root>/reviews/<type>/<id>.json`; None for any other path."""
    parts = path.rsplit("/", 3)
    if len(parts) < 4:
        parts.insert(0, "")
    if len(parts) < 4 or parts[1] != REVIEWS or parts[2] == UNFINISHED:
        return None
    return ReviewPath(parts[0], parts[2], parts[3][:-5]) if parts[3].endswith(".json") else None


def is_unfinished(path: str) -> bool:
    """Return whether a file is unfinished and must not be read."""
    return _UNFINISHED in path and f"/{_UNFINISHED}" in f"/{path}"


def is_ours(path: str, value: Json, *, in_store: bool) -> bool:
    """Return whether a file is a review, maybe a broken one; a store has judgments of its own."""
    if isinstance(value, dict) and "schema" in value:
        return True
    place = review_path(path)
    return place is not None and place.type in TYPES and (value is MISSING or not in_store)


def checked(path: str, value: Json, reader: Reader, suite: str | None) -> Review | None:
    """Return the review in a file; None after reporting, in a known suite, why it is invalid."""
    review, place = review_of(value, path), review_path(path)
    if review is not None and (place is None or place[1:] == (review.type, review.id)):
        return review
    if value is MISSING or suite is None:
        return None  # that it could not be read is noted already
    code = "not-a-review"
    if review is not None and place is not None:
        code = "misplaced-review"
        message = (
            f"The {review.type} {review.id[:60]!r} is stored as {place.name[:60]!r} in the folder "
            f"{place.type!r}, so it may be a copy; it was not read."
        )
    elif not isinstance(value, dict) or "schema" not in value:
        message = "This is not a record of a `reviews` folder: it has no `schema`; it was not read."
    elif value["schema"] != SCHEMA:
        message = f"The `schema` of this record is not {SCHEMA}; it was not read."
    elif not is_written_here(value):
        message = "The type of this record is unknown; it was not read."
    else:
        missing = "`id`" if isinstance(value.get("fields"), dict) else "`fields`"
        message = f"This record has no readable {missing}; it was not read."
    reader.problem(path, "", "warning", code, message, _HINT, suite)
    return None


def note_stray(reader: Reader, path: str) -> None:
    """Report a review record outside of any suite's review folder."""
    message = (
        "This is a record of what a person said, but it is not in a `reviews` folder of a suite; "
        "it was not read."
    )
    hint = "Move it to `reviews/<type>/<id>.json` in its suite's folder."
    reader.problem(path, "", "warning", "unrecognised", message, hint)
