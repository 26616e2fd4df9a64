"""Look up suites, runs, cases and criteria for reviews, directly in table columns."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.disk.archives import ARCHIVES
from evalcore.disk.documents import value_in
from evalcore.disk.files import Files
from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import value_at
from evalcore.families.base import SEVERAL, Family, is_review
from evalcore.families.reviews.basis import (
    Prompt,
    held_sha256,
    output_sha256,
    output_stats,
    sha256_of,
)
from evalcore.families.reviews.review import Review
from evalcore.families.scoring import RUBRIC, Criteria, Criterion
from evalcore.ids import run_id
from evalcore.tables.arrays import Array, strings, true_places
from evalcore.tables.cells import holds
from evalcore.tables.columns import FinishedColumn, picked
from evalcore.tables.held import output_pointer

Column = Callable[[str, str], FinishedColumn]
"""The finished column of a table, by both names."""


class Suite(NamedTuple):
    """A suite; `root` contains its `reviews` folder (`""` is the workspace's root)."""

    id: str
    family: Family
    root: str

    @property
    def prefix(self) -> str:
        """The prefix of its run ids, before `::`."""
        return run_id(self.id, "", "", "", "").partition("::")[0]


class Run(NamedTuple):
    """A run named in a record."""

    id: str
    suite: str
    case_id: str | None
    version: str | None
    origin: str | None
    outputs: str | None
    source: str | None
    pointer: str | None
    configuration: str | None = None
    run: str | None = None


_RUN: Final = ("run_id", *Run._fields[1:])


class Lookup:
    """Looks up rows in the columns of the families' tables, without data frames."""

    def __init__(self, column: Column, family: Callable[[str], Family]) -> None:
        self.column = column
        self._family = family
        self._names: dict[str, dict[str, set[str]]] = {}

    @cached_property
    def suites(self) -> list[Suite]:
        """All suites in order."""
        columns = (self.column("suites", name) for name in ("suite", "family", "root"))
        found = zip(*(picked(each, list(range(each.rows))) for each in columns), strict=True)
        return [
            Suite(name, self._family(family), "" if root in (None, ".") else root)
            for name, family, root in found
        ]

    def rows(
        self,
        table: str,
        names: Iterable[str],
        column: str,
        words: Collection[str],
        suite: str | None = None,
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the values of some columns in the rows, of a suite, with one of some words."""
        rows = where(self.column(table, column), words)
        if suite is not None:
            rows = rows[holds(self.column(table, "suite"), suite)[rows]]
        wanted = rows.tolist()
        return zip(*(picked(self.column(table, name), wanted) for name in names), strict=True)

    def runs(self, ids: Collection[str], column: str = "run_id") -> dict[str, list[Run]]:
        """Return the runs by the values of a column, for some of its values."""
        found: dict[str, list[Run]] = {}
        for key, *values in self.rows("runs", (column, *_RUN), column, ids) if ids else ():
            found.setdefault(key, []).append(Run(*values))
        return found

    def runs_of(self, suites: Collection[str]) -> list[Run]:
        """Return all runs of some suites in order."""
        return [Run(*values) for values in self.rows("runs", _RUN, "suite", suites)]

    def suites_under(self, folder: str) -> frozenset[str]:
        """Return the suites with a run whose document lies below a folder."""
        sources = self.column("runs", "source").strings
        here = pc.filter(sources, pc.starts_with(sources, f"{folder}/")) if folder else sources
        runs = self.runs(pc.drop_null(here).to_pylist(), "source")
        return frozenset(run.suite for own in runs.values() for run in own)

    def criteria(self, suite: str, cases: Collection[str]) -> dict[str, Criteria]:
        """Return the defined criteria of some cases in order."""
        names = (
            "case_id", "kind", "criterion", "description", "required", "weight", "min_score",
            "max_score", "pass_at", "guide", "source",
        )  # fmt: skip
        found: dict[str, Criteria] = {}
        for case, *values in self.rows("criteria", names, "case_id", cases, suite):
            criterion = Criterion(*values)
            found.setdefault(case, {}).setdefault((criterion.kind, criterion.name), criterion)
        return found

    def judged(self, runs: Collection[str]) -> dict[str, Criteria]:
        """Return the criteria that documents judged runs by; superseded ones come later."""
        names = ("run_id", "kind", "criterion", "min_score", "max_score", "source")
        rows = self.rows("judgments", names, "run_id", runs) if runs else ()
        found: dict[str, Criteria] = {}
        for run, kind, name, low, high, source in rows:
            if not is_review(source) and kind is not None and name is not None:
                criterion = Criterion(kind, name, low=low, high=high, source=source)
                found.setdefault(run, {}).setdefault((kind, name), criterion)
        return found

    def names_of_case(self, suite: str, case: str | None) -> set[str]:
        """Return the names that a suite's documents give to a case, beside its id."""
        if suite not in self._names:
            found: dict[str, set[str]] = {}
            for name, several in self.rows("cases", ("case_id", "name"), "suite", [suite]):
                found.setdefault(name, set()).update((several or "").split(SEVERAL))
            self._names[suite] = found
        return self._names[suite].get(case or "", set()) - {""}


def where(column: FinishedColumn, words: Collection[str]) -> Array:
    """Return the positions of the rows with one of the words."""
    if column.strings is None or not len(column.strings) or not words:
        return np.zeros(0, np.int64)
    wanted = np.zeros(len(column.strings) + 1, bool)
    wanted[among(column, words)] = True
    return np.flatnonzero(wanted[column.values])


def among(column: FinishedColumn, words: Collection[str]) -> Array:
    """Return a mask of a column's words, or of its rows of strings, that are among some words."""
    return true_places(pc.is_in(column.strings, strings(sorted(words))))


WATCHED: Final = 5_000
"""So many files of outputs are watched for a change; of further runs, only their folder is."""

JUDGED_KINDS: Final = ("expectation", "assertion", RUBRIC)
"""The kinds of criteria that people judge; structure and conventions are checked by rules."""
KINDS: Final = frozenset({*JUDGED_KINDS, "structural", "convention"})


class Subject(NamedTuple):
    """A run with all its criteria, and its prompt; people judge `to_judge`.

    `graded` are documents of runs, which mention a criterion without defining it.
    """

    run: Run
    criteria: Criteria
    to_judge: Criteria
    prompt: Prompt
    graded: frozenset[str | None]


def run_named(review: Review) -> str | None:
    """Return the run id that a record names."""
    name = review.fields.get("testRunId")
    return name if isinstance(name, str) and name else None


def subjects(known: Lookup, suite: Suite, runs: Iterable[Run]) -> dict[str, Subject]:
    """Return the subjects of some runs of a suite, by run id."""
    every = {run.id: run for run in runs}
    cases = {run.case_id for run in every.values() if run.case_id is not None}
    defined, judged = known.criteria(suite.id, cases), known.judged(every)
    prompts: dict[str, Prompt] = {}
    asked = ("case_id", "prompt", "files", "source")
    for case, *prompt in known.rows("cases", asked, "case_id", cases, suite.id):
        prompts.setdefault(case, Prompt(*prompt))
    versions = {
        name for (name,) in known.rows("versions", ["version"], "suite", [suite.id]) if name
    }
    stated = {c.source for of in defined.values() for c in of.values() if c.source is not None}
    sources = frozenset(path for (path,) in known.rows("runs", ["source"], "source", stated))
    found = {}
    for name, run in every.items():
        rules, own = defined.get(run.case_id or "", {}), judged.get(name, {})
        found[name] = Subject(
            run,
            {**own, **rules},
            criteria_to_judge(rules, own, run, sources, versions - {run.version}),
            prompts.get(run.case_id or "", Prompt()),
            sources | {run.source},
        )
    return found


def criteria_to_judge(
    defined: Criteria,
    judged: Criteria,
    run: Run,
    sources: Collection[str],
    versions: AbstractSet[str],
) -> Criteria:
    """Return the criteria to judge: those of the case, and those the run was judged by.

    Left out is what only another run's grading, or another of the `versions`, mentions, and what
    the run's own grading rewords. `sources` are the documents with runs.
    """
    judged = {key: own for key, own in judged.items() if own.kind in JUDGED_KINDS}

    def only_elsewhere(rule: Criterion) -> bool:
        """Say whether only another run's grading or another version's folder names a criterion."""
        source = rule.source or ""
        if run.origin != "record" and source != run.source and source in sources:
            return True
        return not versions.isdisjoint(source.split("/")[:-1])

    rules = {
        key: rule
        for key, rule in defined.items()
        if rule.kind in JUDGED_KINDS and (key in judged or not only_elsewhere(rule))
    }
    loose = [rule for key, rule in rules.items() if key not in judged]
    named = [
        key for key, own in judged.items() if key not in rules or rules[key].source == own.source
    ]

    def reworded(rule: Criterion) -> bool:
        if rule.kind == RUBRIC:
            return False
        own = sum(kind == rule.kind for kind, _ in named)
        return 0 < sum(other.kind == rule.kind for other in loose) <= own

    kept = {key: rule for key, rule in rules.items() if key in judged or not reworded(rule)}
    return {**kept, **{key: own for key, own in judged.items() if key not in kept}}


def split_key(key: str, family: Family) -> tuple[str | None, str]:
    """Return kind and name of `kind:criterion`; a store's own criterion needs no kind."""
    kind, colon, name = key.partition(":")
    if colon and kind in KINDS:
        return kind, name
    return (RUBRIC if family.is_store else None), key


class Outputs:
    """The current sha256 of runs' outputs, whose files are recorded as watched."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._values: dict[str, Any] = {}
        self._last: tuple[str, Any] | None = None
        self._found: dict[str, str | None] = {}
        self._watched = 0

    def has(self, path: str) -> bool:
        """Return whether the workspace has a file."""
        return path in self.reader.listed

    def sha256(self, run: Run) -> str | None:
        """Return the sha256 of a run's outputs; None if it has none."""
        if run.id in self._found:
            return self._found[run.id]
        found, held = None, output_pointer(run)
        if run.origin == "record" and held is not None:
            if run.source is not None:
                fields = record_at(self.value(run.source), run.pointer or "").get("fields")
                output = fields.get("actualOutput") if isinstance(fields, dict) else None
                found = None if output is None else sha256_of(output)
        elif held is not None:
            found = held_sha256(self.reader.files, run.source or "", held, self._read)
        elif run.outputs is not None:
            stats = output_stats(self.reader.listing.root, run.outputs)
            files = [path for path in stats if path not in self.reader.listed]
            self._watched += len(files)
            self.reader.extras.add(run.outputs)
            if self._watched <= WATCHED:
                self.reader.extras.update(files)
            found = output_sha256(self.reader.listing.root, run.outputs, stats)
        self._found[run.id] = found
        return found

    def _read(self, files: Files, path: str, pointer: str) -> Any:
        """Return a value in a document; the last one is kept, as many runs may be of one."""
        if path.endswith(ARCHIVES):  # of these only what is asked for is read
            return value_in(files, path, pointer)
        if self._last is None or self._last[0] != path:
            self._last = path, value_in(files, path)
        return value_at(self._last[1], path, pointer)

    def value(self, path: str) -> Any:
        """Return the JSON value of a document, or of its lines, cached."""
        if path not in self._values:
            lines = path.endswith(".jsonl")
            self._values[path] = dict(self.reader.jsonl(path)) if lines else self.reader.peek(path)
        return self._values[path]


def record_at(value: Any, pointer: str) -> Mapping[str, Any]:
    """Return the record at a pointer of a file's value; an empty one if there is none."""
    place = pointer.partition("/fields")[0][1:]
    if value is not MISSING and place.isdecimal() and isinstance(value, (list, dict)):
        at = int(place)
        found = value.get(at) if isinstance(value, dict) else value[at : at + 1]
        value = found[0] if isinstance(found, list) and found else found
    return value if isinstance(value, dict) else {}
