"""The rules of evals with expectations: each checks something, once, and can tell skills apart."""

from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any, Final

import numpy as np

from evalcore.families.aggregating import of_reviews
from evalcore.problems import Problem, pointer
from evalcore.tables.cells import cells, holds
from evalcore.tables.snapshot import Tables
from evalcore.texts.vague import vague_words

DEFINING: Final = ("evals", "eval_metadata")
"""The kinds of documents that say what is asked and checked."""
_TEXTS: Final = ("text", "description", "name", "id")


def lint_document(path: str, value: Any) -> Iterator[Problem]:
    """Yield what the expectations of an evals.json or eval_metadata.json do wrong."""
    for at, entry in entries(value):
        for key in ("expectations", "assertions"):
            yield from _repeated(path, at + pointer(key), entry.get(key))


def lint_tables(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    """Yield what the cases and the runs of each suite show about their expectations."""
    yield from _unchecked(tables, suites)
    yield from _vague(tables, suites)
    yield from _nothing_judged(tables, suites)
    yield from _undiscriminating(tables, suites)


def entries(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (pointer, eval) of an evals.json in either form, or of one eval by itself."""
    base, items = "", value
    if isinstance(value, dict):
        base, items = "/evals", value.get("evals")
        if not isinstance(items, list):
            yield "", value
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield f"{base}/{index}", item


def expectation_text(item: Any) -> str | None:
    """Return the text of an expectation, written as text or as an object that holds one."""
    if isinstance(item, dict):
        item = next((item[key] for key in _TEXTS if item.get(key)), None)
    return item if isinstance(item, str) else None


def _repeated(path: str, at: str, items: Any) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        text = expectation_text(item)
        if text is None:
            continue
        first = seen.setdefault(" ".join(text.casefold().split()), index)
        if first != index:
            yield Problem(
                path,
                f"{at}/{index}",
                "warning",
                "duplicate-criterion",
                f"This expectation says the same as number {first + 1}.",
                "Remove one of the two: it counts twice.",
            )


def _unchecked(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    checked = set(cells(tables, "criteria", "suite", "case_id"))
    defined = cells(tables, "cases", "suite", "case_id", "source", "pointer")
    for suite, case, source, at in defined:
        if suite in suites and source is not None and (suite, case) not in checked:
            yield Problem(
                source,
                at,
                "warning",
                "no-expectations",
                "This eval has no expectation, so no run of it can be graded.",
                "Add expectations that a grader can check in the output.",
                suite,
            )


def _vague(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    sources = {
        path for path, kind in cells(tables, "documents", "path", "kind") if kind in DEFINING
    }
    criteria = cells(tables, "criteria", "suite", "kind", "description", "source", "pointer")
    for suite, kind, text, source, at in criteria:
        mine = suite in suites and kind == "expectation" and source in sources
        words = vague_words(text) if mine and text is not None else None
        if words is not None:
            yield Problem(
                source,
                at,
                "warning",
                "vague-criterion",
                f"Two graders may read {words!r} differently.",
                "Say what the output must show.",
                suite,
            )


def _nothing_judged(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    own = ~of_reviews(tables, "judgments")
    judged = {run for (run,) in set(cells(tables, "judgments", "run_id", where=own))}
    runs = cells(tables, "runs", "suite", "run_id", "origin", "status", "source")
    for suite, run, origin, status, source in runs:
        if suite not in suites or run in judged or source is None:
            continue
        if origin == "grading" and status == "completed":
            yield Problem(
                source,
                "",
                "warning",
                "nothing-judged",
                "This grading contains no judged item, so the run has no score.",
                "Write what was judged into `expectations`, as a list of {text, passed, evidence}.",
                suite,
            )


def _undiscriminating(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    """An expectation that everything meets cannot show what the skill is good for."""
    latest = _latest_compared(tables, suites)
    flat = _met_by_all(tables, latest)
    criteria = cells(
        tables, "criteria", "suite", "case_id", "criterion", "kind", "source", "pointer"
    )
    for suite, case, criterion, kind, source, at in criteria:
        if kind == "expectation" and source is not None and (suite, case, criterion) in flat:
            yield Problem(
                source,
                at,
                "info",
                "does-not-discriminate",
                f"This expectation passes in every run of every configuration of {latest[suite]}.",
                "Keep it as a safeguard, or replace it by one that the output without "
                "the skill can fail.",
                suite,
            )


def _met_by_all(tables: Tables, latest: dict[str, str]) -> set[tuple[str, str, str]]:
    """Return the (suite, case, criterion) that passed in all runs, of several configurations."""
    runs = {
        run: (suite, case, configuration)
        for run, suite, version, case, configuration in cells(
            tables, "runs", "run_id", "suite", "version", "case_id", "configuration"
        )
        if suite is not None and latest.get(suite) == version
    }
    judged = tables.columns["judgments"]
    rows = holds(judged["run_id"], *runs) if runs else np.zeros(judged["run_id"].rows, bool)
    rows &= holds(judged["status"], "scored") & holds(judged["kind"], "expectation")
    rows &= ~of_reviews(tables, "judgments")
    compared: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    failed: set[tuple[str, str, str]] = set()
    for run, criterion, passed in cells(
        tables, "judgments", "run_id", "criterion", "passed", where=rows
    ):
        suite, case, configuration = runs[run]
        compared[suite, case, criterion].add(configuration)
        if passed is not True:
            failed.add((suite, case, criterion))
    return {key for key, found in compared.items() if len(found) >= 2} - failed


def _latest_compared(tables: Tables, suites: Set[str]) -> dict[str, str]:
    """Return for each suite its last version that ran in two or more configurations."""
    ran: dict[tuple[str, str], set[str]] = defaultdict(set)
    for suite, version, configuration in set(
        cells(tables, "runs", "suite", "version", "configuration")
    ):
        if suite in suites and configuration is not None:
            ran[suite, version].add(configuration)
    return {suite: version for suite, version in in_order(tables) if len(ran[suite, version]) >= 2}


def in_order(tables: Tables) -> list[tuple[str, str]]:
    """Return (suite, version) of every version in the order of their positions."""
    rows = cells(tables, "versions", "position", "suite", "version")
    placed = sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))
    return [(suite, version) for _, suite, version in placed]
