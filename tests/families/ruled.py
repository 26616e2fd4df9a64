"""What the rules of a family say of one document, or of a workspace."""

from pathlib import Path
from typing import Any

from evalcore import open_workspace
from evalcore.families.linting import Known, Rules
from evalcore.problems import Problem
from evalcore.tables.builder import Rows
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables


def broken(rules: Rules, kind: str, value: Any) -> list[tuple[str, str]]:
    """Return code and pointer of what breaks a rule in a document about which nothing is known."""
    known = Known(Tables(Rows().finished()), Path())
    found = rules.of_document("x.json", kind, value, None, known)
    return [(problem.code, problem.pointer) for problem in found]


def broken_by_suites(rules: Rules, root: Path) -> list[Problem]:
    """Return what breaks a rule in the rows and the things of all suites of a workspace."""
    ws = open_workspace(root, cache=False)
    documents = list(cells(ws.tables, "documents", "path", "kind"))
    known = Known(ws.tables, root)
    return [
        each
        for (suite,) in cells(ws.tables, "suites", "suite")
        for each in rules.of_suite(suite, documents, known)
    ]
