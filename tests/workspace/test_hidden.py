"""Snapshots in which some runs are hidden from a judge."""

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.errors import EvalcoreError, HiddenUntilJudged
from evalcore.tables.builder import SHARED
from evalcore.tables.columns import to_list
from evalcore.workspace.opened import Workspace, open_workspace
from tests import made
from tests.judging.copies import DEMO, INVOICES, NOTES
from tests.reviewing import Reviews

SHOWN = f"{INVOICES}::1@iteration-1/with_skill#1"
GONE = f"{INVOICES}::2@iteration-1/with_skill#1"
NOTES_GONE = f"{NOTES}::breaking-change@v0/-#1"
FOLDER = f"{INVOICES}-workspace"
ME, OTHER = "ana-1", "ben-2"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the demo that tests may write to."""
    return Path(shutil.copytree(DEMO, tmp_path / "demo"))


def opened(root: Path) -> Workspace:
    """Open a folder without an index."""
    return open_workspace(root, cache=False)


def drawn(ws: Workspace, seed: int) -> frozenset[str]:
    """Return a third of the runs of each suite."""
    chance, runs = random.Random(seed), ws.tables.runs
    groups = (list(of.astype(str)) for _, of in runs.groupby("suite", observed=True)["run_id"])
    return frozenset(run for ids in groups for run in chance.sample(ids, -(-len(ids) // 3)))


def content(ws: Workspace) -> dict[tuple[str, str], tuple[Any, Any]]:
    """Return every column of every table: its values as bytes, and the words they stand for.

    Run ids and sources are one list of words for all tables, so only those of the rows are taken.
    """
    return {
        (table, name): (None, to_list(column))
        if name in SHARED and column.kind == "code"
        else (
            None if column.values is None else column.values.tobytes(),
            None if column.strings is None else column.strings.to_pylist(),
        )
        for table, columns in ws.tables.columns.items()
        for name, column in columns.items()
    }


def turned(value: Any, name: str = "") -> Any:
    """Return a grading with other results: each verdict, score and reason is another."""
    if isinstance(value, dict):
        return {key: turned(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [turned(each, name) for each in value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float) and name == "score":
        return 2 if value == 1 else 1
    if isinstance(value, str) and name in ("evidence", "reasoning", "rationale", "details"):
        return f"It is otherwise: {value}"
    return value


def rewrite(ws: Workspace, runs: frozenset[str]) -> None:
    """Turn the results of some runs in their files, as far as those are theirs alone."""
    table = ws.tables.runs
    theirs = table["run_id"].isin(runs)
    sources = set(table.loc[theirs, "source"]) - set(table.loc[~theirs, "source"])
    assert sources
    for source in sources:
        path = ws.root / str(source)
        path.write_text(json.dumps(turned(json.loads(path.read_text("utf-8")))), "utf-8")


@pytest.mark.parametrize("seed", range(3))
def test_nothing_in_any_table_depends_on_the_scores_of_hidden_runs(root: Path, seed: int) -> None:
    """All families: with other scores in the files, the tables are the same to the last word."""
    before = opened(root)
    runs = drawn(before, seed)
    rewrite(before, runs)
    after = opened(root)
    changed = {key for key, of in content(before).items() if content(after)[key] != of}
    assert {table for table, _ in changed} >= {"runs", "judgments", "run_scores", "benchmarks"}
    shown, same = content(before.hiding(runs, ME)), content(after.hiding(runs, ME))
    assert {key for key in shown if shown[key] != same[key]} == set()


def test_a_hidden_run_keeps_its_place_and_nothing_else(root: Path) -> None:
    """Its case, version and configuration are listed; how it ended is not."""
    runs = opened(root).hiding({GONE}, ME).tables.runs.set_index("run_id")
    hidden = runs.loc[GONE].dropna().to_dict()
    assert hidden.pop("status") == "hidden"
    assert set(hidden) == {
        "suite", "case_id", "version", "configuration", "run", "benchmark_run", "origin",
    }  # fmt: skip
    assert runs.loc[SHOWN, "status"] == "completed"
    assert not runs["status"].drop(GONE).eq("hidden").any()


def texts(ws: Workspace) -> Any:
    """Return the rationales of all judgments."""
    return ws.tables.columns["judgments"]["rationale"].strings


def test_what_is_not_touched_is_shared(root: Path) -> None:
    """A snapshot in which something is hidden does not hold its cases and criteria twice."""
    ws = opened(root)
    assert ws.hiding((), ME) is ws
    hidden = ws.hiding({GONE}, ME)
    assert hidden is ws.hiding({GONE}, ME)
    assert hidden.unmasked is ws
    for table in ("suites", "cases", "criteria", "documents"):
        assert hidden.tables.columns[table] is ws.tables.columns[table]
    one, two = (texts(each) for each in (ws, hidden))
    assert two.nbytes < one.nbytes
    starts = {chunk.buffers()[2].address for chunk in two.chunks if len(chunk)}
    assert starts == {one.buffers()[2].address}


def test_what_the_judge_said_stays(root: Path) -> None:
    """Their own note and exclusion are shown; those of others, and every score, are not."""
    said = Reviews(root, FOLDER)
    for by in (ME, OTHER):
        said.put("note", {"testRunId": GONE, "text": f"note by {by}"}, by)
        said.put("exclusion", {"testRunId": GONE, "reason": f"out by {by}"}, by)
        said.put("approval-request", {"testRunId": GONE, "reason": f"sent by {by}"}, by)
        said.judge(GONE, "structural:S1", 1.0, by)
    tables = opened(root).hiding({GONE}, ME).tables
    for name in ("notes", "exclusions", "requests"):
        frame = getattr(tables, name)
        assert list(frame.loc[frame["run_id"] == GONE, "author"]) == [ME]
    for name in ("judgments", "run_scores"):
        assert GONE not in set(getattr(tables, name)["run_id"])


def value(ws: Workspace, run: str, column: str) -> str:
    """Return a cell of the runs."""
    return str(ws.tables.runs.set_index("run_id").loc[run, column])


def covered(ws: Workspace, *paths: str) -> Iterator[bool]:
    """Yield whether each path is hidden, which `raw` must agree with."""
    for path in paths:
        found = ws.hidden.covers(path)
        with pytest.raises(EvalcoreError) as fault:
            ws.raw(path, "/no/such/place")
        assert isinstance(fault.value, HiddenUntilJudged) == found
        yield found


def test_files_that_tell_of_a_hidden_run_are_hidden(root: Path) -> None:
    """Its grading, outputs and transcript, aggregates, and whatever else might tell of it."""
    case = f"{FOLDER}/iteration-1/eval-2/with_skill"
    said = Reviews(root, FOLDER)
    theirs = said.judge(GONE, "structural:S1", 1.0, OTHER)
    ws = opened(root)
    place = value(ws, GONE, "source").rpartition("/")[0]
    for name in ("transcript.md", "outputs/deep/answer.json"):
        path = root / place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")
    (root / FOLDER / "iteration-1/benchmark.md").write_text("# with_skill wins", "utf-8")
    hidden = ws.hiding({GONE}, ME)
    assert all(
        covered(
            hidden,
            f"{place}/grading.json",
            f"{place}/structural.json",
            f"{place}/transcript.md",
            f"{place}/outputs/deep/answer.json",
            f"{FOLDER}/iteration-1/benchmark.json",
            f"{FOLDER}/iteration-1/benchmark.md",
            f"{FOLDER}/never-seen-before.json",
            said.path("eval-judgment", theirs),
        )
    ), case


def test_files_of_other_runs_stay_open(root: Path) -> None:
    """Those of visible runs, definitions, the judge's own records, and other suites."""
    own = Reviews(root, FOLDER).put("note", {"testRunId": GONE, "text": "mine"}, ME)
    ws = opened(root)
    place = value(ws, SHOWN, "source").rpartition("/")[0]
    hidden = ws.hiding({GONE}, ME)
    assert not any(
        covered(
            hidden,
            f"{place}/grading.json",
            f"{place}/transcript.md",
            f"{value(ws, SHOWN, 'outputs')}/anything.json",
            f"{INVOICES}/evals/evals.json",
            f"{FOLDER}/iteration-2/benchmark.json",
            f"{FOLDER}/reviews/note/{own}.json",
            "release-notes-workspace/history.json",
            "release-notes-workspace/report.md",
        )
    )


def test_a_record_of_a_store_from_which_no_row_came_is_hidden(root: Path) -> None:
    """It may hold the output of a hidden run, with its version; other records stay open."""
    home = "support-agent/records"
    name = "run-2026-03-02-double-charge"
    fields = json.loads((root / f"{home}/test-run/{name}.json").read_text("utf-8"))["fields"]
    kept = {key: fields[key] for key in ("testCaseId", "promptVersionRef", "actualOutput")}
    made = {"id": "a", "type": "agent-run", "fields": {**kept, "testRunId": name}}
    (root / home / "agent-run").mkdir()
    (root / home / "agent-run/a.json").write_text(json.dumps(made), "utf-8")
    ws = opened(root)
    runs = ws.tables.runs
    run = runs.loc[runs["run"] == name, "run_id"].iloc[0]
    hidden = ws.hiding({run}, ME)
    assert all(covered(hidden, f"{home}/agent-run/a.json", f"{home}/test-run/{name}.json"))
    assert not any(
        covered(
            hidden,
            f"{home}/test-run/run-2026-02-16-double-charge.json",
            f"{home}/test-case/tc-double-charge.json",
            f"{home}/rubric/rubric-reply-quality.json",
            f"{home}/rubric-criterion/crit-tone.json",
            f"{home}/relation/rel-7.json",
        )
    )


def left_of(table: str, before: Workspace, after: Workspace) -> list[str]:
    """Return which versions have lost all their rows of a table, as `suite version`."""
    of = ["suite", "version"]
    old, new = (
        set(map(tuple, getattr(ws.tables, table)[of].astype(str).to_numpy()))
        for ws in (before, after)
    )
    return sorted(" ".join(pair) for pair in old - new)


def test_stored_aggregates_over_hidden_runs_are_withheld(root: Path) -> None:
    """Those of the versions concerned, and of a suite what has no version; no others."""
    ws = opened(root)
    hidden = ws.hiding({GONE, NOTES_GONE}, ME)
    assert left_of("benchmarks", ws, hidden) == [f"{INVOICES} iteration-1", f"{NOTES} v0"]
    stored = hidden.tables.versions.set_index(["suite", "version"])["stored_score"]
    assert ws.tables.versions["stored_score"].notna().sum() - stored.notna().sum() == 1
    assert stored.isna()[NOTES, "v0"]
    for name in ("comparisons", "analyses"):
        old, new = (getattr(each.tables, name) for each in (ws, hidden))
        assert 0 < len(new) < len(old)
    assert hidden.hidden.covers(f"{NOTES}-workspace/history.json")


def test_the_innermost_folder_of_a_run_decides(tmp_path: Path) -> None:
    """A visible run beside further runs of its case opens none of their files."""
    of = {"suite": made.SUITE, "case_id": "case-1"}
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(root="work"),
        made.run(run_id="r1", source="work/case/grading.json", outputs="work/out", **of),
        made.run(run_id="r2", source="work/case/run-2/grading.json", outputs="work/out/2", **of),
    ).hiding({"r2"}, ME)
    assert all(covered(ws, "work/case/run-2/transcript.md", "work/out/2/answer.md", "work/note.md"))
    assert not any(covered(ws, "work/case/transcript.md", "work/out/answer.md", "elsewhere.md"))
