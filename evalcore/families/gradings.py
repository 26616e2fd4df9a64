"""Read suites whose test cases stand in one document, and each run's grading in one of its own.

A family derives its own suite from `GradedSuite`, and sets how both are written.
"""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, ClassVar, Final, NamedTuple

from evalcore.disk.listing import shown
from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node, parse_time
from evalcore.families.base import PENDING, Plan
from evalcore.ids import run_id
from evalcore.shapes.columns import Criterion, Judged, JudgmentColumns, Pattern
from evalcore.shapes.judge import UNNAMED, Judge, judge_of
from evalcore.shapes.judged import (
    Columns,
    Items,
    Subject,
    documented,
    judgment,
    label_of,
    numbered,
    unscored,
)
from evalcore.shapes.remarks import About, RemarkColumns, Remarks
from evalcore.shapes.restated import note_restated
from evalcore.tables.builder import Rows
from evalcore.tables.gathered import Gathered
from evalcore.tables.rows import (
    CaseRow,
    ComparisonRow,
    ComparisonScoreRow,
    CriterionRow,
    DocumentRow,
    RunRow,
    SuiteRow,
)

UNASSIGNED: Final = "unassigned"
"""The version of runs of which nothing says the version."""


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
    """What the scores of one run add up to; of its criteria `judged` have one, `met` passed."""

    score: float | None
    max_score: float | None
    fraction: float | None
    met: int
    judged: int
    passed: bool | None = None
    required: float | None = None


NOTHING: Final = Measured()
_NONE: Final[Columns] = MappingProxyType({})
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
    """A document with judged items; with `pattern`, these by column, and who judged."""

    node: Node
    pattern: Pattern | None
    columns: Columns
    fixed: Mapping[str, Any]
    judge: Judge


class GradedSuite(ABC):
    """Reads one suite; a family derives from it and says how its documents are written."""

    family: ClassVar[str]
    kind: ClassVar[str]
    """The document of the test cases."""
    skill_field: ClassVar[str]
    cases_field: ClassVar[str]
    """The fields of that document that name the skill, and list the cases."""
    no_cases_at: ClassVar[str | None] = None
    case_word: ClassVar[str]
    case_field: ClassVar[str]
    """The field of a grading that names its case."""
    judged_at: ClassVar[str | None] = None
    """The field of a grading with its time."""
    items: ClassVar[Items]
    """The judged items of a grading."""
    label: ClassVar[str]
    note: ClassVar[str | None] = None
    """Fields of an item: the name of its criterion, and a note."""
    labels_describe: ClassVar[bool] = False
    """Whether the label of a criterion is its whole text."""
    fixed: ClassVar[Items | None] = None
    fixed_names: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Criteria that every case has too, which gradings hold by name as the items `fixed`."""
    undefined: ClassVar[str] = ""
    """What follows for a criterion that its case does not define."""
    guide: ClassVar[str | None] = None
    """What scores mean."""
    default_weight: ClassVar[float | None] = None
    remark_fields: ClassVar[Remarks]

    def __init__(self, plan: Plan, reader: Reader, rows: Rows) -> None:
        self.plan = plan
        self.suite = plan.suite
        self.files: dict[str, list[str]] = defaultdict(list)
        """Its files by the kind of document."""
        for path, kind in plan.files:
            self.files[kind].append(path)
        self.reader = reader
        self.rows = rows
        self.known = False  # whether there is a list of test cases
        self.skill: str | None = None
        self.cases: dict[str, Case] = {}
        self.seen: dict[str, str] = {}  # run id to file
        self.unread: list[str] = []  # the files that say nothing of their run
        self.judgments = JudgmentColumns(rows)
        self.remarks = RemarkColumns(plan.suite, rows, self.remark_fields)
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
        same = {"family": self.family, "kind": "grading", "suite": plan.suite}
        self._documents = Gathered(rows.tables["documents"], ("path", "records"), **same)
        self._columns = documented(self.items, self.fixed)
        self._fixed = (*self.fixed_names,)
        of = {field.column.partition(".")[2]: field.name for field in self.items.shape.fields}
        score, reason = of.get("score") or of["passed"], self.note or of["rationale"]
        others = [of[name] for name in ("evidence", "confidence_level") if name in of]
        self._fields = self.label, score, reason, *others
        self._unknown: dict[tuple[str, str], str] = {}  # case and criterion to the first file

    @abstractmethod
    def define(self, case: Node) -> tuple[dict[str, Any], list[tuple[int, str, dict[str, Any]]]]:
        """Return columns of a case, and position, label and columns of each of its criteria."""

    @abstractmethod
    def usual(self, path: str, value: dict[str, Any], columns: Columns) -> str | None:
        """Return the case of a grading with these items; None where it needs a second look."""

    @abstractmethod
    def note_incomplete(self, doc: Node, case_id: str, missing: Sequence[str]) -> None:
        """Note that a grading has no result for some criteria of its case."""

    def node(self, path: str, value: Json = None, at: str = "") -> Node:
        """Return a value in a document of this suite, for problems of the suite."""
        return Node(self.reader, path, value, at, self.suite)

    def read_cases(self, path: str) -> None:
        """Read the test cases of one document."""
        value = self.reader.json(path)
        node = self.node(path, value)
        if isinstance(value, dict) and isinstance(value.get(self.cases_field), list):
            self.known = True
            self.skill = node.text(self.skill_field) or None
            for case in node.items(self.cases_field):
                case_id = case.text("id")
                if not case_id:
                    message = f"This {self.case_word} has no id, so no grading can name it."
                    case.note("error", "missing-id", message, "Give it an id of its own.")
                    continue
                if case_id in self.cases:
                    message = (
                        f"The id {case_id!r} is used by an earlier case; this one was not read."
                    )
                    hint = f"Give each {self.case_word} its own id."
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
                    self.add_row(self.items, case_id, name, **place, **own)
                decided = None not in expected.values()
                self.cases[case_id] = Case(expected, decided, columns.get("weight"), set())
                self._add_fixed(case_id, None)
        elif value is not MISSING:
            message = f"The file contains no list of {self.case_word}s."
            hint = f'Write them as a list under "{self.cases_field}".'
            at = self.no_cases_at if isinstance(value, dict) else None
            node.note("error", "no-cases", message, hint, at)
        self.rows.add(DocumentRow(path, self.family, self.kind, self.suite, len(self.cases)))

    def _add_fixed(self, case_id: str, source: str | None) -> None:
        """Add the criteria that every case has."""
        for position, (name, text) in enumerate(self.fixed_names.items()):
            assert self.fixed is not None
            columns = {"description": text, "position": position, "source": source}
            self.add_row(self.fixed, case_id, name, required=False, **columns)

    def add_row(self, items: Items, case_id: str, name: str, **columns: Any) -> None:
        """Add a criterion of a case, of the kind and on the scale of some judged items."""
        low, high = items.scale
        guide = self.guide if items is self.items else None
        row = CriterionRow(self.suite, case_id, items.kind, name, None, guide=guide)
        row = row._replace(min_score=low, max_score=high, pass_at=items.passes_at)
        self.rows.add(row._replace(**columns))

    def weight(self, case_id: str) -> float:
        """Return the weight of a case."""
        case = self.cases.get(case_id)
        return 1.0 if case is None or case.weight is None else case.weight

    def load(self, path: str) -> Grading | None:
        """Return the grading in a file; None, after saying why, where it has no judged items."""
        items, value = self.items, self.reader.json(path)
        found = self._documented(path, value) if isinstance(value, dict) else None
        pattern, columns, fixed, judge = found or (None, _NONE, _NONE, UNNAMED)
        node = self.node(path, value)
        listed = node.get(items.field)
        is_held = type(listed) is list
        self._documents.add((path, len(listed) if is_held else 0))
        if is_held:
            return Grading(node, pattern, columns, fixed, judge)
        self.unread.append(path)
        if isinstance(value, dict):
            message = f"The file contains no list of {items.field}, so it does not count."
            hint = f'Write them as a list under "{items.field}".'
            node.note("error", f"no-{items.field}", message, hint)
        elif value is not MISSING:
            node.type_problem("an object")
        return None

    def _documented(
        self, path: str, value: dict[str, Any]
    ) -> tuple[Pattern | None, Columns, Mapping[str, Any], Judge] | None:
        """Return pattern, items and judge of a grading that is as documented throughout."""
        items, found = self.items, self._columns(value)
        if found is None:
            return None
        columns, fixed, by = found
        case_id = self.usual(path, value, columns)
        case = None if case_id is None else self.cases.get(case_id)
        if (
            case is None
            or (*fixed,) != self._fixed
            or None in [each.passed for each in fixed.values()]
        ):
            return None
        labels, expected = columns[self.label], case.expected

        def criteria() -> list[Criterion] | None:
            if sorted(labels) != sorted(expected):
                return None
            own = [items.criterion(label, index, by) for index, label in enumerate(labels)]
            if self.fixed is not None:
                own += [self.fixed.criterion(name, name, by) for name in fixed]
            return own

        return self.judgments.pattern((case_id, labels, by), criteria), columns, fixed, by

    def take(self, node: Node, case_id: str, version: str, run: str) -> tuple[About, Case] | None:
        """Return the run of a grading, and its case; None where another file is of this run."""
        key = run_id(self.suite, shown(case_id), version, "-", shown(run))
        if key in self.seen:
            message = (
                f"Run {run!r} of {case_id!r} in {version} is graded by {self.seen[key]} too; this "
                "file is ignored."
            )
            hint = "Remove one of the two, or say in this one which other run it is."
            node.note("warning", "duplicate-run", message, hint)
            return None
        self.seen[key] = node.path
        case = self.cases.get(case_id)
        if case is None:
            if self.known:
                message = f"{self.kind}.json has no {self.case_word} {case_id!r}"
                message += "; it is shown without prompt and criteria."
                hint = f"Add the {self.case_word}, or correct the id."
                node.note("warning", "unknown-case", message, hint, self.case_field)
            at, path = f"/{self.case_field}", node.path
            row = CaseRow(self.suite, case_id, weight=self.default_weight, status="active")
            self.rows.add(row._replace(source=path, pointer=at))
            self._add_fixed(case_id, path)
            # Whether anything is required is unknown.
            case = self.cases[case_id] = Case({}, False, self.default_weight, set())
        return About(key, case_id, version), case

    def results(
        self, grading: Grading, about: About, case: Case
    ) -> tuple[Judge, dict[str, float | None]]:
        """Add the judgments of a grading; return who judged, and the scores: None if invalid."""
        node, pattern, columns, fixed, judge = grading
        if pattern is None:
            judge = judge_of(node)
            judged_at = node.time(self.judged_at) if self.judged_at else None
            return judge, self._tolerant(node, about, case, Subject(about.run_id, judged_at, judge))
        items = self.items
        label, score, reason, *others = self._fields
        labels, scores, reasons = columns[label], columns[score], columns[reason]
        evidence, levels = [columns[name] for name in others] or (None, None)
        if words := items.words:
            scores = tuple([words[word] for word in scores])
        if self.note and any(reasons):
            for index, note in enumerate(reasons):
                if note:
                    at = f"/{items.field}/{index}/{self.note}"
                    self.remarks.note(node.path, at, about, items.kind, note, labels[index])
        values = scores
        if fixed:
            values = *scores, *[each.passed for each in fixed.values()]
            reasons = *reasons, *[each.details for each in fixed.values()]
        time = parse_time(node.get(self.judged_at)) if self.judged_at else None
        written = reasons, evidence, levels, time
        self.judgments.add(Judged(about.run_id, pattern, node.path, values, *written))
        return judge, dict(zip(labels, scores, strict=True))

    def _tolerant(
        self, doc: Node, about: About, case: Case, subject: Subject
    ) -> dict[str, float | None]:
        """Add the judgments of a grading however it is written; return scores, None if invalid."""
        self.judgments.flush()
        items, case_id = self.items, about.case_id
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
            if name != label and not self.labels_describe:
                message = f"{label!r} is scored twice; this one is shown as {name!r}."
                hint = "Give each criterion its own label."
                node.note("warning", "duplicate-criterion", message, hint, "criterion")
            note_restated(node, {"required": case.expected.get(name), **defined})
            note = node.text(self.note) if self.note else None
            row = judgment(node, items, name, subject)
            if note:
                at = f"{node.at}/{self.note}"
                self.remarks.note(doc.path, at, about, items.kind, note, name)
            scores[name], places[name] = row.score, node.at
            self.rows.add(row._replace(rationale=note or None) if self.note else row)
        # Criteria that only this grading names, and those that it has no result for.
        for name, at in places.items():
            if name in case.expected or name in case.extra:
                continue
            if case.expected:
                self._unknown.setdefault((case_id, name), doc.path)
            position, text = len(case.expected) + len(case.extra), None
            if self.labels_describe:
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
        for path in self.files[kind]:
            value = self.reader.json(path)
            is_held = isinstance(value, dict)
            self.rows.add(DocumentRow(path, self.family, kind, self.suite, int(is_held)))
            node = self.node(path, value)
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
        for (case_id, name), path in self._unknown.items():
            node = self.node(path, at=f"/{self.items.field}")
            message = (
                f"The {self.case_word} {case_id!r} has no {self.label} {name!r}{self.undefined}."
            )
            hint = f"Add it to {self.kind}.json, or correct it here."
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
            family=self.family,
            root=self.plan.root or ".",
            skill_path=None if skill is None else skill or ".",
            headline=headline,
        )


def pending_run(plan: Plan, case_id: str, version: str, run: str) -> RunRow:
    """Return the row of a run without a grading that can be read: shown, outside of all rates."""
    key = run_id(plan.suite, case_id, version, "-", run)
    row = RunRow(key, plan.suite, case_id, version, "-", run)
    return row._replace(origin="grading", status=PENDING)


def name_mismatch(node: Node, key: str, own: object, in_path: object) -> None:
    """Note that a document says otherwise than its path what it is about."""
    message = f"{key!r} is {own!r} in the file and {in_path!r} in its path; the file is used."
    node.note("warning", "name-mismatch", message, "Rename the file or its folder.", key)


def missing_identity(node: Node, key: str, taken: str, why: str = "read from the path") -> None:
    """Note that a document does not say what it is about, and what it was taken for."""
    message = f"{key!r} is missing; {taken!r} was {why}."
    node.note("warning", "missing-identity", message, f"Write {key!r} into the file.")


def differs(node: Node, key: str, said: str, hint: str, of: str = "") -> None:
    """Note that a number in a document is not the one that follows from the others."""
    message = f"{key}{of} is {node.get(key)}, but {said}."
    node.note("warning", "derived-mismatch", message, hint, key)


def winner_of(node: Node, wanted: str) -> str | None:
    """Return the side that won a comparison: A, B or tie, in any case of letters."""
    stated = node.text("winner")
    winner = {"a": "A", "b": "B", "tie": "tie"}.get((stated or "").strip().lower())
    if winner is None and stated is not None:
        node.wrong("winner", wanted)
    return winner


def add_scores(
    suite: GradedSuite,
    key: str,
    items: Iterable[tuple[str | None, Node]],
    names: Sequence[str],
    highest: int,
) -> list[tuple[float, float]]:
    """Add the scores of a comparison by criterion, 1 to `highest`; return those both sides have.

    An item comes with the name of its criterion, None where the item names it. `names` are the
    fields of its scores of A and B, and those of the reasons for them.
    """
    pairs: list[tuple[float, float]] = []
    for name, item in items:
        if not isinstance(item.value, dict):
            item.type_problem("an object")
            continue
        scores: list[float | None] = []
        for field in names[:2]:
            score = item.number(field)
            if score is not None and not 1 <= score <= highest:
                said = f"The score {score:g} is not between 1 and {highest}, so it is left out."
                hint = f"Write a score of 1 to {highest}."
                item.note("warning", "score-out-of-range", said, hint, field)
                score = None
            scores.append(score)
        a, b = scores
        if a is not None and b is not None:
            pairs.append((a, b))
        criterion = item.text("criterion") if name is None else name
        why_a, why_b = (item.text(field) or None for field in names[2:])
        suite.rows.add(ComparisonScoreRow(key, criterion, a, b, highest, why_a, why_b, item.at))
    return pairs


def comparison_row(node: Node, key: str, winner: str | None, judge: Judge) -> ComparisonRow:
    """Return the row of a comparison with this id, who won it and who judged."""
    row = ComparisonRow(key, node.suite, winner=winner, source=node.path, pointer="")
    return row._replace(judge=judge.name, judge_type=judge.type)


def note_contradiction(node: Node, winner: str, a: float, b: float) -> None:
    """Note that the side with the lower total won a comparison."""
    message = f"The winner is {winner}, but the totals are {a:g} for A and {b:g} for B."
    hint = "Correct whichever of the two is wrong."
    node.note("warning", "winner-contradicts-scores", message, hint, "winner")
