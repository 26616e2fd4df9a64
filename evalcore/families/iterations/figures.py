"""The numbers of one run or of one eval in a benchmark, under the names that tools use."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import amount, finite, parts, rate
from evalcore.families.iterations.measures import NAMES, cost_of, seconds_of, tokens_of
from evalcore.families.iterations.words import unknown_verdict, verdict_of
from evalcore.names import FAILED, OVERALL, PASSED, RATE, TOTAL, is_percent
from evalcore.numbers import NEAR

ERRORS: Final = ("errors", "error_count")
INNER: Final = ("result", "summary")
"""The objects inside a run or an eval that may hold its numbers."""
IN_WORDS: Final = (*PASSED, *RATE, "score")
FIGURES: Final = frozenset((*PASSED, *FAILED, *TOTAL, *RATE, *OVERALL, *NAMES))
DEEPEST: Final = 5


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


def figures_of(places: list[Node]) -> Figures:
    """Return the numbers that the `places_of` a run or an eval hold."""
    measured = [place for place in places if not NAMES.isdisjoint(place.value)]
    figures = partial(
        Figures,
        seconds=_first(measured, seconds_of),
        tokens=_first(measured, tokens_of),
        cost=_first(measured, cost_of),
    )
    held: list[dict[str, Any]] = [place.value for place in places]
    passed, total = _counts(held)
    if total == 0 and not passed:
        return figures(broken=bool(_whole(held, ERRORS)))
    share, percent = _rate(held)
    if percent and passed is None and _is_count(share, total):
        passed, share, percent = round((share or 0) * 100), None, False
    if share is None and passed is not None and total:
        share = passed / total
    if share is not None:
        return figures(passed, total, share, percent=percent)
    if passed is not None:
        return figures(passed, total, unread=passed)
    verdicts = (verdict_of(fields.get(name)) for fields in held for name in OVERALL)
    verdict = next((found for found in verdicts if found is not None), None)
    if verdict is not None:
        return figures(int(verdict), 1, float(verdict), by_verdict=True)
    for fields in held:
        word = unknown_verdict(fields)
        if word is not None:
            score = finite(fields.get("score"))
            beside = score if score is not None and 0 <= score <= 1 else None
            return figures(None, total, beside, unread=word)
    numbers = (finite(fields.get(name)) for fields in held for name in PASSED)
    return figures(None, total, unread=next((n for n in numbers if n is not None), None))


def places_of(item: Node) -> list[Node]:
    """Return the objects that hold the numbers of a run or an eval, the inner ones first."""
    inner = [item.child(name) for name in INNER if isinstance(item.value.get(name), dict)]
    return [*inner, item]


def _first(places: list[Node], get: Callable[[Node], float | None]) -> float | None:
    for place in places:
        found = get(place)
        if found is not None:
            return found
    return None


def _counts(held: list[dict[str, Any]]) -> tuple[int | None, int | None]:
    """Return how many passed, and of how many: as a text like `3/4` says, else by their names."""
    for fields in held:
        for name in IN_WORDS:
            is_text = name in fields and isinstance(fields[name], str)
            split = parts(fields[name]) if is_text else None
            if split is not None:
                return split
    passed, total = _whole(held, PASSED), _whole(held, TOTAL)
    failed = _whole(held, FAILED) if total is None else None
    return passed, passed + failed if passed is not None and failed is not None else total


def _whole(held: list[dict[str, Any]], names: tuple[str, ...]) -> int | None:
    for fields in held:
        for name in names:
            found = finite(fields[name]) if name in fields else None
            if found is not None and found == int(found) and abs(found) < 2**53:
                return int(found)
    return None


def _rate(held: list[dict[str, Any]]) -> tuple[float | None, bool]:
    """Return the pass rate, and whether it was written as percent; of a statistic its mean."""
    for fields in held:
        for name in RATE:
            value = fields.get(name)
            value = value.get("mean") if isinstance(value, dict) else value
            found = rate(value) if value is not None else None
            if found is not None:
                percent = found.form == "percent"
                small = is_percent(name) and found.form == "number"  # half a percent, say
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
