"""The skills of seed 001 from end to end, as its agent would call them, on the demo's ticket agent.

How a model judges and explains is in `test_judge` and `test_failures`, with a server of its own.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.approvals.standing import decisions
from evalcore.demo import packaged
from evalcore.hard_rules.checking import checked
from evalcore.lint import check
from evalcore.tables.rows import (
    ComparisonRow,
    FailureRow,
    JudgmentRow,
    MessageRow,
    RelationRow,
    RunRow,
)
from evalcore.workspace.opened import Workspace, open_workspace
from tests.cli.conftest import Invoke
from tests.memory.remembered import rows

SUITE, DISPUTES, ROUTING = "triage-agent", "Money disputes", "Routing"
SENT = ("eval-trend", "message")
FOLLOWED = ("approval", "eval-failure", "prompt-comparison", "relation", "task", *SENT)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with the ticket agent as it was before anything followed from its runs."""
    home = tmp_path / "evals" / SUITE
    shutil.copytree(packaged() / SUITE, home)
    for kind in FOLLOWED:
        shutil.rmtree(home / kind)
    path = home / "records.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text(
        "".join(line for line in lines if json.loads(line)["type"] not in SENT), "utf-8"
    )
    return home.parent


def opened(root: Path) -> Workspace:
    """Open the folder as it is now."""
    return open_workspace(root, cache=False)


def subjects(root: Path) -> list[tuple[str | None, str | None]]:
    """Return recipient and subject of the messages, in the order of their subjects."""
    found = rows(opened(root), MessageRow, kind="message")
    return sorted((row.recipient, row.subject) for row in found)


def warned(root: Path) -> set[str]:
    """Return the codes of the warnings and errors of the full check."""
    return {each.code for each in check(opened(root)) if each.severity != "info"}


def test_run_a_test_case(
    root: Path, invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent answers; a judgment for each criterion, the total, and why it did not pass."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    line = json.dumps([sys.executable, "-I", "-c", "print('billing')"])
    (tmp_path / "config").mkdir()
    (tmp_path / "config/executors.toml").write_text(f"[agent]\ncommand = {line}\n")
    before = {row.run_id for row in rows(opened(root), RunRow)}
    asked = ("--executor", "agent", "--version", "triage@2.1.0", "--cases", "tc-cancelled")
    assert invoke("run", root, *asked).exit_code == 0
    ws = opened(root)
    (run,) = (row for row in rows(ws, RunRow) if row.run_id not in before)
    assert (run.status, run.passed, run.judge_type, run.max_score) == (
        "completed", False, "heuristic", 5.0,
    )  # fmt: skip
    judged = rows(ws, JudgmentRow, run_id=run.run_id)
    assert {row.criterion for row in judged} == {"crit-team", "crit-urgency"}
    assert all(row.rationale for row in judged)
    (failure,) = rows(ws, FailureRow, run_id=run.run_id)
    assert failure.failure_type == "wrong-output"
    assert warned(root) == {"regression-not-surfaced"}


def test_run_a_benchmark(root: Path, invoke: Invoke) -> None:
    """The pass rate dropped: critical failures, a task, a message, and it is told at once."""
    assert warned(root) == {"regression-not-surfaced"}
    done = invoke("benchmark", "follow-up", root, "bench-disputes-2026-03-16")
    assert done.exit_code == 1
    assert "fell from 100 % to 50 % in triage@2.2.0 (50 points)" in done.stdout
    assert "the drop is clear in these runs" in done.stdout
    failures = rows(opened(root), FailureRow, severity="critical")
    assert len(failures) == 6
    assert all("bench-disputes-2026-03-16" in (row.description or "") for row in failures)
    (task,) = rows(opened(root), MessageRow, kind="task")
    assert (task.subject, task.status) == ("Investigate benchmark regression", "open")
    assert subjects(root) == [("orchestrator", "benchmark-regression")]
    assert warned(root) == set()


def test_detect_trends(root: Path, invoke: Invoke) -> None:
    """Each run adds its point; the third degrading direction in a row is escalated, with all."""
    weeks = sorted(name for name in opened(root).tables.benchmark_runs["benchmark_run"]
                   if name.startswith("bench-routing-"))  # fmt: skip
    *before, third, _ = weeks
    for week in before:
        assert invoke("benchmark", "follow-up", root, week).exit_code == 0
    assert subjects(root) == []
    done = invoke("benchmark", "follow-up", root, third)
    assert "Degrading for the third time in a row" in done.stdout
    assert subjects(root) == [("orchestrator", "trend-degrading")]
    (message,) = rows(opened(root), MessageRow, kind="message")
    points = json.loads(message.payload or "")["dataPoints"]
    assert [point["score"] for point in points] == sorted(
        (point["score"] for point in points), reverse=True
    )
    assert len(points) == 7
    shown = json.loads(invoke("benchmark", "show", root, ROUTING, "--json").stdout)
    assert shown["direction"] == "degrading"


def test_compare_prompt_versions(root: Path, invoke: Invoke) -> None:
    """An instruction is answered by a comparison with both benchmark runs and a recommendation."""
    instruction: dict[str, Any] = {
        "id": "ask-1",
        "type": "message",
        "fields": {
            "sender": "orchestrator",
            "recipient": "eval-agent",
            "subject": "compare-prompts",
            "text": "Which one?",
            "payload": {
                "benchmarkId": "bm-disputes",
                "promptVersionA": "triage@2.0.0",
                "promptVersionB": "triage@2.1.0",
            },
            "expectsAnswer": True,
        },
        "createdAt": "2026-03-20T08:00:00Z",
    }
    (root / SUITE / "message").mkdir()
    (root / SUITE / "message/ask-1.json").write_text(json.dumps(instruction))
    assert "ask-1" in invoke("messages", root, "--open").stdout
    done = invoke("benchmark", "compare", root, DISPUTES, "triage@2.0.0", "triage@2.1.0")
    assert "Recommended: triage@2.1.0." in done.stdout
    (row,) = rows(opened(root), ComparisonRow)
    assert (row.winner, row.sample_size, row.total_a, row.total_b) == ("B", 4, 0.7, 0.98)
    related = rows(opened(root), RelationRow, relation="references")
    assert {each.target_id for each in related if each.found} == {
        "bench-disputes-2026-01-05",
        "bench-disputes-2026-01-19",
    }
    answer = rows(opened(root), MessageRow, in_reply_to="ask-1")
    assert [(each.subject, each.recipient) for each in answer] == [
        ("comparison-complete", "orchestrator")
    ]
    assert "ask-1" not in invoke("messages", root, "--open").stdout


def test_no_version_is_approved_without_improvement(root: Path, invoke: Invoke) -> None:
    """One approval granted, one refused, one that lapsed when the prompt was edited."""
    for new, old, code in (("2.0.0", "1.0.0", 0), ("2.1.0", "2.0.0", 0), ("2.2.0", "2.1.0", 1)):
        asked = ("approve", root, f"triage@{new}", "--over", f"triage@{old}")
        assert invoke("approval", *asked).exit_code == code
    prompt = root / SUITE / "prompt-version/triage-2.0.0.json"
    prompt.write_text(prompt.read_text().replace("You sort tickets.", "You sort the tickets."))
    states = {each.row.version: each.state for each in decisions(opened(root), SUITE)}
    assert states == {
        "triage@2.2.0": "refused",
        "triage@2.1.0": "approved",
        "triage@2.0.0": "lapsed",
    }
    assert "approval-lapsed" in warned(root)


def test_classify_failures(root: Path, invoke: Invoke) -> None:
    """Every failed run has its failure; one that lost it gets it by the rules, once."""
    path = root / SUITE / "records.jsonl"
    lines = path.read_text("utf-8").splitlines()
    kept = [line for line in lines if json.loads(line)["id"] != "fail-2026-03-16-cancelled-1"]
    assert len(kept) == len(lines) - 1
    path.write_text("\n".join(kept) + "\n", "utf-8")
    assert "no-failure" in warned(root)
    assert invoke("failures", root, "--record").exit_code == 0
    assert "no-failure" not in warned(root)
    failures = [row for row in rows(opened(root), FailureRow) if row.author == "evalcore"]
    assert [row.named_run for row in failures] == ["run-2026-03-16-cancelled-1"]
    assert {row.failure_type for row in failures} == {"wrong-output"}
    invoke("failures", root, "--record")
    assert len(rows(opened(root), FailureRow)) == 28


def test_the_hard_rules_are_kept_by_all_that_follows(root: Path, invoke: Invoke) -> None:
    """After following up and deciding, nothing is broken."""
    for name in ("bench-disputes-2026-03-16", "bench-routing-2026-03-16"):
        invoke("benchmark", "follow-up", root, name)
    invoke("approval", "approve", root, "triage@2.1.0", "--over", "triage@2.0.0")
    found = checked(opened(root), SUITE)
    assert "broken" not in {each.standing for each in found}
