"""The runs that a benchmark lists, whatever its shape: one by one, by eval, or by configuration."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from evalcore import names
from evalcore.disk.reader import Reader
from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite, rate
from evalcore.families.iterations.figures import FIGURES, figures_of
from evalcore.families.iterations.items import holds_items
from evalcore.families.iterations.split_runs import configuration_named
from evalcore.families.iterations.words import verdict_of
from evalcore.layouts.iterations import NONE, is_configuration

LISTS: Final = (
    "per_eval", "eval_results", "evals", "by_eval", "per_case", "by_case", "case_results", "cases",
    "results", "scenarios", "tasks",
)  # fmt: skip
SIDES: Final = ("configurations", "configs")
GROUPS: Final = ("summary", "aggregate", *SIDES)
FIELDS: Final = frozenset(
    (*FIGURES, *GROUPS, "mean", "median", "stddev", "min", "max", "n", "delta", "overall",
     "average", "metadata", "notes", "note", "score", "errors")
)  # fmt: skip
"""Names of fields, which are never those of evals."""
NEVER: Final = frozenset((*GROUPS, "delta"))
"""Those of them that may hold sums of sides."""
SUMS: Final = (*GROUPS, "results", "overall", "totals", "run_summary")
"""Where sides of any name have sums, which tells that they are sides."""
RESULTS: Final = frozenset(
    (*names.PASSED, *names.FAILED, *names.TOTAL, *names.RATE, *names.OVERALL, *names.ITEMS, "score")
)
HELD: Final = RESULTS.union(LISTS, ("runs", "result", "summary"))
TOLD: Final = HELD.difference(("score",))
"""Names of which one at least is in a run that only its shape tells."""
ALIASED: Final = frozenset(
    (*FIGURES, *names.ITEMS, *names.EVAL_ID, *names.EVAL_NAME, *names.CONFIGURATION, *names.SKILL)
)
"""Names that are read in `camelCase` too."""
SIDE: Final = (
    r"(?:with|without|no|old|new)[-_ ]?(?:skill|rule|plugin|agent)s?|baseline|official|ours|theirs"
)
"""What sides are called, within the name of a field."""
STATISTIC: Final = re.compile(
    r"^(?:avg|average|mean|median|total|stddev|min|max)_|_(?:avg|average|mean|median|stddev|min|max)$"
)
NOT_NAMED: Final = (*SIDES, "results", "delta", *names.ITEMS)
"""Objects in an eval that hold sides themselves, a difference of them, or items."""
GATHERING: Final = frozenset((*LISTS, *SIDES, "runs"))
"""Names of what only gathers evals or sides, and so is none."""
UNNAMED: Final = frozenset((*NEVER, *SUMS, "average", "metadata")) - GATHERING
"""Names of what is about all evals."""
GROUPED: Final = re.compile(
    r"^(?:by|per)_(?!eval|case|scenario|task|test|prompt)|categor|dimension", re.IGNORECASE
)
"""Names of what groups evals by something else than sides."""
_may_name_skill: Final = names.by_names(
    lambda fields: any("skill" in name.lower() for name in fields)
)
_lists_in: Final = names.by_names(lambda fields: [name for name in names.ITEMS if name in fields])
_identity_in: Final = names.by_ideas({"id": names.EVAL_ID, "name": names.EVAL_NAME})
DEEPEST: Final = 4
MOST_SIDES: Final = 20
"""More names in common are those of something else."""


class Listed(NamedTuple):
    """One run as a benchmark lists it, or one eval's numbers in one configuration.

    `entry` is the object that names the eval, `item` the one that holds the numbers (often the
    same); `group` points to its list, empty for the standard list of runs. `beside` are the fields
    of the entry that are named after its side, `used` the pointers of all that are about sides.
    """

    item: Node
    entry: Node
    configuration: str
    eval_id: Any
    name: str | None
    group: str = ""
    beside: Mapping[str, Node] = {}
    used: frozenset[str] = frozenset()


class Field(NamedTuple):
    """What the name of a field says: of which side it is, and under which name without that.

    `name` is None for the side itself. `sure` is false where the rest of the name is no known one,
    so that the whole may be a side of its own, as `claude_with_skill` is.
    """

    side: str | None
    name: str | None = None
    sure: bool = True

    @property
    def is_side(self) -> bool:
        """Whether the whole name is that of a side."""
        return self.side is not None and self.name is None


def listed(document: Node) -> list[Listed]:
    """Return the runs of the standard list and those of other lists, else those told by shape."""
    tree = _Tree(sides_named(document.value))
    found = [*tree.standard(document), *tree.within(document, NONE, 0)]
    if not any(map(has_result, found)) and (told := tree.by_shape(document)):
        return told
    skills = [names.first(run.entry.value, names.SKILL) for run in found]
    if len({skill for skill in skills if isinstance(skill, str)}) < 2:
        return found
    return [
        run._replace(eval_id=f"{skill}: {run.eval_id}", name=None) if skill else run
        for run, skill in zip(found, skills, strict=True)
    ]


def skills_in(document: Node) -> set[str]:
    """Return the skills that the objects in a document's lists name."""
    lists = [each for each in document.value.values() if isinstance(each, list)]
    entries = (each for entries in lists for each in entries if isinstance(each, dict))
    skills = (names.first(_aliased(each), names.SKILL) for each in filter(_may_name_skill, entries))
    return {skill for skill in skills if isinstance(skill, str)}


def has_result(run: Listed) -> bool:
    """Say whether anything came of what may be a run: a verdict, a rate, a count, or items."""
    return figures_of(run.item).result or holds_checks(run.item)


def holds_checks(item: Node) -> bool:
    """Say whether a run in a benchmark lists what was checked."""
    held = (item.value[name] for name in _lists_in(item.value))
    return any(each and isinstance(each, list) for each in held)


class _Quiet(Reader):
    """Takes no notes of a value that no suite has yet."""

    def __init__(self) -> None: ...

    def problem(self, *_: Any, **__: Any) -> None:
        """Note nothing."""


def runs_in(value: Any) -> list[Listed]:
    """Return the runs that the value of a file lists, without noting anything."""
    return listed(Node(_Quiet(), "", value)) if isinstance(value, dict) else []


def sides_named(value: Any) -> frozenset[str]:
    """Return what is a side of a document though its name does not say so, as `mine` in a duel.

    It has sums of its own, and every eval of some list has a field of its name.
    """
    sums = (held for key in SUMS if isinstance(held := value.get(key), dict))
    named = {
        name
        for held in sums
        for name in held
        if not (name in FIELDS or _is_known(name) or is_configuration(name))
    }
    found = set[str]()
    for each in value.values() if named else ():
        evals = list(each.values()) if isinstance(each, dict) else each
        if evals and isinstance(evals, list) and all(isinstance(one, dict) for one in evals):
            found.update(name for name in named if all(name in one for one in evals))
    return frozenset(found) if len(found) <= MOST_SIDES else frozenset()


class _Tree:
    """Tells the runs in a document whose own names of sides are given."""

    def __init__(self, sides: frozenset[str]) -> None:
        self.sides = sides

    def standard(self, document: Node) -> Iterator[Listed]:
        """Yield the runs of the standard list, of each as many as it has sides."""
        for item in document.items("runs") if isinstance(document.get("runs"), list) else ():
            side, run = configuration_named(item.value), _with_aliases(item)
            if side is not None and not RESULTS.isdisjoint(run.value):
                yield Listed(run, run, side, *_identity(run.value))
            else:
                yield from self._runs(run, None, side or NONE, f"{document.at}/runs")

    def within(self, node: Node, configuration: str, depth: int) -> Iterator[Listed]:
        """Yield the runs in the lists of an object, in its configurations and in its groups."""
        held = node.value
        if depth > DEEPEST or not isinstance(held, dict):
            return
        for key in LISTS if depth == 0 else (*LISTS, "runs"):
            if key in held:
                yield from self._entries(node.child(key), configuration, depth)
        for name, value in held.items():
            if type(value) is dict and field_of(name, self.sides).is_side:
                yield from self.within(node.child(name), name, depth + 1)
        for key in GROUPS:
            group = node.child(key)
            if isinstance(group.value, list) and key in SIDES:
                for side in group.all_items():
                    for name in labels_of(side.value)[-1:]:
                        yield from self.within(side, name, depth + 1)
            elif isinstance(group.value, dict):
                for name, below in group.fields() if key in SIDES else ((configuration, group),):
                    yield from self.within(below, name, depth + 1)

    def _entries(self, node: Node, configuration: str, depth: int) -> Iterator[Listed]:
        """Yield the runs of a list of evals, or of an object that has them by name.

        A configuration among the names has lists of its own or evals; sums of its runs are none.
        """
        pairs: list[tuple[str | None, Node]] = []
        if isinstance(node.value, list):
            pairs = [(None, each) for each in node.all_items() if isinstance(each.value, dict)]
        elif isinstance(node.value, dict):
            pairs = list(node.fields())
        evals_only = not any(name in FIELDS or (name and self._is_side(name)) for name, _ in pairs)
        for name, child in pairs:
            value = child.value
            if name is not None and self._is_side(name):
                if isinstance(value, dict) and any(key in value for key in (*LISTS, "runs")):
                    yield from self.within(child, name, depth + 1)
                elif depth < DEEPEST:
                    yield from self._entries(child, name, depth + 1)
            elif (evals_only or isinstance(value, (dict, list))) and not is_field(name, value):
                entry = _with_aliases(child)
                side = configuration_named(entry.value) or configuration
                yield from self._runs(entry, name, side, node.at)

    def _runs(
        self, entry: Node, key: str | None, configuration: str, group: str
    ) -> Iterator[Listed]:
        """Yield the runs of one object: one or more for each side that it speaks of, else itself.

        What it says of a side stands under the name of that, in fields named after it, as
        `tokens_with_skill`, or under a name that has a value for each, as
        `tokens: {with_skill: 100}`. Where it only has measures of sides it is a run itself, and
        they stand beside it.
        """
        own: dict[str, Node] = {}
        beside: dict[str, dict[str, Node]] = defaultdict(dict)
        used: list[Node] = []
        unsure: list[tuple[str, Field, Node]] = []
        inner = [entry.child(k) for k in (*SIDES, "results") if isinstance(entry.get(k), dict)]
        is_eval = names.first(entry.value, names.EVAL_ID) is not None
        for place in (entry, *inner) if isinstance(entry.value, dict) else ():
            for name, value in place.value.items():
                if value is None:
                    continue
                told = field_of(name, self.sides)
                if told.side is not None and not told.sure:
                    unsure.append((name, told, place.child(name)))
                elif told.side is not None:
                    node = place.child(name)
                    used.append(node)
                    if told.name is None:
                        own[told.side] = node
                    else:
                        beside[told.side][told.name] = node
                elif place is entry and isinstance(value, dict) and name not in NOT_NAMED:
                    for side, inside in value.items():
                        # Among evals by name it may be one of them.
                        is_one = _kind(inside, None) and not (is_eval or _is_known(name))
                        if inside is not None and self._is_side(side) and not is_one:
                            node = place.child(name).child(side)
                            used.append(node)
                            pairs = node.fields() if isinstance(inside, dict) else ()
                            beside[side].update(dict(pairs) or {name: node})
        if unsure:
            used += _sure_of(unsure, own, beside, names.first(entry.value, names.TOTAL))
        sides = dict.fromkeys((*own, *beside))
        if not own and (
            RESULTS.isdisjoint(name for held in beside.values() for name in held)
            or any(isinstance(entry.get(name), list) for name in names.ITEMS)
        ):
            own, sides = {configuration: entry}, {configuration: None, **sides}
        about = frozenset(node.at for node in used)
        eval_id, called = _identity(entry.value, key)
        for side in sides:
            held, fields = own.get(side), beside.get(side, {})
            several = held if held is None or isinstance(held.value, list) else held.child("runs")
            if several is not None and isinstance(several.value, list):
                for run in map(_with_aliases, several.items()):
                    at = configuration_named(run.value) or side
                    yield Listed(run, entry, at, eval_id, called, group, used=about)
            else:
                item = _whole(held, entry, fields)
                yield Listed(item, entry, side, eval_id, called, group, fields, about)

    def _is_side(self, name: str) -> bool:
        """Say whether a name is that of a side, and not of a field of one."""
        found = field_of(name, self.sides)
        return found.is_side or (not found.sure and is_configuration(name))

    def by_shape(self, document: Node) -> list[Listed]:
        """Return the runs of a document without a list of a known name.

        They are the objects in which a rate with its total, or items, can be told. Of the names
        above one, those that name a side say so; the others name its case.
        """
        found = list(self._leaves(document, (), NONE, 0))
        if not found:
            return []
        paths = [path for path, _ in found]
        shared = 0
        while all(len(p) > shared + 1 and p[shared] == paths[0][shared] for p in paths):
            shared += 1
        common = paths[0][shared - 1] if shared else None
        paths = [path[shared:] for path in paths]
        at: int | None = None
        if any(run.configuration != NONE for _, run in found) or skills_in(document):
            common = None
        else:
            # Sides stand at the end that has fewer names, where a case has several of them.
            firsts, lasts = ({path[end] for path in paths} for end in (0, -1))
            end = 0 if len(firsts) <= len(lasts) else -1
            cases = [path[1:] if end == 0 else path[:-1] for path in paths]
            at = end if all(cases) and len(set(cases)) < len(cases) else None
        runs = []
        for path, (_, run) in zip(paths, found, strict=True):
            side = (common or run.configuration) if at is None else path[at]
            above = path if at is None else path[1:] if at == 0 else path[:-1]
            eval_id = ": ".join(above) or run.eval_id
            runs.append(run._replace(configuration=side, eval_id=eval_id))
        return runs

    def _leaves(
        self, node: Node, above: tuple[str, ...], side: str, depth: int
    ) -> Iterator[tuple[tuple[str, ...], Listed]]:
        """Yield each run with the names of and above it; `above` are those of `node`."""
        held: Any = node.value
        if depth > 2 * DEEPEST:
            return
        for key, value in enumerate(held) if isinstance(held, list) else held.items():
            name = key if isinstance(key, str) else None
            if name is not None and (name in UNNAMED or GROUPED.search(name)):
                continue
            if isinstance(value, list):
                yield from self._leaves(node.child(key), above, side, depth + 1)
            if not isinstance(value, dict):
                continue
            nested = any(isinstance(inner, (dict, list)) for inner in value.values())
            told = any(names.snake(k) in TOLD or field_of(k, self.sides).side for k in value)
            if not nested and not told:
                continue
            entry = _with_aliases(node.child(key))
            own = configuration_named(entry.value) or side
            labels = labels_of(entry.value, name)
            below = (*above, *labels)
            if name in GATHERING:
                below = above
            elif labels and self._is_side(labels[-1]):
                own, below = labels[-1], above
            elif labels and told:
                runs = list(self._runs(entry, name, own, node.at))
                if runs and all(map(is_told, runs)):
                    yield from ((below, run) for run in runs)
                    continue
            if nested or below is above:
                yield from self._leaves(entry, below, own, depth + 1)


def _sure_of(
    unsure: list[tuple[str, Field, Node]],
    own: dict[str, Node],
    beside: dict[str, dict[str, Node]],
    total: Any,
) -> Iterator[Node]:
    """Sort fields that may be of a side or a side themselves, and yield those that are either.

    A number that several sides have is a measure; else it may be that of a variant.
    """
    numbers: dict[str | None, set[str | None]] = defaultdict(set)
    for _, told, node in unsure:
        if finite(node.value) is not None:
            numbers[told.name].add(told.side)
    plain = dict(own)
    for name, told, node in unsure:
        kind, side = _kind(node.value, total), told.side or ""
        measured = len(numbers[told.name]) > 1 and not numbers[told.name].isdisjoint(plain)
        free = side not in plain and side not in beside
        alike = side in plain and kind == _kind(plain[side].value, total)
        if kind and is_configuration(name) and not measured and (alike or free):
            own[name] = node
        elif measured or not free:
            beside[side][told.name or name] = node
        else:
            continue
        yield node


def is_told(run: Listed) -> bool:
    """Say whether an object that no list of evals holds is a run: a rate with its total, or items.

    Without a side it needs both, each under its own name.
    """
    held = run.item.value
    if any(held.get(name) and holds_items(held[name]) for name in names.ITEMS):
        return run.configuration != NONE
    figures = figures_of(run.item)
    rated = run.configuration != NONE or any(name in held for name in names.RATE)
    return rated and None not in (figures.rate, figures.total)


def labels_of(value: Any, key: str | None = None) -> tuple[str, ...]:
    """Return what an object is called: its skill, where it names one, and its id or name."""
    eval_id, name = _identity(value, key)
    found = (names.first(value, names.SKILL), name if eval_id is None else eval_id)
    return tuple(str(each) for each in found if isinstance(each, (str, int)))


def _identity(entry: Any, key: str | None = None) -> tuple[Any, str | None]:
    """Return the id and the name of the eval that an entry speaks of; `key` is its own name."""
    held = entry if isinstance(entry, dict) else {}
    called = _identity_in(held)
    for name in called["id"]:
        if isinstance(held[name], (str, int)) and held[name] != "":
            key = held[name]
            break
    titles = (v for name in called["name"] if isinstance(v := held[name], str) and v)
    return key, next(titles, None)


def is_field(name: str | None, value: Any) -> bool:
    """Say whether a name among those of evals is a field's; one that has sides or items is none."""
    if name not in FIELDS or name in NEVER:
        return name in FIELDS
    held = value if isinstance(value, dict) else {}
    return not any(is_configuration(key) or holds_items(held.get(key)) for key in held)


@lru_cache(maxsize=4096)
def field_of(name: str, sides: frozenset[str] = frozenset()) -> Field:
    """Return what the name of a field says of a side: one of `sides`, or one known by its name."""
    if name in sides:
        return Field(name)
    pattern = _pattern(sides)
    text = name if pattern.search(name) else names.snake(name)
    found = pattern.search(text)
    if found is None:
        return Field(name if is_configuration(name) else None)
    before, after = text[: found.start()].strip("-_ ."), text[found.end() :].strip("-_ .")
    if not before and not after:
        return Field(name)
    rest = "_".join(filter(None, (before, after)))
    if all(_is_known(part) for part in (before, after) if part):
        return Field(found[1], rest)
    if after and _is_known(after):  # of `claude_with_skill`, say
        return Field(text[: found.end()], after)
    return Field(found[1], rest, sure=False)


@lru_cache(maxsize=64)
def _pattern(sides: frozenset[str]) -> re.Pattern[str]:
    words = "|".join((*map(re.escape, sorted(sides, key=len, reverse=True)), SIDE))
    return re.compile(rf"(?:^|[-_ .])({words})(?=$|[-_ .])", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _is_known(name: str) -> bool:
    """Say whether a name is that of a result, of a statistic of one, or of a measure."""
    bare = STATISTIC.sub("", names.snake(name))
    return bare in RESULTS or bare in FIELDS or names.is_measure(bare)


def _kind(value: Any, total: Any) -> str:
    """Return in which way a value can be the result of a side; empty where it is none."""
    if isinstance(value, dict):
        return "" if HELD.isdisjoint(map(names.snake, value)) else "object"
    if isinstance(value, list):
        return "list" if any(isinstance(item, dict) for item in value) else ""
    if verdict_of(value) is not None:
        return "verdict"
    is_count = isinstance(value, int) and total is not None
    return "amount" if is_count or is_bare_rate(value) else ""


def _aliased(value: Any) -> Any:
    """Return an object with its known names as the lists of names write them, too."""
    if not isinstance(value, dict) or all(map(str.islower, value)):
        return value
    more = {other: held for name, held in value.items() if (other := names.snake(name)) in ALIASED}
    return value if more.keys() <= value.keys() else {**more, **value}


def _with_aliases(node: Node, value: Mapping[str, Any] | None = None) -> Node:
    """Return the node of an object with those names, or of another object in its place."""
    found = _aliased(node.value if value is None else value)
    if found is node.value:
        return node
    return Node(node.reader, node.path, found, node.at, node.suite)


def _whole(node: Node | None, entry: Node, beside: Mapping[str, Node]) -> Node:
    """Return a side as an object, with what stands beside it and the total that its eval states.

    A bare number above 1 is a count, as is a whole one where the eval states a total; what is
    written as a count or a rate, or lies between 0 and 1, is a rate, and anything else a verdict.
    """
    value, total = {} if node is None else node.value, names.first(entry.value, names.TOTAL)
    if not isinstance(value, dict):
        is_rate = is_bare_rate(value)
        is_count = finite(value) is not None and (
            not is_rate or (isinstance(value, int) and total is not None)
        )
        value = {"passed" if is_count else "pass_rate" if is_rate else "verdict": value}
    if beside:
        value = {**{name: held.value for name, held in beside.items()}, **value}
    if total is not None and node is not entry:
        needs_total = not any(name in value for name in (*names.TOTAL, *names.FAILED, *names.RATE))
        if needs_total and any(finite(value.get(name)) is not None for name in names.PASSED):
            value = {**value, "total": total}
    return _with_aliases(entry if node is None else node, value)


def is_bare_rate(value: Any) -> bool:
    """Say whether a value that no name explains is a rate: not above 1, or written as one."""
    number = finite(value)
    return rate(value) is not None and (number is None or number <= 1)
