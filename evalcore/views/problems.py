"""Indexed problems of a workspace: by file, by place, by text, and counted."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evalcore.counting.memo import memoize_per_workspace
from evalcore.problems import FEW, RANKS, Problem, grouped, kind_of, rank
from evalcore.workspace.opened import Workspace

SEVERITIES: Final = tuple(RANKS)
NOTE: Final = "info"

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Problems:
    """The problems of a workspace, errors first; `complete` says whether the full check has ended.

    Errors and warnings are wrong, and count; notes stand apart. What many of them share is listed,
    and counts, once. `why` says why the full check failed.
    """

    rows: tuple[Problem, ...]
    complete: bool = False
    why: str = ""
    _columns: dict[Any, Any] = field(default_factory=dict, repr=False)

    def at(self, path: str) -> tuple[Problem, ...]:
        """Return the problems of one file."""
        if "paths" not in self._columns:
            by_path: dict[str, list[Problem]] = {}
            for row in self.rows:
                by_path.setdefault(row.path, []).append(row)
            self._columns["paths"] = by_path
        return tuple(self._columns["paths"].get(path, ()))

    def below(self, path: str | None, pointer: str | None) -> tuple[Problem, ...]:
        """Return the problems at a pointer of a file and inside it."""
        if path is None:
            return ()
        start = pointer or ""
        return tuple(
            row
            for row in self.at(path)
            if row.pointer == start or row.pointer.startswith(f"{start}/")
        )

    def having(self, column: str, word: str | None) -> Mask:
        """Return for each row whether it has a severity, code or suite; all for None."""
        if word is None:
            return np.ones(len(self.rows), bool)
        codes, words = self._factors(column)
        return codes == words.index(word) if word in words else np.zeros(len(self.rows), bool)

    def counts(self, column: str, keep: Mask) -> dict[str, int]:
        """Count what is listed of each word of a column, of the kept rows, in their order."""
        codes, words = self._factors(column)
        kinds, names = self._factors("kind")
        rows = np.flatnonzero(keep & (codes >= 0))
        pairs, n = np.unique(codes[rows] * len(names) + kinds[rows], return_counts=True)
        listed = np.where(n > FEW, 1, n)
        found = np.bincount(pairs // max(len(names), 1), listed, len(words))
        return {word: int(n) for word, n in zip(words, found, strict=True) if n}

    def listed(self, keep: Mask) -> list[Problem]:
        """Return the kept rows as they are listed: what many of them share is one."""
        return grouped(self.rows[at] for at in np.flatnonzero(keep).tolist())

    @property
    def wrong(self) -> Mask:
        """For each row whether it is an error or a warning; a note says that all was read."""
        return ~self.having("severity", NOTE)

    @property
    def n(self) -> int:
        """How many errors and warnings are listed of the whole workspace."""
        return sum(self.counts("severity", self.wrong).values())

    def with_text(self, text: str) -> Mask:
        """Return for each row whether its place, message, hint or code has `text`, in any case."""
        if not text:
            return np.ones(len(self.rows), bool)
        if "texts" not in self._columns:
            self._columns["texts"] = pd.Series(
                [
                    f"{row.path}#{row.pointer} {row.code} {row.message} {row.hint}"
                    for row in self.rows
                ],
                dtype="str",
            )
        return has_text(self._columns["texts"], text)

    def _factors(self, column: str) -> tuple[NDArray[np.intp], list[str]]:
        """Return a column as codes and the words they stand for; -1 stands for none."""
        if column not in self._columns:
            if column == "kind":
                values = [repr(kind_of(row)) for row in self.rows]
            else:
                values = [getattr(row, column) for row in self.rows]
            codes, words = pd.factorize(np.array(values, dtype=object))
            self._columns[column] = codes, [str(word) for word in words]
        found: tuple[NDArray[np.intp], list[str]] = self._columns[column]
        return found


def so_far(problems: Problems) -> str:
    """Return the suffix of a problem count while the full check is running."""
    return "" if problems.complete else " so far"


def group(severity: str, code: str) -> str:
    """Return the name of the group of problems with this severity and code."""
    return f"{severity} {code}"


@memoize_per_workspace
def problems_at_open(ws: Workspace) -> Problems:
    """Return the problems found at open."""
    return problems_of(ws.problems, complete=False)


def problems_of(rows: list[Problem], *, complete: bool) -> Problems:
    """Return problems to be listed."""
    return Problems(in_order(rows), complete)


def in_order(rows: list[Problem]) -> tuple[Problem, ...]:
    """Return distinct problems by severity, then code, file and place."""
    return tuple(sorted(dict.fromkeys(rows), key=rank))


def has_text(column: "pd.Series[str]", text: str) -> Mask:
    """Return for each row whether it has `text`, in any case."""
    values = pa.array(column.astype("str"), pa.large_string())
    matched = pc.match_substring(values, text, ignore_case=True)
    return np.asarray(matched.fill_null(False).to_numpy(zero_copy_only=False)).astype(bool)
