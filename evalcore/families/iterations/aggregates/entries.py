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
            meta = _value(self._files, f"{folder}/eval_metadata.json")
            stated = meta.get("eval_id", meta.get("id")) if isinstance(meta, dict) else None
            self._known[folder] = folder_words(folder)[0] if stated is None else stated
        return self._known[folder]


class Entries:
    """Makes the entries of the runs of one suite."""

    def __init__(self, tables: Tables, files: Files, suite: str) -> None:
        self._tables = tables
        self._files = files
        self._ids = Ids(files)
        rows = cells(tables, "cases", "suite", "case_id", "name")
        self._names = {case: name for own, case, name in rows if own == suite}
        self._last: tuple[str, Any] = ("", MISSING)

    def of(self, run: Run) -> tuple[Run, Entry]:
        """Return a graded run with the rate that its documents state, and its entry in `runs`."""
        if self._last[0] != run.source:
            self._last = run.source, _value(self._files, run.source)
        try:
            document = _fields(value_at(self._last[1], run.source, run.pointer))
        except UnknownName:
            document = {}
        folder, checks = run.source.rpartition("/")[0], document
        if run.structural:
            checks = _fields(_value(self._files, f"{folder}/structural.json"))
        at = run_location(folder)
        eval_id = None if at is None else self._ids.of(at.eval_folder)
        eval_id = document.get("eval_id") if eval_id is None else eval_id
        run = run._replace(counted=counted(checks.get("summary"), run.rate))
        return run, entry_of(
            run,
            number_of(eval_id if isinstance(eval_id, int | str) else run.case_id),
            self._names.get(run.case_id),
            self._expectations(run, checks),
            document.get("execution_metrics"),
            document.get("user_notes_summary"),
        )

    def _expectations(self, run: Run, document: Entry) -> list[Any]:
        """Return the judged items as the document has them, else as they were read."""
        items = document.get("expectations")
        if isinstance(items, list):  # what was not run stands in no count
            items = [
                item
                for item in items
                if not isinstance(item, dict)
                or "status" not in item
                or item.get("passed") is not None
            ]
            if all(
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

    @cached_property
    def _recorded(self) -> Mask:
        return ~of_reviews(self._tables, "judgments")


def _value(files: Files, path: str) -> Any:
    """Return the value of a document; MISSING where it cannot be read."""
    try:
        return parse(files.read(path))
    except (OSError, PathOutside):
        return MISSING


def _fields(value: Any) -> Entry:
    return value if isinstance(value, dict) else {}


def counted(summary: Any, rate: float | None) -> Number | None:
    """Return the rate that a summary states, where that is its items' own or a rounding of it.

    Other tools take the rate of a run from there. Where it is neither, the items' own is returned.
    """
    stated = summary.get("pass_rate") if isinstance(summary, dict) else None
    if not isinstance(stated, int | float) or isinstance(stated, bool) or rate is None:
        return rate
    return stated if abs(stated - rate) <= NEAR else rate


def entry_of(
    run: Run, eval_id: Any, name: str | None, items: Any, metrics: Any, notes: Any
) -> Entry:
    """Return the entry of one run; `metrics` and `notes` are as its grading has them."""
    result: dict[str, Number | None] = {
        "pass_rate": None if run.counted is None else shortened(run.counted),
        "passed": run.passed,
        "failed": None if run.passed is None or run.total is None else run.total - run.passed,
        "total": run.total,
        "time_seconds": run.seconds,
        "tokens": run.tokens,
    }
    for ours, field in (("tool_calls", "total_tool_calls"), ("errors", "errors_encountered")):
        if isinstance(metrics, dict) and type(metrics.get(field)) is int:
            result[ours] = metrics[field]
    noted: list[str] = []
    for each in [notes.get(field) for field in NOTES] if isinstance(notes, dict) else [notes]:
        texts = each if isinstance(each, list) else [each]
        noted += [text for text in texts if isinstance(text, str) and text]
    return {
        "eval_id": eval_id,
        **({} if name in (None, str(eval_id)) else {"eval_name": name}),
        "configuration": run.configuration,
        "run_number": int(run.run) if run.run.isdecimal() else run.run,
        "result": result,
        "expectations": items,
        "notes": noted,
    }


def number_of(value: Any) -> Any:
    """Return an id as a number where it is one."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value
