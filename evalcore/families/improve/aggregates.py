"""`history.json` of the `improve` family: the average score of each version in its own entry."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, Final

from evalcore.disk.files import Files
from evalcore.families.aggregating import Aggregates
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
