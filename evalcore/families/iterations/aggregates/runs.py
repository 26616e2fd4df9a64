"""The runs of iterations, version by version, and their entries in a benchmark."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, parse
from evalcore.disk.values import value_at
from evalcore.errors import PathOutside, UnknownName
from evalcore.families.aggregating import of_reviews
from evalcore.families.base import PENDING
from evalcore.families.scoring import RUBRIC
from evalcore.layouts.iterations import container_of, folder_words, run_location, version_folder
from evalcore.numbers import whole
from evalcore.proposals.stats import Number, shortened
from evalcore.tables.cells import Mask, cells, holds
from evalcore.tables.snapshot import Tables

_ABOUT: Final = (
    "run_id", "case_id", "version", "configuration", "run", "origin", "source", "pointer",
)  # fmt: skip
_NUMBERS: Final = ("fraction", "checks_passed", "checks_total", "duration_s", "tokens")
NEAR: Final = 0.005 + 1e-9
"""A rate that its grading rounded to two decimals is at most so far from its items' own."""
NOTES: Final = ("uncertainties", "needs_review", "workarounds")

Entry = dict[str, Any]


class Run(NamedTuple):
    """One run as tables have it; None is not measured.

    `rate` is `passed` of `total`: of the structural checks where there are any, else of the
    expectations. `counted` is the rate that counts in a benchmark: the same, or a rounding of it.
    """

    run_id: str
    case_id: str
    version: str
    configuration: str
    run: str
    origin: str
    source: str
    pointer: str
    passed: int | None
    total: int | None
    rate: float | None
    counted: Number | None
    seconds: float | None
    tokens: Number | None
    structural: bool = False
    normalized: float | None = None
    dimensions: Mapping[str, Number] = {}

    @property
    def efficiency(self) -> float | None:
        """The mean of the rate of its structural checks and the rubric's normalized score."""
        if not self.structural or self.rate is None or self.normalized is None:
            return None
        return (self.rate + self.normalized) / 2


def runs_of(tables: Tables, suite: str, *, rubric: bool) -> dict[str, list[Run]]:
    """Return the runs of a suite by version, in the order of the table, but open ones.

    Judgments beside those of a run's judge do not count.
    """
    structural: Counter[str] = Counter()
    dimensions: dict[str, dict[str, Number]] = defaultdict(dict)
    if rubric:
        scored = holds(tables.columns["judgments"]["status"], "scored")
        scored &= ~of_reviews(tables, "judgments")
        names = ("run_id", "kind", "criterion", "score")
        for run_id, kind, criterion, score in cells(tables, "judgments", *names, where=scored):
            if kind == RUBRIC:
                dimensions[run_id][criterion] = whole(score or 0)
            elif kind == "structural":
                structural[run_id] += 1
    found: dict[str, list[Run]] = defaultdict(list)
    here = holds(tables.columns["runs"]["suite"], suite)
    for status in (PENDING, "not_run"):
        here &= ~holds(tables.columns["runs"]["status"], status)
    for row in cells(tables, "runs", *_ABOUT, *_NUMBERS, where=here):
        about = dict(zip(_ABOUT, row, strict=False))
        fraction, passed, total, seconds, tokens = row[len(_ABOUT) :]
        rate = passed / total if passed is not None and total else fraction
        scores = dimensions.get(about["run_id"], {})
        run = Run(
            **about,
            passed=passed,
            total=total,
            rate=rate,
            counted=rate,
            seconds=seconds,
            tokens=None if tokens is None else whole(tokens),
            structural=about["run_id"] in structural,
            normalized=fraction if scores else None,
            dimensions=scores,
        )
        found[run.version].append(run)
    return found


def folder_of(sources: Iterable[str], version: str) -> str | None:
    """Return the folder that holds the runs of a version, with a slash; None for several."""
    homes = set[str | None]()
    for source in sources:
        folder = source.rpartition("/")[0]
        home = container_of(folder)
        is_own = home is not None and home[1] == version
        homes.add(version_folder(*home, folder) if home is not None and is_own else None)
    found = homes.pop() if len(homes) == 1 else None
    return f"{found}/" if found else found


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
        items = checks.get("expectations")
        if isinstance(items, list):  # what was not run stands in no count
            items = [
                item
                for item in items
                if not isinstance(item, dict)
                or "status" not in item
                or item.get("passed") is not None
            ]
        if not isinstance(items, list) or not all(map(_is_plain, items)):
            items = list(self._as_read(run))
        elif run.structural:
            fields = ("text", "passed", "evidence")
            items = [{name: item[name] for name in fields if name in item} for item in items]
        run = run._replace(counted=counted(checks.get("summary"), run.rate))
        return run, entry_of(
            run,
            number_of(eval_id if isinstance(eval_id, int | str) else run.case_id),
            self._names.get(run.case_id),
            items,
            document.get("execution_metrics"),
            document.get("user_notes_summary"),
        )

    def _as_read(self, run: Run) -> Iterator[Entry]:
        """Yield the judged items of a run as they were read."""
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


def _is_plain(item: Any) -> bool:
    """Say whether an item is written as a benchmark has it."""
    fields = _fields(item)
    return isinstance(fields.get("text"), str) and isinstance(fields.get("passed"), bool)


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
