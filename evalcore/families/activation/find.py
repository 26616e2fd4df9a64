"""Find trigger sets and their results by content, and which of these files are one suite."""

from collections import Counter, defaultdict
from typing import Final, NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.activation.queries import (
    Block,
    decision,
    has_outcome,
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


class File(NamedTuple):
    """A file of queries, the skills that it or its place names, and the folder of its skill."""

    path: str
    kind: str
    asked: frozenset[Asked]
    names: frozenset[str]
    skill: str | None


class Suites:
    """The files of each suite found so far, and which suites ask a query."""

    def __init__(self) -> None:
        self.files: list[list[File]] = []
        self._names: list[set[str]] = []
        self._asking: dict[str, dict[int, set[Asked]]] = defaultdict(dict)
        """Text of a query to the suites that ask it, by their place in the list."""

    def add(self, file: File, needed: int, *, alone: bool = True) -> bool:
        """Add a file to the suite that asks most of its queries, at least `needed`.

        It may be of the same skill: both name it, or one of them names none. Of several, it is the
        nearest by path. Where there is none, the file `alone` begins a suite. Say whether it was
        added.
        """
        counts: Counter[int] = Counter()
        for skill, text, expected in file.asked:
            for at, known in self._asking.get(text, {}).items():
                # Queries of one text are the same where neither contradicts the other.
                counts[at] += any(
                    (None in (skill, other.skill) or skill == other.skill)
                    and (None in (expected, other.expected) or expected == other.expected)
                    for other in known
                )
        fitting = []
        for at, count in counts.items():
            names, first = self._names[at], self.files[at][0]
            others = file.names and names and file.names.isdisjoint(names)
            if count >= needed and not others:
                fitting.append((count, in_common(file.path, first.path), -at))
        if not fitting and not alone:
            return False
        at = -max(fitting)[2] if fitting else len(self.files)
        if not fitting:
            self.files.append([])
            self._names.append(set())
        self.files[at].append(file)
        self._names[at] |= file.names
        for asked in file.asked:
            asking = self._asking[asked.text]
            if at in asking or len(asking) < FEW:
                asking.setdefault(at, set()).add(asked)
        return True


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each set of queries, with the results that ask them."""
    found = {
        path: searched(document)
        for path, document in loose.items()
        if not (document.fields.get("schema") == SCHEMA and is_review(path))
    }
    files = []
    for path, (sets, _, _) in found.items():
        if sets:
            results = any(has_outcome(query.item) for block in sets for query in block.queries)
            files.append(_file(path, "trigger_results" if results else "trigger_set", sets))
    # Sets before results, and large ones before those that hold a part of their queries.
    files.sort(
        key=lambda file: (
            file.kind != "trigger_set",
            -len(file.asked),
            file.path.count("/"),
            natural(file.path),
        )
    )
    suites = Suites()
    for file in files:
        number = len(file.asked)
        suites.add(file, max(number if file.kind == "trigger_set" else (number + 1) // 2, 1))
    # Single trials and bare lists of a suite's own queries lie beside or below it.
    folders = {file.path.rpartition("/")[0] for file in files}
    for path, (sets, queries, odd) in found.items():
        if sets or queries is None:
            continue
        above = path.rpartition("/")[0]
        while above and above not in folders:
            above = above.rpartition("/")[0]
        added = False
        # Of the files in the root, only its own are meant.
        if (above or path.rpartition("/")[0]) in folders:
            items = (query.item for query in queries.queries)
            trial = any(isinstance(each, dict) and decision(each) is not None for each in items)
            file = _file(path, "trigger_trial" if trial else "trigger_queries", [queries])
            added = suites.add(file, len(file.asked), alone=False)
        if not added and odd is not None:
            said = (
                "These queries say what should answer them, but not with true or false, so they "
                "were not read."
            )
            hint = 'Write "should_trigger": true or false for one skill, in a file of its own.'
            reader.problem(path, odd.at, "info", "trigger-set-unread", said, hint)
    # The id is `<skill> (triggers)` where one skill has one set, which no folder is named, else the
    # path of the first file.
    skills = [_skill(reader, own) for own in suites.files]
    wanted = Counter(skills)
    plans = []
    for own, skill in zip(suites.files, skills, strict=True):
        folder, slash, name = own[0].path.rpartition("/")
        suite_id = f"{folder}{slash}{name.rpartition('.')[0] or name}"
        if skill is not None and wanted[skill] == 1:
            suite_id = f"{skill} (triggers)" if skill else "triggers"
        claimed = tuple((file.path, file.kind) for file in own)
        kept = {path: (loose[path], found[path]) for path, _ in claimed}
        plans.append(Plan(suite_id, "activation", folder, skill, claimed, kept))
    return sorted(plans, key=lambda plan: plan.suite)


def _file(path: str, kind: str, found: list[Block]) -> File:
    asked = {
        Asked(query.skill or block.skill, squeezed(query.text), query.expected)
        for block in found
        for query in block.queries
        if query.text is not None
    }
    folder = skill_folder(path)
    names = {each.skill for each in asked} | {block.skill for block in found}
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


def _skill(reader: Reader, files: list[File]) -> str | None:
    """Return the folder of the one skill of a suite: by its place, else by its name."""
    named = {asked.skill for file in files for asked in file.asked if asked.skill}
    if len(named) > 1:
        return None
    if files[0].skill is not None:
        return files[0].skill
    same = [path for path in reader.listing.folders if path.rpartition("/")[2] in named]
    return same[0] if len(same) == 1 else None
