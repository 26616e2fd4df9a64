"""Other people's trigger sets: every query is a case, every trial a run."""

from pathlib import Path

import pytest

from evalcore import Workspace, open_workspace

SETS = {
    "kimsanguine+AI_PM_Skills": {"evals/trigger-evals": (168, 1, 96, 50)},
    "liush2yuxjtu+onepager-skill-iterations": {
        "onepager-workspace-evals1-10/description-optimization-2026-08-14/trigger-eval": (
            20, 1, 60, 7,
        ),
        "onepager-workspace-evals1-10/description-optimization-2026-08-14/trigger-eval-v2": (
            30, 0, 0, 1,
        ),
    },
}  # fmt: skip
"""Repository to its suites: cases, versions, runs and documents."""


def counted(ws: Workspace, suite: str) -> tuple[int, ...]:
    """Return how many rows of a suite each table has."""
    names = ("cases", "versions", "runs", "documents")
    return tuple(int((getattr(ws.tables, name)["suite"] == suite).sum()) for name in names)


@pytest.mark.parametrize("repository", SETS)
def test_all_queries_and_trials_are_read(realworld: Path, repository: str) -> None:
    """Copies, and results saved once more, make no cases and no runs."""
    ws = open_workspace(realworld / repository, cache=False)
    suites = ws.tables.suites
    mine = suites.loc[suites["family"] == "activation", "suite"]
    assert {suite: counted(ws, suite) for suite in mine} == SETS[repository]


def test_the_stated_totals_agree_with_ours(realworld: Path) -> None:
    """Two of 96 queries were not answered as expected, and that is what the file says."""
    ws = open_workspace(realworld / "kimsanguine+AI_PM_Skills", cache=False)
    runs = ws.tables.runs
    mine = runs[runs["suite"] == "evals/trigger-evals"]
    assert int(mine["passed"].sum()) == 94
    named = {p.code for p in ws.problems if p.suite == "evals/trigger-evals"}
    assert named == set()
