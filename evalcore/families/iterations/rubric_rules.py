"""The rules of structural checks and rubrics: ids are unique, weights count, gates can close."""

import re
import warnings
from collections import defaultdict
from collections.abc import Iterator, Set
from typing import Any, Final, NamedTuple

from evalcore.families.iterations.expectation_rules import entries, in_order
from evalcore.families.linting import objects
from evalcore.problems import Problem
from evalcore.tables.cells import cells
from evalcore.tables.planned import planned_runs
from evalcore.tables.snapshot import Tables

MAX_PATTERN: Final = 1000
# Ignoring case makes Python walk through every character of a range when it compiles one.
_ANY_CASE: Final = re.compile(r"(\(\?[a-zA-Z]*)i")
_DATED: Final = re.compile(r"[-@](?:20[0-9]{6}|latest)$")


class _Evals:
    """One evals.json: makes problems at its places."""

    def __init__(self, path: str, suite: str | None) -> None:
        self.path = path
        self.suite = suite

    def warn(self, at: str, code: str, message: str, hint: str) -> Problem:
        return Problem(self.path, at, "warning", code, message, hint, self.suite)

    def repeated(self, items: list[tuple[str, dict[str, Any]]], key: str) -> Iterator[Problem]:
        """Yield one problem for each value of `key` that an earlier item has too."""
        seen: set[str] = set()
        for at, item in items:
            name = item.get(key)
            if isinstance(name, str) and name in seen:
                yield self.warn(
                    f"{at}/{key}",
                    "duplicate-id",
                    f"{_quoted(name)} is the {key} of two items; the first is kept.",
                    f"Give each its own {key}.",
                )
            elif isinstance(name, str):
                seen.add(name)


def lint_document(path: str, value: Any) -> Iterator[Problem]:
    """Yield what an evals.json with structural checks or rubrics does wrong."""
    evals = _Evals(path, None)
    config = value.get("eval_config") if isinstance(value, dict) else None
    gated = isinstance(config, dict) and config.get("structural_gate") is True
    for at, entry in entries(value):
        checks = objects(entry, "structural_expectations", at)
        yield from evals.repeated(checks, "id")
        yield from _patterns(evals, checks)
        if gated and checks and not any(item.get("critical") is True for _, item in checks):
            yield evals.warn(
                f"{at}/structural_expectations",
                "no-critical-check",
                "structural_gate is true, but no check of this eval is critical, so "
                "its gate never closes.",
                "Mark the checks without which judging makes no sense as critical.",
            )
        yield from _rubric(evals, at, entry.get("quality_rubric"))


class _Run(NamedTuple):
    version: str
    case_id: str
    configuration: str
    run_id: str
    model: str | None
    executor: str | None


def lint_tables(tables: Tables, suites: Set[str]) -> Iterator[Problem]:
    """Yield what the runs of each suite show against its eval_config."""
    configured = cells(tables, "suites", "suite", "judge_model")
    paths = _first_evals(tables)
    runs: dict[str, list[_Run]] = defaultdict(list)
    for suite, *about in cells(tables, "runs", "suite", *_Run._fields):
        runs[suite].append(_Run(*about))
    for suite, judge in configured:
        if suite not in suites or suite not in paths:
            continue
        evals = _Evals(paths[suite], suite)
        if judge is not None:
            yield from _own_judge(evals, runs[suite], judge)
        wanted = planned_runs(tables, suite)
        if wanted is not None:
            order = [version for of, version in in_order(tables) if of == suite]
            yield from _too_few(evals, runs[suite], order, wanted)


def _first_evals(tables: Tables) -> dict[str, str]:
    """Return the first evals.json of each suite."""
    found: dict[str, str] = {}
    for path, kind, suite in cells(tables, "documents", "path", "kind", "suite"):
        if kind == "evals":
            found.setdefault(suite, path)
    return found


def _patterns(evals: _Evals, checks: list[tuple[str, dict[str, Any]]]) -> Iterator[Problem]:
    for at, item in checks:
        pattern = item.get("match_regex")
        fault = _regex_fault(pattern) if isinstance(pattern, str) else None
        if fault is not None:
            yield evals.warn(
                f"{at}/match_regex",
                "invalid-regex",
                fault,
                "Correct it as a regular expression of Python.",
            )


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


def _rubric(evals: _Evals, at: str, rubric: Any) -> Iterator[Problem]:
    if not isinstance(rubric, dict):
        return
    base = f"{at}/quality_rubric/dimensions"
    dimensions = objects(rubric, "dimensions", f"{at}/quality_rubric")
    if not dimensions and isinstance(rubric.get("dimensions"), list):
        yield evals.warn(
            base,
            "no-dimensions",
            "This rubric has no dimension to score.",
            "Add one, or leave the rubric out.",
        )
    yield from evals.repeated(dimensions, "id")
    yield from evals.repeated(dimensions, "name")
    for place, item in dimensions:
        weight = item.get("weight")
        if isinstance(weight, int | float) and not isinstance(weight, bool) and not weight > 0:
            yield evals.warn(
                f"{place}/weight",
                "no-weight",
                f"With the weight {weight:g} this dimension does not count.",
                "Give it a weight above 0, or remove it.",
            )


def _own_judge(evals: _Evals, runs: list[_Run], judge: str) -> Iterator[Problem]:
    ran = {name for run in runs for name in (run.model, run.executor) if name is not None}
    if _bare(judge) in {_bare(name) for name in ran}:
        yield evals.warn(
            "/eval_config/judge_model",
            "judge-is-executor",
            f"{_quoted(judge)} judges its own output.",
            "Use another model as judge.",
        )


def _too_few(evals: _Evals, runs: list[_Run], order: list[str], wanted: int) -> Iterator[Problem]:
    """The last version has as many runs of each case and configuration as eval_config asks for."""
    versions = {run.version for run in runs}
    ran = [version for version in order if version in versions]
    if not ran:
        return
    made: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in runs:
        if run.version == ran[-1]:
            made[run.case_id, run.configuration].add(run.run_id)
    short = sum(len(found) < wanted for found in made.values())
    if short:
        yield evals.warn(
            "/eval_config/runs_per_eval",
            "too-few-runs",
            f"runs_per_eval is {wanted}, but in {_quoted(ran[-1])} {short} of {len(made)} "
            "combinations of case and configuration have fewer runs.",
            "Make the missing runs, or correct runs_per_eval.",
        )


def _bare(model: str) -> str:
    """Return a model's name without its date, so that an alias equals the model it stands for."""
    return _DATED.sub("", model.strip().casefold())


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:59] + "…")
