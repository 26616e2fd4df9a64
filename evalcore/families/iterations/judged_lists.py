"""A run's judged lists to judgments, held against what its document stores about them."""

from collections.abc import Container
from typing import Any, Final

from evalcore import names
from evalcore.disk.reader import MISSING, parse
from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import rate
from evalcore.families.iterations.case import numbered, words_of
from evalcore.families.iterations.items import (
    USUAL,
    is_judged,
    listed_items,
    other_lists,
    side_named,
    worded,
)
from evalcore.families.iterations.runs import NO_CHECKS, RUBRIC_MAX, Checks, Run, SuiteContext
from evalcore.families.iterations.split_runs import named_by
from evalcore.families.iterations.words import (
    as_text,
    is_open,
    unknown_verdict,
    verdict_of,
)
from evalcore.numbers import disagrees, weighted_mean
from evalcore.problems import pointer
from evalcore.shapes.judge import Judge
from evalcore.shapes.restated import NAMES as RESTATED
from evalcore.shapes.restated import note_restated

PLAIN: Final = USUAL - frozenset(names.ITEMS) | {"expectations"}
"""Fields of gradings that need no look for further lists of items."""
OVERALL: Final = "overall verdict"
"""The criterion of a run that is judged as a whole, without a list of items."""
RULE: Final = Judge(type="heuristic")
STANDARD: Final = ("passed", "failed", "total", "pass_rate")
STORED_RATES: Final = (*names.RATE, "score")
COUNTED: Final = {
    **dict.fromkeys(names.PASSED, "passed"),
    **dict.fromkeys(names.FAILED, "failed"),
    **dict.fromkeys(names.TOTAL, "total"),
}
STORED: Final = frozenset({*COUNTED, *STORED_RATES, *names.OVERALL, "overall"})
"""Names of sums that a grading stores of its own list."""

Item = tuple[str, bool | None, str | None]
"""Wording, verdict and evidence of one expectation as its list has it."""


def add_items(
    run: Run, doc: Node, arm: str | None = None, only: tuple[str | None, str | None] | None = None
) -> Checks:
    """Add one judgment an item of a grading, or of a run that a benchmark lists.

    `arm` names the field of the verdicts where it is that of a configuration; `only` are the
    eval and the configuration of this run where the items name those of several.
    """
    fields, path, context = doc.value, doc.path, run.context
    name = _list_name(doc)
    if name is None:
        return _add_overall(run, doc)
    base = f"{doc.at}{pointer(name) if name else ''}"
    if name not in names.STANDARD_ITEMS:
        what = f"The list of items is in the field {name!r}."
        what = what if name else "The items are a list without a name."
        context.tolerate(path, base, "list-name", what)
    held = fields[name] if name else fields
    verdicts: list[bool | None] = []
    label, seen = "", dict[str, int]()
    for place, value in held.items() if isinstance(held, dict) else enumerate(held):
        wording = place if isinstance(place, str) else None
        at = f"{base}/{place}" if wording is None else base + pointer(place)
        if only is not None and named_by(value) != only:
            continue
        item: Item | None = None
        if type(value) is dict:  # as nearly all have it
            text, passed, why = value.get("text"), value.get("passed"), value.get("evidence")
            if type(text) is type(why) is str and type(passed) is bool:
                item = text, passed, why
        if item is None and (item := _read_item(run, path, value, at, wording, arm)) is None:
            continue
        label = _add_expectation(run, item, seen, path, at)
        verdicts.append(item[1])
        # Asked here too: next to no item repeats its definition, and each would be a node.
        if type(value) is dict and not RESTATED.isdisjoint(value):
            defined = run.case.defined_as("expectation", label)
            note_restated(context.node(path, value, at), defined)
    checks = Checks.of(verdicts)
    if checks.all == 1 and label in names.OVERALL:
        _note_outputs(context, doc)
    context.count(path, checks.all)
    if name and not fields.keys() <= PLAIN:
        # Which of two lists counts is not for us to say; a configuration's is its own run.
        lists = [each for each in names.ITEMS if each in fields and each != name]
        lists = [each for each in lists if type(fields[each]) is list]
        second = [each for each in lists if any(map(is_judged, fields[each]))]
        second += [each for each, _ in other_lists(fields) if side_named(each) is None]
        for each in second:
            what = f"{name!r} was read; the items in {each!r} were not."
            hint = "Keep one list of items, or name the other after its configuration."
            doc.note("warning", "second-list", what, hint, each)
    return checks


def _add_overall(run: Run, doc: Node) -> Checks:
    """Add the one judgment of a run that has a verdict on the whole and no list of items."""
    _note_outputs(run.context, doc)
    fields = doc.value if isinstance(doc.value, dict) else {}
    stated = next((n for n in names.OVERALL if verdict_of(fields.get(n)) is not None), None)
    if stated is None:
        return NO_CHECKS if unknown_verdict(fields) is None else add_unknown(run, doc)
    what = "A run has no list of items; its verdict was read as one item."
    run.context.tolerate(doc.path, doc.at, "no-list", what)
    item = _read_item(run, doc.path, {**fields, "text": OVERALL}, doc.at, arm=stated)
    return _add_one(run, doc, item)


def add_unknown(run: Run, doc: Node) -> Checks:
    """Note a result that could not be read; a verdict is one judgment without score."""
    word = unknown_verdict(doc.value)
    run.context.unread_result(doc.path, doc.at, word)
    return _add_one(run, doc, None if word is None else (OVERALL, None, None))


def _add_one(run: Run, doc: Node, item: Item | None) -> Checks:
    """Add the one judgment of a run; without any it has one that could not be read."""
    if item is not None:
        _add_expectation(run, item, {}, doc.path, doc.at)
        run.context.count(doc.path, 1)
    return Checks.of([None if item is None else item[1]])


def _add_expectation(run: Run, item: Item, seen: dict[str, int], path: str, at: str) -> str:
    """Add the judgment of an item, and return its criterion."""
    text, passed, evidence = item
    known = run.case.alias.get(text) or run.case.known_as(text)
    label = numbered(known, seen) if known in seen else known
    seen.setdefault(known, 1)
    if ("expectation", label) not in run.case.criteria:
        run.case.add("expectation", label, path, at, known)
    score = None if passed is None else float(passed)
    run.add_judgment(run.by, "expectation", label, score, path, at, passed, evidence)
    return label


def _read_item(
    run: Run, path: str, value: Any, at: str, name: str | None = None, arm: str | None = None
) -> Item | None:
    """Return what an item says, under any of the names that tools use; None for no item.

    `name` is what it is called in an object of items, `arm` the field of its verdict where only
    one can be meant.
    """
    if type(value) is not dict:  # nothing but its verdict, under its wording
        passed = verdict_of(value)
        if name is None or passed is None:
            run.context.node(path, value, at).type_problem("an object")
            return None
        what = "An item is only a verdict, named by its text."
        run.context.tolerate(path, at, "item-field", what)
        return name, passed, None
    text, passed, evidence = value.get("text"), value.get("passed"), value.get("evidence")
    if type(text) is not str:
        own = worded(value)
        if own is not None:
            _note_field(run, path, at, "wording", "text", own[0])
        text = None
        for key in ("id", "name"):
            label = as_text(value[key]) if key in value and not text else None
            text = run.case.alias.get(label) if label else text
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
                _note_field(run, path, at, "verdict", "passed", key)
                if not isinstance(stated, bool):
                    what = f"The verdict {stated!r} was inferred from its wording."
                    run.context.tolerate(path, at, "verdict-word", what)
                break
        else:
            word = unknown_verdict(value) if arm is None else None
            if word is not None:
                run.context.unread_result(path, at, word)
            elif value.get("passed") is not None:
                run.context.node(path, value, at).wrong("passed", "true or false")
            else:
                what = "This item has no verdict; it counts as not scored."
                node = run.context.node(path, value, at)
                node.note("warning", "no-verdict", what, "Write passed: true or false.")
    if type(evidence) is not str:
        evidence = None
        for key in names.EVIDENCE:
            evidence = as_text(value[key]) if key in value else None
            if evidence is not None:
                _note_field(run, path, at, "evidence", "evidence", key)
                break
    return text, passed, evidence


def _note_field(run: Run, path: str, at: str, called: str, field: str, key: str) -> None:
    if key != field and (path, "item-field") not in run.context.tolerated:
        what = f"The {called} of an item is in the field {key!r}."
        run.context.tolerate(path, at, "item-field", what)


def add_structural(run: Run, path: str | None) -> tuple[Checks, bool | None, bool]:
    """Add one judgment a structural check, also of those that have no result.

    Return what they add up to, by what is critical in their definitions: how many passed; what the
    gate is, None where nothing tells it (without checks, or where a critical one has no result and
    none failed); and whether a critical check was not run.
    """
    case, context = run.case, run.context
    value = MISSING if path is None else context.reader.json(path)
    if path is None or value is MISSING:
        return NO_CHECKS, None, False
    doc = context.node(path, value)
    verdicts: list[bool | None] = []
    gate: bool | None = True
    blocked = False
    seen = dict[str, int]()
    for item in doc.items("expectations"):
        at = item.at
        stated = item.text("id") or item.text("text") or f"item {at.rpartition('/')[2]}"
        name = numbered(stated, seen)
        seen.setdefault(name, 1)
        defined = case.defined_as("structural", name)
        note_restated(item, defined)
        critical = defined.get("critical")
        critical = bool(item.flag("critical") if critical is None else critical)
        not_run = item.value.get("status") in ("not_run", "invalid")
        verdict = None if not_run else item.flag("passed")
        verdicts.append(verdict)
        if critical and verdict is not True:
            blocked = blocked or not_run
            gate = verdict if gate is not False else gate
        if ("structural", name) not in case.criteria:
            case.add("structural", name, path, at, item.text("text"), critical=critical)
        score, why = None if verdict is None else float(verdict), item.text("evidence")
        run.add_judgment(RULE, "structural", name, score, path, at, verdict, why)
    for name in _add_unanswered(run, "structural", doc, doc.at, seen):
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
    return checks, gate, blocked


def add_rubric(run: Run, doc: Node) -> tuple[float | None, dict[str, float]]:
    """Add the judgments of the rubric; return its weighted mean and the scores by dimension."""
    if type(doc.value) is dict and doc.value.get("rubric_scores") is None:
        return None, {}
    known, scores, answered = run.case.dimensions, dict[str, float](), set[str]()
    for name, node in doc.fields("rubric_scores"):
        answered.add(name)
        bare = type(node.value) is not dict
        score = node.value if bare else node.value.get("score")
        if type(score) in (int, float) and 1 <= score <= RUBRIC_MAX:
            score = float(score)
        elif score is not None:
            text = repr(score)
            text = text if len(text) <= 60 else f"{text[:57]}..."
            what = f"The score {text} is not on the scale 1 to 5; it counts as not scored."
            node.note("warning", "out-of-scale", what, "Judge this dimension again.")
            score = None
        why = None if bare else node.text("evidence") or node.text("reasoning")
        if known and name not in known:
            what = f"The rubric of this case has no dimension {name!r}; weight 1 is used."
            node.note("warning", "unknown-dimension", what, "Use the names in evals.json.")
        add_dimension(run, name, score, node, why)
        if not (bare or RESTATED.isdisjoint(node.value)):
            note_restated(node, run.case.defined_as("rubric", name))
        if score is not None:
            scores[name] = score
    _add_unanswered(run, "rubric", doc, f"{doc.at}/rubric_scores", answered)
    run.context.count(doc.path, len(scores))
    weights = [known.get(name, 1.0) for name in scores]
    mean = weighted_mean(list(zip(scores.values(), weights, strict=True)))
    summary = doc.child("rubric_summary")
    if mean is not None and isinstance(summary.value, dict):
        compare(summary, "weighted_mean", mean)
        compare(summary, "normalized", mean / RUBRIC_MAX)
        compare(summary, "max_possible", RUBRIC_MAX)
    return mean, scores


def add_dimension(
    run: Run, name: str, score: float | None, node: Node, why: str | None = None
) -> None:
    """Add the judgment of one dimension."""
    if ("rubric", name) not in run.case.criteria:
        run.case.add("rubric", name, node.path, node.at, name)
    run.add_judgment(run.judge, "rubric", name, score, node.path, node.at, None, why)


def _add_unanswered(run: Run, kind: str, doc: Node, at: str, answered: Container[str]) -> list[str]:
    """Add the defined criteria that a document has no result for, each unscored."""
    missing = run.case.unanswered(kind, answered)
    for name in missing:
        run.add_judgment(
            RULE if kind == "structural" else run.judge, kind, name, None, doc.path, at
        )
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
    fields = value if type(value) is dict else {}
    held = fields.get("expectations")
    if type(held) is list and held:  # as nearly all have it
        return "expectations"
    if isinstance(value, list):
        if any(isinstance(item, dict) for item in value):
            return ""
        doc.type_problem("an object")
        return None
    lists = [name for name in names.ITEMS if name in fields and type(fields[name]) is list]
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


def check_summary(context: SuiteContext, doc: Node, checks: Checks) -> None:
    """Compare what a grading stores about its list with the list itself."""
    value = doc.value
    if type(value) is not dict or not checks.scored:
        return
    summary = value.get("summary")
    if type(summary) is dict:
        passed, whole = checks.passed, checks.all
        plain = passed, whole - passed, whole, passed / whole
        share: Any
        *counted, share = map(summary.get, STANDARD)
        same = len(summary) == len(plain) and (*counted,) == plain[:-1] and type(share) is float
        if not same or (share != plain[-1] and disagrees(share, plain[-1])):
            _compare_all(context, doc.child("summary"), checks, standard=True)
    if not STORED.isdisjoint(value):
        if type(value.get("overall")) is dict:
            _compare_all(context, doc.child("overall"), checks, standard=False)
        _compare_all(context, doc, checks, standard=False)


def _compare_all(context: SuiteContext, node: Node, checks: Checks, standard: bool) -> None:
    """Compare each sum of an object; items without a verdict may have counted in any way."""
    passed, whole, unscored = checks.passed, checks.all, checks.unscored
    counts = {
        "passed": (passed, passed + unscored),
        "failed": (whole - passed, checks.scored - passed),
        "total": (whole, checks.scored),
    }
    rates = passed / whole, passed / checks.scored, (passed + unscored) / whole
    for key, value in node.value.items():
        if key not in STORED or value is None or key == "overall":
            continue
        idea = COUNTED.get(key)
        if idea is not None and not isinstance(value, (bool, str)):
            compare(node, key, *counts[idea])
        elif key in STORED_RATES or (isinstance(value, str) and idea is not None):
            # A share that may be written as 0.53, 53, "53%" or "8/15".
            if isinstance(value, str):
                stated = rate(value)
                if stated is not None and not _lies_in(stated.value, rates, 0.0101):
                    _mismatch(node, key, value, _given(key, rates[0]))
            elif key != "score" or (isinstance(value, (int, float)) and 0 <= value <= 1):
                percent = isinstance(value, (int, float)) and (value > 1 or names.is_percent(key))
                compare(node, key, *((found * 100 if percent else found) for found in rates))
        elif (verdict := verdict_of(value)) is None:
            continue
        elif passed == (0 if verdict else whole):
            none_or_all = "no item passed" if verdict else "every item passed"
            _mismatch(node, key, str(value), none_or_all)
        if not standard or key not in STANDARD:
            what = f"{key} was read as a part of this grading's summary."
            context.tolerate(node.path, f"{node.at}/{key}", "summary-name", what)


def compare(node: Node, key: str, *computed: float) -> None:
    """Note a stored number that is in none of the ways it may be meant what its parts give."""
    stored = node.number(key)
    if stored is None or stored in computed or _lies_in(stored, computed, 0):
        return
    if key in COUNTED or all(disagrees(stored, one) for one in computed):
        _mismatch(node, key, f"{stored:g}", _given(key, computed[0]))


def _lies_in(stored: float, computed: tuple[float, ...], near: float) -> bool:
    return min(computed) - near <= stored <= max(computed) + near


def _given(key: str, computed: float) -> str:
    """Return what the list itself says of a sum: `1 item failed`."""
    items = "1 item" if computed == 1 else f"{computed:.6g} items"
    idea = COUNTED.get(key)
    if idea is None:
        return f"its items give {computed:.6g}"
    return f"it has {items}" if idea == "total" else f"{items} {idea}"


def _mismatch(node: Node, key: str, stored: str, found: str) -> None:
    name = f"{node.at}/{key}".strip("/").replace("/", ".")
    what = f"{name} is {stored}, but {found}."
    node.note("warning", "derived-mismatch", what, f"Recompute {name}.", key)
