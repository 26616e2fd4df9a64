"""No version is approved without a benchmark run that shows improvement over its baseline."""

from pathlib import Path

import pytest

from evalcore.families.reviews.models import ApprovalFields
from evalcore.families.reviews.review import ApprovalDecision
from evalcore.judging.storing.store import new_id
from evalcore.memory.approving import Waiver, approve, waive, withdraw
from evalcore.memory.evidence import evidence_of
from evalcore.memory.store import New, remember
from evalcore.tables.rows import ApprovalRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.hard_rules.found import counts, described, found, problems
from tests.memory.approval_cases import ANA, benchmark_run, measured
from tests.memory.remembered import NOTES, again
from tests.trends.followed import benchmark_run as benchmark_run_row

CODES = ("approval-lapsed", "approval-not-justified")
SKILL = f"{NOTES}-workspace/v1/skill/SKILL.md"


def approved(root: Path, version: str = "v1", baseline: str = "v0") -> Workspace:
    """Return a workspace with an approval on evidence."""
    ws = measured(root, baseline, version)
    assert approve(ws, NOTES, evidence_of(ws, NOTES, version, baseline), ANA).decision == "approved"
    return again(ws)


def decided(ws: Workspace, decision: ApprovalDecision = "approved", **fields: object) -> Workspace:
    """Write a decision on v1 over v0 past the command, as any program could."""
    names = [str(name) for name in ws.tables.benchmark_runs["benchmark_run"]]
    base = {"version": "v1", "baseline": "v0", "reason": "Looks good.", "benchmark_run_ids": names}
    made = ApprovalFields(decision=decision, **{**base, **fields})  # type: ignore[arg-type]
    remember(ws, NOTES, [New("approval", new_id(), made, about="v1")], ANA.id)
    return again(ws)


def said(ws: Workspace) -> list[tuple[str, str]]:
    """Return code and reason of each problem."""
    return [(each.code, each.message.partition(": ")[2]) for each in problems(ws, *CODES)]


def test_an_approval_on_improvement_keeps_the_rule(tmp_path: Path) -> None:
    """As the command grants it."""
    ws = approved(tmp_path)

    assert counts(ws, NOTES, "approvals") == (1, 0, 0)
    assert said(ws) == []


def test_an_approval_lapses_with_the_text_of_its_version(tmp_path: Path) -> None:
    """It is reported at its record."""
    ws = approved(tmp_path)
    text = (tmp_path / SKILL).read_text()
    (tmp_path / SKILL).write_text(f"{text}\nOne more rule.\n")
    ws = again(ws)

    assert counts(ws, NOTES, "approvals") == (0, 1, 0)
    assert said(ws) == [("approval-lapsed", "The text of v1 was changed since.")]
    (broken,) = described(ws, NOTES, "approvals")
    assert ws.raw(*broken.places[0][1:])["id"] == broken.id
    assert broken.about == "approval"


def test_a_decision_that_names_no_benchmark_run_is_not_justified(tmp_path: Path) -> None:
    """Neither of the version, nor of its baseline."""
    ws = decided(measured(tmp_path, "v0", "v1"), benchmark_run_ids=[])

    assert said(ws) == [
        (
            "approval-not-justified",
            "It names no existing benchmark run of v0 and of v1.",
        )
    ]


def test_both_versions_must_have_been_measured(tmp_path: Path) -> None:
    """One alone shows no improvement."""
    ws = decided(measured(tmp_path, "v1"))

    assert said(ws)[0][1] == "It names no existing benchmark run of v0."


@pytest.mark.parametrize(
    ("overall", "says"),
    [
        (0.2, "A value of its benchmark run is lower than that of the baseline."),
        (0.31, ""),
        (0.32, ""),
    ],
)
def test_one_value_must_be_higher_and_neither_lower(
    tmp_path: Path, overall: float, says: str
) -> None:
    """The pass rate of v1 is higher; its score may be the same and not lower."""
    ws = measured(tmp_path, "v0")
    remember(ws, NOTES, [benchmark_run(ws, "v1", 2, overall_score=overall)])
    ws = decided(again(ws))

    assert said(ws) == ([("approval-not-justified", says)] if says else [])


def test_the_same_values_are_no_improvement(tmp_path: Path) -> None:
    """A version that passes what its baseline passes changes nothing."""
    fields = {"pass_rate": 0.5, "overall_score": 0.5}
    ws = made.workspace(
        tmp_path,
        made.suite(),
        *(made.run(run_id=name, version=name) for name in ("v0", "v1")),
        benchmark_run_row("one", 1, "v0", **fields),
        benchmark_run_row("two", 2, "v1", **fields),
        made.row(
            ApprovalRow,
            suite=made.SUITE,
            approval="a1",
            version="v1",
            baseline="v0",
            decision="approved",
            benchmark_runs='["one", "two"]',
            source="reviews/approval/a1.json",
            pointer="",
        ),
    )

    assert said(ws) == [
        (
            "approval-not-justified",
            "Its benchmark run has the same values as that of the baseline.",
        )
    ]


def test_a_waiver_keeps_the_rule_until_its_end(tmp_path: Path) -> None:
    """Then it has lapsed."""
    ws = measured(tmp_path, "v1")
    evidence = evidence_of(ws, NOTES, "v1", "v0")
    waive(ws, NOTES, evidence, ANA, Waiver("Ana", "Urgent.", "2099-01-31"))
    ws = again(ws)
    assert counts(ws, NOTES, "approvals") == (1, 0, 0)

    ws = decided(ws, "waived", owner="Ana", expires_at="2026-01-01T00:00:00Z")
    assert [code for code, _ in said(ws)] == ["approval-lapsed"]


def test_a_waiver_without_owner_or_end_is_not_justified(tmp_path: Path) -> None:
    """The command asks for them; another program may not have."""
    ws = decided(measured(tmp_path, "v1"), "waived")

    assert said(ws) == [("approval-not-justified", "The waiver names no owner and no end.")]


def test_only_the_newest_decision_on_a_version_counts(tmp_path: Path) -> None:
    """What was withdrawn or refused since asks for nothing."""
    ws = decided(measured(tmp_path, "v1"))
    assert counts(ws, NOTES, "approvals") == (0, 1, 0)

    withdraw(ws, NOTES, ("v1", None), ANA, "A mistake.")
    assert found(again(ws), NOTES, "approvals").standing == "nothing to check"
