"""The form of a rule, and what the rules of all families share: conditions, rows and files."""

import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar, cast

from evalcore.disk.files import Files
from evalcore.disk.values import parse_time
from evalcore.errors import PathOutside
from evalcore.families.aggregating import of_reviews
from evalcore.problems import Problem, Severity, pointer, quoted
from evalcore.tables.cells import cells, holds
from evalcore.tables.rows import TABLES, BenchmarkRow, CaseRow, RunRow, SuiteRow, columns
from evalcore.tables.snapshot import Tables

RowT = TypeVar("RowT")
T = TypeVar("T")

MAX_TEXT: Final = 256 * 1024
MAX_NAMED: Final = 100
_MOST: Final = 1e100
_A_SECOND: Final = timedelta(seconds=1)


class At(NamedTuple):
    """A place that breaks a rule, with the words of the rule's sentence.

    The pointer leads on from what the rule looks at, or into the file `path` where there is one.
    """

    pointer: str
    words: tuple[object, ...]
    path: str | None = None


def at(place: str = "", *words: object) -> At:
    """Return a place in what a rule looks at."""
    return At(place, words)


def elsewhere(path: str, place: str, *words: object) -> At:
    """Return a place in another file."""
    return At(place, words, path)


class Known:
    """What rules see beside what they look at: the rows of a workspace, and its files."""

    def __init__(self, tables: Tables, root: Path) -> None:
        self.tables = tables
        self.root = root
        self._files = Files(root)
        self._made: dict[object, Any] = {}

    def rows(self, kind: type[RowT], suite: str | None) -> list[RowT]:
        """Return the rows of a table that are of a suite; times are microseconds."""

        def find() -> dict[str | None, list[RowT]]:
            name, row_type = next(pair for pair in TABLES.items() if pair[1] is kind)
            names = list(columns(row_type))
            found: dict[str | None, list[RowT]] = defaultdict(list)
            for row in cells(self.tables, name, *names):
                found[row[names.index("suite")]].append(kind(*row))
            return found

        return self.once(kind, find).get(suite, [])

    def once(self, key: object, make: Callable[[], T]) -> T:
        """Return what `make` makes, which is made once for a key."""
        if key not in self._made:
            self._made[key] = make()
        return cast(T, self._made[key])

    @cached_property
    def runs_in(self) -> dict[str, RunRow]:
        """The run of each folder whose grading is of one run alone."""
        suites = [suite for (suite,) in cells(self.tables, "suites", "suite")]
        runs = (run for suite in suites for run in self.rows(RunRow, suite))
        return {
            run.source.rpartition("/")[0]: run for run in runs if run.source and not run.pointer
        }

    def judged(self, *kinds: str) -> set[str]:
        """Return the runs with a judgment, of some kinds, that their own documents have."""

        def find() -> set[str]:
            rows = ~of_reviews(self.tables, "judgments")
            if kinds:
                rows &= holds(self.tables.columns["judgments"]["kind"], *kinds)
            return {run for (run,) in cells(self.tables, "judgments", "run_id", where=rows)}

        return self.once(("judged", kinds), find)

    def computed(self, suite: str | None) -> dict[tuple[str | None, ...], BenchmarkRow]:
        """Return what evalcore computed over the cases, by version, configuration and metric."""

        def find() -> dict[tuple[str | None, ...], BenchmarkRow]:
            rows = self.rows(BenchmarkRow, suite)
            own = [row for row in rows if row.origin == "computed" and row.case_id is None]
            return {(row.version, row.configuration, row.metric): row for row in own}

        return self.once(("computed", suite), find)

    def has(self, path: str) -> bool:
        """Say whether a file or folder is there; one that leads out of the workspace is not."""
        try:
            os.close(self._files.open(os.path.normpath(path)))
        except (OSError, PathOutside, ValueError):
            return False
        return True

    def skill(self, suite: str | None) -> tuple[str, dict[Any, Any]]:
        """Return the path of a skill's SKILL.md and the fields of its frontmatter, if any."""
        from evalcore.checks.skill_file import NotYaml, fields, parted  # noqa: PLC0415 - reads YAML

        row = next(iter(self.rows(SuiteRow, suite)), None)
        path = os.path.normpath(f"{row.skill_path or '.' if row else '.'}/SKILL.md")
        try:
            text = self._files.read(path, MAX_TEXT).decode()
            return path, fields(parted(path, text).frontmatter or "")
        except (OSError, PathOutside, NotYaml, UnicodeDecodeError):
            return path, {}


@dataclass(frozen=True)
class Item:
    """What a rule looks at: a value in the document `whole`, a row, or a thing of a suite."""

    value: Any
    path: str
    pointer: str
    suite: str | None
    known: Known
    whole: Any

    def on(self, key: str, *words: object) -> At:
        """Return the place of a field, or of the object where it has none."""
        return At(pointer(key) if key in self.value else "", words)


Found = At | Iterable[At] | Literal[False] | None
"""The places that break a rule."""
Broken = Callable[[Any], Found]
"""The condition of a rule, asked of an `Item`."""


class Rule(NamedTuple):
    """One line of a family's table: where the condition holds, the sentence is said.

    `of` is what it looks at: kinds of documents and the objects in them (`evals: cases/*` is each
    object in a list, `{}` each in an object, `evals: cases/[]` the list as a whole), or a table,
    of which it sees each row of the family. A row of `suites` stands for the suite as a whole.
    """

    of: str
    code: str
    broken: Broken
    sentence: str
    step: str
    severity: Severity = "warning"

    def problems(self, item: Item) -> Iterator[Problem]:
        """Yield a problem for each place that breaks the rule."""
        found = self.broken(item)
        for each in (found,) if isinstance(found, At) else found or ():
            path, place = item.path, item.pointer + each.pointer
            if each.path is not None:
                path, place = each.path, each.pointer
            said, step = (text.format(*each.words) for text in (self.sentence, self.step))
            yield Problem(path, place, self.severity, self.code, said, step, item.suite)


Things = Callable[[str, Sequence[tuple[str, str]], Known], Iterable[tuple[str, Item]]]


class Rules(NamedTuple):
    """What documents must keep beyond their shapes: a table of rules.

    `things(suite, documents, known)` yields what a suite has beside documents and rows, each with
    the name that rules look at it by; it may read the documents (path, kind) again.
    """

    table: tuple[Rule, ...] = ()
    things: Things | None = None

    def of_document(
        self, path: str, kind: str, value: Any, suite: str | None, known: Known
    ) -> Iterator[Problem]:
        """Yield what breaks a rule in one document, whatever JSON it is."""
        for places, rules in _by_kind(self.table).get(kind, {}).items():
            for where, found in (pair for place in places for pair in _walk(value, place, "")):
                for rule in rules:
                    yield from rule.problems(Item(found, path, where, suite, known, value))

    def of_suite(
        self, suite: str, documents: Sequence[tuple[str, str]] | None, known: Known
    ) -> Iterator[Problem]:
        """Yield what breaks a rule in the rows of a suite and, given its documents, its things."""
        for rule in self.table:
            for row in known.rows(TABLES[rule.of], suite) if rule.of in TABLES else ():
                where = getattr(row, "source", None) or "", getattr(row, "pointer", None) or ""
                yield from rule.problems(Item(row, *where, suite, known, None))
        if self.things is not None and documents is not None:
            for name, item in self.things(suite, documents, known):
                for rule in (rule for rule in self.table if rule.of == name):
                    yield from rule.problems(item)


@cache
def _by_kind(table: tuple[Rule, ...]) -> dict[str, dict[tuple[tuple[str, ...], ...], list[Rule]]]:
    """Return the rules of documents by kind and by places, each place as its steps."""
    found: dict[str, dict[tuple[tuple[str, ...], ...], list[Rule]]] = {}
    for rule in table:
        kinds, colon, where = rule.of.partition(":")
        places = tuple(tuple(filter(None, one.strip().split("/"))) for one in where.split(","))
        for kind in kinds.split(",") if colon else ():
            found.setdefault(kind.strip(), {}).setdefault(places, []).append(rule)
    return found


def _walk(value: Any, steps: tuple[str, ...], where: str) -> Iterator[tuple[str, Any]]:
    """Yield pointer and value of each object, or list, that some steps lead to."""
    if not steps or steps[0] == "[]":
        if isinstance(value, list if steps else dict):
            yield where, value
        return
    inner: Iterable[tuple[Any, Any]] = ()
    if steps[0] == "*":
        inner = enumerate(value) if isinstance(value, list) else ()
    elif isinstance(value, dict):
        known = steps[0] in value
        inner = value.items() if steps[0] == "{}" else [(steps[0], value.get(steps[0]))] * known
    for key, each in inner:
        yield from _walk(each, steps[1:], where + pointer(key))


def objects(value: Any, key: str, where: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Return pointer and value of each object in a list field of the object at `where`."""
    items = value.get(key) if isinstance(value, dict) else None
    found = enumerate(items if isinstance(items, list) else ())
    return [(where + pointer(key, index), item) for index, item in found if isinstance(item, dict)]


def number(value: Any) -> float | None:
    """Return a number that can be reckoned with, None for anything else."""
    return value if type(value) in (int, float) and -_MOST < value < _MOST else None


def repeated(key: str) -> Broken:
    """Hold for each object of a list whose `key` is a text that an earlier one has too."""

    def broken(item: Item) -> Iterator[At]:
        seen: set[str] = set()
        for index, each in enumerate(item.value):
            name = each.get(key) if isinstance(each, dict) else None
            if isinstance(name, str):
                if name in seen:
                    yield at(f"/{index}/{key}", quoted(name))
                seen.add(name)

    return broken


def blank(*keys: str) -> Broken:
    """Hold for each of some fields that is an empty text."""
    return lambda item: [
        at("/" + key, key)
        for key in keys
        if isinstance(text := item.value.get(key), str) and not text.strip()
    ]


def equal(one: str, other: str) -> Broken:
    """Hold for two fields with the same name or number."""
    return lambda item: (
        type(found := item.value.get(one)) in (str, int, float)
        and found != ""
        and found == item.value.get(other)
        and at("/" + other, quoted(found))
    )


def unlike(key: str, form: re.Pattern[str]) -> Broken:
    """Hold for a text that has not a form."""
    return lambda item: (
        isinstance(text := item.value.get(key), str)
        and not form.fullmatch(text)
        and at("/" + key, quoted(text))
    )


def dates_back(items: Sequence[Any], key: str) -> Iterator[At]:
    """Yield each object of a list that is dated a second or more before the one before it."""
    before: tuple[datetime, str] | None = None
    for index, each in enumerate(items):
        stated = each.get(key) if isinstance(each, dict) else None
        time = parse_time(stated)
        if time is not None and before is not None and before[0] - time >= _A_SECOND:
            yield at(f"/{index}/{key}", stated, before[1])
        before = before if time is None else (time, str(stated))


def missing_files(item: Item) -> Found:
    """Hold the files of a case against those that are there, from wherever tools may start."""
    row: CaseRow = item.value
    try:
        files = json.loads(row.files or "[]")
    except ValueError:
        return None
    suite = next(iter(item.known.rows(SuiteRow, item.suite)), None)
    bases = bases_of_files(
        item.path, suite.root if suite else "", suite.skill_path if suite else ""
    )
    missing = [
        name
        for name in files[:MAX_NAMED]
        if isinstance(name, str) and name.strip() and not _ELSEWHERE.search(name)
        if not any(item.known.has(f"{base}/{name}" if base else name) for base in bases)
    ]
    if not missing or not item.path:
        return None
    more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
    return at("/files", quoted(missing[0]) + more, "are" if more else "is")


def bases_of_files(path: str, root: str | None, skill_path: str | None) -> set[str]:
    """Return the folders from which a case's document may name files, of a suite in two folders."""
    beside = path.rpartition("/")[0]
    return {"", beside, beside.rpartition("/")[0], root or "", skill_path or ""}


def uneven_runs(item: Item) -> Iterator[At]:
    """Yield the one case of a version and configuration that has fewer runs than all others."""
    found: dict[tuple[Any, Any], dict[Any, list[RunRow]]] = defaultdict(lambda: defaultdict(list))
    for run in item.known.rows(RunRow, item.suite):
        found[run.version, run.configuration][run.case_id].append(run)
    for (version, configuration), cases in found.items():
        counts = Counter(map(len, cases.values()))
        usual, others = counts.most_common(1)[0]
        few = [runs for runs in cases.values() if len(runs) < usual]
        shown = [each for each in few[0] if each.source] if len(few) == 1 else []
        if shown and len(cases) - others == 1 and others > 1:
            side = version if configuration in (None, "-") else f"{version}@{configuration}"
            count = "1 run" if len(few[0]) == 1 else f"{len(few[0])} runs"
            words = quoted(shown[0].case_id), count, side, usual
            yield elsewhere(shown[0].source or "", shown[0].pointer or "", *words)


SHA256: Final = re.compile(r"(?:sha256:)?[0-9a-f]{64}", re.IGNORECASE)
_ELSEWHERE: Final = re.compile(r"[*?\n]|://")
FILES_MISSING: Final = Rule(
    "cases", "file-missing", missing_files,
    "The case names {}, which {} not there.", "Add the file, or correct its path.",
)  # fmt: skip
UNEVEN_RUNS: Final = Rule(
    "suites", "uneven-runs", uneven_runs,
    "The case {} has {} in {}, all other cases have {}.",
    "Run it again, or say which runs were left out.", "info",
)  # fmt: skip
