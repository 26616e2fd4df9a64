"""How the records of a suite name what they are about: a store's own have ids of their own."""

from evalcore.families.registry import family
from evalcore.tables.cells import cells
from evalcore.workspace.opened import Workspace


def is_store(ws: Workspace, suite: str) -> bool:
    """Return whether a suite is a store of records."""
    families = dict(cells(ws.tables, "suites", "suite", "family"))
    return suite in families and family(families[suite]).is_store
