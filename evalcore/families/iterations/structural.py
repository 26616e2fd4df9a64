"""structural.json to judgments: checks by rule, some of them critical, and the gate they form."""

from typing import NamedTuple

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node
from evalcore.families.iterations.case import Case, Criterion, numbered
from evalcore.families.iterations.runs import NO_CHECKS, Checks, Desk
from evalcore.families.iterations.summaries import check_summary
from evalcore.tables.rows import JudgmentRow


class Structure(NamedTuple):
    """What the structural checks of a run come to.

    `gate` is None where nothing tells it; `blocked` says that a critical check was not run.
    """

    checks: Checks
    gate: bool | None
    blocked: bool


NO_STRUCTURE = Structure(NO_CHECKS, None, False)


def read_structural(desk: Desk, key: str, case: Case, path: str | None) -> Structure:
    """Add one judgment a structural check."""
    value = desk.reader.json(path) if path is not None else MISSING
    if path is None or value is MISSING:
        return NO_STRUCTURE
    doc = desk.node(path, value)
    passed = scored = unscored = 0
    gate, blocked = True, False
    seen: dict[str, int] = {}
    for item in doc.items("expectations"):
        told = item.text("id") or item.text("text") or f"item {item.at.rpartition('/')[2]}"
        name = numbered(told, seen)
        critical = item.flag("critical")
        if critical is None:
            critical = case.critical.get(name, False)
        not_run = item.get("status") == "not_run"
        verdict = None if not_run else item.flag("passed")
        if verdict is None:
            unscored += 1
            blocked = blocked or (critical and not_run)
        else:
            scored += 1
            passed += verdict
            gate = gate and (verdict or not critical)
        _check(desk, key, case, item, Criterion("structural", name, critical=critical), verdict)
    checks = Checks(passed, scored, unscored)
    desk.judged[path] = checks.all
    check_summary(desk, doc, checks)
    _check_gate(doc, gate, blocked)
    return Structure(checks, None if blocked or not checks.all else gate, blocked)


def _check_gate(doc: Node, gate: bool, blocked: bool) -> None:
    stored = doc.flag("gate_passed")
    if stored is None or stored == gate or blocked:
        return
    told, found = ("true" if value else "false" for value in (stored, gate))
    doc.note(
        "warning",
        "derived-mismatch",
        f"gate_passed is {told}, its critical checks say {found}.",
        "Recompute gate_passed.",
        "gate_passed",
    )


def _check(
    desk: Desk, key: str, case: Case, item: Node, criterion: Criterion, passed: bool | None
) -> None:
    if ("structural", criterion.name) not in case.criteria:
        described = criterion._replace(description=item.text("text"))
        case.add(desk.suite, described, item.path, item.at)
    score = None if passed is None else 1.0 if passed else 0.0
    status = "unscored" if passed is None else "scored"
    desk.add_judgment(
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
            evidence=item.text("evidence"),
        )
    )
