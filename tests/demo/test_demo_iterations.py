"""Commit helper: expectations, summaries, benchmarks."""

from collections import defaultdict
from statistics import mean

import pytest

from evalcore import open_workspace
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from tests.demo.faults import COMMITS, WRONG_ON_PURPOSE
from tests.demo.reading import WORKSPACE, close, documents, load


def test_commit_gradings_follow_from_their_expectations() -> None:
    """The summary counts the list, but for the listed file."""
    wrong = set()
    for path, g in documents(f"{COMMITS}/iteration-*/**/grading.json"):
        passed = sum(e["passed"] for e in g["expectations"])
        if (g["summary"]["passed"], g["summary"]["total"]) != (passed, len(g["expectations"])):
            wrong.add(path)
    assert wrong == {p for p in WRONG_ON_PURPOSE if p.startswith(COMMITS)}


@pytest.mark.parametrize("iteration", [1, 2, 3])
def test_commit_benchmarks_follow_from_their_runs(iteration: int) -> None:
    """The mean pass rates are those of the gradings, and the deltas carry their sign."""
    rates: dict[str, list[float]] = defaultdict(list)
    for path, g in documents(f"{COMMITS}/iteration-{iteration}/**/grading.json"):
        rates[path.split("/")[3]].append(mean(e["passed"] for e in g["expectations"]))
    summary = load(f"{COMMITS}/iteration-{iteration}/benchmark.json")["run_summary"]
    for configuration, values in rates.items():
        assert close(summary[configuration]["pass_rate"]["mean"], mean(values), 4)
    difference = mean(rates["with_skill"]) - mean(rates["without_skill"])
    assert close(float(summary["delta"]["pass_rate"]), difference, 2)
    assert summary["delta"]["pass_rate"].startswith("+")


def test_only_the_steps_say_why_two_runs_of_a_commit_disagree() -> None:
    """The run that failed read the skill from below the rule that it broke."""
    ws = open_workspace(WORKSPACE, cache=False)
    rows = ws.tables.runs.query("suite == 'commit-helper' and version == 'iteration-3'")
    rows = rows.query("case_id == '5' and configuration == 'with_skill'")
    found = [steps_of(ws, run_row(ws, run_id)) for run_id in rows["run_id"]]
    assert [step.tool for step in found[0].calls] == ["Read", "Write"]
    assert [step.tool for step in found[1].calls] == ["Grep", "Read", "Write"]
    rule = "write no message"
    assert [any(rule in (step.result or "") for step in each.calls) for each in found] == [
        True,
        False,
    ]
    told = [sum(step.tokens or 0 for step in each.steps) for each in found]
    assert told == list(rows["tokens"])
