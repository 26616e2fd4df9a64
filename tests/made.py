"""Workspaces made from rows, so that a view is tested without any document dialect."""

from array import array
from pathlib import Path
from typing import Any, TypeVar

from evalcore.disk.listing import Listing
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    JudgmentRow,
    Row,
    RunRow,
    SuiteRow,
    VersionRow,
)
from evalcore.tables.snapshot import Tables
from evalcore.workspace.index import Manifest
from evalcore.workspace.opened import Opened, Workspace

R = TypeVar("R", bound=Row)

SUITE = "skills/pdf"


def workspace(root: Path, *rows: Row) -> Workspace:
    """Return a workspace that holds exactly these rows; its files are those below `root`."""
    builder = Rows()
    for each in rows:
        builder.add(each)
    tables = Tables({name: table.finished() for name, table in builder.tables.items()})
    listing = Listing(root, [], array("q"), array("q"), frozenset(), [])
    manifest = Manifest(b"", b"", b"", b"[]", b"[]", 0)
    return Workspace(root, Opened(listing, manifest, tables, [], False))


def suite(family: str = "improve", name: str = SUITE) -> SuiteRow:
    """Return a suite of one family."""
    return row(SuiteRow, suite=name, name=name, family=family, headline="pass_rate")


def case(**given: object) -> CaseRow:
    """Return a test case."""
    base: dict[str, object] = {"suite": SUITE, "case_id": "case-1", "prompt": "Make a form."}
    return row(CaseRow, **{**base, **given})


def version(name: str, position: int) -> VersionRow:
    """Return a version in its place."""
    return row(VersionRow, suite=SUITE, version=name, position=position)


def criterion(label: str, kind: str = "expectation", **given: object) -> CriterionRow:
    """Return a criterion of `case-1`."""
    base: dict[str, object] = {
        "suite": SUITE,
        "case_id": "case-1",
        "kind": kind,
        "criterion": label,
    }
    return row(CriterionRow, **{**base, **given})


def run(**given: object) -> RunRow:
    """Return a completed run of `case-1` in v0."""
    base: dict[str, object] = {
        "run_id": "r1",
        "suite": SUITE,
        "case_id": "case-1",
        "version": "v0",
        "configuration": "-",
        "run": "1",
        "origin": "grading",
        "status": "completed",
        "source": "grading/r1.json",
        "pointer": "",
    }
    return row(RunRow, **{**base, **given})


def judgment(label: str, passed: bool | None = True, **given: object) -> JudgmentRow:
    """Return what a judge said about one criterion of run `r1`, on a scale from 1 to 5."""
    score = {True: 5.0, False: 1.0, None: None}[passed]
    base: dict[str, object] = {
        "run_id": "r1",
        "kind": "expectation",
        "criterion": label,
        "judge_type": "llm",
        "score": score,
        "min_score": 1.0,
        "max_score": 5.0,
        "fraction": None if score is None else score / 5,
        "passed": passed,
        "status": "unscored" if passed is None else "scored",
        "source": "grading/r1.json",
        "pointer": f"/results/{label}",
    }
    return row(JudgmentRow, **{**base, **given})


def row(row_type: type[R], **given: object) -> R:
    """Return a row of any type with what is given; everything else is missing."""
    values: dict[str, Any] = dict.fromkeys(row_type._fields)
    unknown = given.keys() - values.keys()
    assert not unknown, f"{row_type.__name__} has no {unknown}"
    return row_type(**{**values, **given})
