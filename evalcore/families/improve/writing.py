"""What is written of the versions of `improve`: history.json, and evals.json to begin with."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from evalcore.disk.files import Files
from evalcore.families.aggregating import Aggregates
from evalcore.families.versioning import Json, Version
from evalcore.numbers import disagrees
from evalcore.proposals.proposal import Proposal, Target, merged, stored
from evalcore.proposals.stats import shortened
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables


def aggregates(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield proposals for the history of a suite, in which only averages change."""
    del replace  # a history of another shape is none of this family
    rows = cells(tables, "documents", "path", "kind", "suite")
    path = next((p for p, kind, own in rows if kind == "history" and own == suite), None)
    if path is None:
        yield Proposal(
            suite,
            version,
            None,
            "left",
            ("It has no history.json, so no averages can be written.",),
        )
        return
    target = Target(suite, version, path)
    there = stored(files, path)
    if there is None or not is_history(there.value):
        yield target.left("It contains no list of versions, so it was left unchanged.")
        return
    value = deepcopy(there.value)
    messages: list[str] = []
    computed = averages(tables, suite)
    labels = [f"v{number_of(entry, at)}" for at, entry in enumerate(value["versions"])]
    for entry, label, before in zip(value["versions"], labels, ["", *labels], strict=False):
        if version not in (None, label):
            continue
        stated, own = entry.get("average_score"), computed.get(label)
        previous = computed.get(before)
        if own is not None:
            entry["average_score"] = average_in(entry, own)
        elif (
            previous is not None
            and type(stated) in (int, float)
            and not disagrees(stated, previous)
        ):
            entry["average_score"] = None
            messages.append(
                f"{stated} was in the entry of {label}, but is the average of {before}: moved."
            )
        elif stated is not None:
            messages.append(
                f"{label}: there are no gradings, so its average_score was left unchanged."
            )
    missing = computed.keys() - set(labels)
    if missing and version is None:
        messages.append(
            f"{', '.join(sorted(missing))}: graded, but the history has no entry for it."
        )
    yield target.changed(there, value, *messages)


def is_history(value: Any) -> bool:
    """Return whether a document holds a list of versions."""
    versions = value.get("versions") if isinstance(value, dict) else None
    return isinstance(versions, list) and all(isinstance(each, dict) for each in versions)


def number_of(entry: dict[str, Any], position: int) -> int:
    """Return the number of a version; one without a number has that of its place."""
    number = entry.get("version")
    return number if type(number) is int else position


def average_in(entry: dict[str, Any], own: float) -> Any:
    """Return a version's own average as its entry has it, if that says the same."""
    return merged(entry.get("average_score"), shortened(own))


def averages(tables: Tables, suite: str) -> dict[str, float]:
    """Return the mean over cases of each case's mean, by version."""
    names = ("suite", "version", "metric", "origin", "mean")
    return {
        version: mean
        for own, version, metric, origin, mean in cells(tables, "benchmarks", *names)
        if (own, metric, origin) == (suite, "average_score", "computed") and mean is not None
    }


AGGREGATES: Final = Aggregates(aggregates)


class ImproveVersions:
    """Versions are entries of history.json, numbered from 0."""

    definitions = "evals/evals.json"
    history = "history.json"

    def example(self, skill: str) -> Json:
        """Return an evals.json with one case."""
        expectation = {
            "criterion": "has-summary",
            "description": "The output contains exactly one heading named Summary",
            "required": True,
        }
        case = {
            "id": "example-case",
            "prompt": "Replace this with a request that the skill is made for.",
            "files": [],
            "expectations": [expectation],
        }
        return {"version": "1.0", "skill": skill, "cases": [case]}

    def is_definitions(self, value: Json) -> bool:
        """Return whether it has a list of cases."""
        return isinstance(value, dict) and isinstance(value.get("cases"), list)

    def new_history(self, version: Version) -> Json:
        """Return a history.json with one entry."""
        return {"versions": [_entry(version)], "current_version": 0}

    def versions(self, history: Json) -> list[Version] | None:
        """Return the entries; one without a number has that of its place, as when it is read."""
        if not is_history(history):
            return None
        versions = []
        for position, entry in enumerate(history["versions"]):
            path = entry.get("path")
            number = number_of(entry, position)
            versions.append(Version(number, path if isinstance(path, str) else None))
        return versions

    def with_version(
        self, history: Json, version: Version, tables: Tables, suite: str | None
    ) -> Json:
        """Return a history.json with one more entry; nothing else of it changes."""
        value = deepcopy(history)
        entries = value["versions"]
        if entries and suite is not None:
            before = entries[-1]
            own = averages(tables, suite).get(f"v{number_of(before, len(entries) - 1)}")
            if own is not None:
                before["average_score"] = average_in(before, own)
        entries.append(_entry(version))
        value["current_version"] = len(entries) - 1
        return value


def _entry(version: Version) -> dict[str, Any]:
    return {
        "version": version.number,
        "timestamp": version.at,
        "description": version.description,
        "git_hash": version.git_hash,
        "path": version.path,
        "average_score": None,
    }


VERSIONING: Final = ImproveVersions()
