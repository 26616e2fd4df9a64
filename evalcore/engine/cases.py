"""The cases of a suite as they are asked: chosen by name, tag or outcome, with files and rules."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import Any, Final

import msgspec

from evalcore.counting.focus import focus_columns, focused
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import outcomes
from evalcore.disk.parsing import MISSING, parse
from evalcore.errors import CannotRun, NothingToRun, PathOutside, UnknownName
from evalcore.families.base import RULES_FILE
from evalcore.families.running import Case, Criterion, Running, Suite
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace

MAX_NAME: Final = 150

ALL: Final = "all"
FAILING: Final = "failing"
TAG: Final = "tag:"
BENCHMARK: Final = "benchmark:"
"""What precedes the id of a benchmark whose cases are run, as a run of it."""


def chosen_cases(
    ws: Workspace, suite: Suite, running: Running, wanted: Sequence[str]
) -> Iterator[tuple[Case, str | None]]:
    """Yield the chosen active cases with their criteria, and why one cannot be run."""
    names = (
        "suite", "case_id", "name", "prompt", "tags", "files", "status", "source", "pointer",
    )  # fmt: skip
    rows = [row[1:] for row in cells(ws.tables, "cases", *names) if row[0] == suite.suite]
    chosen = _chosen(ws, suite.suite, [(row[0], row[3]) for row in rows], wanted)
    criteria = _criteria(suite)
    rules_of = cache(partial(_rules, suite))
    for case_id, name, prompt, _, files, status, source, pointer in rows:
        if case_id not in chosen or (status not in (None, "active") and case_id not in wanted):
            continue
        names_of_files = [each for each in json.loads(files or "[]") if isinstance(each, str)]
        bases = [*running.bases(suite), *([] if source is None else [source.rpartition("/")[0]])]
        laid = {each: _first_file(suite, bases, each) for each in names_of_files}
        rules = {} if source is None else rules_of(beside(source, RULES_FILE))
        case = Case(
            id=case_id,
            name=name,
            prompt=prompt or "",
            criteria=tuple(_with_rules(each, case_id, rules) for each in criteria(case_id, source)),
            files=tuple(path for path in laid.values() if path is not None),
            laid=tuple(name for name, path in laid.items() if path is not None),
            source=source,
            definition=None if source is None else suite.raw(source, pointer or ""),
        )
        yield case, _why_not(case_id, laid)


def _chosen(
    ws: Workspace, suite: str, cases: Sequence[tuple[str, str | None]], wanted: Sequence[str]
) -> set[str]:
    known = [case for case, _ in cases]
    found: set[str] = set()
    for each in wanted:
        if each == ALL:
            found |= set(known)
        elif each == FAILING:
            found |= _failing(ws, suite)
        elif each.startswith(TAG):
            tag = each.removeprefix(TAG)
            tagged = {case: json.loads(tags or "[]") for case, tags in cases}
            known_tags = {str(each) for tags in tagged.values() for each in tags}
            if tag not in known_tags:
                raise UnknownName("tag", tag, known_tags)
            found |= {case for case, tags in tagged.items() if tag in tags}
        elif each in known:
            found.add(each)
        else:
            raise UnknownName("case", each, known)
    return found


def _failing(ws: Workspace, suite: str) -> set[str]:
    """Return the cases that Gradings lists as failing where nothing is chosen there.

    Raises:
        NothingToRun: no case fails.
    """
    found = outcomes(ws, suite)
    focus, before = focus_columns(found, None, None)
    failing = focused(ws, suite, focus, before).masks["failing"]
    if not failing.any():
        where = f"in {found.columns[focus].key}" if focus is not None else "as none has run"
        raise NothingToRun(f"No case fails {where}. Choose other cases.")
    return set(found.cases["case_id"][failing])


def _criteria(suite: Suite) -> Any:
    """Return a function that gives the criteria which the document of a case defines."""
    names = (
        "suite", "case_id", "kind", "criterion", "description", "min_score", "max_score",
        "weight", "required", "critical", "guide", "source", "pointer",
    )  # fmt: skip
    by_case: dict[str, list[tuple[Any, ...]]] = {}
    for own, case, *rest in cells(suite.tables, "criteria", *names):
        if own == suite.suite and rest[0] != "convention" and rest[-2] is not None:
            by_case.setdefault(case, []).append(tuple(rest))

    def found(case: str, source: str | None) -> Iterator[Criterion]:
        rows = by_case.get(case, [])
        own = [row for row in rows if row[-2] == source]
        for kind, name, text, low, high, weight, required, critical, guide, of, at in own or rows:
            definition = suite.raw(of, at or "") if kind == "structural" else None
            yield Criterion(
                kind, name, text or name, low, high, weight, required, critical, guide,
                definition=definition,
            )  # fmt: skip

    return found


def _first_file(suite: Suite, bases: Sequence[str], name: str) -> str | None:
    """Return the path in the workspace of a file that a case names; None if it is not there."""
    return next(filter(None, (_file(suite, base, name) for base in bases)), None)


def _why_not(case: str, laid: dict[str, str | None]) -> str | None:
    """Return why a case cannot be run: its id is no name of a file, or a file is missing."""
    if "/" in case or "\0" in case or case in ("", ".", "..") or len(case.encode()) > MAX_NAME:
        return f"The case {case[:60]!r} cannot be run: its id is no name for a file."
    missing = [name for name, path in laid.items() if path is None]
    if missing:
        return f"The case {case!r} cannot be run: its file {missing[0]} is not in this folder."
    return None


def _file(suite: Suite, base: str, name: str) -> str | None:
    path = name if base in (".", "") else f"{base}/{name}"
    try:
        os.close(suite.files.open(path))
    except (OSError, PathOutside, ValueError):
        return None
    return path


Rules = dict[str, dict[str, list[str]]]


def beside(source: str, name: str) -> str:
    """Return the path of a file in the folder of a document."""
    return "/".join([*source.split("/")[:-1], name])


def _rules(suite: Suite, path: str) -> Rules:
    """Return the rules of a file beside cases: case or * → criterion → rules; without it, none.

    Raises:
        CannotRun: the file is not of that form.
    """
    try:
        value = parse(suite.files.read(path))
    except (OSError, PathOutside):
        return {}
    try:
        if value is MISSING:
            raise ValueError("it is not JSON")
        found = msgspec.convert(value, dict[str, dict[str, str | list[str]]])
    except ValueError as error:
        raise CannotRun(f"{path} cannot be read: {error}. docs/rules.md shows its form.") from error
    return {
        case: {name: [rules] if isinstance(rules, str) else rules for name, rules in each.items()}
        for case, each in found.items()
    }


def _with_rules(criterion: Criterion, case: str, rules: Rules) -> Criterion:
    for key in (case, "*"):
        if criterion.name in rules.get(key, {}):
            return msgspec.structs.replace(criterion, rules=tuple(rules[key][criterion.name]))
    return criterion


@memoize_per_workspace
def case_names(ws: Workspace, name: str) -> tuple[dict[str, str], list[str]]:
    """Return the names of a suite's cases by their ids, and the tags that they have."""
    names = ("suite", "case_id", "name", "tags", "status")
    rows = [row[1:] for row in cells(ws.tables, "cases", *names) if row[0] == name]
    tags = {str(tag) for _, _, each, _ in rows for tag in json.loads(each or "[]")}
    return {case: title or case for case, title, _, _ in rows}, sorted(tags)
