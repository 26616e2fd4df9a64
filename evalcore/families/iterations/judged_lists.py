"""A run's lists of judged items to judgments: expectations, structural checks, rubric scores."""

from collections.abc import Container
from typing import Any, Final, NamedTuple

from evalcore import names
from evalcore.disk.reader import MISSING, parse
from evalcore.disk.values import Node
from evalcore.families.iterations.case import Case, numbered
from evalcore.families.iterations.defined import words_of
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.items import (
    USUAL,
    is_judged,
    listed_items,
    other_lists,
    side_named,
    worded,
)
from evalcore.families.iterations.runs import NO_CHECKS, RUBRIC_MAX, Checks, SuiteContext
from evalcore.families.iterations.split_runs import ItemsOf
from evalcore.families.iterations.summaries import check_summary, compare
from evalcore.families.iterations.words import (
    as_text,
    is_open,
    unknown_verdict,
    verdict_of,
)
from evalcore.numbers import weighted_mean
from evalcore.problems import pointer
from evalcore.shapes.judge import UNNAMED, Judge
from evalcore.shapes.restated import NAMES as RESTATED
from evalcore.shapes.restated import note_restated

PLAIN: Final = USUAL - frozenset(names.ITEMS) | {"expectations"}
"""Fields of gradings that need no look for further lists of items."""
OVERALL: Final = "overall verdict"
"""The criterion of a run that is judged as a whole, without a list of items."""
RULE: Final = Judge(type="heuristic")

Item = tuple[str, bool | None, str | None]
"""Wording, verdict and evidence of one expectation as its list has it."""


class Structure(NamedTuple):
    """What the structural checks of a run add up to, by what is critical in their definitions.

    `gate` is None where nothing tells it: without checks, or where a critical one has no result and
    none failed. `blocked` says that a critical check was not run.
    """

    checks: Checks
    gate: bool | None
    blocked: bool


class RunJudgments:
    """Adds the judgments of one run, and to its case the criteria that are new."""

    def __init__(
        self,
        context: SuiteContext,
        run_id: str,
        case: Case,
        judge: Judge = UNNAMED,
        *,
        counts: bool = True,
    ) -> None:
        """Begin a run that was judged by somebody; of a second grading no judgment counts."""
        self.context = context
        self.case = case
        self.judge = judge
        self.counts = counts
        self._run_id = run_id
        self._by = judge.of_judgments
        self._add_row = context.rows.tables["judgments"].add

    def items(self, doc: Node, arm: str | None = None, only: ItemsOf | None = None) -> Checks:
        """Add one judgment an item of a grading, or of a run that a benchmark lists.

        `arm` names the field of the verdicts where it is that of a configuration; `only` says which
        items are this run's.
        """
        fields, path, context = doc.value, doc.path, self.context
        held = fields.get("expectations") if type(fields) is dict else None
        name = "expectations" if type(held) is list and held else _list_name(doc)
        if name is None:
            return self._overall(doc)
        base = f"{doc.at}{pointer(name) if name else ''}"
        if name not in names.STANDARD_ITEMS:
            what = f"The list of items is in the field {name!r}."
            what = what if name else "The items are a list without a name."
            context.tolerate(path, base, "list-name", what, HINTS["grading"])
        held = fields[name] if name else fields
        verdicts: list[bool | None] = []
        label, seen = "", dict[str, int]()
        for place, value in held.items() if isinstance(held, dict) else enumerate(held):
            wording = place if isinstance(place, str) else None
            at = f"{base}/{place}" if wording is None else base + pointer(place)
            if only is not None and not only.holds(value):
                continue
            item = self._item(path, value, at, wording, arm)
            if item is None:
                continue
            label = self._expectation(item, seen, path, at)
            verdicts.append(item[1])
            # Asked here too: next to no item repeats its definition, and each would be a node.
            if type(value) is dict and not RESTATED.isdisjoint(value):
                defined = self.case.defined_as("expectation", label)
                note_restated(context.node(path, value, at), defined)
        checks = Checks.of(verdicts)
        if checks.all == 1 and label in names.OVERALL:
            _note_outputs(context, doc)
        context.count(path, checks.all)
        if name and not fields.keys() <= PLAIN:
            # Which of two lists counts is not for us to say; a configuration's is its own run.
            lists = [each for each in names.ITEMS if type(fields.get(each)) is list]
            second = [each for each in lists if each != name and any(map(is_judged, fields[each]))]
            second += [each for each, _ in other_lists(fields) if side_named(each) is None]
            for each in second:
                what = f"{name!r} was read; the items in {each!r} were not."
                hint = "Keep one list of items, or name the other after its configuration."
                doc.note("warning", "second-list", what, hint, each)
        return checks

    def _overall(self, doc: Node) -> Checks:
        """Add the one judgment of a run that has a verdict on the whole and no list of items."""
        _note_outputs(self.context, doc)
        path, at, fields = doc.path, doc.at, doc.value if isinstance(doc.value, dict) else {}
        stated = next((n for n in names.OVERALL if verdict_of(fields.get(n)) is not None), None)
        if stated is None:
            return NO_CHECKS if unknown_verdict(fields) is None else self.unknown(doc)
        what = "A run has no list of items; its verdict was read as one item."
        self.context.tolerate(path, at, "no-list", what, HINTS["grading"])
        item = self._item(path, {**fields, "text": OVERALL}, at, arm=stated)
        if item is None or item[1] is None:
            return NO_CHECKS
        self._expectation(item, {}, path, at)
        self.context.count(path, 1)
        return Checks.of([item[1]])

    def unknown(self, doc: Node) -> Checks:
        """Note a result that could not be read; a verdict is one judgment without score."""
        word = unknown_verdict(doc.value)
        self.context.unread_result(doc.path, doc.at, word)
        if word is not None:
            self._expectation((OVERALL, None, None), {}, doc.path, doc.at)
            self.context.count(doc.path, 1)
        return Checks(0, 0, 1)

    def _expectation(self, item: Item, seen: dict[str, int], path: str, at: str) -> str:
        """Add the judgment of an item, and return its criterion."""
        text, passed, evidence = item
        known = self.case.alias.get(text) or self.case.known_as("expectation", text)
        label = numbered(known, seen)
        if ("expectation", label) not in self.case.criteria:
            self.case.add("expectation", label, path, at, known)
        score = None if passed is None else float(passed)
        self._add("expectation", label, self._by, score, path, at, passed, evidence)
        return label

    def _add(
        self,
        kind: str,
        criterion: str,
        by: Judge,
        score: float | None,
        path: str,
        at: str,
        passed: bool | None = None,
        evidence: str | None = None,
    ) -> None:
        """Add the judgment of one criterion; None is one that was not scored."""
        low, high = (1.0, RUBRIC_MAX) if kind == "rubric" else (0.0, 1.0)
        fraction, status = None if score is None else score / high, "scored"
        if score is None or not self.counts:
            status = "unscored" if self.counts else "superseded"
        who = self._run_id, kind, criterion, by.name, by.type
        scored = score, low, high, fraction, passed, None, None, None, status, None
        # A plain tuple in the order of `JudgmentRow`: by name it takes thrice the time.
        self._add_row((*who, *scored, path, at, None, evidence or None))

    def _item(
        self, path: str, value: Any, at: str, name: str | None = None, arm: str | None = None
    ) -> Item | None:
        """Return what an item says, under any of the names that tools use; None for no item.

        `name` is what it is called in an object of items, `arm` the field of its verdict where only
        one can be meant.
        """
        if type(value) is not dict:  # nothing but its verdict, under its wording
            passed = verdict_of(value)
            if name is None or passed is None:
                self.context.node(path, value, at).type_problem("an object")
                return None
            what = "An item is only a verdict, named by its text."
            self.context.tolerate(path, at, "item-field", what, HINTS["grading"])
            return name, passed, None
        text, passed, evidence = value.get("text"), value.get("passed"), value.get("evidence")
        if type(text) is type(evidence) is str and type(passed) is bool:
            return text, passed, evidence
        if type(text) is not str:
            own = worded(value)
            if own is not None:
                self._note_field(path, at, "wording", "text", own[0])
            text = None
            for key in ("id", "name"):
                label = as_text(value[key]) if key in value and not text else None
                text = self.case.alias.get(label) if label else text
            text = text or (own[1] if own else name) or words_of(value)
            text = text or f"item {at.rpartition('/')[2]}"
        if type(passed) is not bool:
            passed = None
            for key in (arm,) if arm is not None else names.VERDICT:
                stated = value.get(key)
                if stated is None:
                    continue
                number = type(stated) is int and stated in (0, 1)
                passed = stated == 1 if number else verdict_of(stated)
                if passed is not None or is_open(stated):
                    self._note_field(path, at, "verdict", "passed", key)
                    if not isinstance(stated, bool):
                        what = f"The verdict {stated!r} was inferred from its wording."
                        self.context.tolerate(path, at, "verdict-word", what, HINTS["grading"])
                    break
            else:
                word = unknown_verdict(value) if arm is None else None
                if word is not None:
                    self.context.unread_result(path, at, word)
                elif value.get("passed") is not None:
                    self.context.node(path, value, at).wrong("passed", "true or false")
                else:
                    what = "This item has no verdict; it counts as not scored."
                    node = self.context.node(path, value, at)
                    node.note("warning", "no-verdict", what, "Write passed: true or false.")
        if type(evidence) is not str:
            evidence = None
            for key in names.EVIDENCE:
                evidence = as_text(value[key]) if key in value else None
                if evidence is not None:
                    self._note_field(path, at, "evidence", "evidence", key)
                    break
        return text, passed, evidence

    def _note_field(self, path: str, at: str, called: str, field: str, key: str) -> None:
        if key != field and (path, "item-field") not in self.context.tolerated:
            what = f"The {called} of an item is in the field {key!r}."
            self.context.tolerate(path, at, "item-field", what, HINTS["grading"])

    def structural(self, path: str | None) -> Structure:
        """Add one judgment a structural check, also of those that have no result."""
        case, context = self.case, self.context
        value = context.reader.json(path) if path is not None else MISSING
        if path is None or value is MISSING:
            return Structure(NO_CHECKS, None, False)
        doc = context.node(path, value)
        verdicts: list[bool | None] = []
        gate: bool | None = True
        blocked = False
        answered, seen = set[str](), dict[str, int]()
        for item in doc.items("expectations"):
            stated = item.text("id") or item.text("text") or f"item {item.at.rpartition('/')[2]}"
            name = numbered(stated, seen)
            answered.add(name)
            defined = case.defined_as("structural", name)
            note_restated(item, defined)
            critical = defined.get("critical")
            critical = bool(item.flag("critical") if critical is None else critical)
            not_run = item.get("status") in ("not_run", "invalid")
            verdict = None if not_run else item.flag("passed")
            verdicts.append(verdict)
            blocked = blocked or (critical and not_run)
            if critical and verdict is not True and gate is not False:
                gate = verdict
            if ("structural", name) not in case.criteria:
                case.add("structural", name, path, item.at, item.text("text"), critical=critical)
            score, why = None if verdict is None else float(verdict), item.text("evidence")
            self._add("structural", name, RULE, score, path, item.at, verdict, why)
        for name in self._unanswered("structural", doc, doc.at, answered):
            if gate and case.defined_as("structural", name)["critical"]:
                gate = None
        checks = Checks.of(verdicts)
        context.judged[path] = checks.all
        check_summary(context, doc, checks)
        if not checks.all or blocked:
            gate = None
        stored = None if gate is None else doc.flag("gate_passed")
        if stored is not None and stored != gate:
            what = f"gate_passed is {stored}, but its critical checks say {gate}.".lower()
            doc.note("warning", "derived-mismatch", what, "Recompute gate_passed.", "gate_passed")
        return Structure(checks, gate, blocked)

    def rubric(self, doc: Node) -> tuple[float | None, dict[str, float]]:
        """Add the judgments of the rubric; return its weighted mean and the scores by dimension."""
        if type(doc.value) is dict and doc.value.get("rubric_scores") is None:
            return None, {}
        known, scores, answered = self.case.dimensions, dict[str, float](), set[str]()
        for name, node in doc.fields("rubric_scores"):
            answered.add(name)
            bare = type(node.value) is not dict
            score = _score(node, node.value if bare else node.get("score"))
            why = None if bare else node.text("evidence") or node.text("reasoning")
            if known and name not in known:
                what = f"The rubric of this case has no dimension {name!r}; weight 1 is used."
                node.note("warning", "unknown-dimension", what, "Use the names in evals.json.")
            self.dimension(name, score, node, why)
            note_restated(node, self.case.defined_as("rubric", name))
            if score is not None:
                scores[name] = score
        self._unanswered("rubric", doc, f"{doc.at}/rubric_scores", answered)
        self.context.count(doc.path, len(scores))
        weights = [known.get(name, 1.0) for name in scores]
        mean = weighted_mean(list(zip(scores.values(), weights, strict=True)))
        summary = doc.child("rubric_summary")
        if mean is not None and isinstance(summary.value, dict):
            compare(summary, "weighted_mean", mean)
            compare(summary, "normalized", mean / RUBRIC_MAX)
            compare(summary, "max_possible", RUBRIC_MAX)
        return mean, scores

    def dimension(self, name: str, score: float | None, node: Node, why: str | None = None) -> None:
        """Add the judgment of one dimension."""
        if ("rubric", name) not in self.case.criteria:
            self.case.add("rubric", name, node.path, node.at, name)
        self._add("rubric", name, self.judge, score, node.path, node.at, None, why)

    def _unanswered(self, kind: str, doc: Node, at: str, answered: Container[str]) -> list[str]:
        """Add the defined criteria that a document has no result for, each unscored."""
        missing = self.case.unanswered(kind, answered)
        for name in missing:
            self._add(kind, name, RULE if kind == "structural" else self.judge, None, doc.path, at)
        if missing:
            one = len(missing) == 1
            what = "structural check" if kind == "structural" else "dimension"
            what += " of evals.json has" if one else "s of evals.json have"
            what = f"{len(missing)} {what} no result here: {missing[0]!r}"
            what += "." if one else " and others."
            doc.note("warning", "incomplete", what, "Grade the run again, or add what is missing.")
        return missing


def _list_name(doc: Node) -> str | None:
    """Return the field of the items, `""` for a document that is the list; None without items."""
    value = doc.value
    if isinstance(value, list):
        if any(isinstance(item, dict) for item in value):
            return ""
        doc.type_problem("an object")
        return None
    fields = value if type(value) is dict else {}
    lists = [name for name in names.ITEMS if isinstance(fields.get(name), list)]
    filled = next((name for name in lists if fields[name]), None)
    if filled is not None:
        return filled
    for name in names.ITEMS:  # an object that has items under their ids or wordings
        held = fields.get(name)
        if isinstance(held, dict) and any(
            isinstance(each, dict) or verdict_of(each) is not None for each in held.values()
        ):
            return name
    if lists:
        return lists[0]
    if fields.get("expectations") is not None:
        doc.wrong("expectations", "a list")
    return None


def _note_outputs(context: SuiteContext, doc: Node) -> None:
    """Note the items that a run's outputs have where its own grading is of the whole alone."""
    beside = f"{doc.path.rpartition('/')[0]}/outputs/grading.json"
    if doc.at or beside == doc.path or (data := context.reader.extra(beside)) is None:  # noqa: S610
        return
    count = len(listed_items(parse(data)))
    if count:
        what = f"This grading says only how the run did as a whole; {beside} has {count} "
        what += f"item{'s' if count > 1 else ''}, not read as the run itself may have written them."
        hint = "Have the grader write its items into the grading next to the folder outputs."
        doc.note("warning", "grading-in-outputs", what, hint)


def _score(node: Node, score: object) -> float | None:
    """Return a score of 1 to 5; another one is noted and counts as none."""
    if score is None:
        return None
    if isinstance(score, (int, float)) and not isinstance(score, bool) and 1 <= score <= RUBRIC_MAX:
        return float(score)
    text = repr(score)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    what = f"The score {text} is not on the scale 1 to 5; it counts as not scored."
    node.note("warning", "out-of-scale", what, "Judge this dimension again.")
    return None
