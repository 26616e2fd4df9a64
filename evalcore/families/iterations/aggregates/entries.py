"""The runs of one version as a benchmark lists them, taken from their own documents."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final

import numpy as np

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, parse
from evalcore.disk.values import value_at
from evalcore.errors import PathOutside, UnknownName
from evalcore.families.aggregating import of_reviews
from evalcore.families.iterations.aggregates.runs import Run
from evalcore.families.iterations.aggregates.summary import Counted
from evalcore.layouts.iterations import folder_words, run_location
from evalcore.proposals.stats import Number, shortened
from evalcore.tables.cells import Mask, cells, holds
from evalcore.tables.snapshot import Tables

NEAR: Final = 0.005 + 1e-9
"""A rate that its grading rounded to two decimals is at most so far from its items' own."""

NOTES: Final = ("uncertainties", "needs_review", "workarounds")

Entry = dict[str, Any]


class Ids:
    """The ids that evals have in their own folders: their metadata's, else the folders' numbers."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[str, Any] = {}

    def of(self, folder: str) -> Any:
        """Return the id of the eval in a folder; None where nothing tells one."""
        if folder not in self._known:
            self._known[folder] = self._id_of(folder)
        return self._known[folder]

    def _id_of(self, folder: str) -> Any:
        try:
            meta = parse(self._files.read(f"{folder}/eval_metadata.json"))
        except (OSError, PathOutside):
            meta = None
        value = meta.get("eval_id", meta.get("id")) if isinstance(meta, dict) else None
        return folder_words(folder)[0] if value is None else value


class Entries:
    """Makes the entries of the runs of one suite."""

    def __init__(self, tables: Tables, files: Files, suite: str) -> None:
        self._tables = tables
        self._files = files
        self._suite = suite
        self._read: tuple[str, Any] = ("", None)
        self._ids = Ids(files)

    @cached_property
    def _names(self) -> dict[str, str | None]:
        rows = cells(self._tables, "cases", "suite", "case_id", "name")
        return {case: name for suite, case, name in rows if suite == self._suite}

    @cached_property
    def _recorded(self) -> Mask:
        return ~of_reviews(self._tables, "judgments")

    def of(self, run: Run) -> tuple[Counted, Entry]:
        """Return a graded run with the rate that its documents state, and its entry in `runs`."""
        document = self._document(run)
        checks = self._structural(run) if run.structural else document
        counted = Counted(run, stated(checks.get("summary"), run.rate))
        return counted, entry_of(
            counted,
            self._eval_id(run, document),
            self._names.get(run.case_id),
            self._expectations(run, checks),
            document.get("execution_metrics"),
            document.get("user_notes_summary"),
        )

    def _structural(self, run: Run) -> Entry:
        """Return the structural checks of a run, which lie in its folder."""
        try:
            found = parse(self._files.read(f"{run.source.rpartition('/')[0]}/structural.json"))
        except (OSError, PathOutside):
            return {}
        return found if isinstance(found, dict) else {}

    def _document(self, run: Run) -> Entry:
        """Return the document of a run, or its part of one; empty when it is no object."""
        if self._read[0] != run.source:
            try:
                self._read = run.source, parse(self._files.read(run.source))
            except (OSError, PathOutside):
                self._read = run.source, MISSING
        try:
            found = value_at(self._read[1], run.source, run.pointer)
        except UnknownName:
            return {}
        return found if isinstance(found, dict) else {}

    def _eval_id(self, run: Run, document: Entry) -> Any:
        """Return the id that the eval's folder gives it: its metadata's, else its number."""
        at = run_location(run.source.rpartition("/")[0])
        known = None if at is None else self._ids.of(at.eval_folder)
        own = document.get("eval_id") if known is None else known
        return number_of(own if isinstance(own, int | str) else run.case_id)

    def _expectations(self, run: Run, document: Entry) -> list[Any]:
        """Return the judged items as the document has them, else as they were read."""
        items = document.get("expectations")
        if isinstance(items, list):  # what was not run stands in no count
            items = [each for each in items if not _is_open(each)]
        if isinstance(items, list) and all(
            isinstance(item, dict)
            and isinstance(item.get("text"), str)
            and isinstance(item.get("passed"), bool)
            for item in items
        ):
            fields = ("text", "passed", "evidence")
            plain = [{name: item[name] for name in fields if name in item} for item in items]
            return plain if run.structural else items
        return list(self._as_read(run))

    def _as_read(self, run: Run) -> Iterator[Entry]:
        table = self._tables.columns["judgments"]
        mine = holds(table["run_id"], run.run_id) & self._recorded
        texts = self._tables.text_columns("judgments")["evidence"]
        rows = cells(self._tables, "judgments", "kind", "criterion", "passed", where=mine)
        for row, (kind, text, passed) in zip(np.flatnonzero(mine).tolist(), rows, strict=True):
            if kind == ("structural" if run.structural else "expectation"):
                evidence = texts[row].as_py()
                yield {"text": text, "passed": passed, "evidence": evidence or ""}


def _is_open(item: Any) -> bool:
    return isinstance(item, dict) and "status" in item and item.get("passed") is None


def stated(summary: Any, rate: float | None) -> Number | None:
    """Return the rate that a summary states, where that is its items' own or a rounding of it.

    Other tools take the rate of a run from there. Where it is neither, the items' own is returned.
    """
    rate_stated = summary.get("pass_rate") if isinstance(summary, dict) else None
    if not isinstance(rate_stated, int | float) or isinstance(rate_stated, bool) or rate is None:
        return rate
    return rate_stated if abs(rate_stated - rate) <= NEAR else rate


def entry_of(
    counted: Counted, eval_id: Any, name: str | None, items: Any, metrics: Any, notes: Any
) -> Entry:
    """Return the entry of one run; `metrics` and `notes` are as its grading has them."""
    run = counted.run
    return {
        "eval_id": eval_id,
        **({} if name in (None, str(eval_id)) else {"eval_name": name}),
        "configuration": run.configuration,
        "run_number": int(run.run) if run.run.isdecimal() else run.run,
        "result": _result(run, counted.rate) | _counted(metrics),
        "expectations": items,
        "notes": _notes(notes),
    }


def _result(run: Run, rate: Number | None) -> dict[str, Number | None]:
    failed = None if run.passed is None or run.total is None else run.total - run.passed
    return {
        "pass_rate": None if rate is None else shortened(rate),
        "passed": run.passed,
        "failed": failed,
        "total": run.total,
        "time_seconds": run.seconds,
        "tokens": run.tokens,
    }


def _counted(metrics: Any) -> dict[str, int]:
    if not isinstance(metrics, dict):
        return {}
    names = {"tool_calls": "total_tool_calls", "errors": "errors_encountered"}
    return {ours: metrics[name] for ours, name in names.items() if type(metrics.get(name)) is int}


def _notes(value: Any) -> list[str]:
    """Return what the executor noted, as one list of texts."""
    lists = [value.get(name) for name in NOTES] if isinstance(value, dict) else [value]
    found: list[str] = []
    for each in lists:
        texts = each if isinstance(each, list) else [each]
        found += [text for text in texts if isinstance(text, str) and text]
    return found


def number_of(value: Any) -> Any:
    """Return an id as a number where it is one."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value
