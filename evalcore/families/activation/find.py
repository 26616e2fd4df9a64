"""Find trigger sets and their results by content, and which of these files are one suite."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.activation.queries import (
    Block,
    decision,
    has_outcome,
    holds_queries,
    searched,
    squeezed,
)
from evalcore.families.base import SCHEMA, Loose, Plan, is_review
from evalcore.layouts.order import in_common, natural

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

    def may_be(self, other: "Asked") -> bool:
        """Say whether two queries of one text are the same: neither contradicts the other."""
        return all(
            None in (one, two) or one == two
            for one, two in ((self.skill, other.skill), (self.expected, other.expected))
        )


class File(NamedTuple):
    """A file of queries, and the names of the skills that it or its place says it is about.

    `skill` is the folder of the skill that its place tells (`""` is the root), None if none.
    """

    path: str
    kind: str
    asked: frozenset[Asked]
    names: frozenset[str]
    skill: str | None


@dataclass
class Suite:
    """The files of one suite, the first of which names it, and the names of its skills."""

    files: list[File] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


class Suites:
    """The suites found so far, with those that ask each query."""

    def __init__(self) -> None:
        self.all: list[Suite] = []
        self._asking: dict[str, dict[int, set[Asked]]] = defaultdict(dict)
        """Text of a query to the suites that ask it, by their place in the list."""

    def add(self, file: File, at: int | None) -> None:
        """Add a file to a suite, by its place in the list, or begin one with it."""
        if at is None:
            at = len(self.all)
            self.all.append(Suite())
        self.all[at].files.append(file)
        self.all[at].names |= file.names
        for asked in file.asked:
            known = self._asking[asked.text]
            if at in known or len(known) < FEW:
                known.setdefault(at, set()).add(asked)

    def asking(self, file: File, needed: int) -> int | None:
        """Return the place of the suite that asks most of a file's queries, at least `needed`.

        It may be of the same skill: both name it, or one of them names none. Of several, it is the
        nearest by path.
        """
        counts: Counter[int] = Counter()
        for asked in file.asked:
            for at, known in self._asking.get(asked.text, {}).items():
                counts[at] += any(map(asked.may_be, known))
        fitting = []
        for at, count in counts.items():
            suite = self.all[at]
            others = file.names and suite.names and file.names.isdisjoint(suite.names)
            if count >= needed and not others:
                fitting.append((count, in_common(file.path, suite.files[0].path), -at))
        return -max(fitting)[2] if fitting else None


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each set of queries, with the results that ask them."""
    found = {
        path: searched(document)
        for path, document in loose.items()
        if not (document.fields.get("schema") == SCHEMA and is_review(path))
        and holds_queries(document)
    }
    files = []
    for path, lists in found.items():
        if lists.sets:
            results = any(has_outcome(item) for block in lists.sets for item in block.items)
            files.append(_file(path, "trigger_results" if results else "trigger_set", lists.sets))
    suites = Suites()
    for file in sorted(files, key=_order):
        number = len(file.asked)
        needed = number if file.kind == "trigger_set" else (number + 1) // 2
        suites.add(file, suites.asking(file, max(needed, 1)))
    # Single trials and bare lists of a suite's own queries lie beside or below it.
    folders = {file.path.rpartition("/")[0] for file in files}
    for path, (sets, queries, odd) in found.items():
        if sets or queries is None:
            continue
        suite, above = None, path.rpartition("/")[0]
        while above and above not in folders:
            above = above.rpartition("/")[0]
        # Of the files in the root, only its own are meant.
        if (above or path.rpartition("/")[0]) in folders:
            told = (decision(item) for item in queries.items if isinstance(item, dict))
            trial = any(each is not None for each in told)
            file = _file(path, "trigger_trial" if trial else "trigger_queries", [queries])
            suite = suites.asking(file, len(file.asked))
            if suite is not None:
                suites.add(file, suite)
        if suite is None and odd is not None:
            said = (
                "These queries say what should answer them, but not with true or false, so they "
                "were not read."
            )
            hint = 'Write "should_trigger": true or false for one skill, in a file of its own.'
            reader.problem(path, odd.at, "info", "trigger-set-unread", said, hint)
    # The id is `<skill> (triggers)` where one skill has one set, which no folder is named, else the
    # path of the first file.
    skills = [_skill(reader, suite) for suite in suites.all]
    wanted = Counter(skills)
    plans = []
    for each, skill in zip(suites.all, skills, strict=True):
        folder, slash, name = each.files[0].path.rpartition("/")
        suite_id = f"{folder}{slash}{name.rpartition('.')[0] or name}"
        if skill is not None and wanted[skill] == 1:
            suite_id = f"{skill} (triggers)" if skill else "triggers"
        own = tuple((file.path, file.kind) for file in each.files)
        kept = {path: (loose[path], found[path]) for path, _ in own}
        plans.append(Plan(suite_id, "activation", folder, skill, own, kept))
    return sorted(plans, key=lambda plan: plan.suite)


def _order(file: File) -> tuple[bool, int, int, tuple[tuple[int, int, str], ...]]:
    """Sets before results, and large ones before those that hold a part of their queries."""
    results = file.kind != "trigger_set"
    return results, -len(file.asked), file.path.count("/"), natural(file.path)


def _file(path: str, kind: str, found: list[Block]) -> File:
    asked = {
        Asked(skill or block.about.skill, squeezed(text), expected)
        for block in found
        for _, text, expected, skill in block.queries
        if text is not None
    }
    folder = skill_folder(path)
    names = {each.skill for each in asked} | {block.about.skill for block in found}
    names.add(folder.rpartition("/")[2] if folder else None)
    return File(path, kind, frozenset(asked), frozenset(filter(None, names)), folder)


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


def _skill(reader: Reader, suite: Suite) -> str | None:
    """Return the folder of the one skill of a suite: by its place, else by its name."""
    named = {asked.skill for file in suite.files for asked in file.asked if asked.skill}
    if len(named) > 1:
        return None
    if suite.files[0].skill is not None:
        return suite.files[0].skill
    same = [path for path in reader.listing.folders if path.rpartition("/")[2] in named]
    return same[0] if len(same) == 1 else None
