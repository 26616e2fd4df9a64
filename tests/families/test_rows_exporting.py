"""Runs of any suite as tables, which are read again as they were."""

import csv
import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from evalcore import demo, open_workspace
from evalcore.cli.exporting_runs import exported
from evalcore.disk.sheets import sheet
from evalcore.families.rows import exporting
from evalcore.families.rows.exporting import EXPORTING
from evalcore.workspace.opened import Workspace
from tests.families.build import write
from tests.families.test_rows import WIDE, WIDE_COLUMNS
from tests.reviewing import Reviews

DEMO = Path(demo.__file__).parent / "workspace"
KEY = ["case_id", "version", "configuration", "run"]
OF_JUDGMENTS = [
    *KEY, "kind", "criterion", "score", "min_score", "max_score", "passed", "judge", "judge_type",
    "judged_at", "rationale", "evidence",
]  # fmt: skip
OF_RUNS = [
    *KEY, "status", "passed", "score", "max_score", "fraction", "model", "tokens", "cost_usd",
    "duration_s", "started_at",
]  # fmt: skip


def plain(frame: pd.DataFrame, names: list[str]) -> list[tuple[str, ...]]:
    """The rows of some columns in order, None for what is missing."""
    known = frame[names].astype(object).where(frame[names].notna(), None)
    return sorted(tuple(map(repr, row)) for row in known.itertuples(index=False))


def said_of(ws: Workspace, suite: str) -> dict[str, list[tuple[str, ...]]]:
    """What the tables say of a suite, its judgments with their texts, people's among them."""
    runs = ws.tables.runs[ws.tables.runs["suite"] == suite]
    texts = ws.tables.text_columns("judgments").to_pandas()
    judged = pd.concat([ws.tables.judgments, texts], axis=1)
    judged = judged[judged["status"] == "scored"].merge(runs[["run_id", *KEY]], on="run_id")
    cases = ws.tables.cases[ws.tables.cases["suite"] == suite]
    versions = ws.tables.versions[ws.tables.versions["suite"] == suite]
    used = versions[versions["version"].isin(runs["version"])].sort_values("position")
    return {
        "runs": plain(runs, OF_RUNS),
        "judgments": plain(judged, OF_JUDGMENTS),
        "cases": plain(cases[cases["case_id"].isin(runs["case_id"])], ["case_id", "prompt"]),
        "versions": [tuple(used["version"])],
    }


def written(ws: Workspace, suite: str, out: Path) -> Workspace:
    """The workspace of what is exported of a suite."""
    out.mkdir(parents=True)
    for name, data in EXPORTING.write(exported(ws, suite)):
        (out / name).write_bytes(data)
    return open_workspace(out, cache=False)


SUITES = [
    "release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent",
    "triage-agent", "error-messages",
]  # fmt: skip


@pytest.mark.parametrize("suite", SUITES)
def test_a_suite_of_any_family_is_read_again_as_it_was(tmp_path: Path, suite: str) -> None:
    """Runs with what they state, and every judgment with its scale and its reasons."""
    ws = open_workspace(DEMO)
    back = written(ws, suite, tmp_path / "out")
    assert [problem.code for problem in back.problems] == []
    (name,) = back.tables.suites["suite"]
    assert said_of(back, name) == said_of(ws, suite)


def test_what_people_said_beside_a_table_goes_with_it(tmp_path: Path) -> None:
    """Their records are rows of their own, and the table they judged was not changed."""
    root = write(tmp_path / "w", {"t.csv": WIDE, "t.rows.json": WIDE_COLUMNS})
    run = open_workspace(root, cache=False).tables.runs["run_id"][0]
    Reviews(root).judge(run, "expectation:Note", 2, scale=(1, 5))
    ws = open_workspace(root, cache=False)
    assert (root / "t.csv").read_text() == WIDE
    people = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert people[["criterion", "score", "status"]].values.tolist() == [["Note", 2.0, "scored"]]
    back = written(ws, "t", tmp_path / "out")
    assert said_of(back, "t") == said_of(ws, "t")
    assert len(back.tables.judgments) == 9


def test_of_two_tables_in_a_folder_each_has_its_own_judgments(tmp_path: Path) -> None:
    """Though cases, versions and runs of both are called the same."""
    files = {"a.csv": WIDE, "b.csv": WIDE}
    for name in ("a", "b"):
        files[f"{name}.rows.json"] = {**WIDE_COLUMNS, "tables": [f"{name}.csv"]}  # type: ignore[assignment]
    root = write(tmp_path, files)
    runs = open_workspace(root, cache=False).tables.runs
    run = runs[runs["suite"] == "b"]["run_id"].iloc[0]
    Reviews(root).judge(run, "expectation:Note", 2, scale=(1, 5))
    judged = open_workspace(root, cache=False).tables.judgments
    assert judged[judged["judge_type"] == "human"]["run_id"].tolist() == [run]


def test_no_cell_of_the_csv_is_a_formula(tmp_path: Path) -> None:
    """What a spreadsheet would run has a ' before it; the mapping reads the exact text."""
    root = write(tmp_path / "w", {"t.csv": WIDE, "t.rows.json": WIDE_COLUMNS})
    back = written(open_workspace(root, cache=False), "t", tmp_path / "out")
    rows = sheet((tmp_path / "out" / "t.csv").read_bytes(), "t.csv").rows
    outputs = [row["output"] for row in rows if row["output"]]
    assert outputs == ["4", "'=cmd|' /C calc'!A0", "4", "Paris"]
    lines = list(csv.reader(io.StringIO((tmp_path / "out" / "t.csv").read_text("utf-8-sig"))))
    assert not [
        cell for line in lines for cell in line if cell[:1] in tuple("=+-@") and len(cell) > 1
    ]
    held = back.tables.runs["outputs"].tolist()
    place, _, pointer = str(held[1]).partition("#")
    assert back.raw(place, pointer) == "=cmd|' /C calc'!A0"


def test_a_large_suite_is_written_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each part can be read, and runs whose rows are in two of them are whole."""
    monkeypatch.setattr(exporting, "MOST_ROWS", 3)
    root = write(tmp_path / "w", {"t.csv": WIDE, "t.rows.json": WIDE_COLUMNS})
    ws = open_workspace(root, cache=False)
    back = written(ws, "t", tmp_path / "out")
    names: list[Any] = sorted(path.name for path in (tmp_path / "out").glob("*.jsonl"))
    assert names == ["t-1.jsonl", "t-2.jsonl", "t-3.jsonl"]
    assert said_of(back, "t") == said_of(ws, "t")
