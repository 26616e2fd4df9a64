"""The numbers of one run or of one eval in a benchmark, under the names that tools use."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, TypeVar

from evalcore import names
from evalcore.disk.values import Node
from evalcore.families.iterations import measures
from evalcore.families.iterations.amounts import amount, finite, parts, rate
from evalcore.families.iterations.words import unknown_verdict, verdict_of
from evalcore.numbers import NEAR

INNER: Final = ("result", "summary")
"""The objects inside a run or an eval that may hold its numbers."""
FIGURES: Final = frozenset(
    (*names.PASSED, *names.FAILED, *names.TOTAL, *names.RATE, *names.OVERALL, *measures.NAMES)
)
IDEAS: Final[Mapping[str, tuple[str, ...]]] = {
    "passed": names.PASSED,
    "failed": names.FAILED,
    "total": names.TOTAL,
    "rate": names.RATE,
    "parts": (*names.PASSED, *names.RATE, "score"),
    "overall": names.OVERALL,
    "errors": ("errors", "error_count"),
}
"""What is read of an object, each with its names; `parts` may be written as `3/4`."""
DEEPEST: Final = 5

T = TypeVar("T")


_names_in: Final = names.by_ideas(IDEAS)
Held = list[tuple[dict[str, Any], names.Ideas]]
"""The objects that hold the numbers of one run, each with the names that it has of each idea."""


class Figures(NamedTuple):
    """What one run or eval came to.

    `percent` says that its rate was written as percent, `by_verdict` that a verdict is all it has.
    `unread` is what it says instead of a result: a word that is no known verdict, or a number that
    is no rate and has no total. `broken` says that nothing was judged because of errors.
    """

    passed: int | None = None
    total: int | None = None
    rate: float | None = None
    seconds: float | None = None
    tokens: float | None = None
    cost: float | None = None
    percent: bool = False
    by_verdict: bool = False
    unread: str | float | None = None
    broken: bool = False

    @property
    def result(self) -> bool:
        """Whether a result is told, also in a way that cannot be read; measures are none."""
        return self.broken or any(v is not None for v in (self.passed, self.rate, self.unread))


class Leaf(NamedTuple):
    """One number or text somewhere in an object; `name` joins the names above it with dots."""

    name: str
    node: Node
    number: float | None
    text: str | None


def figures_of(item: Node) -> Figures:
    """Return the numbers that a run or an eval holds, in an inner object or itself."""
    places = [item.child(name) for name in INNER if type(item.value.get(name)) is dict]
    places.append(item)
    held: Held = [(place.value, _names_in(place.value)) for place in places]
    took = measures.took(places)
    texts = (
        fields[name] for fields, called in held for name in called["parts"]
        if type(fields[name]) is str
    )  # fmt: skip
    counts = next(filter(None, map(parts, texts)), None)
    passed, total = counts or (_first(held, "passed", _whole), _first(held, "total", _whole))
    if passed is not None and total is None:
        failed = _first(held, "failed", _whole)
        total = None if failed is None else passed + failed
    if total == 0 and not passed:
        return Figures(None, None, None, *took, broken=bool(_first(held, "errors", _whole)))
    share, percent = _rate(held)
    if percent and passed is None and _is_count(share, total):
        passed, share, percent = round((share or 0) * 100), None, False
    if share is None and passed is not None and total:
        share = passed / total
    if share is not None:
        return Figures(passed, total, share, *took, percent)
    if passed is not None:
        return Figures(passed, total, None, *took, unread=passed)
    verdict = _first(held, "overall", verdict_of)
    if verdict is not None:
        return Figures(int(verdict), 1, float(verdict), *took, by_verdict=True)
    for fields, _ in held:
        word = unknown_verdict(fields)
        if word is not None:
            score = finite(fields.get("score"))
            beside = score if score is not None and 0 <= score <= 1 else None
            return Figures(None, total, beside, *took, unread=word)
    return Figures(None, total, None, *took, unread=_first(held, "passed", finite))


def _first(held: Held, idea: str, read: Callable[[Any], T | None]) -> T | None:
    """Return the first value of an idea that can be read as one."""
    for fields, called in held:
        for name in called[idea]:
            found = read(fields[name])
            if found is not None:
                return found
    return None


def _whole(value: Any) -> int | None:
    if type(value) is int:
        return value if abs(value) < 2**53 else None
    found = finite(value)
    whole = found is not None and found == int(found) and abs(found) < 2**53
    return int(found) if found is not None and whole else None


def _rate(held: Held) -> tuple[float | None, bool]:
    """Return the pass rate, and whether it was written as percent; of a statistic its mean."""
    for fields, called in held:
        for name in called["rate"]:
            value = fields[name]
            if type(value) is float and 0 <= value <= 1 and not names.is_percent(name):
                return value, False
            found = rate(value.get("mean") if isinstance(value, dict) else value)
            if found is not None:
                percent = found.form == "percent"
                small = names.is_percent(name) and found.form == "number"  # half a percent, say
                return found.value / (100 if small else 1), percent or small
    return None, False


def _is_count(share: float | None, total: int | None) -> bool:
    """Say whether a number that looks like percent can only be a count: 8 where 8 is the total."""
    number = (share or 0) * 100
    if share is None or not total or round(number) > total or abs(number - round(number)) >= NEAR:
        return False
    some = share * total
    return abs(some - round(some)) > 0.005 * total


def leaf(name: str, node: Node) -> Iterator[Leaf]:
    """Yield what one field says: a number, a text, or all that stands in it."""
    value = node.value
    if isinstance(value, dict):
        for key, inner in node.fields() if name.count(".") < DEEPEST else ():
            yield from leaf(f"{name}.{key}", inner)
    elif isinstance(value, list):
        for inner in node.all_items():
            text = _line(inner.value)
            if text:
                yield Leaf(name, inner, None, text)
    elif isinstance(value, bool):
        yield Leaf(name, node, None, "yes" if value else "no")
    elif (found := amount(value)) is not None:
        yield Leaf(name, node, found.value, value if isinstance(value, str) else None)
    elif isinstance(value, str) and value.strip():
        yield Leaf(name, node, None, value)


def _line(value: Any) -> str | None:
    """Return one item of a list as a line of words."""
    if isinstance(value, dict):
        fields = value.items()
        texts = [f"{key}: {inner}" for key, inner in fields if isinstance(inner, (str, int, float))]
        return "\n".join(texts) or None
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    return None
