"""Read suites whose test cases stand in one document, and each run's grading in one of its own.

A family declares the `Form` of both, and derives from `GradedSuite` what is its own.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import PENDING, Plan
from evalcore.ids import run_id
from evalcore.shapes.columns import Criterion, JudgmentColumns, Pattern
from evalcore.shapes.judge import HUMAN, UNNAMED, Judge, judge_from
from evalcore.shapes.judged import Items, Subject, judgment, label_of, numbered, unscored
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.restated import note_restated
from evalcore.shapes.typed import Typed
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import CaseRow, CriterionRow, DocumentRow, RunRow, SuiteRow

UNASSIGNED: Final = "unassigned"
"""The version of runs of which nothing says the version."""


class Form(NamedTuple):
    """How a family writes its test cases and gradings, and what is said of faults in them.

    The document `kind` lists the test cases under `cases`, and names the skill under `skill`;
    `case` is the word for one, and `case_field` the field of a grading that names one. `items` are
    the judged items of a grading, `label` and `note` fields of one. Where `labels_describe`, the
    label of a criterion is its whole text. `weight` is that of a case which states none, `guide`
    says what scores mean. Every case has the criteria `fixed_names` too, which gradings hold by
    name as the items `fixed`. `hints` say what to do about each code of a problem.
    """

    family: str
    kind: str
    skill: str
    cases: str
    case: str
    case_field: str
    items: Items
    label: str
    remarks: Remarks
    typed: Typed
    hints: Mapping[str, str]
    unknown_case: str
    unknown_criterion: str
    graded_twice: str
    no_cases_at: str | None = None
    note: str | None = None
    labels_describe: bool = False
    weight: float | None = None
    guide: str | None = None
    fixed: Items | None = None
    fixed_names: Mapping[str, str] = MappingProxyType({})


class Case(NamedTuple):
    """What the gradings of one case are compared with.

    `expected` maps its criteria to whether they are required, None where that is not said;
    `decided` says that it is known of all. `extra` are criteria that only gradings name.
    """

    expected: dict[str, bool | None]
    decided: bool
    weight: float | None
    extra: set[str]


class Measured(NamedTuple):
    """When a run began, and the time, tokens and money that it took; None is not measured."""

    started_at: datetime | None = None
    duration_s: float | None = None
    tokens: float | None = None
    cost_usd: float | None = None
    executor: str | None = None
    model: str | None = None


class Total(NamedTuple):
    """What the scores of one run add up to; None is what they do not tell.

    Of its criteria `judged` have a score, and `met` of these passed.
    """

    score: float | None
    max_score: float | None
    fraction: float | None
    met: int
    judged: int
    passed: bool | None = None
    required: float | None = None


NOTHING: Final = Measured()
_RUN: Final = (
    *About._fields, "run", "source", "outputs", "judge", "judge_type",
    "score", "max_score", "fraction", "checks_passed", "checks_total", "passed", "required_score",
    *Measured._fields, "benchmark_run",
)  # fmt: skip
"""The columns of a run: what it is, its judge, its `Total`, and what is measured."""
_SCORE: Final = (
    "run_id", "judge", "judge_type", "origin", "score", "max_score", "judged", "passed", "expected",
)  # fmt: skip


class Grading(NamedTuple):
    """A document with judged items; with a pattern where it is as documented throughout.

    Then `found` is what its type made of it, and `judge` who judged.
    """

    node: Node
    pattern: Pattern | None
    found: Any
    judge: Judge


class GradedSuite(ABC):
    """Reads the test cases and gradings of one suite; these reach the tables at `flush`."""

    form: ClassVar[Form]

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.plan = plan
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.known = False  # whether there is a list of test cases
        self.skill: str | None = None
        self.cases: dict[str, Case] = {}
        self.seen: dict[str, str] = {}  # run id to file
        self.unread: list[str] = []  # the files that say nothing of their run
        self.judgments = JudgmentColumns(rows)
        self.remarks = RemarkColumns(plan.suite, rows, self.form.remarks)
        self._runs = Gathered(
            rows.tables["runs"],
            _RUN,
            suite=plan.suite,
            configuration="-",
            origin="grading",
            status="completed",
            pointer="",
        )
        self._scores = Gathered(rows.tables["run_scores"], _SCORE)
        kind = {"family": self.form.family, "kind": "grading", "suite": plan.suite}
        self._documents = Gathered(rows.tables["documents"], ("path", "records"), **kind)
        self._label = attrgetter(self.form.label)
        self._unknown: dict[tuple[str, str], str] = {}  # case and criterion to the first file

    @abstractmethod
    def define(self, case: Node) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return columns of a case, and position, label and columns of each of its criteria."""

    @abstractmethod
    def usual(self, path: str, found: Any) -> str | None:
        """Return the case of a converted grading; None where anything needs a second look."""

    @abstractmethod
    def note_incomplete(self, doc: Node, case_id: str, missing: Sequence[str]) -> None:
        """Note that a grading has no result for some criteria of its case."""

    def read_cases(self, path: str) -> None:
        """Read the test cases of one document."""
        form, value = self.form, self.reader.json(path)
        node = Node(self.reader, path, value, suite=self.suite)
        if isinstance(value, dict) and isinstance(value.get(form.cases), list):
            self.known = True
            self.skill = node.text(form.skill) or None
            for case in node.items(form.cases):
                case_id = case.text("id")
                if not case_id:
                    message = f"This {form.case} has no id, so no grading can name it."
                    case.note("error", "missing-id", message, form.hints["missing-id"])
                    continue
                if case_id in self.cases:
                    message = (
                        f"The id {case_id!r} is used by an earlier case; this one was not read."
                    )
                    hint = f"Give each {form.case} its own id."
                    case.note("warning", "duplicate-case", message, hint, "id")
                    continue
                columns, criteria = self.define(case)
                row = CaseRow(self.suite, case_id, status="active", source=path, pointer=case.at)
                self.rows.add(row._replace(**columns))
                expected: dict[str, bool | None] = {}
                for position, label, own in criteria:
                    name = numbered(label, expected)
                    expected[name] = own.get("required")
                    place = {"position": position, "source": path}
                    self.add_row(form.items, case_id, name, **place, **own)
                decided = None not in expected.values()
                self.cases[case_id] = Case(expected, decided, columns.get("weight"), set())
                self._add_fixed(case_id, None)
        elif value is not MISSING:
            message = f"The file contains no list of {form.case}s."
            at = form.no_cases_at if isinstance(value, dict) else None
            node.note("error", "no-cases", message, form.hints["no-cases"], at)
        self.rows.add(DocumentRow(path, form.family, form.kind, self.suite, len(self.cases)))

    def _add_fixed(self, case_id: str, source: str | None) -> None:
        """Add the criteria that every case has."""
        for position, (name, text) in enumerate(self.form.fixed_names.items()):
            assert self.form.fixed is not None
            columns = {"description": text, "position": position, "source": source}
            self.add_row(self.form.fixed, case_id, name, required=False, **columns)

    def add_row(self, items: Items, case_id: str, name: str, **columns: Any) -> None:
        """Add a criterion of a case, of the kind and on the scale of some judged items."""
        low, high = items.scale
        guide = self.form.guide if items is self.form.items else None
        row = CriterionRow(self.suite, case_id, items.kind, name, None, guide=guide)
        row = row._replace(min_score=low, max_score=high, pass_at=items.passes_at)
        self.rows.add(row._replace(**columns))

    def weight(self, case_id: str) -> float:
        """Return the weight of a case."""
        case = self.cases.get(case_id)
        return 1.0 if case is None or case.weight is None else case.weight

    def load(self, path: str) -> Grading | None:
        """Return the grading in a file; None, after saying why, where it has no judged items."""
        form, items = self.form, self.form.items
        value = self.reader.json(path)
        found, pattern, judge = form.typed.read(value), None, UNNAMED
        case_id = None if found is None else self.usual(path, found)
        case = None if case_id is None else self.cases.get(case_id)
        # A person's may name the records that it was written from.
        if found is not None and case is not None and found.judge_type != HUMAN:
            labels = tuple(map(self._label, getattr(found, items.field)))
            judge, expected = judge_from((found.judge,), found.judge_type), case.expected

            def criteria() -> list[Criterion] | None:
                if not labels or sorted(labels) != sorted(expected):
                    return None
                several = enumerate(labels)
                own = [items.criterion(label, index, judge) for index, label in several]
                if form.fixed is not None:
                    names = form.fixed_names
                    own += [form.fixed.criterion(name, name, judge) for name in names]
                return own

            pattern = self.judgments.pattern((case_id, labels, judge), criteria)
        node = Node(self.reader, path, value, suite=self.suite)
        listed = node.get(items.field)
        is_held = type(listed) is list
        self._documents.add((path, len(listed) if is_held else 0))
        if is_held:
            return Grading(node, pattern, found, judge)
        self.unread.append(path)
        if isinstance(value, dict):
            code = f"no-{items.field}"
            message = f"The file contains no list of {items.field}, so it does not count."
            node.note("error", code, message, form.hints[code])
        elif value is not MISSING:
            node.type_problem("an object")
        return None

    def take(self, node: Node, case_id: str, version: str, run: str) -> tuple[About, Case] | None:
        """Return the run of a grading, and its case; None where another file is of this run."""
        form, key = self.form, run_id(self.suite, shown(case_id), version, "-", shown(run))
        if key in self.seen:
            named = {"case": case_id, "version": version, "run": run, "file": self.seen[key]}
            message = form.graded_twice.format_map(named)
            node.note("warning", "duplicate-run", message, form.hints["duplicate-run"])
            return None
        self.seen[key] = node.path
        case = self.cases.get(case_id)
        if case is None:
            if self.known:
                message, hint = form.unknown_case.format(case=case_id), form.hints["unknown-case"]
                node.note("warning", "unknown-case", message, hint, form.case_field)
            at, path = f"/{form.case_field}", node.path
            row = CaseRow(self.suite, case_id, weight=form.weight, status="active", source=path)
            self.rows.add(row._replace(pointer=at))
            self._add_fixed(case_id, path)
            # Whether anything is required is unknown.
            case = self.cases[case_id] = Case({}, False, form.weight, set())
        return About(key, case_id, version), case

    def results(
        self, doc: Node, about: About, case: Case, subject: Subject
    ) -> dict[str, float | None]:
        """Add the judgments of a grading however it is written; return scores, None if invalid."""
        self.judgments.flush()
        form, items, case_id = self.form, self.form.items, about.case_id
        defined = dict(zip(("min_score", "max_score"), items.scale, strict=True))
        if items.holds("score"):
            defined["pass_at"] = items.passes_at
        scores: dict[str, float | None] = {}
        places: dict[str, str] = {}
        for node in doc.all_items(items.field):
            label = label_of(node, items)
            if label is None:
                continue
            name = numbered(label, scores)
            if name != label and not form.labels_describe:
                message = f"{label!r} is scored twice; this one is shown as {name!r}."
                hint = "Give each criterion its own label."
                node.note("warning", "duplicate-criterion", message, hint, "criterion")
            note_restated(node, {"required": case.expected.get(name), **defined})
            note = node.text(form.note) if form.note else None
            row = judgment(node, items, name, subject)
            if note:
                at = f"{node.at}/{form.note}"
                self.remarks.note(doc.path, at, about, items.kind, note, name)
            scores[name], places[name] = row.score, node.at
            self.rows.add(row._replace(rationale=note or None) if form.note else row)
        # Criteria that only this grading names, and those that it has no result for.
        for name, at in places.items():
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), doc.path)
            position, text = len(case.expected) + len(case.extra), None
            if form.labels_describe:
                text = name
            columns = {"description": text, "source": doc.path, "pointer": at}
            self.add_row(items, case_id, name, position=position, **columns)
            case.extra.add(name)
        missing = [name for name in case.expected if name not in scores]
        for name in missing:
            self.rows.add(unscored(doc.path, f"/{items.field}", items, name, subject))
        if missing:
            self.note_incomplete(doc, case_id, missing)
        return scores

    def documents(self, kind: str) -> Iterator[Node]:
        """Yield the documents of a kind that are objects, and note the others."""
        for path in self.plan.of(kind):
            value = self.reader.json(path)
            is_held = isinstance(value, dict)
            self.rows.add(DocumentRow(path, self.form.family, kind, self.suite, int(is_held)))
            node = Node(self.reader, path, value, suite=self.suite)
            if is_held:
                yield node
            elif value is not MISSING:
                node.type_problem("an object")

    def add_run(
        self,
        about: About,
        place: tuple[str, str, str | None],
        judge: Judge,
        expected: int,
        total: Total,
        used: Measured,
        benchmark_run: str | None = None,
    ) -> None:
        """Add a run and its score; its place is its number or name, its file and its outputs."""
        score, top, _, _, judged, passed, _ = total
        self._runs.add((*about, *place, *judge[:2], *total, *used, benchmark_run))
        whole = about.run_id, *judge.of_score, score, top, judged, passed, expected
        self._scores.add(whole)

    def note_unknown(self) -> None:
        """Note the criteria that no definition has: once, as they repeat in many gradings."""
        form = self.form
        for (case_id, name), path in self._unknown.items():
            node = Node(self.reader, path, None, f"/{form.items.field}", self.suite)
            message = form.unknown_criterion.format(case=case_id, name=name)
            hint = form.hints["unknown-criterion"]
            node.note("warning", "unknown-criterion", message, hint)

    def flush(self) -> None:
        """Add the rows of the gradings taken so far."""
        for each in (self.judgments, self.remarks, self._runs, self._scores, self._documents):
            each.flush()

    def row(self, name: str, headline: str) -> SuiteRow:
        """Return the row of the suite."""
        skill = self.plan.skill_path
        return SuiteRow(
            suite=self.suite,
            name=name,
            family=self.form.family,
            root=self.plan.root or ".",
            skill_path=None if skill is None else skill or ".",
            headline=headline,
        )


def pending_run(plan: Plan, case_id: str, version: str, run: str) -> RunRow:
    """Return the row of a run without a grading that can be read: shown, outside of all rates."""
    key = run_id(plan.suite, case_id, version, "-", run)
    row = RunRow(key, plan.suite, case_id, version, "-", run)
    return row._replace(origin="grading", status=PENDING)


def winner_of(node: Node, wanted: str) -> str | None:
    """Return the side that won a comparison: A, B or tie, in any case of letters."""
    stated = node.text("winner")
    winner = {"a": "A", "b": "B", "tie": "tie"}.get((stated or "").strip().lower())
    if winner is None and stated is not None:
        node.wrong("winner", wanted)
    return winner


def side_score(node: Node, key: str, highest: int, shown_as: str = "") -> float | None:
    """Return the score of one side of a comparison, from 1 on; none beyond the highest."""
    score = node.number(key)
    if score is None or 1 <= score <= highest:
        return score
    said = f"The score {score:{shown_as}} is not between 1 and {highest}, so it is left out."
    node.note("warning", "score-out-of-range", said, f"Write a score of 1 to {highest}.", key)
    return None


def note_contradiction(node: Node, winner: str, what: str, a: float, b: float) -> None:
    """Note that the side with the lower total won a comparison."""
    message = f"The winner is {winner}, but {what} {a:g} for A and {b:g} for B."
    hint = "Correct whichever of the two is wrong."
    node.note("warning", "winner-contradicts-scores", message, hint, "winner")
