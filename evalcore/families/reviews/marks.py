"""The scores that records hold, each with its current status, and what they add up to by judge."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, get_args

from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.base import UNATTACHED, is_review
from evalcore.families.remembering import Said
from evalcore.families.reviews.changes import View, changed, criterion_wording, prompt_wording
from evalcore.families.reviews.lookup import (
    Lookup,
    Outputs,
    Subject,
    Suite,
    record_at,
    run_named,
    split_key,
)
from evalcore.families.reviews.matching import Attached, Match
from evalcore.families.reviews.review import (
    ADJUDICATED,
    ADJUDICATION,
    NO_REASON,
    PERSON,
    Chain,
    Review,
    Seen,
    decided_in,
    judge_of,
    judge_type_of,
    needs_reason,
)
from evalcore.families.scoring import Criterion, Key, confidence, is_invalid
from evalcore.numbers import median
from evalcore.shapes.judge import RULE
from evalcore.tables.builder import Rows
from evalcore.tables.rows import JudgmentRow, RunScoreRow

Linked = tuple[Chain, Subject | None]
"""Records that replace each other, and the run they are about."""

TAKEN_BACK: Final = {
    "exclusion": "lifted", "skip": "lifted", "approval-request": "done", "saved-view": "removed",
}  # fmt: skip
"""The field by which a record of a type takes back what the records before it said."""

_RUNS_NAMED: Final = 3
NAMED: Final = 5
"""So many records are named in one problem; of the others it has the number."""


@dataclass(eq=False)
class ReviewContext:
    """Everything that reading the records of one suite needs; `attached` are all of them."""

    suite: Suite
    known: Lookup
    reader: Reader
    rows: Rows
    outputs: Outputs
    attached: Sequence[Attached]

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of all records."""
        return frozenset(each.review.id for each in self.attached)

    @cached_property
    def unmatched(self) -> dict[str, Match]:
        """The matches of the records whose run is not certain, by their paths."""
        return {each.review.path: each.match for each in self.attached if each.match.run is None}

    def node(self, review: Review) -> Node:
        """Return the fields of a record as a node."""
        return Node(self.reader, review.path, review.fields, "/fields", self.suite.id)

    def said(self, chain: Chain) -> Said:
        """Return the record that counts of a chain, as its row is made of it."""
        head = chain.head
        old, rivals = ([each.id for each in of] for of in (chain.replaced, chain.rivals))
        by, at = head.created_by or None, head.created_at
        return Said(self.suite.id, head.id, self.node(head), by, at, head.path, "", old, rivals)

    def note_chain(self, chain: Chain, subject: Subject | None) -> None:
        """Report the problems of a chain: at most one of each kind, however long it is."""
        head = chain.head
        # A record that is remembered has no subject, also where it names a run that is here.
        match = self.unmatched.get(head.path) if subject is None else None
        name = run_named(head)
        if match is not None and name is not None:
            runs, code = match.runs, "ambiguous-run" if match.runs else "dangling-reference"
            what = "which this suite does not have."
            hint = "It counts again when the run is back."
            if runs:
                either = " and ".join(repr(run.id[:120]) for run in runs[:_RUNS_NAMED])
                more = f" or {len(runs) - _RUNS_NAMED:,} more" if len(runs) > _RUNS_NAMED else ""
                what = f"which may be {either}{more}; it counts for neither of them."
                hint = "Open the folder that it was stored from, and judge the run again."
            said = f"The {head.type} names the run {name[:120]!r}, {what}"
            self.node(head).note("warning", code, said, hint, "testRunId")
        if chain.rivals and not all(
            each.fields.get(TAKEN_BACK.get(each.type, "")) is True for each in chain.heads
        ):
            heads = {each.id for each in chain.heads}
            circle = any(name in heads for each in chain.heads for name in each.supersedes)
            names = ", ".join(repr(rival.id[:60]) for rival in chain.rivals[-NAMED:])
            more = _more(chain.rivals[NAMED - 1 :])
            how = "replace each other in a circle" if circle else "are both current"
            message = (
                f"The {head.type} {head.id[:60]!r} and {names}{more} {how}: none replaces the "
                f"others. Until somebody decides, the newest, {head.id[:60]!r}, counts."
            )
            hint = "Judge or decide it again: the new record replaces all of them."
            key = "supersedes" if head.supersedes else None
            self._record(head).note("warning", "conflict", message, hint, key)
        members = {each.id for each in chain.members}
        references: dict[bool, list[tuple[Review, str]]] = defaultdict(list)
        for review in chain.members:
            for name in review.supersedes:
                if name not in members or name == review.id:
                    references[name in self.ids].append((review, name))
        for is_here, found in references.items():
            review, name = found[-1]
            why = (
                "which is another's, or of another type, run or criterion, or itself; both count"
                if is_here
                else "which is not here; it counts"
            )
            self._record(review).note(
                "warning",
                "foreign-supersedes" if is_here else "dangling-reference",
                f"The {review.type} replaces {name[:60]!r}{_more(found)}, {why} as if it did not.",
                "Restore the record, or correct `supersedes`.",
                "supersedes",
            )

    def note_foreign(self, reviews: Iterable[Review]) -> None:
        """Report judgments that others than their judges wrote, once for each author and judge."""
        found: dict[tuple[str, str], list[Review]] = defaultdict(list)
        for review in reviews:
            found[review.created_by, str(review.fields.get("judgedBy"))].append(review)
        for (author, judge), members in found.items():
            self.node(members[0]).note(
                "warning",
                "foreign-judgment",
                f"{author[:60]!r} wrote this{_more(members)} as a judgment of {judge[:60]!r}. Only "
                "a judge's own judgments count: it is kept but does not count.",
                "Have the judge score it, or name the author in `judgedBy` if it is the author's "
                "own.",
                "judgedBy",
            )

    def _record(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {}, "", self.suite.id)


def _more(found: Sequence[object]) -> str:
    """Return how many there are besides the first one."""
    return f" and {len(found) - 1:,} more" if len(found) > 1 else ""


Standing = Literal["head", "superseded", "foreign"]
"""Whether a record is the head of its chain; foreign ones are in none."""
NOTHING: Final = "nothing"
"""In the column `seen`: the judge saw no score of the run before."""
_SEEN: Final[frozenset[str]] = frozenset(get_args(Seen))


def add_mark(
    context: ReviewContext, review: Review, subject: Subject | None, standing: Standing
) -> JudgmentRow:
    """Add the row of a record's score, and return it; only the head of a chain is checked."""
    node, family = context.node(review), context.suite.family
    key = node.text("criterionId") or ""
    kind, name = split_key(key, family)
    at = kind or "", name
    criterion = subject.criteria.get(at) if subject is not None else None
    low, high = node.number("minScore"), node.number("maxScore")
    if criterion is not None:
        low = criterion.low if low is None else low
        high = criterion.high if high is None else high
    score = node.number("score")
    status = "superseded"
    if standing == "foreign":
        score, status = None, "unscored"
    elif standing == "head":
        hint = "Judge this criterion again on its scale."
        who, scored = f"{review.type} {review.id}", (score, low, high)
        # The lowest score is a fail wherever the mark is; the form has asked for the others.
        silent = not needs_reason(review.basis.get("reasons"), low is None or score == low)
        reason = node.text("rationale") or (NO_REASON if silent else None)
        if score is not None and is_invalid(node, who, reason, scored, hint, "g"):
            score = None
        if subject is not None and key:
            _note_criterion(node, key, subject, criterion, high)
        if score is None:
            status = "unscored"
        elif subject is None or criterion is None or at not in subject.to_judge:
            status = UNATTACHED
        else:
            view, run = View(subject.run.source, context.outputs.has), subject.run
            is_defined = criterion.source not in subject.graded
            stale = changed(
                review.basis,
                lambda: context.outputs.sha256(run),
                prompt_wording(subject.prompt, view),
                criterion_wording(criterion, view) if is_defined else None,
            )
            status = "stale" if stale else "scored"
    seen = review.basis.get("seen")
    if not isinstance(seen, list) or not _SEEN.issuperset(map(str, seen)):
        seen = None
    row = JudgmentRow(
        run_id=subject.run.id if subject is not None else None,
        kind=kind,
        criterion=name,
        judge=ADJUDICATED if review.type == ADJUDICATION else judge_of(review),
        judge_type=judge_type_of(review),
        score=score,
        min_score=low,
        max_score=high,
        fraction=score / high if score is not None and high else None,
        passed=family.scoring.passes(criterion, score),
        confidence=confidence(node, "g"),
        confidence_level=node.text("confidenceLevel"),
        judged_at=node.time("judgedAt") or review.created_at,
        status=status,
        seen=None if seen is None else "+".join(sorted(map(str, seen), reverse=True)) or NOTHING,
        source=review.path,
        pointer="",
        rationale=node.text("rationale"),
        evidence="\n".join(text for text, _ in node.texts("evidence")) or None,
    )
    context.rows.add(row)
    return row


def _note_criterion(
    node: Node, key: str, subject: Subject, criterion: Criterion | None, high: float | None
) -> None:
    """Report a criterion that is unknown, not judged by people, or has another scale."""
    code, field = "dangling-reference", "criterionId"
    if criterion is None:
        said = f"The run has no criterion {key[:80]!r} now; the score is kept but does not count."
        hint = "Judge the criteria that the run has now."
    elif (criterion.kind, criterion.name) not in subject.to_judge:
        said = (
            f"The criterion {key[:80]!r} is not one that people score in this run; its score is "
            "kept but does not count."
        )
        code, hint = "criterion-not-asked", "Judge another one."
    elif criterion.high is not None and high is not None and high != criterion.high:
        said = (
            f"The judgment says maxScore {high:g}, its criterion {criterion.high:g}; the "
            "judgment's own is used."
        )
        code, field, hint = "scale-mismatch", "maxScore", "Judge again on the criterion's scale."
    else:
        return
    node.note("warning", code, said, hint, field)


ORIGIN = "review"


def add_totals(
    context: ReviewContext, marks: Iterable[JudgmentRow], subjects: Mapping[str, Subject]
) -> None:
    """Add one row for each run and judge, and one for `adjudicated` if somebody decided.

    Only current scores are added up; a judge whose scores are all withdrawn has no row. What was
    not decided is the median of the scores of people, and what a person left to a rule is what the
    rule said.
    """
    # By run, and by the name and the type of the judge: a person and a model may be called the
    # same.
    of_run: dict[str, dict[tuple[str | None, str | None], dict[Key, float]]] = defaultdict(dict)
    for mark in marks:
        if mark.run_id is not None and mark.status in ("scored", "stale"):
            own = of_run[mark.run_id].setdefault((mark.judge, mark.judge_type), {})
            if mark.status == "scored" and mark.score is not None:
                own[mark.kind or "", mark.criterion or ""] = mark.score
    thresholds, by_rules = _thresholds(context, subjects), _by_rules(context, of_run, subjects)
    for name, judges in of_run.items():
        subject = subjects[name]
        threshold = thresholds.get(subject.run.case_id or "")
        people: dict[Key, list[float]] = defaultdict(list)
        for (judge, judge_type), own in judges.items():
            if judge != ADJUDICATED and judge_type == PERSON:
                for key, score in own.items():
                    people[key].append(score)
        middle = {key: found for key, of in people.items() if (found := median(of)) is not None}
        for (judge, judge_type), own in judges.items():
            scores = {**middle, **own} if judge == ADJUDICATED else own
            if judge_type == PERSON and scores:
                scores = {**by_rules[name], **scores}
            total = context.suite.family.scoring.total(subject.to_judge, scores, threshold)
            context.rows.add(RunScoreRow(name, judge, judge_type, *total, origin=ORIGIN))


def _by_rules(
    context: ReviewContext, runs: Collection[str], subjects: Mapping[str, Subject]
) -> Mapping[str, dict[Key, float]]:
    """Return the scores of the criteria of some runs that rules decided, and so left to nobody.

    They stand in the grading of a run, or in the request for people to judge the rest of it.
    """
    found: dict[str, dict[Key, float]] = defaultdict(dict)

    def add(run: str, key: Key, score: float | None, share: float | None) -> None:
        criterion = subjects[run].to_judge.get(key)
        if criterion is not None and score is None and share is not None:
            low, high = criterion.low or 0.0, 1.0 if criterion.high is None else criterion.high
            score = low + share * (high - low)
        if criterion is not None and score is not None:
            found[run][key] = score

    names = ("run_id", "kind", "criterion", "score", "passed", "judge_type", "status", "source")
    rows = context.known.rows("judgments", names, "run_id", runs) if runs else ()
    for run, kind, name, score, passed, judge_type, status, source in rows:
        if judge_type == RULE and status == "scored" and not is_review(source):
            add(run, (kind or "", name or ""), score, None if passed is None else float(passed))
    for each in context.attached:
        if each.match.run is not None and each.match.run.id in runs:
            for stated, said in decided_in(each.review).items():
                kind, name = split_key(stated, context.suite.family)
                add(each.match.run.id, (kind or "", name), None, said.share)
    for run, scores in found.items():
        if scores.keys() >= subjects[run].to_judge.keys():
            found[run] = {}  # nothing was left: who judges such a run judges all of it
    return found


def _thresholds(context: ReviewContext, subjects: Mapping[str, Subject]) -> dict[str, float]:
    """Return the passing threshold of the rubric of each case of a store that has one.

    A rubric is read at the places that say what it is composed of: its own record, as a rule.
    """
    suite, known = context.suite, context.known
    cases = {each.run.case_id for each in subjects.values() if each.run.case_id}
    if not suite.family.scoring.by_total or not cases:
        return {}
    rubrics: dict[str, str] = {}
    ends = ("relation", "source_id", "target_id")
    for relation, case, rubric in known.rows("relations", ends, "source_id", cases, suite.id):
        if relation == "evaluated_by":
            rubrics.setdefault(case, rubric)
    found: dict[str, float] = {}
    places, named = ("relation", "source_id", "source", "pointer"), set(rubrics.values())
    for relation, rubric, path, pointer in known.rows(
        "relations", places, "source_id", named, suite.id
    ):
        if relation != "composed_of" or not path or pointer is None or rubric in found:
            continue
        record = record_at(context.outputs.value(path), pointer)
        fields = record.get("fields")
        value: Any = fields.get("passingThreshold") if isinstance(fields, dict) else None
        if type(value) in (int, float) and record.get("id") == rubric:
            found[rubric] = float(value)
    return {case: found[rubric] for case, rubric in rubrics.items() if rubric in found}
