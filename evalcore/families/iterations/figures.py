"""The numbers of one run or of one eval in a benchmark, under the names that tools use."""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import amount, finite, parts, rate
from evalcore.families.iterations.measures import NAMES, cost_of, seconds_of, tokens_of
from evalcore.families.iterations.words import unknown_verdict, verdict_of
from evalcore.names import FAILED, OVERALL, PASSED, RATE, TOTAL, is_percent
from evalcore.numbers import NEAR
from evalcore.problems import pointer

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

    passed: int | None
    total: int | None
    rate: float | None
    seconds: float | None
    tokens: float | None
    cost: float | None
    percent: bool = False
    by_verdict: bool = False
    unread: str | float | None = None
    broken: bool = False

    @property
    def any(self) -> bool:
        """Whether anything was measured, or said in a way that cannot be read."""
        return self.broken or any(value is not None for value in (*self[:6], self.unread))


NOTHING: Final = Figures(None, None, None, None, None, None)


class Leaf(NamedTuple):
    """One number or text somewhere in an object; `name` joins the names above it with dots."""

    name: str
    node: Node
    number: float | None
    text: str | None


def figures_of(item: Node) -> Figures:
    """Return the numbers of an object, and of what it has inside as `result` or `summary`."""
    places = places_of(item)
    measured = [place for place in places if not NAMES.isdisjoint(place.value)]
    seconds, tokens, cost = (_first(measured, get) for get in (seconds_of, tokens_of, cost_of))
    found = _result(places)
    return found._replace(seconds=seconds, tokens=tokens, cost=cost)


def places_of(item: Node) -> list[Node]:
    """Return the objects that hold the numbers of a run or an eval, the inner ones first."""
    inner = [item.child(name) for name in INNER if isinstance(item.get(name), dict)]
    return [*inner, item]


def _result(places: list[Node]) -> Figures:
    """Return counts, rate or verdict; of nothing at all (0 of 0) there is none."""
    passed, total = _counts(places)
    if total == 0 and not passed:
        return NOTHING._replace(broken=bool(_whole(places, ERRORS)))
    pass_rate, percent = _rate(places)
    if percent and passed is None and _is_count(pass_rate, total):
        passed, pass_rate, percent = round((pass_rate or 0) * 100), None, False
    if pass_rate is not None or passed is not None:
        if pass_rate is None and passed is not None and total:
            pass_rate = passed / total
        unread = passed if pass_rate is None else None
        return NOTHING._replace(
            passed=passed, total=total, rate=pass_rate, percent=percent, unread=unread
        )
    verdict = _verdict(places)
    if verdict is not None:
        return NOTHING._replace(passed=int(verdict), total=1, rate=float(verdict), by_verdict=True)
    return _unread(places)._replace(total=total)


def _is_count(share: float | None, total: int | None) -> bool:
    """Say whether a number that looks like percent can only be a count: 8 where 8 is the total."""
    if share is None or not total or round(share * 100) > total or not _is_whole(share * 100):
        return False
    some = share * total
    return abs(some - round(some)) > 0.005 * total


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) < NEAR


def _unread(places: list[Node]) -> Figures:
    """Return what stands in place of a result, with the score that a word may state beside it."""
    for place in places:
        word = unknown_verdict(place.value)
        if word is not None:
            stated = finite(place.get("score"))
            share = stated if stated is not None and 0 <= stated <= 1 else None
            return NOTHING._replace(rate=share, unread=word)
    numbers = (finite(place.get(name)) for place in places for name in PASSED)
    return NOTHING._replace(unread=next((found for found in numbers if found is not None), None))


def _first(places: list[Node], get: Callable[[Node], float | None]) -> float | None:
    for place in places:
        if (found := get(place)) is not None:
            return found
    return None


def _counts(places: list[Node]) -> tuple[int | None, int | None]:
    for place in places:
        for value in _texts(place):
            split = parts(value)
            if split is not None:
                return split
    passed, failed, total = (_whole(places, names) for names in (PASSED, FAILED, TOTAL))
    if total is None and passed is not None and failed is not None:
        total = passed + failed
    return passed, total


def _texts(place: Node) -> list[str]:
    """Return what fields of counts and rates say in words."""
    held = place.value
    if type(held) is not dict:
        return []
    return [held[name] for name in IN_WORDS if name in held and isinstance(held[name], str)]


def _whole(places: list[Node], names: tuple[str, ...]) -> int | None:
    for place in places:
        held = place.value
        for name in names:
            found = finite(held[name]) if name in held else None
            if found is not None and found == int(found) and abs(found) < 2**53:
                return int(found)
    return None


def _rate(places: list[Node]) -> tuple[float | None, bool]:
    for place in places:
        for name in RATE:
            found = rate(mean_of(place.get(name)))
            if found is not None:
                percent = found.form == "percent"
                small = is_percent(name) and found.form == "number"  # half a percent, say
                return found.value / (100 if small else 1), percent or small
    return None, False


def mean_of(value: Any) -> Any:
    """Return the mean of a statistic, or the value itself."""
    return value.get("mean") if isinstance(value, dict) else value


def _verdict(places: list[Node]) -> bool | None:
    for place in places:
        for name in OVERALL:
            found = verdict_of(place.get(name))
            if found is not None:
                return found
    return None


def leaves(node: Node, skip: frozenset[str] = frozenset(), prefix: str = "") -> Iterator[Leaf]:
    """Yield every number and text of an object but those of the fields `skip`, nested ones too."""
    for name in node.value if isinstance(node.value, dict) else ():
        if name not in skip:
            yield from leaf(f"{prefix}{name}", node.child(name))


def leaf(name: str, node: Node) -> Iterator[Leaf]:
    """Yield what one field says: a number, a text, or all that stands in it."""
    value = node.value
    if isinstance(value, dict):
        if name.count(".") < DEEPEST:
            yield from leaves(node, prefix=f"{name}.")
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            text = _line(inner)
            if text:
                at = node.at + pointer(index)
                yield Leaf(name, Node(node.reader, node.path, inner, at, node.suite), None, text)
    elif isinstance(value, bool):
        yield Leaf(name, node, None, "yes" if value else "no")
    elif (found := amount(value)) is not None:
        yield Leaf(name, node, found.value, value if isinstance(value, str) else None)
    elif isinstance(value, str) and value.strip():
        yield Leaf(name, node, None, value)


def _line(value: Any) -> str | None:
    """Return one item of a list as a line of words."""
    if isinstance(value, dict):
        texts = [
            f"{key}: {inner}"
            for key, inner in value.items()
            if isinstance(inner, (str, int, float))
        ]
        return "\n".join(texts) or None
    if isinstance(value, (str, int, float)) and not isinstance(value, bool):
        return str(value)
    return None
