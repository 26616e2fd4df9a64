"""The rules of both families: expectations check something, ids are unique, gates can close."""

import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.families.aggregating import of_reviews
from evalcore.families.base import Rules
from evalcore.families.iterations.defined import LISTS
from evalcore.families.linting import objects, warning
from evalcore.names import CASES
from evalcore.problems import Problem, pointer
from evalcore.tables.cells import cells, holds
from evalcore.tables.planned import planned_runs
from evalcore.tables.snapshot import Tables
from evalcore.texts.vague import vague_words

DEFINING: Final = ("evals", "eval_metadata", "checklist")
"""The kinds of documents that say what is asked and checked."""

MAX_PATTERN: Final = 1000
# Ignoring case makes Python walk through every character of a range when it compiles one.
_ANY_CASE: Final = re.compile(r"(\(\?[a-zA-Z]*)i")
_DATED: Final = re.compile(r"[-@](?:20[0-9]{6}|latest)$")


def _of_document(path: str, kind: str, value: Any) -> Iterator[Problem]:
    """Yield what an evals.json or eval_metadata.json does wrong."""
    evals = list(_evals(value)) if kind in DEFINING else []
    for at, entry in evals:
        for key in LISTS:
            yield from _repeated_expectations(path, at + pointer(key), entry.get(key))
    config = value.get("eval_config") if isinstance(value, dict) else None
    gated = isinstance(config, dict) and config.get("structural_gate") is True
    for at, entry in evals if kind == "evals" else ():
        checks = objects(entry, "structural_expectations", at)
        yield from _repeated_names(path, checks, "id")
        for place, item in checks:
            pattern = item.get("match_regex")
            fault = _regex_fault(pattern) if isinstance(pattern, str) else None
            if fault is not None:
                yield warning(
                    path,
                    f"{place}/match_regex",
                    "invalid-regex",
                    fault,
                    "Correct it as a regular expression of Python.",
                )
        if gated and checks and not any(item.get("critical") is True for _, item in checks):
            yield warning(
                path,
                f"{at}/structural_expectations",
                "no-critical-check",
                "structural_gate is true, but no check of this eval is critical, so "
                "its gate never closes.",
                "Mark the checks without which judging makes no sense as critical.",
            )
        rubric = entry.get("quality_rubric")
        if isinstance(rubric, dict):
            yield from _of_rubric(path, f"{at}/quality_rubric", rubric)


def _evals(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (pointer, eval) of an evals.json in either form, or of one eval by itself."""
    base, items = "", value
    if isinstance(value, dict):
        key = next((key for key in CASES if isinstance(value.get(key), list)), "evals")
        base, items = f"/{key}", value.get(key)
        if not isinstance(items, list):
            yield "", value
    for index, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield f"{base}/{index}", item


def _repeated_expectations(path: str, at: str, items: Any) -> Iterator[Problem]:
    """Yield one problem for each expectation, a text or an object with one, that is there twice."""
    seen: dict[str, int] = {}
    for index, item in enumerate(items if isinstance(items, list) else ()):
        text = item
        if isinstance(item, dict):
            names = ("text", "description", "name", "id")
            text = next((item[key] for key in names if item.get(key)), None)
        if not isinstance(text, str):
            continue
        first = seen.setdefault(" ".join(text.casefold().split()), index)
        if first != index:
            yield warning(
                path,
                f"{at}/{index}",
                "duplicate-criterion",
                f"This expectation says the same as number {first + 1}.",
                "Remove one of the two: it counts twice.",
            )


def _repeated_names(
    path: str, items: list[tuple[str, dict[str, Any]]], key: str
) -> Iterator[Problem]:
    """Yield one problem for each value of `key` that an earlier item has too."""
    seen: set[str] = set()
    for at, item in items:
        name = item.get(key)
        if isinstance(name, str) and name in seen:
            yield warning(
                path,
                f"{at}/{key}",
                "duplicate-id",
                f"{_quoted(name)} is the {key} of two items; the first is kept.",
                f"Give each its own {key}.",
            )
        elif isinstance(name, str):
            seen.add(name)


def _regex_fault(pattern: str) -> str | None:
    """Say why a pattern cannot be used; it is compiled, never run."""
    if len(pattern) > MAX_PATTERN:
        return f"This regular expression has more than {MAX_PATTERN:,} characters."
    if not pattern.isascii() or re.search(r"\\[uUN]", pattern):
        pattern = _ANY_CASE.sub(r"\1s", pattern)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        why = error.msg if isinstance(error, re.error) else "it is too large"
        return f"This is no regular expression: {why}."
    return None


def _of_rubric(path: str, at: str, rubric: dict[str, Any]) -> Iterator[Problem]:
    dimensions = objects(rubric, "dimensions", at)
    if not dimensions and isinstance(rubric.get("dimensions"), list):
        yield warning(
            path,
            f"{at}/dimensions",
            "no-dimensions",
            "This rubric has no dimension to score.",
            "Add one, or leave the rubric out.",
        )
    yield from _repeated_names(path, dimensions, "id")
    yield from _repeated_names(path, dimensions, "name")
    for place, item in dimensions:
        weight = item.get("weight")
        if isinstance(weight, int | float) and not isinstance(weight, bool) and not weight > 0:
            yield warning(
                path,
                f"{place}/weight",
                "no-weight",
                f"With the weight {weight:g} this dimension does not count.",
                "Give it a weight above 0, or remove it.",
            )


def _of_tables(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    """Yield what the cases and the runs of each suite show about their expectations."""
    yield from _unchecked(tables, suites)
    yield from _vague(tables, suites)
    yield from _nothing_judged(tables, suites)
    yield from _undiscriminating(tables, suites)


def _of_rubric_tables(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    yield from _of_tables(tables, suites)
    yield from _against_config(tables, suites)


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
    ran: dict[tuple[str, str], set[str]] = defaultdict(set)
    for suite, version, configuration in set(
        cells(tables, "runs", "suite", "version", "configuration")
    ):
        if suite in suites and configuration is not None:
            ran[suite, version].add(configuration)
    # The last version of each suite that ran in two or more configurations.
    latest = {
        suite: version for suite, version in _in_order(tables) if len(ran[suite, version]) >= 2
    }
    about = ("run_id", "suite", "version", "case_id", "configuration")
    runs = {
        run: (suite, case, configuration)
        for run, suite, version, case, configuration in cells(tables, "runs", *about)
        if suite is not None and latest.get(suite) == version
    }
    judged = tables.columns["judgments"]
    rows = holds(judged["run_id"], *runs) if runs else np.zeros(judged["run_id"].rows, bool)
    rows &= holds(judged["status"], "scored") & holds(judged["kind"], "expectation")
    rows &= ~of_reviews(tables, "judgments")
    compared: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    failed: set[tuple[str, str, str]] = set()
    verdicts = cells(tables, "judgments", "run_id", "criterion", "passed", where=rows)
    for run, criterion, passed in verdicts:
        suite, case, configuration = runs[run]
        compared[suite, case, criterion].add(configuration)
        if passed is not True:
            failed.add((suite, case, criterion))
    met_by_all = {key for key, found in compared.items() if len(found) >= 2} - failed
    names = ("suite", "case_id", "criterion", "kind", "source", "pointer")
    for suite, case, criterion, kind, source, at in cells(tables, "criteria", *names):
        mine = (suite, case, criterion) in met_by_all
        if kind == "expectation" and source is not None and mine:
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


def _in_order(tables: Tables) -> list[tuple[str, str]]:
    """Return (suite, version) of every version in the order of their positions."""
    rows = cells(tables, "versions", "position", "suite", "version")
    placed = sorted(rows, key=lambda row: (row[0] is None, row[0] or 0))
    return [(suite, version) for _, suite, version in placed]


class _Run(NamedTuple):
    version: str
    case_id: str
    configuration: str
    run_id: str
    model: str | None
    executor: str | None


def _against_config(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    """Yield what the runs of each suite show against the eval_config of its first evals.json."""
    paths: dict[str, str] = {}
    for path, kind, suite in cells(tables, "documents", "path", "kind", "suite"):
        if kind == "evals":
            paths.setdefault(suite, path)
    by_suite: dict[str, list[_Run]] = defaultdict(list)
    for suite, *about in cells(tables, "runs", "suite", *_Run._fields):
        by_suite[suite].append(_Run(*about))
    for suite, judge in cells(tables, "suites", "suite", "judge_model"):
        if suite not in suites or suite not in paths:
            continue
        runs = by_suite[suite]
        models = {name for run in runs for name in (run.model, run.executor) if name is not None}
        if judge is not None and _bare(judge) in map(_bare, models):
            yield Problem(
                paths[suite],
                "/eval_config/judge_model",
                "warning",
                "judge-is-executor",
                f"{_quoted(judge)} judges its own output.",
                "Use another model as judge.",
                suite,
            )
        wanted = planned_runs(tables, suite)
        versions = {run.version for run in runs}
        ran = [each for own, each in _in_order(tables) if own == suite and each in versions]
        if wanted is None or not ran:
            continue
        made: dict[tuple[str, str], set[str]] = defaultdict(set)
        for run in runs:
            if run.version == ran[-1]:
                made[run.case_id, run.configuration].add(run.run_id)
        short = sum(len(found) < wanted for found in made.values())
        if short:
            yield Problem(
                paths[suite],
                "/eval_config/runs_per_eval",
                "warning",
                "too-few-runs",
                f"runs_per_eval is {wanted}, but in {_quoted(ran[-1])} {short} of {len(made)} "
                "combinations of case and configuration have fewer runs.",
                "Make the missing runs, or correct runs_per_eval.",
                suite,
            )


def _bare(model: str) -> str:
    """Return a model's name without its date, so that an alias equals the model it stands for."""
    return _DATED.sub("", model.strip().casefold())


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")


ITERATIONS: Final = Rules(of_document=_of_document, of_tables=_of_tables)
RUBRIC: Final = Rules(of_document=_of_document, of_tables=_of_rubric_tables)
