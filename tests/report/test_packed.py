"""The evidence in a report: that of the pages, of every run, in few bytes and without outputs."""

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.generate import generate
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.judging.hiding import workspace_for_readers
from evalcore.report.packed import NO_TEXT, runs_of
from evalcore.views.blocks.plain import as_json
from evalcore.views.run.criteria import criteria_blocks
from evalcore.views.run.evidence import evidence
from evalcore.workspace.opened import open_workspace
from tests.blind.study import created
from tests.judging.copies import ANA, INVOICES, copied
from tests.report.parsed import DEMO, SUITES, evidence_of, made

MOST_BYTES = 725
"""For each of 1,000 runs: a twentieth of what the viewer of skill-creator takes."""


@pytest.mark.parametrize("suite", SUITES)
def test_each_run_has_the_criteria_of_its_page(suite: str) -> None:
    """With score, reason and what people said; only quotes are not looked up."""
    ws = open_workspace(DEMO)
    told = evidence_of(made(ws, suite))
    runs = ws.tables.runs
    assert len(told["runs"]) == int((runs["suite"] == suite).sum())
    for row, run in zip(runs_of(ws, suite, _changed(told)), told["runs"], strict=True):
        found = evidence(ws, row.run_id or "", look_up_quotes=False)
        items = [each for each in as_json(criteria_blocks(found)) if each["t"] == "item"]
        here = [
            told["items"][each["of"]] | {name: each[name] for name in each if name != "of"}
            for each in run["blocks"]
            if each["t"] == "item"
        ]
        assert here[: len(items)] == items


def test_a_run_has_the_mark_of_its_page() -> None:
    """By the rule of its suite; what nobody graded has not passed."""
    ws = open_workspace(DEMO)
    seen = Counter[str]()
    for suite in SUITES:
        told, found = evidence_of(made(ws, suite)), outcomes(ws, suite)
        for row, run in zip(runs_of(ws, suite, _changed(told)), told["runs"], strict=True):
            assert run["mark"] == marks_in(ws, found, row.case_id or "")[row.run_id or ""]
            seen[run["mark"]] += 1
    assert set(seen) == {"pass", "fail", "outside"}


def _changed(told: dict[str, list[dict[str, str]]]) -> list[str]:
    return list(dict.fromkeys(run["case"] for run in told["runs"] if run["changed"]))


def test_cases_that_changed_come_first_and_of_each_the_newest_version() -> None:
    """Then the others, in their natural order."""
    ws = open_workspace(DEMO)
    runs = evidence_of(made(ws, INVOICES))["runs"]
    changed = [run["changed"] for run in runs]
    assert changed == sorted(changed, reverse=True)
    first = [run["run"].split(" ")[0] for run in runs if run["case"] == runs[0]["case"]]
    assert first == sorted(first, reverse=True)


def test_no_output_is_in_it() -> None:
    """Neither whole nor as an excerpt; the file says so."""
    ws = open_workspace(DEMO)
    html = made(ws, INVOICES)
    assert "What the runs wrote is not in this file." in html
    told = evidence_of(html)
    kinds = {block["t"] for run in told["runs"] for block in run["blocks"]}
    assert kinds <= {"heading", "item", "say"}


def test_outputs_are_in_it_when_they_are_asked_for() -> None:
    """Each text that a run wrote, where quotes stand in it, and a line for each step."""
    ws = open_workspace(DEMO)
    html = made(ws, INVOICES, outputs=True)
    assert "What the runs wrote and did is in this file" in html
    told = evidence_of(html)
    blocks = [block for run in told["runs"] for block in run["blocks"]]
    written = {block["label"]: block["text"] for block in blocks if block["t"] == "prompt"}
    assert "4341.95" in written["totals.json"]
    assert written["chart.png"] == NO_TEXT
    (steps,) = {label.partition(" · ")[0] for label in written if label.startswith("Steps")}
    assert steps == "Steps"
    assert any(quote["path"] for block in blocks for quote in block.get("quotes", ()))
    assert "excerpt" in {block["t"] for block in blocks}


def test_a_thousand_runs_take_few_bytes(tmp_path: Path) -> None:
    """With all reasons of all criteria."""
    generate("improve", 1_000, tmp_path / "folder")
    ws = open_workspace(tmp_path / "folder", cache=False)
    html = made(ws, str(ws.tables.suites["suite"].iloc[0]))
    assert len(evidence_of(html)["runs"]) == 1_000
    assert len(html.encode()) <= MOST_BYTES * 1_000


def test_runs_of_an_open_study_have_no_evidence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even their names."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    ws = copied(tmp_path / "folder", INVOICES)
    every = len(runs_of(ws, INVOICES, ()))
    created(ws, ANA)
    hidden = len(workspace_for_readers(ws).hidden.runs)
    assert hidden
    assert len(evidence_of(made(ws, INVOICES))["runs"]) == every - hidden
