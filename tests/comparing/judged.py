"""Workspaces whose runs were judged by named criteria, and the sides of them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evalcore.comparing.model import Side
from evalcore.counting.outcomes import Column
from evalcore.tables.rows import CaseRow, Row
from evalcore.workspace.opened import Workspace
from tests import made

Criteria = Mapping[str, Sequence[str]]


def judged(
    version: str, criteria: Criteria, configuration: str = "-", number: int = 1, **given: object
) -> Iterable[Row]:
    """Return one run of each case, all of whose criteria passed."""
    for case, asked in criteria.items():
        run_id = f"{case}@{version}/{configuration}#{number}"
        yield made.run(
            run_id=run_id,
            case_id=case,
            version=version,
            configuration=configuration,
            run=str(number),
            passed=True,
            fraction=1.0,
            **given,
        )
        for criterion in asked:
            yield made.judgment(criterion, run_id=run_id)


def opened(root: Path, *rows: Iterable[Row], family: str = "iterations") -> Workspace:
    """Return a workspace with the versions v0 and v1, and these runs."""
    every = [row for some in rows for row in some]
    known = {row.case_id for row in every if isinstance(row, CaseRow)}
    cases = dict.fromkeys(
        case
        for row in every
        if (case := getattr(row, "case_id", None)) is not None and case not in known
    )
    defined = [made.case(case_id=case) for case in cases]
    versions = made.version("v0", 0), made.version("v1", 1)
    return made.workspace(root, made.suite(family), *versions, *defined, *every)


def side(ws: Workspace, key: str) -> Side:
    """Return a side by its key `VERSION[@CONFIGURATION]`."""
    version, _, configuration = key.partition("@")
    return Side(ws, made.SUITE, Column(version, configuration or "-"))
