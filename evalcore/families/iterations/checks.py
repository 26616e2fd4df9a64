"""A grading's list of pass/fail items to judgments, one an item."""

from typing import Any, Final, NamedTuple

from evalcore import names
from evalcore.disk.values import Node
from evalcore.families.iterations.case import Case, Criterion
from evalcore.families.iterations.documents.runs import EXPECTATION
from evalcore.families.iterations.item_lists import entries, list_name, note_others
from evalcore.families.iterations.items import USUAL
from evalcore.families.iterations.runs import NO_CHECKS, Checks, SuiteContext
from evalcore.families.iterations.split_runs import ItemsOf
from evalcore.families.iterations.words import (
    LABELS,
    as_text,
    is_open,
    unknown_verdict,
    verdict_of,
)
from evalcore.problems import pointer
from evalcore.shapes import columns
from evalcore.shapes.fields import Field
from evalcore.shapes.judge import UNNAMED, Judge
from evalcore.shapes.restated import note_restated
from evalcore.shapes.typed import Converted, TypedItems
from evalcore.tables.rows import JudgmentRow

KIND: Final = "expectation"
PLAIN: Final = USUAL - frozenset(names.ITEMS) | {"expectations"}
"""Fields of gradings that need no look for further lists of items."""
OVERALL: Final = "overall verdict"
"""The criterion of a run that is judged as a whole, without a list of items."""


ITEM_HINT: Final = "Write each item as {text, passed, evidence}."
WORDING, VERDICT, REASON = EXPECTATION.fields
_CALLED: Final = {"text": "wording", "passed": "verdict", "evidence": "evidence"}
ITEMS: Final = TypedItems(EXPECTATION, instead=("id", "name"))


class _Item(NamedTuple):
    """One item as its list has it."""

    text: str
    passed: bool | None
    evidence: str | None


class _List:
    """The list of items of one run, read with what its document calls things."""

    def __init__(self, context: SuiteContext, case: Case, doc: Node, verdict: str | None) -> None:
        self.context = context
        self.case = case
        self.doc = doc
        self.verdict = verdict

    def item(self, value: Any, at: str, name: str | None) -> _Item | None:
        """Return what an item says, by the names of the common form or by others."""
        if type(value) is not dict:
            return self._bare(value, at, name)
        text, passed, evidence = value.get("text"), value.get("passed"), value.get("evidence")
        if type(text) is str and type(passed) is bool and type(evidence) is str:
            return _Item(text, passed, evidence)
        return _Item(
            text if type(text) is str else self._text(value, at, name),
            passed if type(passed) is bool else self._verdict(value, at),
            evidence if type(evidence) is str else self._evidence(value, at),
        )

    def _bare(self, value: Any, at: str, name: str | None) -> _Item | None:
        """Read an item that is nothing but its verdict, under its wording."""
        verdict = verdict_of(value)
        if name is None or verdict is None:
            self.context.node(self.doc.path, value, at).type_problem("an object")
            return None
        what = "An item is only a verdict, named by its text."
        self.context.tolerate(self.doc.path, at, "item-field", what, ITEM_HINT)
        return _Item(name, verdict, None)

    def _text(self, value: dict[str, Any], at: str, name: str | None) -> str:
        """Read an item's wording under another name, or as the criterion that its id names."""
        alias = self.case.alias
        known = (alias.get(named) for key in ("id", "name") if (named := as_text(value.get(key))))
        key = next((key for key in LABELS if as_text(value.get(key))), None)
        found = (
            next((text for text in known if text), None) or (key and as_text(value[key])) or name
        )
        if key is not None:
            _remark(self.context, self.doc.path, at, WORDING, key)
        return found or name or f"item {at.rpartition('/')[2]}"

    def _verdict(self, value: dict[str, Any], at: str) -> bool | None:
        """Read a verdict under another name or as a word; None is a missing one."""
        keys = (self.verdict,) if self.verdict is not None else names.VERDICT
        for key in keys:
            stated = value.get(key)
            found = verdict_of(stated)
            if found is not None or (stated is not None and is_open(stated)):
                self._odd_verdict(at, key, stated)
                return found
        word = unknown_verdict(value) if self.verdict is None else None
        if word is not None:
            self.context.unread_result(self.doc.path, at, word)
            return None
        node = self.context.node(self.doc.path, value, at)
        if node.get("passed") is not None:
            node.wrong("passed", "true or false")
        else:
            node.note(
                "warning",
                "no-verdict",
                "This item has no verdict; it counts as not scored.",
                "Write passed: true or false.",
            )
        return None

    def _odd_verdict(self, at: str, key: str, stated: Any) -> None:
        if key != "passed":
            _remark(self.context, self.doc.path, at, VERDICT, key)
        if not isinstance(stated, bool):
            self.context.tolerate(
                self.doc.path,
                at,
                "verdict-word",
                f"The verdict {stated!r} was inferred from its wording.",
                "Write passed: true or false.",
            )

    def _evidence(self, value: dict[str, Any], at: str) -> str | None:
        for key in names.EVIDENCE:
            found = as_text(value.get(key))
            if found is not None:
                _remark(self.context, self.doc.path, at, REASON, key)
                return found
        return None


def _remark(context: SuiteContext, path: str, at: str, field: Field, name: str) -> None:
    """Note that items have a field under another name."""
    what = f"The {_CALLED[field.name]} of an item is in the field {name!r}."
    context.tolerate(path, at, "item-field", what, ITEM_HINT)


def read_items(
    context: SuiteContext,
    key: str,
    case: Case,
    doc: Node,
    judge: Judge = UNNAMED,
    arm: str | None = None,
    only: ItemsOf | None = None,
) -> Checks:
    """Add one judgment an item of a grading, or of a run that a benchmark lists.

    `judge` is who judged them; `arm` names the field of the verdicts where it is that of a
    configuration; `only` says which items are this run's.
    """
    held = doc.value.get("expectations") if type(doc.value) is dict else None
    name = "expectations" if type(held) is list and held else list_name(doc)
    if name is None:
        return _overall(context, key, case, doc, judge)
    if name != "expectations":
        context.tolerate(
            doc.path,
            f"{doc.at}{pointer(name) if name else ''}",
            "list-name",
            f"The list of items is in the field {name!r}."
            if name
            else "The items are a list without a name.",
            "Rename the list to expectations.",
        )
    value = doc.get(name) if name else doc.value
    alike = arm is None and only is None and not context.regraded
    found = ITEMS.read(value) if alike and type(value) is list else None
    if found is not None and all(item.text for item in found.items):
        checks = _add_converted(context, key, case, doc, name, found, judge)
    else:
        checks = _add_each(_List(context, case, doc, arm), key, name, judge, only)
    context.count(doc.path, checks.all)
    if name and not doc.value.keys() <= PLAIN:
        note_others(doc, name)
    return checks


def _add_converted(
    context: SuiteContext,
    key: str,
    case: Case,
    doc: Node,
    name: str,
    found: Converted,
    judge: Judge,
) -> Checks:
    """Add the judgments of items that have their values under known names, by column."""
    path, base = doc.path, f"{doc.at}/{name}/" if name else f"{doc.at}/"
    for field, used in zip(ITEMS.fields, found.names, strict=True):
        if used not in (field.name, None):
            _remark(context, path, base + "0", field, used)
    by, items = judge.of_judgments, found.items
    texts = tuple([item.text for item in items])

    def criteria() -> list[columns.Criterion]:
        seen: dict[str, int] = {}
        ats = [base + str(index) for index in range(len(texts))]
        labels = [
            label_of(context, case, text, seen, path, at)
            for text, at in zip(texts, ats, strict=True)
        ]
        return [
            columns.Criterion(KIND, *each, judge=by.name, judge_type=by.type)
            for each in zip(labels, ats, strict=True)
        ]

    # One of several runs in a file has pointers that no other run has.
    like = None if doc.at else (KIND, case.case_id, base, texts, by)
    verdicts = [item.passed for item in items]
    evidence = [item.evidence for item in items]
    context.add_converted(key, path, criteria, verdicts, evidence, like)
    return Checks(sum(verdicts), len(verdicts), 0)


def _add_each(reads: _List, key: str, name: str, judge: Judge, only: ItemsOf | None) -> Checks:
    """Add the judgments of items one by one, however each is written."""
    context, case, doc = reads.context, reads.case, reads.doc
    verdicts: list[bool | None] = []
    seen: dict[str, int] = {}
    for at, value, wording in entries(doc, name):
        if only is not None and not only.holds(value):
            continue
        item = reads.item(value, at, wording)
        if item is not None:
            label = label_of(context, case, item.text, seen, doc.path, at)
            note_restated(context.node(doc.path, value, at), case.defined_as(KIND, label))
            context.add_judgment(_judgment(key, label, item, doc.path, at, judge))
            verdicts.append(item.passed)
    unscored = verdicts.count(None)
    return Checks(verdicts.count(True), len(verdicts) - unscored, unscored)


def _judgment(key: str, label: str, item: _Item, path: str, at: str, judge: Judge) -> JudgmentRow:
    by = judge.of_judgments
    score = None if item.passed is None else float(item.passed)
    return JudgmentRow(
        run_id=key,
        kind=KIND,
        criterion=label,
        judge=by.name,
        judge_type=by.type,
        score=score,
        min_score=0.0,
        max_score=1.0,
        fraction=score,
        passed=item.passed,
        status="unscored" if score is None else "scored",
        source=path,
        pointer=at,
        evidence=item.evidence or None,
    )


def _overall(context: SuiteContext, key: str, case: Case, doc: Node, judge: Judge) -> Checks:
    """Add the one judgment of a run that has a verdict on the whole and no list of items."""
    fields = doc.value if isinstance(doc.value, dict) else {}
    stated = next((n for n in names.OVERALL if verdict_of(fields.get(n)) is not None), None)
    if stated is None:
        known = unknown_verdict(fields) is None
        return NO_CHECKS if known else add_unknown(context, key, case, doc, judge)
    context.tolerate(
        doc.path,
        doc.at,
        "no-list",
        "A run has no list of items; its verdict was read as one item.",
        "Write what was checked as a list of expectations.",
    )
    item = _List(context, case, doc, stated).item({**fields, "text": OVERALL}, doc.at, None)
    if item is None or item.passed is None:
        return NO_CHECKS
    label = label_of(context, case, OVERALL, {}, doc.path, doc.at)
    context.add_judgment(_judgment(key, label, item, doc.path, doc.at, judge))
    context.count(doc.path, 1)
    return Checks(int(item.passed), 1, 0)


def add_unknown(
    context: SuiteContext, key: str, case: Case, doc: Node, judge: Judge = UNNAMED
) -> Checks:
    """Note the result of a run that could not be read; a verdict is one judgment without score."""
    word = unknown_verdict(doc.value)
    context.unread_result(doc.path, doc.at, word)
    if word is not None:
        label = label_of(context, case, OVERALL, {}, doc.path, doc.at)
        item = _Item(OVERALL, None, None)
        context.add_judgment(_judgment(key, label, item, doc.path, doc.at, judge))
        context.count(doc.path, 1)
    return Checks(0, 0, 1)


def label_of(
    context: SuiteContext, case: Case, text: str, seen: dict[str, int], path: str, at: str
) -> str:
    """Return the criterion that an item judges, adding it to the case when it is new."""
    known = case.known_as(KIND, text)
    count = seen[known] = seen.get(known, 0) + 1
    label = known if count == 1 else f"{known}#{count}"
    if (KIND, label) not in case.criteria:
        case.add(context.suite, Criterion(KIND, label, known), path, at)
    return label
