"""The exact place of each run that a grading speaks of, and what to do with two at one place."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Json
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.runs import SuiteContext
from evalcore.families.iterations.split_runs import Part, configuration_named
from evalcore.layouts.iterations import (
    CONFIGURATIONS,
    CURRENT,
    NONE,
    RUN,
    RunLocation,
    is_configuration,
)
from evalcore.names import EVAL

VERSION: Final = re.compile(r"^v\d[\w.]*$", re.IGNORECASE)
STANDARD_HINT: Final = "Write it as <iteration>/<eval>/<configuration>/run-1/grading.json."


class LocatedRun(NamedTuple):
    """One run of a grading with its place."""

    at: RunLocation
    part: Part


def located(context: SuiteContext, folder: Folder, parts: list[Part]) -> Iterator[LocatedRun]:
    """Yield the runs of a grading, each with the place that path and document give it."""
    path, at = folder.files.get("grading", ""), folder.at
    if len(parts) == 1 and parts[0].at == "" and not folder.whole:
        part = parts[0]
        yield LocatedRun(_configured(context, path, at, part), part)
        return
    if len(parts) > 1:
        context.tolerate(
            path,
            parts[0].at,
            "several-runs",
            f"This file holds {len(parts)} runs.",
            "Write one grading.json for each run, each in its own folder.",
        )
    counts: Counter[tuple[str, str]] = Counter()
    several = len({part.eval for part in parts}) > 1
    for part in parts:
        own = _of_eval(folder, part, several)
        here = _beside(own, part) if part.beside else _configured(context, path, own, part)
        counts[here.eval_folder, here.configuration] += 1
        counted = part.at and not part.beside
        run = _run(part) or (counts[here.eval_folder, here.configuration] if counted else None)
        yield LocatedRun(here._replace(run=str(run or here.run)), part)


def _run(part: Part) -> str | None:
    """Return the number that a part says its run has."""
    match = RUN.match(part.run) if part.run else None
    return match.group(1) if match else part.run


def _of_eval(folder: Folder, part: Part, several: bool) -> RunLocation:
    """Return the place of the eval that a part names, where its path does not name one."""
    at, name = folder.at, part.eval
    if folder.whole:
        stem = folder.files["grading"].rpartition("/")[2].removesuffix(".json")
        words = re.sub(r"[-_. ]*(gradings?|results?)[-_. ]*", "", stem, flags=re.IGNORECASE)
        name = name or (words if words and not VERSION.match(words) else None)
        at = _versioned(at, part)
    elif part.only is None and not (several and _names_eval(part)):
        return at
    if name is None:
        return at
    if name.isdecimal() and not _names_eval(part):
        name = f"eval-{name}"
    eval_folder = f"{at.eval_folder}/{name.replace('/', '-')}"
    return at._replace(
        eval_folder=eval_folder, configuration_folder=eval_folder, folder=eval_folder
    )


def _names_eval(part: Part) -> bool:
    return isinstance(part.value, dict) and any(key in part.value for key in EVAL)


def _versioned(at: RunLocation, part: Part) -> RunLocation:
    """Return a place in the version that a run names beside its configuration, if no path does."""
    named = part.value.get("version") if isinstance(part.value, dict) else None
    known = isinstance(named, (str, int)) and not isinstance(named, bool) and str(named).strip()
    if at.version != CURRENT or not known or configuration_named(part.value) is None:
        return at
    return at._replace(version=str(named).strip())


def _beside(at: RunLocation, part: Part) -> RunLocation:
    """Return the place of the other side of a run: the folder of its own that it might have."""
    assert part.configuration is not None
    folder = f"{at.eval_folder}/{part.configuration}"
    return at._replace(configuration=part.configuration, configuration_folder=folder, folder=folder)


def _configured(context: SuiteContext, path: str, at: RunLocation, part: Part) -> RunLocation:
    """Return a place with the configuration that the document names, if the path names none."""
    if at.configuration != NONE:
        if type(part.value) is dict and (own := configuration_named(part.value)) is not None:
            _check_configuration(context, path, at, part, own)
        return at
    if part.configuration is not None:
        name = part.configuration
        if not is_configuration(name) or configuration_named(part.value) == name:
            _remark(context, path, part, name)
        return at._replace(configuration=name)
    own = configuration_named(part.value)
    if own is not None:
        _remark(context, path, part, own)
        return at._replace(configuration=own)
    version = part.value.get("version") if part.at and isinstance(part.value, dict) else None
    if isinstance(version, str) and VERSION.match(version):
        _remark(context, path, part, version)
        return at._replace(configuration=version)
    return _only(context, path, at)


def _remark(context: SuiteContext, path: str, part: Part, name: str) -> None:
    context.tolerate(
        path,
        part.at,
        "config-from-field",
        f"The configuration {name!r} was read from the document.",
        "Put the grading into a folder with that name.",
    )


def _check_configuration(
    context: SuiteContext, path: str, at: RunLocation, part: Part, own: str
) -> None:
    known = own in CONFIGURATIONS and at.configuration in CONFIGURATIONS
    if known and own != at.configuration:
        context.reader.problem(
            path,
            part.at,
            "warning",
            "configuration-differs",
            f"The document names the configuration {own!r}, its folder {at.configuration!r}; "
            "the folder's is used.",
            "Move the document, or correct its field.",
            context.suite,
        )


def _only(context: SuiteContext, path: str, at: RunLocation) -> RunLocation:
    """Take the one configuration whose folder lies beside a grading in its eval's folder."""
    folders = context.reader.subfolders.get(at.eval_folder, ())
    beside = [name for name in folders if is_configuration(name)]
    if len(beside) != 1 or at.folder != at.eval_folder:
        return at
    context.tolerate(
        path,
        "",
        "layout",
        f"This grading is next to the folder {beside[0]!r} of its run, not in it.",
        STANDARD_HINT,
    )
    folder = f"{at.eval_folder}/{beside[0]}"
    return at._replace(configuration=beside[0], configuration_folder=folder, folder=folder)


class Known(NamedTuple):
    """What tells two runs at one place apart: eval folder, timing, and number if one is stated."""

    eval_folder: str
    timing: str | None
    number: Any
    path: str


def are_different(context: SuiteContext, one: Known, two: Known) -> bool:
    """Say whether two documents at one place speak of two runs, not twice of the same."""
    numbers = one.number, two.number
    if one.eval_folder != two.eval_folder or (None not in numbers and one.number != two.number):
        return True
    if one.timing is None or two.timing is None or one.timing == two.timing:
        return False
    first, second = (_measures(context.reader.json(path)) for path in (one.timing, two.timing))
    return bool(first and second and first != second)


def _measures(value: Json) -> dict[str, Any]:
    """Return what a timing measured, zeros and remarks left out."""
    if value is MISSING or not isinstance(value, dict):
        return {}
    return {k: v for k, v in value.items() if v and isinstance(v, (int, float))}
