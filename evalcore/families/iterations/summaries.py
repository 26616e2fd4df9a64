"""The sums that a grading stores under any of their names, each compared with its own list."""

from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import rate
from evalcore.families.iterations.documents import HINTS
from evalcore.families.iterations.runs import Checks, SuiteContext
from evalcore.families.iterations.words import verdict_of
from evalcore.names import FAILED, OVERALL, PASSED, RATE, TOTAL, is_percent
from evalcore.numbers import disagrees

STANDARD: Final = ("passed", "failed", "total", "pass_rate")
_RATE: Final = (*RATE, "score")
NAMES: Final = frozenset({*PASSED, *FAILED, *TOTAL, *_RATE, *OVERALL, "overall"})


def check_summary(context: SuiteContext, doc: Node, checks: Checks) -> None:
    """Compare what a grading stores about its list with the list itself."""
    value = doc.value
    if type(value) is not dict or not checks.scored:
        return
    summary = value.get("summary")
    if type(summary) is dict:
        total, share = checks.all, checks.passed / checks.all
        stated = summary.get("passed"), summary.get("total"), summary.get("failed")
        stored: Any = summary.get("pass_rate")
        counts = (checks.passed, total, total - checks.passed)
        same = len(summary) == len(STANDARD) and stated == counts and type(stored) is float
        if not same or (stored != share and disagrees(stored, share)):
            _compare_all(context, doc.child("summary"), checks, standard=True)
    if not NAMES.isdisjoint(value):
        if type(value.get("overall")) is dict:
            _compare_all(context, doc.child("overall"), checks, standard=False)
        _compare_all(context, doc, checks, standard=False)


def _compare_all(context: SuiteContext, node: Node, checks: Checks, standard: bool) -> None:
    """Compare each sum of an object; names other than the standard ones are remarked on.

    Items without a verdict may have counted as passed, as failed, as a half, or not at all.
    """
    passed, failed = checks.passed, checks.scored - checks.passed
    counts = {
        **dict.fromkeys(PASSED, (passed, passed + checks.unscored)),
        **dict.fromkeys(FAILED, (failed + checks.unscored, failed)),
        **dict.fromkeys(TOTAL, (checks.all, checks.scored)),
    }
    rates = (passed / checks.all, passed / checks.scored, (passed + checks.unscored) / checks.all)
    for key in (key for key in node.value if key in NAMES):
        value = node.value[key]
        if value is None or key == "overall":
            continue
        if key in counts and not isinstance(value, (bool, str)):
            compare(node, key, *counts[key])
        elif key in _RATE or (isinstance(value, str) and key in counts):
            # A share that may be written as 0.53, 53, "53%" or "8/15".
            if isinstance(value, str):
                stated = rate(value)
                if stated is not None and not _lies_in(stated.value, rates, 0.0101):
                    _mismatch(node, key, value, _given(key, rates[0]))
            elif key != "score" or (isinstance(value, (int, float)) and 0 <= value <= 1):
                percent = isinstance(value, (int, float)) and (value > 1 or is_percent(key))
                compare(node, key, *((found * 100 if percent else found) for found in rates))
        elif (verdict := verdict_of(value)) is None:
            continue
        elif passed == (0 if verdict else checks.all):
            none_or_all = "no item passed" if verdict else "every item passed"
            _mismatch(node, key, str(value), none_or_all)
        if not standard or key not in STANDARD:
            what = f"{key} was read as a part of this grading's summary."
            at = f"{node.at}/{key}"
            context.tolerate(node.path, at, "summary-name", what, HINTS["grading"])


def compare(node: Node, key: str, *computed: float) -> None:
    """Note a stored number that is in none of the ways it may be meant what its parts give."""
    stored = node.number(key)
    if stored is None or _lies_in(stored, computed, 0):
        return
    whole = key in PASSED or key in FAILED or key in TOTAL
    if whole or all(disagrees(stored, one) for one in computed):
        _mismatch(node, key, f"{stored:g}", _given(key, computed[0]))


def _lies_in(stored: float, computed: tuple[float, ...], near: float) -> bool:
    return min(computed) - near <= stored <= max(computed) + near


def _given(key: str, computed: float) -> str:
    """Return what the list itself says of a sum: `1 item failed`."""
    items = "1 item" if computed == 1 else f"{computed:.6g} items"
    if key in TOTAL:
        return f"it has {items}"
    word = "passed" if key in PASSED else "failed" if key in FAILED else ""
    return f"{items} {word}" if word else f"its items give {computed:.6g}"


def _mismatch(node: Node, key: str, stored: str, found: str) -> None:
    name = f"{node.at}/{key}".strip("/").replace("/", ".")
    what = f"{name} is {stored}, but {found}."
    node.note("warning", "derived-mismatch", what, f"Recompute {name}.", key)
