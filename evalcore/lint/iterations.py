"""The rules of evals with expectations: each checks something, once, and can tell skills apart."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pandas as pd

from evalcore.lint.vague import vague_words
from evalcore.problems import Problem, pointer
from evalcore.workspace.opened import Tables, Workspace

FAMILIES: Final = ("iterations", "rubric")
DEFINING: Final = ("evals", "eval_metadata")
"""The kinds of documents that say what is asked and checked."""
_TEXTS: Final = ("text", "description", "name", "id")


def lint_document(path: str, suite: str | None, value: Any) -> Iterator[Problem]:
    """Yield what the expectations of an evals.json or eval_metadata.json do wrong."""
    for at, entry in entries(value):
        for key in ("expectations", "assertions"):
            yield from _repeated(path, suite, at + pointer(key), entry.get(key))


def lint_tables(workspace: Workspace) -> Iterator[Problem]:
    """Yield what the cases and the runs of all suites together show about their expectations."""
    tables = workspace.tables
    suites = tables.suites["suite"][tables.suites["family"].isin(FAMILIES)].astype(str)
    cases, criteria, runs = (
        table[table["suite"].isin(suites)] for table in (tables.cases, tables.criteria, tables.runs)
    )
    yield from _unchecked(cases, criteria)
    yield from _vague(criteria, tables.documents)
    yield from _nothing_judged(runs, tables.judgments)
    yield from _undiscriminating(runs, tables, criteria[criteria["kind"] == "expectation"])


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


def cells(frame: pd.DataFrame, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield the named cells of each row."""
    return frame[list(columns)].itertuples(index=False, name=None)


def _repeated(path: str, suite: str | None, at: str, items: Any) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        text = expectation_text(item)
        if text is None:
            continue
        first = seen.setdefault(" ".join(text.casefold().split()), index)
        if first != index:
            yield Problem(path, f"{at}/{index}", "warning", "duplicate-criterion",
                          f"This expectation says the same as number {first + 1}.",
                          "Keep one of the two: the other counts double.", suite)  # fmt: skip


def _unchecked(cases: pd.DataFrame, criteria: pd.DataFrame) -> Iterator[Problem]:
    keys = ["suite", "case_id"]
    checked = set(criteria[keys].drop_duplicates().astype(str).itertuples(index=False, name=None))
    defined = cases[cases["source"].notna()]
    for suite, case, source, at in cells(defined, *keys, "source", "pointer"):
        if (suite, case) not in checked:
            yield Problem(source, at, "warning", "no-expectations",
                          "This eval has no expectation, so no run of it can be graded.",
                          "Add expectations that a grader can check in the output.",
                          suite)  # fmt: skip


def _vague(criteria: pd.DataFrame, documents: pd.DataFrame) -> Iterator[Problem]:
    sources = set(documents["path"][documents["kind"].isin(DEFINING)])
    mine = criteria[(criteria["kind"] == "expectation") & criteria["source"].isin(sources)]
    for suite, text, source, at in cells(mine, "suite", "description", "source", "pointer"):
        words = vague_words(text) if isinstance(text, str) else None
        if words is not None:
            yield Problem(source, at, "warning", "vague-criterion",
                          f"Two graders may read {words!r} differently.",
                          "Say what must be seen in the output.", suite)  # fmt: skip


def _nothing_judged(runs: pd.DataFrame, judgments: pd.DataFrame) -> Iterator[Problem]:
    graded = runs[(runs["origin"] == "grading") & (runs["status"] == "completed")]
    empty = graded[~graded["run_id"].isin(judgments["run_id"].unique())]
    for suite, source in cells(empty[empty["source"].notna()], "suite", "source"):
        yield Problem(source, "", "warning", "nothing-judged",
                      "This grading holds no judged item, so the run has no score.",
                      "Grade the run again.", suite)  # fmt: skip


def _undiscriminating(
    runs: pd.DataFrame, tables: Tables, criteria: pd.DataFrame
) -> Iterator[Problem]:
    """An expectation that everything meets cannot show what the skill is good for."""
    latest = _latest_compared(runs, tables.versions)
    pairs = zip(runs["suite"].astype(str), runs["version"].astype(str), strict=True)
    last = [latest.get(suite) == version for suite, version in pairs]
    mine = runs[np.array(last, dtype=bool)]
    judged = tables.judgments
    kept = (judged["status"] == "scored") & (judged["kind"] == "expectation")
    keys = ["suite", "case_id", "configuration"]
    joined = judged[kept & judged["run_id"].isin(mine["run_id"])][["run_id", "criterion", "passed"]]
    joined = joined.merge(mine[["run_id", *keys]], on="run_id")
    joined["passed"] = joined["passed"].eq(other=True).fillna(value=False).astype(bool)
    groups = joined.groupby(["suite", "case_id", "criterion"], observed=True)
    about = groups.agg(passed=("passed", "all"), compared=("configuration", "nunique"))
    flat = set(about.index[about["passed"] & (about["compared"] >= 2)])
    placed = criteria[criteria["source"].notna()]
    for *key, source, at in cells(placed, "suite", "case_id", "criterion", "source", "pointer"):
        if tuple(key) in flat:
            yield Problem(source, at, "info", "does-not-discriminate",
                          "This expectation passes in every run of every configuration of "
                          f"{latest[key[0]]}.",
                          "Keep it as a safeguard, or replace it by one that the output without "
                          "the skill can fail.", key[0])  # fmt: skip


def _latest_compared(runs: pd.DataFrame, versions: pd.DataFrame) -> dict[str, str]:
    """Return for each suite its last version that ran in two or more configurations."""
    counts = runs.groupby(["suite", "version"], observed=True)["configuration"].nunique()
    several = set(counts.index[counts >= 2])
    ordered = versions.sort_values("position")[["suite", "version"]].astype(str)
    return {pair[0]: pair[1] for pair in ordered.itertuples(index=False, name=None)
            if pair in several}  # fmt: skip
