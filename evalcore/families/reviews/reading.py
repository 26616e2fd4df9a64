"""Turn the records of the `reviews` folders of suites into rows.

Of the records that replace each other, the newest counts. Scores are compared with what they rest
on and added up by judge. What is remembered - benchmarks, their runs, trends, decisions, messages -
is related to what it names.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, get_args

from evalcore.disk.reader import Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import RECORDED, REVIEWS, UNATTACHED, is_review
from evalcore.families.remembering import (
    MESSAGES,
    Said,
    approval_row,
    benchmark_run_row,
    definition_row,
    failure_row,
    message_row,
    note_repeated,
    prompt_comparison_row,
    rate,
    trend_rows,
)
from evalcore.families.reviews.basis import View, changed, criterion_wording, prompt_wording
from evalcore.families.reviews.lookup import (
    Lookup,
    Outputs,
    Run,
    Subject,
    Suite,
    record_at,
    run_named,
    split_key,
    subjects,
)
from evalcore.families.reviews.matching import Attached, Folder, attach
from evalcore.families.reviews.review import (
    ADJUDICATED,
    ADJUDICATION,
    APPROVAL,
    BENCHMARK,
    BENCHMARK_RUN,
    BLIND_STUDY,
    DECISION,
    EPOCH,
    FAILURE,
    MARKS,
    NO_REASON,
    NOTHING,
    ORIGIN,
    PERSON,
    PROMPT_COMPARISON,
    RELATION,
    REMEMBERED,
    SAVED_VIEW,
    SINGLE,
    TREND,
    Chain,
    Review,
    Seen,
    by_another,
    chains,
    checked,
    decided_in,
    joined,
    judge_of,
    judge_type_of,
    needs_reason,
    origin_of,
    scope,
)
from evalcore.families.reviews.saved_views import view_faults
from evalcore.families.scoring import RUBRIC, Criterion, Key, confidence, is_invalid
from evalcore.ids import within
from evalcore.numbers import median
from evalcore.problems import pointer
from evalcore.shapes.judge import RULE
from evalcore.shapes.relations import PRODUCES_BENCHMARK_RUN, PRODUCES_RUN, RELATIONS
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    BenchmarkDefinitionRow,
    DocumentRow,
    ExclusionRow,
    FeedbackRow,
    FingerprintRow,
    JudgmentRow,
    NoteRow,
    RelationRow,
    RequestRow,
    RunScoreRow,
)

Linked = tuple[Chain, Subject | None]
"""Records that replace each other, and the run they are about."""

TAKEN_BACK: Final = {
    "exclusion": "lifted", "skip": "lifted", "approval-request": "done", "saved-view": "removed",
}  # fmt: skip
"""The field by which a record of a type takes back what the records before it said."""

FAMILY: Final = REVIEWS
"""What the documents are listed as; no suite is of this family."""
BROKEN: Final = "broken"
NAMED: Final = 5
"""So many records are named in one problem; of the others it has the number."""
_RUNS_NAMED: Final = 3
_SEEN: Final[frozenset[str]] = frozenset(get_args(Seen))


def read_reviews(
    files: Iterable[tuple[Folder, Sequence[tuple[str, Json]]]],
    known: Lookup,
    reader: Reader,
    rows: Rows,
) -> set[str]:
    """Add the rows of the records of some `reviews` folders; return the paths that were read.

    The files of each folder are (path, value); problems of one do not affect others. Records in
    several folders of one suite are read together, so that one corrects the other.
    """
    outputs = Outputs(reader)
    by_suite: dict[str, list[Attached]] = defaultdict(list)
    taken: set[str] = set()
    for folder, content in files:
        own = folder.own[0].id if folder.own else None
        found: list[Review] = []
        broken: list[str] = []
        for path, value in content:
            review = checked(path, value, reader, own)
            if review is not None:
                found.append(review)
            elif own is not None:
                broken.append(path)
        for each in attach(found, folder, known, outputs.sha256):
            by_suite[each.suite.id].append(each)
            path, kind = each.review.path, each.review.type
            taken.add(path)
            rows.add(DocumentRow(path, FAMILY, kind, each.suite.id, records=1))
        for path in broken:
            taken.add(path)
            rows.add(DocumentRow(path, FAMILY, BROKEN, own, records=0))
    for suite in known.suites:
        if suite.id in by_suite:
            SuiteReviews(suite, known, reader, rows, outputs, by_suite[suite.id]).read()
    return taken


class SuiteReviews:
    """Reads the records of one suite; `attached` are all of them."""

    def __init__(
        self,
        suite: Suite,
        known: Lookup,
        reader: Reader,
        rows: Rows,
        outputs: Outputs,
        attached: Sequence[Attached],
    ) -> None:
        self.suite = suite
        self.known = known
        self.reader = reader
        self.rows = rows
        self.outputs = outputs
        self.attached = attached
        self._ids = {each.review.id for each in attached}
        self._unmatched = {
            each.review.path: each.match for each in attached if each.match.run is None
        }
        runs = {run.id: run for each in attached if (run := each.match.run) is not None}
        self._subjects = subjects(known, suite, runs.values())

    def read(self) -> None:
        """Add the rows of all records; what others than the judge wrote counts for nothing."""
        failures: list[tuple[Review, Subject | None]] = []
        foreign: list[tuple[Review, Subject | None]] = []
        remembered: list[Review] = []
        scopes: dict[tuple[str, ...], tuple[Subject | None, list[Review]]] = {}
        for review, _, match in self.attached:
            subject = self._subjects[match.run.id] if match.run is not None else None
            if by_another(review):
                foreign.append((review, subject))
            elif review.type in REMEMBERED:
                remembered.append(review)
            elif review.type == FAILURE:
                failures.append((review, subject))
            else:
                kind, person, criterion = scope(review)
                if self.suite.family.is_store:
                    criterion = criterion.removeprefix(f"{RUBRIC}:")
                # A run is the same under another of its names.
                name = subject.run.id if subject is not None else run_named(review) or ""
                key = name, kind, person, judge_type_of(review), criterion
                scopes.setdefault(key, (subject, []))[1].append(review)
        if remembered:
            _Memory(self, remembered).add_rows()
        scored: list[Linked] = []
        others: list[Linked] = []
        for subject, members in scopes.values():
            kind, found = members[0].type, chains(members)
            one = [joined(found)] if kind in SINGLE else found
            (scored if kind in MARKS else others).extend((chain, subject) for chain in one)
        others.sort(key=lambda each: each[0].head.order)
        self._note_foreign(review for review, _ in foreign)
        for chain, subject in (*scored, *others):
            self.note_chain(chain, subject)
        marks = [self._mark(review, subject, "foreign") for review, subject in foreign]
        marks += [
            self._mark(review, subject, "superseded")
            for chain, subject in scored
            for review in (*chain.replaced, *chain.rivals)
        ]
        marks += [self._mark(chain.head, subject, "head") for chain, subject in scored]
        self._add_totals(marks)
        self._add_others(others)
        self._add_fingerprints((*scored, *others))
        if failures:
            self._add_failures(failures)

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
        match = self._unmatched.get(head.path) if subject is None else None
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
        taken_back = TAKEN_BACK.get(head.type, "")
        if chain.rivals and not all(each.fields.get(taken_back) is True for each in chain.heads):
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
                    references[name in self._ids].append((review, name))
        for is_here, found in references.items():
            review, name = found[-1]
            why = "which is not here; it counts"
            if is_here:
                others = "which is another's, or of another type, run or criterion, or itself"
                why = f"{others}; both count"
            self._record(review).note(
                "warning",
                "foreign-supersedes" if is_here else "dangling-reference",
                f"The {review.type} replaces {name[:60]!r}{_more(found)}, {why} as if it did not.",
                "Restore the record, or correct `supersedes`.",
                "supersedes",
            )

    def _record(self, review: Review) -> Node:
        """Return the record itself as a node, to report its problems."""
        return Node(self.reader, review.path, {}, "", self.suite.id)

    def _note_foreign(self, reviews: Iterable[Review]) -> None:
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

    def _mark(
        self,
        review: Review,
        subject: Subject | None,
        standing: Literal["head", "superseded", "foreign"],
    ) -> JudgmentRow:
        """Add the row of a record's score, and return it; only the head of a chain is checked."""
        node, family = self.node(review), self.suite.family
        key = node.text("criterionId") or ""
        kind, name = split_key(key, family)
        criterion = None if subject is None else subject.criteria.get((kind or "", name))
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
            is_asked = False
            if subject is not None and key:
                is_asked = _is_asked(node, key, subject, criterion, high)
            if score is None:
                status = "unscored"
            elif subject is None or criterion is None or not is_asked:
                status = UNATTACHED
            else:
                view, run = View(subject.run.source, self.outputs.has), subject.run
                is_defined = criterion.source not in subject.graded
                stale = changed(
                    review.basis,
                    lambda: self.outputs.sha256(run),
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
            seen=None
            if seen is None
            else "+".join(sorted(map(str, seen), reverse=True)) or NOTHING,
            source=review.path,
            pointer="",
            rationale=node.text("rationale"),
            evidence="\n".join(text for text, _ in node.texts("evidence")) or None,
        )
        self.rows.add(row)
        return row

    def _add_totals(self, marks: Iterable[JudgmentRow]) -> None:
        """Add one row for each run and judge, and one for `adjudicated` if somebody decided.

        Only current scores are added up; a judge whose scores are all withdrawn has no row. What
        was not decided is the median of the scores of people, and what a person left to a rule is
        what the rule said.
        """
        # By run, and by the name and the type of the judge: a person and a model may be called the
        # same.
        of_run: dict[str, dict[tuple[str | None, str | None], dict[Key, float]]] = defaultdict(dict)
        for mark in marks:
            if mark.run_id is not None and mark.status in ("scored", "stale"):
                own = of_run[mark.run_id].setdefault((mark.judge, mark.judge_type), {})
                if mark.status == "scored" and mark.score is not None:
                    own[mark.kind or "", mark.criterion or ""] = mark.score
        thresholds, by_rules = self._thresholds(), self._by_rules(of_run)
        for name, judges in of_run.items():
            subject = self._subjects[name]
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
                total = self.suite.family.scoring.total(subject.to_judge, scores, threshold)
                self.rows.add(RunScoreRow(name, judge, judge_type, *total, origin=ORIGIN))

    def _by_rules(self, runs: Collection[str]) -> Mapping[str, dict[Key, float]]:
        """Return the scores that rules gave to some criteria, in a run's grading or a request."""
        found: dict[str, dict[Key, float]] = defaultdict(dict)

        def add(run: str, key: Key, score: float | None, share: float | None) -> None:
            criterion = self._subjects[run].to_judge.get(key)
            if criterion is not None and score is None and share is not None:
                low, high = criterion.low or 0.0, 1.0 if criterion.high is None else criterion.high
                score = low + share * (high - low)
            if criterion is not None and score is not None:
                found[run][key] = score

        names = ("run_id", "kind", "criterion", "score", "passed", "judge_type", "status", "source")
        rows = self.known.rows("judgments", names, "run_id", runs) if runs else ()
        for run, kind, name, score, passed, judge_type, status, source in rows:
            if judge_type == RULE and status == "scored" and not is_review(source):
                add(run, (kind or "", name or ""), score, None if passed is None else float(passed))
        for each in self.attached:
            if each.match.run is not None and each.match.run.id in runs:
                for stated, said in decided_in(each.review).items():
                    kind, name = split_key(stated, self.suite.family)
                    add(each.match.run.id, (kind or "", name), None, said.share)
        for run, scores in found.items():
            if scores.keys() >= self._subjects[run].to_judge.keys():
                found[run] = {}  # nothing was left: who judges such a run judges all of it
        return found

    def _thresholds(self) -> dict[str, float]:
        """Return the passing threshold, from its rubric's own record, of each case of a store."""
        cases = {each.run.case_id for each in self._subjects.values() if each.run.case_id}
        if not self.suite.family.scoring.by_total or not cases:
            return {}
        ends = ("relation", "source_id", "target_id", "source", "pointer")

        def related(relation: str, sources: Collection[str]) -> Iterator[tuple[Any, ...]]:
            rows = self.known.rows("relations", ends, "source_id", sources, self.suite.id)
            return (row[1:] for row in rows if row[0] == relation)

        rubrics: dict[str, str] = {}
        for case, rubric, _, _ in related("evaluated_by", cases):
            rubrics.setdefault(case, rubric)
        found: dict[str, float] = {}
        for rubric, _, path, place in related("composed_of", set(rubrics.values())):
            if not path or place is None or rubric in found:
                continue
            record = record_at(self.outputs.value(path), place)
            fields = record.get("fields")
            value: Any = fields.get("passingThreshold") if isinstance(fields, dict) else None
            if type(value) in (int, float) and record.get("id") == rubric:
                found[rubric] = float(value)
        return {case: found[rubric] for case, rubric in rubrics.items() if rubric in found}

    def _add_others(self, linked: Iterable[Linked]) -> None:
        """Add the rows of notes, decisions, exclusions, requests and skips that still hold."""
        for chain, subject in linked:
            review = chain.head
            node = self.node(review)
            version = subject.run.version if subject else None
            said: dict[str, Any] = {
                "suite": self.suite.id,
                "run_id": subject.run.id if subject else None,
                "author": review.created_by or None,
                "created_at": review.created_at,
                "source": review.path,
            }
            if review.type == "note":
                text, at = node.text("text"), "/fields/text"
                if text is not None and text.strip():
                    row = NoteRow(**said, version=version, kind="note", text=text, pointer=at)
                    self.rows.add(row)
            elif review.type == DECISION:
                kind, text, at = node.text("decision"), node.text("text"), "/fields/text"
                if kind in ("accepted", "rejected", "asked") and text is not None and text.strip():
                    target, action = node.text("target"), node.text("reason") or None
                    told = FeedbackRow(**said, version=version, kind=kind, text=text, pointer=at)
                    self.rows.add(told._replace(target=target, action=action))
            elif review.type == SAVED_VIEW:
                for field, why in view_faults(review.fields):
                    hint = "Remove the file, or save the view again on its page."
                    key = field if field in review.fields else None
                    node.note("warning", "not-a-view", f"{why} The view is not used.", hint, key)
            elif review.type in TAKEN_BACK and not node.flag(TAKEN_BACK[review.type]):
                reason = node.text("reason") or ""
                if review.type != "exclusion":
                    self.rows.add(RequestRow(**said, kind=review.type, reason=reason, pointer=""))
                elif reason.strip():
                    self.rows.add(ExclusionRow(**said, reason=reason, pointer=""))
                else:
                    message = (
                        "This excludes a run without giving a reason, so the run still counts."
                    )
                    hint = "Add the reason why the run does not count."
                    key = "reason" if "reason" in review.fields else None
                    node.note("warning", "no-reason", message, hint, key)

    def _add_fingerprints(self, linked: Iterable[Linked]) -> None:
        """Add a row for each output whose sha256 a current record states, and if it is so now."""
        for chain, subject in linked:
            review = chain.head
            stated: list[tuple[Run, str, str]] = []
            sha256 = review.basis.get("outputSha256")
            if subject is not None and isinstance(sha256, str):
                stated.append((subject.run, sha256, "/evalcore/outputSha256"))
            if review.type == BLIND_STUDY:
                # The ids of its runs are those of the open folder: only the suite's part differs.
                sides: dict[str, tuple[str, str]] = {}
                pairs: Any = review.fields.get("pairs")
                for at, pair in enumerate(pairs if isinstance(pairs, list) else []):
                    for side in "AB" if isinstance(pair, dict) else "":
                        name, sha256 = pair.get(f"run{side}"), pair.get(f"output{side}")
                        tail = name.partition("::")[2] if isinstance(name, str) else ""
                        if tail and isinstance(sha256, str):
                            place = pointer("fields", "pairs", at, f"output{side}")
                            sides.setdefault(f"{self.suite.prefix}::{tail}", (sha256, place))
                runs = self.known.runs(sides)
                stated += [(runs[name][0], *said) for name, said in sides.items() if name in runs]
            for run, sha256, place in stated:
                self.rows.add(
                    FingerprintRow(
                        suite=self.suite.id,
                        run_id=run.id,
                        kind=review.type,
                        kept=self.outputs.sha256(run) == sha256,
                        author=review.created_by or None,
                        source=review.path,
                        pointer=place,
                    )
                )

    def _add_failures(self, failures: Sequence[tuple[Review, Subject | None]]) -> None:
        """Add a row for each failure that people classified, and report what contradicts.

        A failure is nobody's own: anybody may replace it, also one that a store of records holds.
        Failures that documents of the suite hold are the oldest of their chains. Chains of one run
        that replace no such failure are one: two people may classify the same run at the same time,
        and then somebody has to decide.
        """
        of = {review.id: subject for review, subject in failures}
        columns = ("failure_id", "origin", "source")
        stored = [
            Review(FAILURE, name, {}, EPOCH, "", (), {}, source)
            for name, origin, source in self.known.rows(
                "failures", columns, "suite", [self.suite.id]
            )
            if origin == RECORDED and name not in of
        ]
        of_run: dict[str, list[Chain]] = defaultdict(list)
        found: list[Chain] = []
        for chain in chains([*stored, *(review for review, _ in failures)]):
            if chain.head.id not in of:
                continue
            subject = of[chain.head.id]
            run = subject.run.id if subject is not None else run_named(chain.head) or ""
            is_own = all(member.id in of for member in chain.members)
            (of_run[run] if is_own else found).append(chain)
        for chain in (*found, *map(joined, of_run.values())):
            review, subject = chain.head, of[chain.head.id]
            self.note_chain(chain, subject)
            said, listed = self.said(chain), review.fields.get("affectedCriterionIds")
            names = listed if isinstance(listed, list) else []
            criteria = [name for name in names if isinstance(name, str)]
            failed = subject.run.id if subject is not None else None
            row = failure_row(said, failed, criteria, parse_time(review.fields.get("resolvedAt")))
            self.rows.add(
                row._replace(
                    named_run=run_named(review),
                    origin=origin_of(review.created_by),
                    supersedes=json.dumps(said.supersedes, ensure_ascii=False),
                    rivals=json.dumps(said.rivals, ensure_ascii=False),
                )
            )


def _more(found: Sequence[object]) -> str:
    """Return how many there are besides the first one."""
    return f" and {len(found) - 1:,} more" if len(found) > 1 else ""


def _is_asked(
    node: Node, key: str, subject: Subject, criterion: Criterion | None, high: float | None
) -> bool:
    """Say whether people score a criterion in a run; report one that they do not."""
    is_asked = criterion is not None and (criterion.kind, criterion.name) in subject.to_judge
    code, field, hint = "dangling-reference", "criterionId", "Judge another one."
    if criterion is None:
        said = f"The run has no criterion {key[:80]!r} now; the score is kept but does not count."
        hint = "Judge the criteria that the run has now."
    elif not is_asked:
        said = (
            f"The criterion {key[:80]!r} is not one that people score in this run; its score is "
            "kept but does not count."
        )
        code = "criterion-not-asked"
    elif criterion.high is not None and high is not None and high != criterion.high:
        said = (
            f"The judgment says maxScore {high:g}, its criterion {criterion.high:g}; the "
            "judgment's own is used."
        )
        code, field, hint = "scale-mismatch", "maxScore", "Judge again on the criterion's scale."
    else:
        return True
    node.note("warning", code, said, hint, field)
    return is_asked


_RELATED: Final = {each.name: each for each in RELATIONS if each.name != "produces"}
"""The relations by name; `produces` joins two pairs of types, which its ends tell."""

_HERE: Final = frozenset({BENCHMARK, BENCHMARK_RUN, TREND, PROMPT_COMPARISON})
"""The types at the ends of relations of which all records are known here."""


class _Memory:
    """The remembered records of one suite in chains, and the current ids of what they name."""

    def __init__(self, suite: SuiteReviews, records: Sequence[Review]) -> None:
        self.of = suite
        self.rows = suite.rows
        by_type: dict[str, list[Review]] = defaultdict(list)
        for review in records:
            by_type[review.type].append(review)
        self.chains = {kind: chains(found) for kind, found in by_type.items()}
        self.heads = {
            (kind, member.id): chain.head.id
            for kind, found in self.chains.items()
            for chain in found
            for member in chain.members
        }
        known, prefix = suite.known, suite.suite.prefix
        named = {
            f"{prefix}::{within(run)}"
            for said in self.current(BENCHMARK_RUN)
            for run in _texts(said.node, "testRunIds")
        }
        self.runs = {within(name): runs[0] for name, runs in known.runs(named).items()}
        mine = known.rows("cases", ["case_id"], "suite", [suite.suite.id])
        self.cases = frozenset(case for (case,) in mine)

    def current(self, kind: str) -> Iterator[Said]:
        """Yield the records of a type that count: the heads of their chains."""
        return (self.of.said(chain) for chain in self.chains.get(kind, ()))

    def add_rows(self) -> None:
        """Add the rows of what is remembered, and report references that lead nowhere."""
        for found in self.chains.values():
            for chain in found:
                self.of.note_chain(chain, None)
        self._add_benchmarks()
        for said in self.current(TREND):
            for row in trend_rows(said, self._benchmark_of(said, TREND, "tracked_by")):
                self.rows.add(row)
        for said in self.current(PROMPT_COMPARISON):
            compared = prompt_comparison_row(said.node, said.id, "")
            named = said.node.text("winner")
            sides = {compared.version_b: "B", compared.version_a: "A", None: "tie"}
            if named not in sides:
                message = f"The winner {str(named)[:60]!r} is neither of the two versions."
                hint = "Name one of the two versions, or null for a tie."
                said.node.note("warning", "unknown-winner", message, hint, "winner")
            benchmark = self._benchmark_of(said, PROMPT_COMPARISON)
            self.rows.add(compared._replace(winner=sides.get(named), benchmark=benchmark))
        for said in self.current(RELATION):
            self._add_relation(said)
        for kind in MESSAGES:
            for said in self.current(kind):
                sent = message_row(kind, said)
                about = self.heads.get((sent.about_type or "", sent.about or ""), sent.about)
                answered = [self.heads.get((each, sent.in_reply_to or "")) for each in MESSAGES]
                reply = next(filter(None, answered), sent.in_reply_to)
                self.rows.add(sent._replace(about=about, in_reply_to=reply))
        for said in self.current(APPROVAL):
            self.rows.add(approval_row(said))

    def _add_benchmarks(self) -> None:
        """Add the benchmarks, and their runs with what they take over from them."""
        benchmarks: dict[str | None, BenchmarkDefinitionRow] = {}
        first: dict[str, str] = {}
        for said in self.current(BENCHMARK):
            cases = _texts(said.node, "testCaseIds")
            defined = benchmarks[said.id] = definition_row(said, cases)
            self.rows.add(defined)
            same = first.setdefault(defined.name or "", said.id)
            note_repeated(said.node, defined.name, same, said.id)
            for case in cases:
                self._name(said, BENCHMARK, "testCaseIds", "groups", ("test-case", case))
        for said in self.current(BENCHMARK_RUN):
            of = self._benchmark_of(said, BENCHMARK_RUN, "produces")
            listed = _texts(said.node, "testRunIds")
            for name in listed:
                self._name(said, BENCHMARK_RUN, "testRunIds", "aggregates", ("test-run", name))
            own = [self.runs[at] for at in map(within, listed) if at in self.runs]
            versions = {run.version for run in own}
            configurations = {run.configuration for run in own}
            benchmark = benchmarks.get(of) or BenchmarkDefinitionRow(said.suite, of or None)
            stated = said.node.number("overallScore"), rate(said.node)
            row = benchmark_run_row(said, benchmark, stated, len(listed))
            if len(versions) == 1:
                row = row._replace(version=versions.pop())
            if len(configurations) == 1:
                row = row._replace(configuration=configurations.pop() or "-")
            self.rows.add(row)

    def _add_relation(self, said: Said) -> None:
        """Add a relation that is a record of its own, and report ends that are not here."""
        node = said.node
        source, target = node.text("sourceId"), node.text("targetId")
        relation = node.text("relation")
        if source is None or target is None or relation is None:
            return
        joined = _RELATED.get(relation)
        if relation == "produces":
            of_benchmark = (BENCHMARK, source) in self.heads
            joined = PRODUCES_BENCHMARK_RUN if of_benchmark else PRODUCES_RUN
        first, second = (None, None) if joined is None else (joined.source, joined.target)
        is_here = False
        if first is None or second is None:
            message = f"{relation[:60]!r} is not a known relation between records."
            hint = f"The relations are {', '.join(sorted(('produces', *_RELATED)))}."
            node.note("info", "unknown-relation", message, hint, "relation")
        else:
            source, is_first = self._end(first, source)
            target, is_second = self._end(second, target)
            is_here = is_first and is_second
            if not is_first:
                _dangling(said, RELATION, "sourceId", first, source)
            elif not is_second:
                _dangling(said, RELATION, "targetId", second, target)
        ends = first, source, relation, second, target
        self.rows.add(RelationRow(said.suite, *ends, "record", is_here, said.path, ""))

    def _benchmark_of(self, said: Said, kind: str, relation: str = "") -> str | None:
        """Return the current id of the benchmark that a record names, and relate the two."""
        name = said.node.text("benchmarkId")
        if name is None:
            return None
        return self._name(said, kind, "benchmarkId", relation, (BENCHMARK, name))

    def _name(
        self, said: Said, kind: str, field: str, relation: str, named: tuple[str, str]
    ) -> str:
        """Return the current id of what a field of a record names, and relate the two."""
        wanted, name = named
        end, is_here = self._end(wanted, name)
        if not is_here:
            _dangling(said, kind, field, wanted, name)
        if relation:
            own, other = (kind, said.id), (wanted, end)
            first, second = (other, own) if wanted == BENCHMARK else (own, other)
            ends = *first, relation, *second
            at = f"/fields/{field}"
            self.rows.add(RelationRow(said.suite, *ends, "field", is_here, said.path, at))
        return end

    def _end(self, kind: str, name: str) -> tuple[str, bool]:
        """Return the current id of a record that is named, and whether it is here."""
        if kind == "test-run":
            run = self.runs.get(within(name))
            return (run.id, True) if run is not None else (name, False)
        if kind == "test-case":
            return name, name in self.cases
        head = self.heads.get((kind, name))
        return (head, True) if head is not None else (name, kind not in _HERE)


def _dangling(said: Said, kind: str, field: str, wanted: str, name: str) -> None:
    """Report a name that leads to nothing of this suite."""
    message = (
        f"The {kind} {said.id[:60]!r} names the {wanted} {name[:120]!r} in {field!r}, "
        "which this suite does not have."
    )
    hint = f"Restore the {wanted}, or write a record that replaces this one."
    said.node.note("warning", "dangling-reference", message, hint, field)


def _texts(node: Node, field: str) -> list[str]:
    """Return the texts of a list field of a record, each once."""
    value = node.get(field)
    items = value if isinstance(value, list) else []
    return list(dict.fromkeys(item for item in items if isinstance(item, str) and item))
