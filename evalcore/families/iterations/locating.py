"""The exact place of each run that a grading speaks of, and what to do with two at one place."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.runs import SuiteContext
from evalcore.families.iterations.split_runs import Part, configuration_named, version_named
from evalcore.layouts.iterations import (
    CONFIGURATIONS,
    CURRENT,
    NONE,
    RUN,
    RunLocation,
    is_configuration,
)
from evalcore.names import EVAL
from evalcore.problems import SIDE_UNKNOWN

VERSION: Final = re.compile(r"^v\d[\w.]*$", re.IGNORECASE)
STANDARD_HINT: Final = (
    "Write one grading.json a run, as <iteration>/<eval>/<configuration>/run-1/grading.json."
)


class LocatedRun(NamedTuple):
    """One run of a grading with its place."""

    at: RunLocation
    part: Part


def located(context: SuiteContext, folder: Folder, parts: list[Part]) -> Iterator[LocatedRun]:
    """Yield the runs of a grading, each with the place that path and document give it.

    One of which the side is not known is no run.
    """
    path, at = folder.files.get("grading", ""), folder.at
    if len(parts) == 1 and parts[0].at == "" and not folder.whole:
        placed = _configured(context, path, at, parts[0])
        if placed is not None:
            yield LocatedRun(placed, parts[0])
        return
    if len(parts) > 1:
        context.tolerate(
            path,
            parts[0].at,
            "several-runs",
            f"This file holds {len(parts)} runs.",
            STANDARD_HINT,
        )
    counts: Counter[tuple[str, str]] = Counter()
    several = len({part.eval for part in parts}) > 1
    for part in parts:
        own = _of_eval(folder, part, several)
        if part.beside:  # the other side of a run: the folder of its own that it might have
            assert part.configuration is not None
            home = f"{own.eval_folder}/{part.configuration}"
            here = own._replace(
                configuration=part.configuration, configuration_folder=home, folder=home
            )
        elif (placed := _configured(context, path, own, part)) is not None:
            here = placed
        else:
            continue
        counts[here.eval_folder, here.configuration] += 1
        counted = part.at and not part.beside
        match = RUN.match(part.run) if part.run else None
        stated = match.group(1) if match else part.run
        run = stated or (counts[here.eval_folder, here.configuration] if counted else None)
        yield LocatedRun(here._replace(run=str(run or here.run)), part)


def _of_eval(folder: Folder, part: Part, several: bool) -> RunLocation:
    """Return the place of the eval that a part names, where its path does not name one.

    A run may also name its version beside its configuration.
    """
    at, name = folder.at, part.eval
    value = part.value if isinstance(part.value, dict) else {}
    names_eval = any(key in value for key in EVAL)
    if folder.whole:
        stem = folder.files["grading"].rpartition("/")[2].removesuffix(".json")
        words = re.sub(r"[-_. ]*(gradings?|results?)[-_. ]*", "", stem, flags=re.IGNORECASE)
        name = name or (words if words and not VERSION.match(words) else None)
        if at.version == CURRENT:
            at = at._replace(version=version_named(value) or CURRENT)
    elif part.only is None and not (several and names_eval):
        return at
    if name is None:
        return at
    if name.isdecimal() and not names_eval:
        name = f"eval-{name}"
    eval_folder = f"{at.eval_folder}/{name.replace('/', '-')}"
    return at._replace(
        eval_folder=eval_folder, configuration_folder=eval_folder, folder=eval_folder
    )


def _configured(
    context: SuiteContext, path: str, at: RunLocation, part: Part
) -> RunLocation | None:
    """Return a place with the configuration that the document names, if the path names none.

    None, with a problem, if it may be any of several.
    """
    own = configuration_named(part.value) if type(part.value) is dict else None
    if at.configuration != NONE:
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
        return at
    named = own if part.configuration is None else part.configuration
    version = part.value.get("version") if part.at and isinstance(part.value, dict) else None
    if named is None and isinstance(version, str) and VERSION.match(version):
        named = version
    if named is not None:
        if part.configuration is None or named == own or not is_configuration(named):
            context.tolerate(
                path,
                part.at,
                "config-from-field",
                f"The configuration {named!r} was read from the document.",
                STANDARD_HINT,
            )
        return at._replace(configuration=named)
    # Take the one configuration whose folder is beside a grading in its eval's folder.
    folders = context.reader.subfolders.get(at.eval_folder, ())
    beside = [name for name in folders if is_configuration(name)]
    if not beside or at.folder != at.eval_folder:
        return at
    if len(beside) > 1:
        context.reader.problem(
            path,
            part.at,
            "warning",
            SIDE_UNKNOWN,
            f"This grading is beside the folders {', '.join(beside)}, so it is not known which "
            "of them it grades, and it does not count.",
            "Move it into the folder of the side that it grades, such as "
            f"{at.eval_folder}/{beside[0]}.",
            context.suite,
        )
        return None
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
    first, second = (_measures(context.reader, path) for path in (one.timing, two.timing))
    return bool(first and second and first != second)


def _measures(reader: Reader, path: str) -> dict[str, Any]:
    """Return what a timing measured, zeros and remarks left out."""
    value = reader.json(path)
    if value is MISSING or not isinstance(value, dict):
        return {}
    reader.hold(path, value)  # whoever reads its run asks for it next
    return {k: v for k, v in value.items() if v and isinstance(v, (int, float))}
