"""Find trigger sets and their results by content, and which of these files are one suite."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from evalcore.disk.reader import Json, Reader
from evalcore.families.activation.queries import (
    SKILLS,
    Block,
    Searched,
    expectation,
    has_decision,
    has_outcome,
    holds_queries,
    query_name,
    searched,
    squeezed,
    text_of,
)
from evalcore.families.base import SCHEMA, Loose, Plan, is_review
from evalcore.layouts.order import natural

FEW: Final = 64
"""How many suites with one query in common are looked at for a file."""

FOLDERS: Final = frozenset(
    {"evals", "eval", "evaluation", "evaluations", "tests", "test", "triggers", "trigger-evals",
     "trigger_evals"}
)  # fmt: skip
WORKSPACE: Final = "-workspace"


class Asked(NamedTuple):
    """A query without white space, the skill it is for where one is named, and what is expected."""

    skill: str | None
    text: str
    expected: bool | None


class File(NamedTuple):
    """A file of queries, and the names of the skills that it or its place says it is about.

    `skill` is the folder of the skill that its place tells (`""` is the root), None if none.
    """

    path: str
    kind: str
    asked: frozenset[Asked]
    names: frozenset[str]
    skill: str | None


class Suite:
    """The files of one suite, the first of which names it."""

    def __init__(self) -> None:
        self.files: list[File] = []
        self.names: set[str] = set()
        self.by_text: dict[str, set[Asked]] = defaultdict(set)

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

    def fits(self, file: File) -> bool:
        """Say whether a file may be of the same skill: a name in common, or none in one of them."""
        return not file.names or not self.names or bool(file.names & self.names)

    def near(self, file: File) -> int:
        """Return how many folders the paths of the suite and a file have in common."""
        parts, own = file.path.split("/"), self.files[0].path.split("/")
        pairs = enumerate(zip(parts, own, strict=False))
        return next((n for n, (a, b) in pairs if a != b), len(own))


class Suites:
    """The suites found so far, with those that ask each query."""

    def __init__(self) -> None:
        self.all: list[Suite] = []
        self._by_text: dict[str, list[int]] = defaultdict(list)

    def take(self, file: File) -> None:
        """Add a file to the suite whose queries it asks, or begin one with it."""
        needed = len(file.asked) if file.kind == "trigger_set" else (len(file.asked) + 1) // 2
        found = self.asking(file, max(needed, 1))
        if found is None:
            found = len(self.all)
            self.all.append(Suite())
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
            (count, self.all[index].near(file), -index)
            for index, count in counts.items()
            if count >= needed and self.all[index].fits(file)
        ]
        return -max(fitting)[2] if fitting else None


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each set of queries, with the results that ask them."""
    found = {
        path: searched(value)
        for path, value in loose.items()
        if not _is_record(path, value) and holds_queries(value)
    }
    files = []
    for path, lists in found.items():
        if lists.sets:
            results = any(has_outcome(item) for block in lists.sets for item in block.items)
            files.append(_file(path, "trigger_results" if results else "trigger_set", lists.sets))
    suites = Suites()
    for file in sorted(files, key=_order):
        suites.take(file)
    # Single trials and bare lists of a suite's own queries lie beside or below it.
    folders = {file.path.rpartition("/")[0] for file in files}
    for path, (sets, queries, odd) in found.items():
        if sets or queries is None:
            continue
        suite = None
        if _is_in(path.rpartition("/")[0], folders):
            trial = any(has_decision(item) for item in queries.items if isinstance(item, dict))
            file = _file(path, "trigger_trial" if trial else "trigger_queries", [queries])
            suite = suites.asking(file, len(file.asked))
        if suite is not None:
            suites.all[suite].add(file)
        elif odd is not None:
            reader.problem(
                path,
                odd.at,
                "info",
                "trigger-set-unread",
                "These queries say what should answer them, but not with true or false, so they "
                "were not read.",
                'Write "should_trigger": true or false for one skill, in a file of its own.',
            )
    return _plans(reader, suites.all, found)


def _is_record(path: str, value: Json) -> bool:
    """Say whether a file is a record of what a person said, of which there may be very many."""
    return isinstance(value, dict) and value.get("schema") == SCHEMA and is_review(path)


def _is_in(folder: str, folders: set[str]) -> bool:
    """Say whether a folder is one of some, or below one of them that is not the root."""
    above = folder
    while above and above not in folders:
        above = above.rpartition("/")[0]
    return (above or folder) in folders


def _order(file: File) -> tuple[bool, int, int, tuple[tuple[int, int, str], ...]]:
    """Sets before results, and large ones before those that hold a part of their queries."""
    results = file.kind != "trigger_set"
    return results, -len(file.asked), file.path.count("/"), natural(file.path)


def _file(path: str, kind: str, found: list[Block]) -> File:
    asked = frozenset(each for block in found for each in _asked(block))
    skill = skill_folder(path)
    own = {skill.rpartition("/")[2]} if skill else set()
    names = own | {each.skill for each in asked} | {block.about.skill for block in found}
    return File(path, kind, asked, frozenset(name for name in names if name), skill)


def _asked(block: Block) -> Iterator[Asked]:
    for item in block.items:
        if isinstance(item, str) and block.expected is not None and item.strip():
            yield Asked(block.about.skill, squeezed(item), block.expected)
        elif (name := query_name(item)) is not None:
            skill = text_of(item, SKILLS) or block.about.skill
            yield Asked(skill, squeezed(item[name]), expectation(item))


def skill_folder(path: str) -> str | None:
    """Return the folder of the skill whose evaluation folder, or workspace, holds a file."""
    parts = path.split("/")[:-1]
    for index in range(len(parts) - 1, -1, -1):
        if parts[index].endswith(WORKSPACE):
            return "/".join([*parts[:index], parts[index].removesuffix(WORKSPACE)])
        if parts[index].lower() in FOLDERS:
            inside = index + 1 < len(parts)
            # What lies deeper in the root's own folder may be about any of several skills.
            return None if inside and index == 0 else "/".join(parts[:index])
    return None


def _plans(reader: Reader, suites: Iterable[Suite], found: Mapping[str, Searched]) -> list[Plan]:
    """Return one plan for each suite.

    The id is `<skill> (triggers)` where one skill has one set, which no folder is named, else the
    path of the first file.
    """
    skills = [(suite, _skill(reader, suite)) for suite in suites]
    wanted = Counter(skill for _, skill in skills)
    plans = []
    for suite, skill in skills:
        folder, slash, name = suite.files[0].path.rpartition("/")
        suite_id = f"{folder}{slash}{name.rpartition('.')[0] or name}"
        if skill is not None and wanted[skill] == 1:
            suite_id = f"{skill} (triggers)" if skill else "triggers"
        files = tuple((file.path, file.kind) for file in suite.files)
        own = {file.path: found[file.path] for file in suite.files}
        plans.append(Plan(suite_id, "activation", folder, skill, files, own))
    return sorted(plans, key=lambda plan: plan.suite)


def _skill(reader: Reader, suite: Suite) -> str | None:
    """Return the folder of the one skill of a suite: by its place, else by its name."""
    named = {each.skill for found in suite.by_text.values() for each in found if each.skill}
    if len(named) > 1:
        return None
    if suite.files[0].skill is not None:
        return suite.files[0].skill
    same = [path for path in reader.listing.folders if path.rpartition("/")[2] in named]
    return same[0] if len(same) == 1 else None
