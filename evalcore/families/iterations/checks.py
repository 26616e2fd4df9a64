"""A grading's list of pass/fail items to judgments, one an item."""

from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.cases import Case, Criterion
from evalcore.families.iterations.runs import NO_CHECKS, Checks, Desk
from evalcore.tables.rows import JudgmentRow

KIND: Final = "expectation"
LISTS: Final = ("expectations", "assertions", "assertion_results", "results")
LABELS: Final = ("expectation", "assertion", "description", "name", "id", "text")
VERDICTS: Final = ("passed", "pass", "result", "status")
EVIDENCE: Final = ("evidence", "reason", "reasoning", "notes")
WORDS: Final = {"pass": True, "passed": True, "fail": False, "failed": False}


class _Item(NamedTuple):
    """One item as its list has it."""

    text: str
    passed: bool | None
    evidence: str | None


def read_items(desk: Desk, key: str, case: Case, doc: Node) -> Checks:
    """Add one judgment an item of a grading, or of a run that a benchmark lists."""
    name = next((n for n in LISTS if isinstance(doc.get(n), list)), None)
    if name is None:
        if doc.get("expectations") is not None:
            doc.wrong("expectations", "a list")
        return NO_CHECKS
    passed = scored = unscored = 0
    seen: dict[str, int] = {}
    add, path = desk.add_judgment, doc.path
    base = f"{doc.at}/{name}/"
    for index, value in enumerate(doc.get(name)):
        at = base + str(index)
        item = _item(desk, doc, value, at)
        if item is None:
            continue
        label = _label(desk, case, item.text, seen, path, at)
        if item.passed is None:
            unscored += 1
            add(JudgmentRow(key, KIND, label, None, "llm", None, 0.0, 1.0, None, None, None, None,
                            None, "unscored", path, at, None, item.evidence))  # fmt: skip
            continue
        scored += 1
        passed += item.passed
        score = 1.0 if item.passed else 0.0
        add(JudgmentRow(key, KIND, label, None, "llm", score, 0.0, 1.0, score, item.passed, None,
                        None, None, "scored", path, at, None, item.evidence))  # fmt: skip
    desk.count(path, scored + unscored)
    return Checks(passed, scored, unscored)


def _item(desk: Desk, doc: Node, value: Any, at: str) -> _Item | None:
    """Return what an item says; the common form is taken as it is, others are looked at closely."""
    if type(value) is not dict:
        desk.node(doc.path, value, at).wrong_here("an object")
        return None
    text, passed, evidence = value.get("text"), value.get("passed"), value.get("evidence")
    if type(text) is str and type(passed) is bool and type(evidence) is str:
        return _Item(text, passed, evidence)
    node = desk.node(doc.path, value, at)
    return _Item(
        text if type(text) is str else _text(node),
        passed if type(passed) is bool else _verdict(node),
        evidence if type(evidence) is str else _evidence(node),
    )


def _label(desk: Desk, case: Case, text: str, seen: dict[str, int], path: str, at: str) -> str:
    """Return the criterion that an item judges, adding it to the case when it is new."""
    known = case.alias[text] if text in case.alias else case.known_as(KIND, text)
    count = seen[known] = seen.get(known, 0) + 1
    label = known if count == 1 else f"{known}#{count}"
    if (KIND, label) not in case.criteria:
        case.add(desk.suite, Criterion(KIND, label, known), path, at)
    return label


def _text(node: Node) -> str:
    """Read an item's wording under another name."""
    found = next((found for key in LABELS if (found := node.text(key))), None)
    return found or f"item {node.at.rpartition('/')[2]}"


def _verdict(node: Node) -> bool | None:
    """Read a verdict under another name or as a word; None is a missing one."""
    for key in VERDICTS:
        value = node.get(key)
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.strip().lower() in WORDS:
            return WORDS[value.strip().lower()]
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


def _evidence(node: Node) -> str | None:
    return next((found for key in EVIDENCE if (found := node.text(key)) is not None), None)
