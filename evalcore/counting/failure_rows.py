"""The failures that count: those that no later record replaces."""

import json
from collections.abc import Iterator

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.counting.memo import memoize_per_workspace
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace


@memoize_per_workspace
def current_failures(ws: Workspace) -> Numbers:
    """Return the positions of the rows of `failures` that no other row replaces."""
    rows = list(cells(ws.tables, "failures", "suite", "failure_id", "supersedes"))
    gone = {(suite, name) for suite, _, text in rows for name in ids_in(text)}
    keep = [(suite, name) not in gone for suite, name, _ in rows]
    return np.flatnonzero(np.array(keep, bool))


def ids_in(text: object) -> Iterator[str]:
    """Yield the texts of a JSON list; a missing or another value has none."""
    value = json.loads(text) if isinstance(text, str) and text else []
    yield from (item for item in value if isinstance(item, str)) if isinstance(value, list) else ()
