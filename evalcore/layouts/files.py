"""Recognise the documents of runs by name and folder."""

import re
from typing import Final, NamedTuple

from evalcore.layouts.iterations import NONE, RunLocation, gathered, is_configuration, run_location

STANDARD: Final = {
    "grading.json": "grading",
    "structural.json": "structural",
    "timing.json": "timing",
    "eval_metadata.json": "eval_metadata",
}
_SIDE: Final = re.compile(
    r"^(?P<eval>(?:eval|case)[-_ ]?.+?)[-_.](?P<kind>grading|timing|config)\.json$", re.IGNORECASE
)
_SUFFIX: Final = re.compile(r"^(?P<kind>grading|timing)[-_.](?P<of>.+)\.json$", re.IGNORECASE)
_PREFIX: Final = re.compile(r"^(?P<of>.+?)[-_.](?P<kind>grading|timing)\.json$", re.IGNORECASE)
_SUMS: Final = ("index.json", "summary.json")
_INDEX: Final = re.compile(r"(?:^|.[-_. ])(?:index|summary)\.json$")
_CONFIG: Final = ("-config.json", "_config.json")


class Spot(NamedTuple):
    """A document of a run: what it is, and the place of its run.

    `whole` says that it is in a place for documents about several evals; `named` that the file's
    own name gave the place, as in `grading_with_skill.json`.
    """

    kind: str
    at: RunLocation
    whole: bool = False
    named: bool = False


def spot(folder: str, name: str) -> Spot | None:
    """Return the document and run of the file `name` in `folder`, or None."""
    kind = STANDARD.get(name)
    if kind is not None:
        at = run_location(folder)
        if kind == "grading" and (at is None or at.configuration == NONE):
            return _whole(folder) or (at and Spot(kind, at))
        return at and Spot(kind, at)
    lower = name.lower()
    told = "grading" in lower or "timing" in lower or lower.endswith(_CONFIG)
    if not told or not name.endswith(".json"):
        return None
    # It lies beside those of other evals, configurations or iterations.
    found = _SIDE.match(name)
    if found is not None:
        at, kind = run_location(f"{folder}/{found['eval']}"), found["kind"].lower()
        return at and Spot("run_config" if kind == "config" else kind, at, named=True)
    found = _SUFFIX.match(name) or _PREFIX.match(name)
    if found is not None and is_configuration(found["of"]):
        at = run_location(f"{folder}/{found['of']}")
        return at and Spot(found["kind"].lower(), at, named=True)
    if "grading" not in lower or "schema" in lower or "template" in lower:
        return None
    whole = _whole(folder)
    if whole is not None:
        return whole
    at = run_location(folder)
    if at is not None and at.configuration == NONE:
        # Only the name of its grading tells such a run from others.
        at = at._replace(configuration=found["of"] if found else name[: -len(".json")])
    return at and Spot("grading", at, named=True)


def is_index(name: str) -> bool:
    """Return whether a file sums up others by its name, as `grading-index.json` does."""
    return name.endswith(_SUMS) and _INDEX.search(name) is not None


def _whole(folder: str) -> Spot | None:
    """Return the location of a document about a whole iteration; each part of it has an eval."""
    found = gathered(folder)
    if found is None:
        return None
    at = RunLocation(*found, folder, NONE, folder, "1", folder)
    return Spot("grading", at, whole=True, named=True)
