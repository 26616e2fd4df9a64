"""New versions of the `improve` family: evals.json to begin with, and entries of history.json."""

from copy import deepcopy
from typing import Any, Final

from evalcore.families.improve.aggregates import average_in, averages, is_history, number_of
from evalcore.families.versioning import Json, Version
from evalcore.tables.snapshot import Tables


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
