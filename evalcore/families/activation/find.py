"""Find trigger sets and their results by content, and which of these files are one suite."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.activation.blocks import (
    Block,
    blocks,
    first_block,
    holds_queries,
    is_query,
    is_result,
)
from evalcore.families.activation.items import (
    SKILLS,
    expected_name,
    has_decision,
    query_name,
    squeezed,
    text_of,
)
from evalcore.families.activation.places import Place, place_of, plans_of
from evalcore.families.base import SCHEMA, Loose, Plan, is_review
from evalcore.layouts.order import natural

FEW: Final = 64
"""How many suites with one query in common are looked at for a file."""


class Asked(NamedTuple):
    """A query without white space, the skill it is for where one is named, and what is expected."""

    skill: str | None
    text: str
    expected: bool | None


class File(NamedTuple):
    """A file of queries, and the names of the skills that it or its place says it is about."""

    path: str
    kind: str
    asked: frozenset[Asked]
    names: frozenset[str]
    place: Place


class Cluster:
    """The files of one suite, the first of which names it."""

    def __init__(self, first: File) -> None:
        self.files: list[File] = []
        self.names: set[str] = set()
        self.by_text: dict[str, set[Asked]] = defaultdict(set)
        self.add(first)

    def add(self, file: File) -> None:
        """Take in a file."""
        self.files.append(file)
        self.names |= file.names
        for asked in file.asked:
            self.by_text[asked.text].add(asked)

    def holds(self, asked: Asked) -> bool:
        """Say whether a query is one of the suite's, with the same expectation."""
        return any(
            None in (asked.expected, own.expected) or own.expected == asked.expected
            for own in self.by_text.get(asked.text, ())
            if None in (asked.skill, own.skill) or own.skill == asked.skill
        )


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each set of queries, with the results that ask them."""
    asking = {
        path: value
        for path, value in loose.items()
        if not _is_record(path, value) and holds_queries(value)
    }
    files = [found for path, value in asking.items() if (found := _file(path, value)) is not None]
    clusters = Clusters()
    for file in sorted(files, key=_order):
        clusters.take(file)
    if clusters.all:
        _take_others(clusters, {file.path for file in files}, asking)
    _note_unread(reader, clusters, asking)
    suites = [[(file.path, file.kind, file.place) for file in each.files] for each in clusters.all]
    return plans_of(reader, suites, [_named(each) for each in clusters.all])


def _is_record(path: str, value: Json) -> bool:
    """Say whether a file is a record of what a person said, of which there may be very many."""
    return isinstance(value, dict) and value.get("schema") == SCHEMA and is_review(path)


class Clusters:
    """The suites found so far, with those that ask each query."""

    def __init__(self) -> None:
        self.all: list[Cluster] = []
        self._by_text: dict[str, list[int]] = defaultdict(list)

    def take(self, file: File) -> None:
        """Add a file to the suite whose queries it asks, or begin one with it."""
        needed = len(file.asked) if file.kind == "trigger_set" else (len(file.asked) + 1) // 2
        found = self.asking(file, max(needed, 1))
        if found is None:
            self.all.append(Cluster(file))
            found = len(self.all) - 1
        else:
            self.all[found].add(file)
        for asked in file.asked:
            known = self._by_text[asked.text]
            if len(known) < FEW and found not in known:
                known.append(found)

    def asking(self, file: File, needed: int) -> int | None:
        """Return the index of the suite that asks most of a file's queries, at least `needed`."""
        counts: Counter[int] = Counter()
        for asked in file.asked:
            for index in self._by_text.get(asked.text, ()):
                counts[index] += self.all[index].holds(asked)
        fitting = [
            (count, _near(self.all[index], file), -index)
            for index, count in counts.items()
            if count >= needed and _agree(file.names, self.all[index].names)
        ]
        return -max(fitting)[2] if fitting else None


def _agree(one: Iterable[str], two: Iterable[str]) -> bool:
    """Say whether two sets of names may be of one skill: one in common, or none in one of them."""
    first, second = set(one), set(two)
    return not first or not second or bool(first & second)


def _near(cluster: Cluster, file: File) -> int:
    """Return how many folders the paths of a suite and a file have in common."""
    parts = file.path.split("/")
    own = cluster.files[0].path.split("/")
    return next((n for n, (a, b) in enumerate(zip(parts, own, strict=False)) if a != b), len(own))


def _order(file: File) -> tuple[bool, int, int, tuple[tuple[int, int, str], ...]]:
    """Sets before results, and large ones before those that hold a part of their queries."""
    results = file.kind != "trigger_set"
    return results, -len(file.asked), file.path.count("/"), natural(file.path)


def _file(path: str, value: Json) -> File | None:
    """Return what a file asks; None for one without queries of a trigger set."""
    if first_block(value) is None:
        return None
    found = list(blocks(value))
    kind = "trigger_results" if any(map(is_result, found)) else "trigger_set"
    return _of_blocks(path, kind, found)


def _of_blocks(path: str, kind: str, found: list[Block]) -> File:
    asked = frozenset(each for block in found for each in _asked(block))
    place = place_of(path)
    names = {each.skill for each in asked} | {block.about.skill for block in found} | {place.name}
    return File(path, kind, asked, frozenset(name for name in names if name), place)


def _asked(block: Block) -> Iterator[Asked]:
    for item in block.items:
        if isinstance(item, str) and block.expected is not None and item.strip():
            yield Asked(block.about.skill, squeezed(item), block.expected)
        elif (name := query_name(item)) is not None:
            own, should = text_of(item, SKILLS), expected_name(item)
            expected = item[should] if should is not None else None
            yield Asked(own or block.about.skill, squeezed(item[name]), expected)


def _named(cluster: Cluster) -> frozenset[str]:
    """Return the skills that the documents of a suite name."""
    return frozenset(
        asked.skill for found in cluster.by_text.values() for asked in found if asked.skill
    )


def _take_others(clusters: Clusters, taken: set[str], asking: Loose) -> None:
    """Add single trials and bare lists of a suite's own queries, which lie beside or below it."""
    folders = {path.rpartition("/")[0] for path in taken}
    for path, value in asking.items():
        block = first_block(value, is_query)
        if path in taken or block is None or not _beside(path.rpartition("/")[0], folders):
            continue
        trial = any(has_decision(item) for item in block.items if isinstance(item, dict))
        file = _of_blocks(path, "trigger_trial" if trial else "trigger_queries", [block])
        found = clusters.asking(file, len(file.asked)) if file.asked else None
        if found is not None:
            clusters.all[found].add(file)


def _beside(folder: str, folders: set[str]) -> bool:
    if folder in folders:
        return True
    while folder:
        folder = folder.rpartition("/")[0]
        if folder and folder in folders:
            return True
    return False


def _note_unread(reader: Reader, clusters: Clusters, asking: Loose) -> None:
    """Name the files whose queries say in another way what should answer them."""
    taken = {file.path for cluster in clusters.all for file in cluster.files}
    for path, value in asking.items():
        block = None if path in taken else first_block(value, _is_odd)
        if block is not None:
            reader.problem(
                path,
                block.at,
                "info",
                "trigger-set-unread",
                "These queries say what should answer them, but not with true or false, so they "
                "were not read.",
                'Write "should_trigger": true or false for one skill, in a file of its own.',
            )


def _is_odd(item: Json) -> bool:
    return (
        isinstance(item, dict)
        and query_name(item) is not None
        and isinstance(item.get("should_trigger"), (str, list))
    )
