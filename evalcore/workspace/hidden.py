"""What one judge must not see yet: the scores of some runs, and everything that gives them away."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import Final, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.families.base import REVIEWS, is_review
from evalcore.families.registry import FAMILIES
from evalcore.families.reviews.lookup import among, where
from evalcore.families.reviews.review import BLIND_STUDY, BLIND_VERDICT
from evalcore.tables.arrays import Array
from evalcore.tables.columns import FinishedColumn, picked
from evalcore.tables.masked import Table, blanked, said, without
from evalcore.tables.snapshot import ColumnTables

STATUS: Final = "hidden"
"""The status of a hidden run: it stands outside the rates, and nobody knows how it ended."""

_OF_RUN: Final = (
    "run_id", "suite", "case_id", "version", "configuration", "run", "benchmark_run", "origin",
)  # fmt: skip
_OF_BENCHMARK_RUN: Final = (
    "suite", "benchmark_run", "benchmark", "name", "dimension", "version", "configuration",
)  # fmt: skip
_OF_RUNS: Final = (
    "judgments", "run_scores", "claims", "failures", "feedback", "notes", "exclusions", "requests",
)  # fmt: skip
_OF_SUITE: Final = ("trend_points", "approvals", "messages")
_MADE_OF_SCORES: Final = ("eval-judgment", "eval-failure", "eval-trend", "prompt-comparison")
_OWN_STAY: Final = ("notes", "exclusions", "requests")
_STORED_SCORE: Final = "stored_score"
_DEFINED: Final = "benchmark_definitions"


@dataclass(frozen=True, eq=False)
class Hidden:
    """The runs that are hidden from a judge, and which files tell of them.

    `documents` hold something of them; `places` are the folders and files of their outputs and
    gradings; `roots` are the folders of all suites, `of` those with a hidden run, which are called
    `suites`.
    """

    judge: str = ""
    runs: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    roots: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    suites: frozenset[str] = frozenset()
    tables: ColumnTables = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.runs)

    def covers(self, path: str) -> bool:
        """Return whether a file gives away a hidden run, or might.

        In a suite with a hidden run only those files are open that are known to be about others.
        """
        if not self.runs:
            return False
        if self.tells(path):
            return True
        above = _above(path)
        if next((each for each in above if each in self.roots), None) not in self.of:
            return False
        if any(f"/{REVIEWS}/{kind}/" in f"/{path}" for kind in (BLIND_STUDY, BLIND_VERDICT)):
            # The digests of both outputs, and what others said of the pairs still to compare.
            return True
        read = _marks(self.tables["documents"], "path", [path])
        if read.any():
            return self._is_untold(path, read)
        return not self._is_of_others(above)

    def tells(self, path: str) -> bool:
        """Return whether a file is known to tell of a hidden run: a quick part of `covers`."""
        if not self.runs:
            return False
        return path in self.documents or not self._apart.isdisjoint(_above(path))

    @cached_property
    def _apart(self) -> frozenset[str]:
        """The places of hidden runs that hold nothing of a visible one, and are no suite."""
        # The table has no places of those that are hidden.
        outputs, sources = (_words(self.tables["runs"][name]) for name in ("outputs", "source"))
        return self.places.difference(outputs, _folders(sources), self.roots)

    def _is_untold(self, path: str, read: Array) -> bool:
        """Return whether a document of a store gave no row: what it holds may be of a hidden run.

        An agent-run whose test-run is there is one, and a record that another one replaced.
        """
        stores = [each.name for each in FAMILIES if each.is_store]
        if not (read & _marks(self.tables["documents"], "family", stores)).any():
            return False
        sources = (table for table in self.tables.values() if "source" in table)
        return not any(_marks(table, "source", [path]).any() for table in sources)

    def _is_of_others(self, above: Iterable[str]) -> bool:
        """Return whether the innermost folder of a run that holds a file is of a visible run."""
        runs = self.tables["runs"]
        for folder in above:
            visible = _marks(runs, "outputs", [folder]).any() or _has_file_in(
                runs["source"], folder
            )
            if bool(visible) != (folder in self.places):
                return bool(visible)
        return False


NOTHING: Final = Hidden()


class _Concerned(NamedTuple):
    """The versions and cases that have a hidden run, by suite."""

    versions: Mapping[str, frozenset[str]]
    cases: Mapping[str, frozenset[str]]


def hide(tables: ColumnTables, runs: frozenset[str], judge: str) -> tuple[ColumnTables, Hidden]:
    """Return tables that tell nothing of some runs, and what is hidden.

    The names of versions, cases and files stay, and what the judge said beside scoring.
    """
    marked = _marks(tables["runs"], "run_id", runs)
    about = _concerned(tables["runs"], marked)
    gone, cleared = _gone(tables, runs, judge, about), _cleared(tables, about)
    documents = frozenset(_sources(tables, {**gone, **cleared, "runs": marked}))
    # A record that names what was to be judged or compared tells nothing of how it was.
    gone["fingerprints"] = _marks(tables["fingerprints"], "run_id", runs)
    found: dict[str, Table] = dict(tables)
    found["runs"] = _with_status(blanked(tables["runs"], marked, _OF_RUN), marked)
    found["benchmark_runs"] = blanked(
        tables["benchmark_runs"], cleared["benchmark_runs"], _OF_BENCHMARK_RUN
    )
    known = tables[_DEFINED].keys() - {"last_score"}
    found[_DEFINED] = blanked(tables[_DEFINED], cleared[_DEFINED], known)
    others = tables["versions"].keys() - {_STORED_SCORE}
    found["versions"] = blanked(tables["versions"], cleared["versions"], others)
    for name, rows in gone.items():
        found[name] = without(name, tables[name], rows)
    suites = tables["suites"]
    roots, of = (
        frozenset(map(_plain, picked(suites["root"], np.flatnonzero(rows).tolist())))
        for rows in (np.ones(suites["suite"].rows, bool), _marks(suites, "suite", about.versions))
    )
    places = frozenset(_places(tables["runs"], marked))
    hidden = Hidden(judge, runs, documents, places, roots, of, frozenset(about.versions), found)
    problems = tables["problems"]
    told = [path for path in _words(problems["path"]) if hidden.tells(path)]
    found["problems"] = without("problems", problems, _marks(problems, "path", told))
    return found, hidden


def _with_status(runs: Table, marked: Array) -> Table:
    return {**runs, "status": said(runs["status"], marked, STATUS)}


def _concerned(runs: Table, marked: Array) -> _Concerned:
    rows = np.flatnonzero(marked).tolist()
    suites = picked(runs["suite"], rows)
    versions, cases = (
        {
            suite: frozenset(of for name, of in zip(suites, words, strict=True) if name == suite)
            for suite in set(suites)
        }
        for words in (picked(runs[name], rows) for name in ("version", "case_id"))
    )
    return _Concerned(versions, cases)


def _gone(
    tables: ColumnTables, runs: frozenset[str], judge: str, about: _Concerned
) -> dict[str, Array]:
    """Return which rows of each table are about the runs, or sum up their scores."""
    gone = {name: _marks(tables[name], "run_id", runs) for name in _OF_RUNS}
    for name in ("feedback", "notes"):
        general = _lacking(tables[name], "run_id") & _of(tables[name], "version", about.versions)
        gone[name] |= general & ~_by_people(tables[name], general)
    for name in _OWN_STAY:
        gone[name] &= ~_marks(tables[name], "author", [judge])
    gone["benchmarks"] = _of(tables["benchmarks"], "version", about.versions)
    for name in _OF_SUITE:
        gone[name] = _marks(tables[name], "suite", about.versions)
    gone["relations"] = _telling(tables["relations"], about)
    comparisons, analyses = tables["comparisons"], tables["analyses"]
    gone["comparisons"] = _of(comparisons, "case_id", about.cases)
    compared = picked(comparisons["comparison_id"], np.flatnonzero(gone["comparisons"]).tolist())
    gone["comparison_scores"] = _marks(tables["comparison_scores"], "comparison_id", compared)
    general = _lacking(analyses, "comparison_id") & _marks(analyses, "suite", about.versions)
    gone["analyses"] = _marks(analyses, "comparison_id", compared) | general
    return gone


def _telling(relations: Table, about: _Concerned) -> Array:
    """Return which relations say how runs ended: those of what was made of their scores."""
    ends = (_marks(relations, name, _MADE_OF_SCORES) for name in ("source_type", "target_type"))
    made = np.logical_or(*ends)
    return made & _marks(relations, "suite", about.versions)


def _cleared(tables: ColumnTables, about: _Concerned) -> dict[str, Array]:
    """Return which rows of further tables lose what was added up over the runs."""
    names = ("benchmark_runs", "versions")
    found = {name: _of(tables[name], "version", about.versions) for name in names}
    return found | {_DEFINED: _marks(tables[_DEFINED], "suite", about.versions)}


def _of(table: Table, name: str, words: Mapping[str, frozenset[str]]) -> Array:
    """Return which rows have one of their suite's words in a column, or none at all."""
    rows = np.zeros(table["suite"].rows, bool)
    for suite, wanted in words.items():
        meant = _marks(table, name, wanted) | _lacking(table, name)
        rows |= meant & _marks(table, "suite", [suite])
    return rows


def _by_people(table: Table, rows: Array) -> Array:
    """Return which of some rows come from records of people."""
    found = np.zeros(len(rows), bool)
    at = np.flatnonzero(rows)
    found[at] = [is_review(path) for path in picked(table["source"], at.tolist())]
    return found


def _sources(tables: ColumnTables, rows: Mapping[str, Array]) -> Iterator[str]:
    """Yield the documents of some rows."""
    for name, marked in rows.items():
        if "source" in tables[name]:
            yield from filter(None, picked(tables[name]["source"], np.flatnonzero(marked).tolist()))


def _places(runs: Table, marked: Array) -> Iterator[str]:
    """Yield the outputs of some runs, and the folders of their gradings."""
    rows = np.flatnonzero(marked).tolist()
    yield from filter(None, picked(runs["outputs"], rows))
    yield from _folders(picked(runs["source"], rows))


def _folders(paths: Iterable[str | None]) -> Iterator[str]:
    return (path.rpartition("/")[0] for path in paths if path)


def _words(column: FinishedColumn) -> list[str]:
    """Return the distinct words of a column."""
    assert column.strings is not None
    codes = column.values
    words = column.strings if codes is None else column.strings.take(np.unique(codes[codes >= 0]))
    return [str(word) for word in words.unique().drop_null().to_pylist()]


def _above(path: str) -> list[str]:
    """Return a path and the folders above it, the innermost first."""
    return [path, *(_plain(str(folder)) for folder in PurePosixPath(path).parents)]


def _has_file_in(column: FinishedColumn, folder: str) -> bool:
    """Return whether a row of a column of paths names a file directly in a folder."""
    assert column.strings is not None
    assert column.values is not None
    start = f"{folder}/" if folder else ""
    near = pc.indices_nonzero(pc.starts_with(column.strings, start)).to_pylist()
    direct = [at for at in near if "/" not in column.strings[at].as_py()[len(start) :]]
    return bool(np.isin(column.values, direct).any()) if direct else False


def _marks(table: Table, name: str, words: Collection[str | None]) -> Array:
    """Return a mask of the rows that have one of some words in a column."""
    column, known = table[name], frozenset(word for word in words if word is not None)
    marks = np.zeros(column.rows, bool)
    if known:
        marks[among(column, known) if column.values is None else where(column, known)] = True
    return marks


def _lacking(table: Table, name: str) -> Array:
    """Return a mask of the rows without a word in a column of codes."""
    codes = table[name].values
    assert codes is not None
    found: Array = codes < 0
    return found


def _plain(folder: str | None) -> str:
    return "" if folder in (None, ".") else folder
