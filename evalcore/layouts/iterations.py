"""The layout of skill-creator and its relatives: iterations, eval folders, configurations, runs."""

import re
from collections.abc import Container
from functools import lru_cache
from sys import intern
from typing import NamedTuple

ITERATION = re.compile(r"^(iteration|iter)([-_ ]?[0-9].*|[-_ ].+)$", re.IGNORECASE)
STAMP = re.compile(
    r"^(run[-_])?20\d\d-?\d\d-?\d\d([-_T. ].*|\d*)$|^v\d[\w.]*[-_]runs$", re.IGNORECASE
)
RUN = re.compile(r"^run[-_ ]?(\w[\w.-]*)$", re.IGNORECASE)
RUN_ABOVE = re.compile(r"^run[-_ ]?(\d\w*)$", re.IGNORECASE)
EVAL = re.compile(r"^eval[-_ ]?([0-9]+)?(?:[-_ ]?(.*))$", re.IGNORECASE | re.DOTALL)
CONFIGURATIONS = frozenset(
    {"with_skill", "without_skill", "old_skill", "new_skill", "baseline", "with_rule",
     "without_rule", "official", "ours", "theirs"}
)  # fmt: skip
CONFIGURATION = re.compile(
    r"^(?!eval)(?:(?:.+[-_ ])?(?:with|without|no)|old|new)[-_ ]?(?:skill|rule|plugin|agent)s?"
    r"(?:[-_ ].*)?$|^baseline(?:[-_ ].*)?$|^(?:official|ours|theirs)$",
    re.IGNORECASE | re.DOTALL,
)
CONTAINERS = frozenset({"evals", "gradings", "grading", "results", "runs"})
"""Folders that only gather what lies in them."""

OF_SUITES = frozenset({"reviews", "skill", "skills", "files", "fixtures", "outputs", "inputs"})
"""Folders beside those of evals or skills that are neither."""

BASELINES = frozenset({"without_skill", "old_skill", "baseline", "without_rule"})
CURRENT = "current"
NONE = "-"


class RunLocation(NamedTuple):
    """The location of a run's folder: container, version, eval folder, configuration and run.

    `container` holds the versions; `eval_folder` is the path of the eval's folder,
    `configuration_folder` that of its configuration (equal to the run's folder where there is no
    run level). All relative to the workspace. Where the files of several evals lie side by side,
    the folders of an eval and its run are those that a folder for each would have.
    """

    container: str
    version: str
    eval_folder: str
    configuration: str
    configuration_folder: str
    run: str
    folder: str


@lru_cache(maxsize=1024)
def run_location(folder: str) -> RunLocation | None:
    """Return the location of a run's folder, or None if the path does not tell it."""
    parts = folder.split("/") if folder else []
    found = _split(parts)
    if found is None:
        return None
    container, version, first = found
    rest = parts[first:]
    run, configuration = "1", NONE
    match = RUN.match(rest[-1]) if len(rest) > 1 else None
    if match:
        run, rest = match.group(1), rest[:-1]
    if len(rest) > 1 and rest[0].lower() == "runs":
        first, rest = first + 1, rest[1:]
    configuration_folder = "/".join(parts[: first + len(rest)])
    if len(rest) > 1:
        # The configuration may occur twice, be above its eval, or have runs below itself.
        while len(rest) > 1 and rest[-1] == rest[-2]:
            rest = rest[:-1]
        if len(rest) > 1 and is_configuration(rest[0]) and not is_configuration(rest[-1]):
            configuration, rest = rest[0], rest[1:]
        elif len(rest) > 1:
            configuration, rest = rest[-1], rest[:-1]
        match = RUN_ABOVE.match(rest[-1]) if len(rest) > 1 else None
        if match:
            run, rest = match.group(1), rest[:-1]
    elif is_configuration(rest[0]):
        configuration, rest = rest[0], []
    return RunLocation(
        container,
        intern(version),
        "/".join([*parts[:first], *rest]),
        intern(configuration),
        configuration_folder,
        intern(run),
        folder,
    )


def suite_above(folder: str) -> str | None:
    """Return the suite's folder above one that is named like a part of it; None for any other.

    Parts are iterations, configurations and runs, evals in them, and the records of a store.
    """
    parts = folder.split("/")
    # A folder may be called eval-something for any reason; not so one inside an iteration.
    sure = False
    while len(parts) > 1:
        name = parts[-1]
        shaped = any(each.match(name) for each in (ITERATION, RUN_ABOVE, CONFIGURATION))
        is_part = shaped or name == "records"
        if not is_part and (EVAL.match(name) is None or name[4:5] not in {"-", "_"}):
            break
        sure = sure or is_part or name[5:].isdigit()
        parts.pop()
    return "/".join(parts) or None if sure else None


def lone_run(folder: str, *, several: bool) -> RunLocation:
    """Return the location of a run whose grading lies where no layout says what it is of.

    Its folder is its eval's, and its suite's, unless `several` such folders lie side by side.
    """
    own = folder or "grading"
    container = folder.rpartition("/")[0] if several else folder
    return RunLocation(container, CURRENT, own, NONE, own, "1", folder)


def below(at: RunLocation) -> str:
    """Return the path of a run's folder below the folder of its version."""
    folder = version_folder(at.container, at.version, at.folder)
    return at.folder.removeprefix(f"{folder}/" if folder else "")


def is_configuration(name: str) -> bool:
    """Return whether a name is that of a configuration, such as `claude_with_skill`."""
    return name in CONFIGURATIONS or CONFIGURATION.match(name) is not None


def is_run(at: RunLocation, known: Container[str] = ()) -> bool:
    """Return whether a folder is surely a run's.

    Its configuration is one by its name, or one of those `known`, or has numbered runs. What has a
    configuration in the path of its eval lies in what a run was given or made.
    """
    numbered = ITERATION.match(at.version) is not None and at.folder != at.configuration_folder
    straight = f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
    above = version_folder(at.container, at.version, at.eval_folder)
    inside = CONFIGURATIONS.isdisjoint(at.eval_folder[len(above) :].split("/"))
    named = at.configuration in known or is_configuration(at.configuration)
    return inside and (named or (numbered and straight))


def _split(parts: list[str]) -> tuple[str, str, int] | None:
    """Return (container, version, index of the first part below the version)."""
    for index in range(len(parts) - 2, -1, -1):
        part = parts[index]
        if part[:1] in "iI" and ITERATION.match(part):
            return "/".join(parts[:index]), part, index + 1
    for index in range(len(parts) - 1, -1, -1):
        part = parts[index].lower()
        if part.startswith("eval-") and not part.endswith("-workspace"):
            return _stamped(parts, index)
    for index, part in enumerate(parts):
        if index > 0 and is_configuration(part):
            above = index - 1
            if STAMP.match(parts[above]) and index + 1 < len(parts):
                return "/".join(parts[:above]), parts[above], index
            above -= above > 0 and RUN_ABOVE.match(parts[above]) is not None
            return _stamped(parts, above)
    if len(parts) > 2 and RUN_ABOVE.match(parts[-1]) and parts[-3].lower() == "results":
        return "/".join(parts[:-2]), CURRENT, len(parts) - 2
    return None


def _stamped(parts: list[str], index: int) -> tuple[str, str, int]:
    """Return the split above an eval's folder: a date may name its parent, or that of its skill."""
    if index > 0 and is_configuration(parts[index - 1]):
        index -= 1
    if index > 0 and STAMP.match(parts[index - 1]):
        return "/".join(parts[: index - 1]), parts[index - 1], index
    stamped = skill_in_stamp(parts[:index])
    if stamped is not None:
        return *stamped, index
    start = index - (index > 0 and parts[index - 1].lower() == "runs")
    return "/".join(parts[:start]), CURRENT, index


def skill_in_stamp(parts: list[str]) -> tuple[str, str] | None:
    """Return (container, version) of a skill's folder in that of a runner's time stamp.

    All stamps of one skill have one container, named as if the skill lay beside them.
    """
    if len(parts) < 2 or not STAMP.match(parts[-2]):
        return None
    name = parts[-1].lower()
    known = name in CONTAINERS or name in OF_SUITES or name.startswith("eval-")
    if known or is_configuration(name) or RUN.match(name) or STAMP.match(name):
        return None
    return "/".join([*parts[:-2], parts[-1]]), parts[-2]


def version_folder(container: str, version: str, path: str) -> str:
    """Return the folder of a version that holds `path`: in its container, or a skill's in it."""
    if version == CURRENT:
        return container
    parent, _, name = container.rpartition("/")
    inside = "/".join(filter(None, (parent, version, name)))
    if path == inside or path.startswith(f"{inside}/"):
        return inside
    return f"{container}/{version}" if container else version


@lru_cache(maxsize=1024)
def gathered(folder: str) -> tuple[str, str] | None:
    """Return (container, version) of a folder whose documents are about a whole iteration."""
    parent, _, name = folder.rpartition("/")
    if name.lower() in CONTAINERS:
        parent, _, name = parent.rpartition("/")
    return (parent, name) if ITERATION.match(name) or STAMP.match(name) else None


def folder_words(eval_folder: str) -> tuple[str | None, str]:
    """Return number and words in an eval folder's name: `eval-3-tabs` gives ("3", "tabs")."""
    name = eval_folder.rpartition("/")[2]
    match = EVAL.match(name) if name.lower().startswith("eval") else None
    if match is None:
        return None, name
    number, words = match.groups()
    return number, words or name


def version_of(path: str) -> str | None:
    """Return the version in whose folder a document lies; None where it is in none's."""
    found = container_of(path.rpartition("/")[0])
    return found[1] if found is not None else None


@lru_cache(maxsize=1024)
def container_of(folder: str) -> tuple[str, str] | None:
    """Return (container, version) of a folder of runs, or of one below it."""
    found = gathered(folder)
    if found is not None:
        return found
    at = run_location(folder)
    return (at.container, at.version) if at is not None else skill_in_stamp(folder.split("/"))
