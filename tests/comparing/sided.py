"""Workspaces with two sides, v0 and v1, made from what each run of each case was worth."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from evalcore.comparing.model import Side
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace
from tests import made

Values = Mapping[str, Sequence[float | None]]
V0, V1 = Column("v0", "-"), Column("v1", "-")


def opened(root: Path, a: Values, b: Values, *more: Row, headline: str = SHARE) -> Workspace:
    """Return a workspace whose cases ran in v0 and v1 with these values, one run each.

    With the share of runs passed as headline, 1 is a run that passed and 0 one that failed.
    """
    family = "improve" if headline == SHARE else "iterations"
    cases = (made.case(case_id=case, name=None) for case in dict.fromkeys([*a, *b]))
    ran = [*runs("v0", a, headline), *runs("v1", b, headline)]
    return versions(root, *cases, *ran, *more, family=family, headline=headline)


def versions(root: Path, *rows: Row, family: str = "improve", headline: str = SHARE) -> Workspace:
    """Return a workspace with one suite, v0 and v1, and these rows."""
    suite = made.suite(family)._replace(headline=headline)
    return made.workspace(root, suite, made.version("v0", 0), made.version("v1", 1), *rows)


def runs(version: str, values: Values, headline: str = SHARE) -> Iterable[Row]:
    """Return a run for each value of each case."""
    for case, each in values.items():
        for number, value in enumerate(each, 1):
            of = {"fraction": value, "score": value, "max_score": 1.0}
            if headline == SHARE:
                of["passed"] = None if value is None else bool(value)
            yield made.run(
                run_id=run_id(case, version, number),
                case_id=case,
                version=version,
                run=str(number),
                **of,
            )


def run_id(case: str, version: str, number: int = 1) -> str:
    """Return the id of a run."""
    return f"{case}@{version}#{number}"


def sides(ws: Workspace) -> tuple[Side, Side]:
    """Return v0 and v1."""
    return Side(ws, made.SUITE, V0), Side(ws, made.SUITE, V1)


def each(values: Iterable[float], prefix: str = "case") -> dict[str, list[float]]:
    """Return one case with one run for each value."""
    return {f"{prefix}-{number:02}": [value] for number, value in enumerate(values, 1)}
