"""The runs of iterations, version by version, and their entries in a benchmark."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING, parse
from evalcore.disk.values import value_at
from evalcore.errors import PathOutside, UnknownName
from evalcore.families.aggregating import of_reviews
from evalcore.families.base import PENDING
from evalcore.families.iterations.agreement import NEAR
from evalcore.families.scoring import RUBRIC
from evalcore.layouts.iterations import container_of, folder_words, run_location, version_folder
from evalcore.numbers import whole
from evalcore.proposals.stats import Number, shortened
from evalcore.tables.cells import cells, holds
from evalcore.tables.snapshot import Tables

_COLUMNS: Final = (
    "run_id", "case_id", "version", "configuration", "run", "origin", "source", "pointer",
    "checks_passed", "checks_total", "fraction", "duration_s", "tokens",
)  # fmt: skip
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
    structural: bool
    normalized: float | None
    dimensions: Mapping[str, Number]

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
    here &= ~holds(tables.columns["runs"]["status"], PENDING, "not_run")
    for row in cells(tables, "runs", *_COLUMNS, where=here):
        about = dict(zip(Run._fields, row[:8], strict=False))
        passed, total, fraction, seconds, tokens = row[8:]
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


class Entries:
    """Makes the entries of the runs of one suite."""

    def __init__(self, tables: Tables, files: Files, suite: str) -> None:
        self._tables = tables
        self._recorded = ~of_reviews(tables, "judgments")
        rows = cells(tables, "cases", "suite", "case_id", "name")
        self._names = {case: name for own, case, name in rows if own == suite}

        @lru_cache(maxsize=16)
        def value(path: str) -> Any:
            """Return the value of a document; MISSING where it cannot be read."""
            try:
                return parse(files.read(path))
            except (OSError, PathOutside):
                return MISSING

        self._value = value  # runs that lie together share their documents

    def of(self, run: Run) -> tuple[Run, Entry]:
        """Return a graded run with the rate that its documents state, and its entry in `runs`."""
        folder = run.source.rpartition("/")[0]
        try:
            document = _fields(value_at(self._value(run.source), run.source, run.pointer))
        except UnknownName:
            document = {}
        checks = document
        if run.structural:
            checks = _fields(self._value(f"{folder}/structural.json"))
        stated: Any = _fields(checks.get("summary")).get("pass_rate")
        # Other tools take the rate of a run from there: it counts where it is a rounding of ours.
        if type(stated) in (int, float) and run.rate is not None and abs(stated - run.rate) <= NEAR:
            run = run._replace(counted=stated)
        at = run_location(folder)
        eval_id = None
        if at is not None:
            meta = _fields(self._value(f"{at.eval_folder}/eval_metadata.json"))
            eval_id = meta.get("eval_id", meta.get("id"))
            eval_id = folder_words(at.eval_folder)[0] if eval_id is None else eval_id
        eval_id = document.get("eval_id") if eval_id is None else eval_id
        eval_id = number_of(eval_id if isinstance(eval_id, int | str) else run.case_id)
        name = self._names.get(run.case_id)
        result: dict[str, Number | None] = {
            "pass_rate": None if run.counted is None else shortened(run.counted),
            "passed": run.passed,
            "failed": None if run.passed is None or run.total is None else run.total - run.passed,
            "total": run.total,
            "time_seconds": run.seconds,
            "tokens": run.tokens,
        }
        metrics = _fields(document.get("execution_metrics"))
        for ours, field in (("tool_calls", "total_tool_calls"), ("errors", "errors_encountered")):
            if type(metrics.get(field)) is int:
                result[ours] = metrics[field]
        notes, noted = document.get("user_notes_summary"), list[str]()
        for each in [notes.get(field) for field in NOTES] if isinstance(notes, dict) else [notes]:
            texts = each if isinstance(each, list) else [each]
            noted += [text for text in texts if isinstance(text, str) and text]
        return run, {
            "eval_id": eval_id,
            **({} if name in (None, str(eval_id)) else {"eval_name": name}),
            "configuration": run.configuration,
            "run_number": int(run.run) if run.run.isdecimal() else run.run,
            "result": result,
            "expectations": self._items(run, checks.get("expectations")),
            "notes": noted,
        }

    def _items(self, run: Run, written: Any) -> list[Any]:
        """Return the judged items of a run: as its document has them, else as they were read."""
        # What was not run is in no count.
        items = [
            _fields(item)
            for item in (written if isinstance(written, list) else ())
            if "status" not in _fields(item) or item.get("passed") is not None
        ]
        usual = (
            type(item.get("text")) is str and type(item.get("passed")) is bool for item in items
        )
        if isinstance(written, list) and all(usual):
            fields = ("text", "passed", "evidence")
            short = ({name: item[name] for name in fields if name in item} for item in items)
            return list(short) if run.structural else items
        table = self._tables.columns["judgments"]
        mine = holds(table["run_id"], run.run_id) & self._recorded
        texts = self._tables.text_columns("judgments")["evidence"]
        rows = cells(self._tables, "judgments", "kind", "criterion", "passed", where=mine)
        kind = "structural" if run.structural else "expectation"
        return [
            {"text": text, "passed": passed, "evidence": texts[row].as_py() or ""}
            for row, (of, text, passed) in zip(np.flatnonzero(mine).tolist(), rows, strict=True)
            if of == kind
        ]


def _fields(value: Any) -> Entry:
    return value if isinstance(value, dict) else {}


def number_of(value: Any) -> Any:
    """Return an id as a number where it is one."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value
