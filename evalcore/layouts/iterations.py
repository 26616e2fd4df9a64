"""The layout of skill-creator and its relatives: iterations, eval folders, configurations, runs."""

import re
from typing import NamedTuple

ITERATION = re.compile(r"^(iteration|iter)([-_ ]?[0-9].*|[-_ ].+)$", re.IGNORECASE)
RUN = re.compile(r"^run[-_ ]?(\w[\w.-]*)$", re.IGNORECASE)
EVAL = re.compile(r"^eval[-_ ]?([0-9]+)?(?:[-_ ]?(.*))$", re.IGNORECASE | re.DOTALL)
CONFIGURATIONS = frozenset(
    {"with_skill", "without_skill", "old_skill", "new_skill", "baseline", "with_rule",
     "without_rule"}
)  # fmt: skip
CURRENT = "current"
NONE = "-"


class RunPlace(NamedTuple):
    """Where a run's folder stands: container, version, eval folder, configuration and run.

    `container` holds the versions; `eval_folder` is the path of the eval's folder,
    `configuration_folder` that of its configuration (equal to the run's folder where there is no
    run level). All relative to the workspace.
    """

    container: str
    version: str
    eval_folder: str
    configuration: str
    configuration_folder: str
    run: str
    folder: str


def place(folder: str) -> RunPlace | None:
    """Return where a run's folder stands, or None when the path says nothing about it."""
    parts = folder.split("/") if folder else []
    found = _split(parts)
    if found is None:
        return None
    start, version, first = found
    rest = parts[first:]
    run = "1"
    match = RUN.match(rest[-1]) if len(rest) > 1 else None
    below = len(rest) - 1 if match else len(rest)
    if match:
        run = match.group(1)
    rest = rest[:below]
    if len(rest) > 1 and rest[0].lower() == "runs":
        first, rest = first + 1, rest[1:]
    depth = len(rest) - 1 if len(rest) > 1 else len(rest)
    configuration = rest[-1] if len(rest) > 1 else NONE
    top = first + depth
    return RunPlace(
        "/".join(parts[:start]), version, "/".join(parts[:top]), configuration,
        "/".join(parts[: first + len(rest)]), run, folder,
    )  # fmt: skip


def _split(parts: list[str]) -> tuple[int, str, int] | None:
    """Return (length of the container, version, index of the first part below the version)."""
    for index in range(len(parts) - 2, -1, -1):
        if ITERATION.match(parts[index]):
            return index, parts[index], index + 1
    for index, part in enumerate(parts):
        if part.lower().startswith("eval-"):
            return index - (index > 0 and parts[index - 1].lower() == "runs"), CURRENT, index
    for index, part in enumerate(parts):
        if part.lower() in CONFIGURATIONS and index > 0:
            return index - 1, CURRENT, index - 1
    return None


def iteration_of(folder: str) -> tuple[str, str] | None:
    """Return (container, version) when `folder` is itself an iteration's folder."""
    parent, _, name = folder.rpartition("/")
    return (parent, name) if ITERATION.match(name) else None


def folder_words(eval_folder: str) -> tuple[str | None, str]:
    """Return number and words in an eval folder's name: `eval-3-tabs` gives ("3", "tabs")."""
    name = eval_folder.rpartition("/")[2]
    match = EVAL.match(name) if name.lower().startswith("eval") else None
    if match is None:
        return None, name
    number, words = match.groups()
    return number, words or name
