"""structural.json to judgments: checks by rule, some of them critical, and the gate they form."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node
from evalcore.families.iterations.case import Case, Criterion, numbered
from evalcore.families.iterations.documents.rubric import CHECK_RESULT
from evalcore.families.iterations.runs import NO_CHECKS, Checks, SuiteContext
from evalcore.families.iterations.summaries import check_summary
from evalcore.shapes import columns
from evalcore.shapes.fields import Shape
from evalcore.shapes.restated import note_restated
from evalcore.shapes.typed import TypedItems
from evalcore.tables.rows import JudgmentRow


class Structure(NamedTuple):
    """What the structural checks of a run add up to, by what is critical in their definitions.

    `gate` is None where nothing tells it: without checks, or where a critical one has no result and
    none failed. `blocked` says that a critical check was not run.
    """

    checks: Checks
    gate: bool | None
    blocked: bool


# What is looked for is a matter of the check, not of its result.
CHECKS: Final = TypedItems(
    Shape(CHECK_RESULT.about, *(field for field in CHECK_RESULT.fields if field.name != "type")),
    refused=("status",),
)

NO_STRUCTURE = Structure(NO_CHECKS, None, False)


def read_structural(context: SuiteContext, key: str, case: Case, path: str | None) -> Structure:
    """Add one judgment a structural check."""
    value = context.reader.json(path) if path is not None else MISSING
    if path is None or value is MISSING:
        return NO_STRUCTURE
    doc = context.node(path, value)
    found = _converted(context, key, case, doc) or _each(context, key, case, doc)
    context.judged[path] = found.checks.all
    check_summary(context, doc, found.checks)
    if found.gate is not None:
        _check_gate(doc, found.gate)
    return found


def _converted(context: SuiteContext, key: str, case: Case, doc: Node) -> Structure | None:
    """Add checks that are written as documented by column; None, with nothing done, for others."""
    held = doc.value.get("expectations") if type(doc.value) is dict else None
    found = CHECKS.read(held) if type(held) is list and not context.regraded else None
    if found is None or not all(item.id for item in found.items):
        return None
    items = found.items
    if case.ruled and not _as_defined(case, items):
        return None

    def criteria() -> list[columns.Criterion]:
        seen: dict[str, int] = {}
        rows = []
        for index, item in enumerate(items):
            name, at = numbered(item.id, seen), f"/expectations/{index}"
            known = Criterion("structural", name, item.text, critical=item.critical)
            case.add(context.suite, known, doc.path, at)
            rows.append(columns.Criterion("structural", name, at, judge_type="heuristic"))
        return rows

    ids = tuple([item.id for item in items])
    verdicts = [item.passed for item in items]
    evidence = [item.evidence for item in items]
    like = "structural", case.case_id, ids
    context.add_converted(key, doc.path, criteria, verdicts, evidence, like)
    gate = all(item.passed or not item.critical for item in items)
    return Structure(Checks(sum(verdicts), len(verdicts), 0), gate, False)


def _as_defined(case: Case, items: Sequence[Any]) -> bool:
    """Return whether a run has each defined check once, and calls the same ones critical."""
    named = {item.id: item.critical for item in items}
    return len(named) == len(items) and all(
        name in named and row.critical in (None, named[name])
        for (kind, name), row in case.ruled.items()
        if kind == "structural"
    )


def _each(context: SuiteContext, key: str, case: Case, doc: Node) -> Structure:
    """Add checks one by one, however each is written, and those that have no result."""
    passed = scored = unscored = 0
    gate: bool | None = True
    blocked = False
    seen: dict[str, int] = {}
    names: set[str] = set()
    for item in doc.items("expectations"):
        stated = item.text("id") or item.text("text") or f"item {item.at.rpartition('/')[2]}"
        name = numbered(stated, seen)
        names.add(name)
        defined = case.defined_as("structural", name)
        note_restated(item, defined)
        critical = defined.get("critical")
        critical = bool(item.flag("critical") if critical is None else critical)
        undecided = item.get("status") in ("not_run", "invalid")
        verdict = None if undecided else item.flag("passed")
        if verdict is None:
            unscored += 1
            blocked = blocked or (critical and undecided)
        else:
            scored += 1
            passed += verdict
        if critical and verdict is not True and gate is not False:
            gate = verdict
        _check(context, key, case, item, Criterion("structural", name, critical=critical), verdict)
    missing = case.unanswered("structural", names)
    for name in missing:
        critical = case.defined_as("structural", name)["critical"]
        gate = None if gate and critical else gate
        _check(context, key, case, doc, Criterion("structural", name), None)
    note_incomplete(doc, "structural check", missing)
    checks = Checks(passed, scored, unscored)
    return Structure(checks, gate if checks.all and not blocked else None, blocked)


def note_incomplete(doc: Node, what: str, missing: Sequence[str]) -> None:
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


def _check_gate(doc: Node, gate: bool) -> None:
    stored = doc.flag("gate_passed")
    if stored is None or stored == gate:
        return
    stated, found = ("true" if value else "false" for value in (stored, gate))
    doc.note(
        "warning",
        "derived-mismatch",
        f"gate_passed is {stated}, but its critical checks say {found}.",
        "Recompute gate_passed.",
        "gate_passed",
    )


def _check(
    context: SuiteContext,
    key: str,
    case: Case,
    item: Node,
    criterion: Criterion,
    passed: bool | None,
) -> None:
    if ("structural", criterion.name) not in case.criteria:
        described = criterion._replace(description=item.text("text"))
        case.add(context.suite, described, item.path, item.at)
    score = None if passed is None else 1.0 if passed else 0.0
    status = "unscored" if passed is None else "scored"
    context.add_judgment(
        JudgmentRow(
            run_id=key,
            kind="structural",
            criterion=criterion.name,
            judge_type="heuristic",
            score=score,
            min_score=0.0,
            max_score=1.0,
            fraction=score,
            passed=passed,
            status=status,
            source=item.path,
            pointer=item.at,
            evidence=item.text("evidence") or None,
        )
    )
