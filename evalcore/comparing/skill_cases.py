"""The cases defined in the evals.json of a version's own skill folder."""

from collections.abc import Mapping
from typing import Any, Final

from evalcore.counting.cells import where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.disk.files import Files
from evalcore.disk.reader import MISSING, parse
from evalcore.errors import PathOutside
from evalcore.workspace.opened import Workspace

DEFINED: Final = ("evals/evals.json", "evals.json")
MAX_BYTES: Final = 4 * 1024 * 1024


@memoize_per_workspace
def skill_cases(ws: Workspace, suite: str, version: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the cases in a version's skill folder by id; empty if there is none.

    The first of several with one id counts, as in the suite's own evals.json.
    """
    rows = where(ws, "versions", suite=suite, version=version)
    paths = ws.tables.versions["path"].iloc[rows].dropna().astype(str)
    files = Files(ws.root)
    for path in (f"{folder}/{name}" for folder in paths for name in DEFINED):
        value = json_of(files, path)
        cases = value.get("cases") if isinstance(value, dict) else None
        if isinstance(cases, list):
            named = [case for case in cases if isinstance(case, dict)]
            return {str(case["id"]): case for case in reversed(named) if _is_id(case.get("id"))}
    return {}


def json_of(files: Files, path: str) -> Any:
    """Return the current JSON value of a file; None if it cannot be read."""
    try:
        value = parse(files.read(path, MAX_BYTES), False)
    except (OSError, PathOutside):
        return None
    return None if value is MISSING else value


def _is_id(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)
