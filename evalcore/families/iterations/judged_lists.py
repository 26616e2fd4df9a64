"""A run's lists of judged items to judgments: expectations, structural checks, rubric scores."""

from collections.abc import Sequence
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
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Checks,
    RunContext,
    SuiteContext,
)
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
    fields, path = doc.value, doc.path
    held = fields.get("expectations") if type(fields) is dict else None
    name = "expectations" if type(held) is list and held else _list_name(doc)
    if name is None:
        return _overall(context, key, case, doc, judge)
    base = f"{doc.at}{pointer(name) if name else ''}"
    if name not in names.STANDARD_ITEMS:
        what = f"The list of items is in the field {name!r}."
        what = what if name else "The items are a list without a name."
        context.tolerate(path, base, "list-name", what, HINTS["grading"])
    held = fields[name] if name else fields
    verdicts: list[bool | None] = []
    label, seen = "", dict[str, int]()
    by = judge.of_judgments
    for place, value in held.items() if isinstance(held, dict) else enumerate(held):
        wording = place if isinstance(place, str) else None
        at = f"{base}/{place}" if wording is None else base + pointer(place)
        if only is not None and not only.holds(value):
            continue
        item = _item(context, case, path, value, at, wording, arm)
        if item is None:
            continue
        label = _add(context, key, case, item, seen, path, at, by)
        verdicts.append(item[1])
        # Asked here too: next to no item repeats its definition, and each would be a node.
        if type(value) is dict and not RESTATED.isdisjoint(value):
            defined = case.defined_as("expectation", label)
            note_restated(context.node(path, value, at), defined)
    checks = Checks.of(verdicts)
    if checks.all == 1 and label in names.OVERALL:
        _note_outputs(context, doc)
    context.count(path, checks.all)
    if name and not fields.keys() <= PLAIN:
        # Which of two lists counts is not for us to say; a configuration's is a run of its own.
        lists = [each for each in names.ITEMS if each != name and type(fields.get(each)) is list]
        second = [each for each in lists if any(map(is_judged, fields[each]))]
        second += [each for each, _ in other_lists(fields) if side_named(each) is None]
        for each in second:
            what = f"{name!r} was read; the items in {each!r} were not."
            hint = "Keep one list of items, or name the other after its configuration."
            doc.note("warning", "second-list", what, hint, each)
    return checks


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
        doc.note(
            "warning",
            "grading-in-outputs",
            f"This grading says only how the run did as a whole; {beside} has {count} "
            f"item{'s' if count > 1 else ''}, not read as the run itself may have written them.",
            "Have the grader write its items into the grading next to the folder outputs.",
        )


def _add(
    context: SuiteContext,
    key: str,
    case: Case,
    item: Item,
    seen: dict[str, int],
    path: str,
    at: str,
    by: Judge,
) -> str:
    """Add the judgment of an item, and its criterion to the case when it is new; return that."""
    text, passed, evidence = item
    known = case.alias.get(text) or case.known_as("expectation", text)
    label = numbered(known, seen)
    if ("expectation", label) not in case.criteria:
        case.add("expectation", label, path, at, known)
    score = None if passed is None else float(passed)
    context.judge(key, "expectation", label, by, score, path, at, passed, evidence)
    return label


def _item(
    context: SuiteContext,
    case: Case,
    path: str,
    value: Any,
    at: str,
    name: str | None = None,
    arm: str | None = None,
) -> Item | None:
    """Return what an item says, under any of the names that tools use; None for no item.

    `name` is what it is called in an object of items, `arm` the field of its verdict where only one
    can be meant.
    """
    hint = HINTS["grading"]
    if type(value) is not dict:  # nothing but its verdict, under its wording
        passed = verdict_of(value)
        if name is None or passed is None:
            context.node(path, value, at).type_problem("an object")
            return None
        what = "An item is only a verdict, named by its text."
        context.tolerate(path, at, "item-field", what, hint)
        return name, passed, None
    text, passed, evidence = value.get("text"), value.get("passed"), value.get("evidence")
    if type(text) is type(evidence) is str and type(passed) is bool:
        return text, passed, evidence

    def other(called: str, field: str, key: str) -> None:
        if key != field and (path, "item-field") not in context.tolerated:
            what = f"The {called} of an item is in the field {key!r}."
            context.tolerate(path, at, "item-field", what, hint)

    if type(text) is not str:
        own = worded(value)
        if own is not None:
            other("wording", "text", own[0])
        text = None
        for key in ("id", "name"):
            label = as_text(value[key]) if key in value and not text else None
            text = case.alias.get(label) if label else text
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
                other("verdict", "passed", key)
                if not isinstance(stated, bool):
                    what = f"The verdict {stated!r} was inferred from its wording."
                    context.tolerate(path, at, "verdict-word", what, hint)
                break
        else:
            word = unknown_verdict(value) if arm is None else None
            if word is not None:
                context.unread_result(path, at, word)
            elif value.get("passed") is not None:
                context.node(path, value, at).wrong("passed", "true or false")
            else:
                what = "This item has no verdict; it counts as not scored."
                node = context.node(path, value, at)
                node.note("warning", "no-verdict", what, "Write passed: true or false.")
    if type(evidence) is not str:
        evidence = None
        for key in names.EVIDENCE:
            evidence = as_text(value[key]) if key in value else None
            if evidence is not None:
                other("evidence", "evidence", key)
                break
    return text, passed, evidence


def _overall(context: SuiteContext, key: str, case: Case, doc: Node, judge: Judge) -> Checks:
    """Add the one judgment of a run that has a verdict on the whole and no list of items."""
    _note_outputs(context, doc)
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
        HINTS["grading"],
    )
    item = _item(context, case, doc.path, {**fields, "text": OVERALL}, doc.at, arm=stated)
    if item is None or item[1] is None:
        return NO_CHECKS
    _add(context, key, case, item, {}, doc.path, doc.at, judge.of_judgments)
    context.count(doc.path, 1)
    return Checks.of([item[1]])


def add_unknown(
    context: SuiteContext, key: str, case: Case, doc: Node, judge: Judge = UNNAMED
) -> Checks:
    """Note the result of a run that could not be read; a verdict is one judgment without score."""
    word = unknown_verdict(doc.value)
    context.unread_result(doc.path, doc.at, word)
    if word is not None:
        item = OVERALL, None, None
        _add(context, key, case, item, {}, doc.path, doc.at, judge.of_judgments)
        context.count(doc.path, 1)
    return Checks(0, 0, 1)


def read_structural(context: SuiteContext, key: str, case: Case, path: str | None) -> Structure:
    """Add one judgment a structural check, those that the run has no result of without score."""
    value = context.reader.json(path) if path is not None else MISSING
    if path is None or value is MISSING:
        return Structure(NO_CHECKS, None, False)
    doc = context.node(path, value)
    verdicts: list[bool | None] = []
    gate: bool | None = True
    blocked = False
    seen: dict[str, int] = {}
    answered: set[str] = set()
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
        at = item.at
        if ("structural", name) not in case.criteria:
            case.add("structural", name, path, at, item.text("text"), critical)
        score, why = None if verdict is None else float(verdict), item.text("evidence")
        context.judge(key, "structural", name, RULE, score, path, at, verdict, why)
    missing = case.unanswered("structural", answered)
    for name in missing:
        if gate and case.defined_as("structural", name)["critical"]:
            gate = None
        context.judge(key, "structural", name, RULE, None, path, doc.at)
    _note_incomplete(doc, "structural check", missing)
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


def read_rubric(
    context: SuiteContext, key: str, place: RunContext, doc: Node
) -> tuple[float | None, dict[str, float]]:
    """Add the judgments of the rubric; return its weighted mean and the scores by dimension."""
    if type(doc.value) is dict and doc.value.get("rubric_scores") is None:
        return None, {}
    case, known, scores = place.case, place.case.dimensions, dict[str, float]()
    answered = set[str]()
    for name, node in doc.fields("rubric_scores"):
        answered.add(name)
        bare = type(node.value) is not dict
        score = _score(node, node.value if bare else node.get("score"))
        why = None if bare else node.text("evidence") or node.text("reasoning")
        if known and name not in known:
            node.note(
                "warning",
                "unknown-dimension",
                f"The rubric of this case has no dimension {name!r}; weight 1 is used.",
                "Use the names in evals.json.",
            )
        add_dimension(context, key, case, name, score, node, place.judge, why)
        note_restated(node, case.defined_as("rubric", name))
        if score is not None:
            scores[name] = score
    missing = case.unanswered("rubric", answered)
    nothing = context.node(doc.path, None, f"{doc.at}/rubric_scores")
    for name in missing:
        add_dimension(context, key, case, name, None, nothing, place.judge)
    _note_incomplete(doc, "dimension", missing)
    context.count(doc.path, len(scores))
    weights = [known.get(name, 1.0) for name in scores]
    mean = weighted_mean(list(zip(scores.values(), weights, strict=True)))
    summary = doc.child("rubric_summary")
    if mean is not None and isinstance(summary.value, dict):
        compare(summary, "weighted_mean", mean)
        compare(summary, "normalized", mean / RUBRIC_MAX)
        compare(summary, "max_possible", RUBRIC_MAX)
    return mean, scores


def add_dimension(
    context: SuiteContext,
    key: str,
    case: Case,
    name: str,
    score: float | None,
    node: Node,
    judge: Judge,
    why: str | None = None,
) -> None:
    """Add the judgment of one dimension, and its criterion to the case when it is new."""
    if ("rubric", name) not in case.criteria:
        case.add("rubric", name, node.path, node.at, name)
    context.judge(key, "rubric", name, judge, score, node.path, node.at, None, why)


def _score(node: Node, score: object) -> float | None:
    """Return a score of 1 to 5; another one is noted and counts as none."""
    if score is None:
        return None
    if isinstance(score, (int, float)) and not isinstance(score, bool) and 1 <= score <= RUBRIC_MAX:
        return float(score)
    text = repr(score)
    text = text if len(text) <= 60 else f"{text[:57]}..."
    node.note(
        "warning",
        "out-of-scale",
        f"The score {text} is not on the scale 1 to 5; it counts as not scored.",
        "Judge this dimension again.",
    )
    return None


def _note_incomplete(doc: Node, what: str, missing: Sequence[str]) -> None:
    """Note the defined criteria that a document has no result for, each of them unscored."""
    if missing:
        one = len(missing) == 1
        doc.note(
            "warning",
            "incomplete",
            f"{len(missing)} {what}{' of evals.json has' if one else 's of evals.json have'} no "
            f"result here: {missing[0]!r}{'' if one else ' and others'}.",
            "Grade the run again, or add what is missing.",
        )
