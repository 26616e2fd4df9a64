"""Pair the cases of two sides: those that count, those with shared criteria, and the rest."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from evalcore.comparing.model import CasePair, Change, LeftOut, Reason
from evalcore.comparing.values import CaseValue, MissingReason
from evalcore.statistics.intervals import SAME

_ORDER: Final[dict[Change, int]] = {"regressed": 0, "improved": 1, "same": 2}
_REASONS: Final[dict[MissingReason, tuple[Reason, Reason]]] = {
    "set aside": ("set aside", "set aside"),
    "excluded": ("excluded in A", "excluded in B"),
    "gate failed": ("gate failed in A", "gate failed in B"),
    "not finished": ("not finished in A", "not finished in B"),
    "not graded": ("not graded in A", "not graded in B"),
    "not read": ("not read in A", "not read in B"),
    "side unknown": ("side unknown", "side unknown"),
    "not scored": ("not scored in A", "not scored in B"),
    "hidden": ("hidden in A", "hidden in B"),
}


LOST: Final[frozenset[Reason]] = frozenset(
    reason
    for lack, reasons in _REASONS.items()
    if lack not in {"set aside", "hidden"}
    for reason in reasons
)
"""Reasons for which a case that ran on both sides has no value on one of them."""


class Paired(NamedTuple):
    """The cases of two sides, each once: those that count, and those left out."""

    pairs: tuple[CasePair, ...]
    left_out: tuple[LeftOut, ...]

    @property
    def both(self) -> tuple[str, ...]:
        """The cases that both sides ran and that could count: those paired, or lost on a side."""
        lost = (left.case_id for left in self.left_out if left.reason in LOST)
        return (*(pair.case_id for pair in self.pairs), *lost)


def paired(
    of_a: Mapping[str, CaseValue], of_b: Mapping[str, CaseValue], other: Mapping[str, Reason]
) -> Paired:
    """Return the cases that count and those left out; `other` names cases that must be left out."""
    pairs, left_out = [], []
    for case in dict.fromkeys([*of_b, *of_a]):
        why = _left_out(case, of_a, of_b, other)
        name = _name(case, of_b.get(case), of_a.get(case))
        if why is None:
            pairs.append(_pair(case, name, of_a[case], of_b[case]))
        else:
            left_out.append(LeftOut(case, name, why))
    return Paired(_in_order(pairs), tuple(left_out))


def _left_out(
    case: str,
    of_a: Mapping[str, CaseValue],
    of_b: Mapping[str, CaseValue],
    other: Mapping[str, Reason],
) -> Reason | None:
    sides = of_a.get(case), of_b.get(case)
    if any(case is not None and case.lack == "set aside" for case in sides):
        return "set aside"  # wherever it ran: it is not missing on the other side
    one, two = sides
    if one is None or two is None:
        return "only in B" if one is None else "only in A"
    for place, lack in enumerate((one.lack, two.lack)):
        if lack is not None:
            return _REASONS[lack][place]
    if one.people != two.people:
        # A human score on one side cannot be paired with a model's on the other.
        return "people only in A" if one.people else "people only in B"
    return other.get(case)


def _name(case: str, *known: CaseValue | None) -> str:
    return next((case.name for case in known if case is not None and case.name), case)


def _pair(case: str, name: str, a: CaseValue, b: CaseValue) -> CasePair:
    first, second = float(a.value or 0.0), float(b.value or 0.0)
    change: Change = "same"
    if abs(second - first) > SAME:
        change = "improved" if second > first else "regressed"
    return CasePair(
        case_id=case,
        name=name,
        a=first,
        b=second,
        change=change,
        runs_a=a.runs,
        runs_b=b.runs,
        run_a=a.run,
        run_b=b.run,
    )


def _in_order(pairs: Iterable[CasePair]) -> tuple[CasePair, ...]:
    return tuple(sorted(pairs, key=lambda pair: (_ORDER[pair.change], -abs(pair.difference))))


def carrier(pairs: tuple[CasePair, ...]) -> CasePair | None:
    """Return the one case without which the difference would be half of it or less."""
    total = sum(pair.difference for pair in pairs)
    changed = sum(pair.change != "same" for pair in pairs)
    if changed < 2 or abs(total) <= SAME:
        return None
    sign = 1 if total > 0 else -1
    most = max(pairs, key=lambda pair: pair.difference * sign)
    without = (total - most.difference) / (len(pairs) - 1)
    return most if without * sign <= abs(total) / len(pairs) / 2 else None
