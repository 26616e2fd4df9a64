"""Decisions on versions: approved on evidence, refused with the reason, waived, withdrawn."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from msgspec.structs import replace

from evalcore.approvals.standing import decisions, evidence_sha256, standing
from evalcore.benchmarks.definitions import benchmark_named
from evalcore.errors import CannotApprove, CannotJudge, UnknownName
from evalcore.families.reviews.models import BenchmarkRunFields
from evalcore.judging.storing.store import new_id
from evalcore.lint import check
from evalcore.memory.approving import Outcome, Waiver, approve, waive, withdraw
from evalcore.memory.comparing_versions import compare_versions, record
from evalcore.memory.evidence import evidence_of
from evalcore.memory.store import remember
from evalcore.tables.rows import ApprovalRow
from evalcore.workspace.opened import Workspace
from tests.judging.copies import judged
from tests.memory.approval_cases import ANA, benchmark_run, decision_on, measured
from tests.memory.remembered import BENCHMARK, NOTES, again, benchmark, rows

SKILL = f"{NOTES}-workspace/v1/skill/SKILL.md"
FUTURE = "2099-01-31"


def decided(ws: Workspace, version: str, baseline: str) -> Outcome:
    """Ask for the approval of a version."""
    return approve(ws, NOTES, evidence_of(ws, NOTES, version, baseline), ANA)


def test_improvement_is_approved_with_what_was_seen(tmp_path: Path) -> None:
    """The record names the benchmark runs, and the digests of the version and the evidence."""
    ws = measured(tmp_path, "v0", "v1")
    outcome = decided(ws, "v1", "v0")
    assert outcome.decision == "approved"
    (row,) = rows(again(ws), ApprovalRow)
    assert (row.version, row.baseline, row.decision) == ("v1", "v0", "approved")
    assert (row.benchmark, row.author) == (BENCHMARK, ANA.id)
    assert len(json.loads(row.benchmark_runs or "[]")) == 2
    assert row.reason == "v1 passes 81 % on notes, v0 8 %, overall score 0.74 against 0.31."
    assert row.version_sha256 and row.evidence_sha256
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert (found.state, found.in_force, found.why) == ("approved", True, "")


def test_a_fall_is_refused_and_the_refusal_is_kept(tmp_path: Path) -> None:
    """It names both rates; v2 passes less than v1."""
    ws = measured(tmp_path, "v1", "v2")
    outcome = decided(ws, "v2", "v1")
    assert outcome.decision == "refused"
    assert "v2 passes 58 % on notes, v1 81 %" in outcome.reason
    assert "That is not an improvement." in outcome.reason
    (found,) = decisions(again(ws), NOTES)
    assert (found.state, found.in_force) == ("refused", False)


def test_a_rise_that_may_be_chance_is_refused(tmp_path: Path) -> None:
    """v3 passes more than v1, and the runs do not tell chance from improvement."""
    ws = measured(tmp_path, "v1", "v3")
    outcome = decided(ws, "v3", "v1")
    assert outcome.decision == "refused"
    assert "It is higher, but the verdict is “can't tell”: Compare says why" in outcome.reason


def test_a_version_that_was_not_measured_is_refused(tmp_path: Path) -> None:
    """The next step is to run the benchmark for both."""
    ws = measured(tmp_path, "v0")
    outcome = decided(ws, "v1", "v0")
    assert outcome.decision == "refused"
    assert "No benchmark was run for both v0 and v1." in outcome.reason


def test_the_same_twice_is_no_improvement(tmp_path: Path) -> None:
    """Neither is one score that is higher while the other is lower."""
    ws = measured(tmp_path, "v0")
    remember(ws, NOTES, [benchmark_run(ws, "v1", 2, overall_score=0.2)])
    outcome = decided(again(ws), "v1", "v0")
    assert (outcome.decision, "not an improvement" in outcome.reason) == ("refused", True)


def test_the_newest_benchmark_run_of_each_version_counts(tmp_path: Path) -> None:
    """A later one with a lower score takes the improvement away."""
    ws = measured(tmp_path, "v0", "v1")
    assert not evidence_of(ws, NOTES, "v1", "v0").refusal
    remember(ws, NOTES, [benchmark_run(ws, "v1", 9, overall_score=0.1)])
    assert evidence_of(again(ws), NOTES, "v1", "v0").refusal


def test_what_the_verdict_leaves_out_is_said(tmp_path: Path) -> None:
    """One case was not run with the new version: the verdict is on the others."""
    ws = measured(tmp_path, "v0")
    new = benchmark_run(ws, "v1", 2)
    assert isinstance(new.fields, BenchmarkRunFields)
    kept = [run for run in new.fields.test_run_ids if "breaking-change" not in run]
    fields = replace(new.fields, test_run_ids=kept)
    remember(ws, NOTES, [new._replace(fields=fields)])
    seen = evidence_of(again(ws), NOTES, "v1", "v0").seen
    assert seen.endswith("overall score 0.74 against 0.31. The verdict is on 11 of 12 cases.")


def test_a_changed_version_lapses_the_approval(tmp_path: Path) -> None:
    """And the text as it was brings it back: lapsed is what is seen now, never written."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    text = (tmp_path / SKILL).read_text()
    (tmp_path / SKILL).write_text(f"{text}\nOne more rule.\n")
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert (found.state, found.in_force) == ("lapsed", False)
    assert found.why == "The text of v1 was changed since."
    (tmp_path / SKILL).write_text(text)
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.in_force


def test_a_changed_score_lapses_the_approval(tmp_path: Path) -> None:
    """One grade of one of its runs is another by now."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    folder = tmp_path / f"{NOTES}-workspace/grading"
    path = next(iter(sorted(folder.glob("*_v1_run1.json"))))
    value = json.loads(path.read_text())
    value["results"][0]["score"] = 1 if value["results"][0]["score"] != 1 else 5
    path.write_text(json.dumps(value))
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.why == "The runs that it is based on, or their scores, have changed since."


def test_a_missing_benchmark_run_lapses_the_approval(tmp_path: Path) -> None:
    """The evidence is not here any more."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    for path in (tmp_path / f"{NOTES}-workspace/reviews/benchmark-run").glob("*.json"):
        path.unlink()
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.why == "The benchmark runs that it is based on are missing."


def test_a_score_of_a_person_does_not_lapse_it(tmp_path: Path) -> None:
    """Only recorded scores are its evidence."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    before = decision_on(again(ws), NOTES, "v1", "v0")
    judged(again(ws), f"{NOTES}::breaking-change@v1/-#1", ANA)
    assert decision_on(again(ws), NOTES, "v1", "v0") == before


def test_a_waiver_needs_an_owner_a_reason_and_an_end_to_come(tmp_path: Path) -> None:
    """Each missing part is named."""
    ws = measured(tmp_path, "v1", "v2")
    evidence = evidence_of(ws, NOTES, "v2", "v1")
    for owner, reason, until, why in (
        ("", "It is urgent.", FUTURE, "an owner"),
        ("Ana", " ", FUTURE, "a reason"),
        ("Ana", "It is urgent.", "2020-01-01", "a.* end date in the future"),
        ("Ana", "It is urgent.", "soon", "a.* end date in the future"),
    ):
        with pytest.raises(CannotApprove, match=why):
            waive(ws, NOTES, evidence, ANA, Waiver(owner, reason, until))
    assert not rows(again(ws), ApprovalRow)


def test_a_waiver_stays_visible_and_ends(tmp_path: Path) -> None:
    """To the end of its day it is in force; from then on it has lapsed, and both can be read."""
    ws = measured(tmp_path, "v1", "v2")
    evidence = evidence_of(ws, NOTES, "v2", "v1")
    decided(ws, "v2", "v1")
    waive(again(ws), NOTES, evidence, ANA, Waiver("Ana", "Urgent.", FUTURE))
    now = again(ws)
    end = datetime(2099, 1, 31, 23, 59, 59, tzinfo=UTC)
    before, at = end - timedelta(seconds=1), end
    waived, refused = decisions(now, NOTES, before)
    assert (waived.state, waived.in_force, waived.row.owner) == ("waived", True, "Ana")
    assert (refused.state, refused.current) == ("refused", False)
    waived, _ = decisions(now, NOTES, at)
    assert (waived.state, waived.why) == ("lapsed", "It has ended.")


def test_a_refused_question_takes_back_nothing(tmp_path: Path) -> None:
    """Of another baseline or of the same one: what stands is found, and can be withdrawn."""
    ws = measured(tmp_path, "v1", "v2")
    evidence = evidence_of(ws, NOTES, "v2", "v1")
    waive(ws, NOTES, evidence, ANA, Waiver("Bo", "Urgent.", FUTURE))
    assert decided(again(ws), "v2", "v0").decision == "refused"
    assert decided(again(ws), "v2", "v1").decision == "refused"
    now = again(ws)
    held, other = (decision_on(now, NOTES, "v2", over) for over in ("v1", "v0"))
    assert held is not None
    assert other is not None
    assert (held.state, held.in_force, other.state) == ("waived", True, "refused")
    states = [(each.row.baseline, each.state, each.current) for each in decisions(now, NOTES)]
    assert states == [("v1", "refused", False), ("v0", "refused", True), ("v1", "waived", True)]
    withdraw(now, NOTES, ("v2", None), ANA, "No longer.")
    after = decision_on(again(ws), NOTES, "v2", "v1")
    assert after is not None
    assert (after.state, after.row.baseline) == ("withdrawn", "v1")
    with pytest.raises(CannotApprove, match="nothing to withdraw"):
        withdraw(again(ws), NOTES, ("v2", None), ANA, "Once more.")
    assert decided(again(ws), "v2", "v1").decision == "refused"
    again_refused = decision_on(again(ws), NOTES, "v2", "v1")
    assert again_refused is not None
    assert again_refused.state == "refused"


def test_of_several_decisions_the_one_to_withdraw_is_named(tmp_path: Path) -> None:
    """Each stands for its baseline; taking one back leaves the other."""
    ws = measured(tmp_path, "v1", "v2")
    for over in ("v0", "v1"):
        evidence = evidence_of(again(ws), NOTES, "v2", over)
        waive(again(ws), NOTES, evidence, ANA, Waiver("Bo", "Urgent.", FUTURE))
    with pytest.raises(CannotApprove, match=r"in place of v0 and v1\. Name one with --over"):
        withdraw(again(ws), NOTES, ("v2", None), ANA, "No longer.")
    withdraw(again(ws), NOTES, ("v2", "v0"), ANA, "No longer.")
    states = {each.row.baseline: each.state for each in standing(again(ws), NOTES)}
    assert states == {"v0": "withdrawn", "v1": "waived"}


def test_what_is_withdrawn_does_not_hold(tmp_path: Path) -> None:
    """With the reason; what is not approved cannot be withdrawn."""
    ws = measured(tmp_path, "v0", "v1")
    with pytest.raises(CannotApprove, match="v1 is not approved"):
        withdraw(ws, NOTES, ("v1", None), ANA, "A customer complained.")
    decided(ws, "v1", "v0")
    with pytest.raises(CannotApprove, match="Say why"):
        withdraw(again(ws), NOTES, ("v1", None), ANA, " ")
    withdraw(again(ws), NOTES, ("v1", None), ANA, "A customer complained.")
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert (found.state, found.row.reason) == ("withdrawn", "A customer complained.")


def test_a_version_is_not_its_own_baseline(tmp_path: Path) -> None:
    """Nor may a name be wrong, of a version or a benchmark."""
    ws = measured(tmp_path, "v0", "v1")
    with pytest.raises(CannotApprove, match="cannot replace itself"):
        evidence_of(ws, NOTES, "v1", "v1")
    with pytest.raises(UnknownName, match="v9"):
        evidence_of(ws, NOTES, "v9", "v1")
    with pytest.raises(UnknownName, match="elsewhere"):
        evidence_of(ws, NOTES, "v1", "v0", "elsewhere")
    assert evidence_of(ws, NOTES, "v1", "v0", "notes") == evidence_of(ws, NOTES, "v1", "v0")
    assert evidence_of(ws, NOTES, "v1", "v0", BENCHMARK) == evidence_of(ws, NOTES, "v1", "v0")


def test_several_benchmarks_are_told_apart(tmp_path: Path) -> None:
    """Two that were run for both versions: one has to be named, by id where the names are alike."""
    ws = measured(tmp_path, "v0", "v1")
    other = "22222222-0000-4000-8000-000000000001"
    cases = sorted(set(ws.tables.runs["case_id"]))
    new = [benchmark(cases, name="notes")._replace(id=other)]
    for version in ("v0", "v1"):
        of = benchmark_run(ws, version, 3)
        assert isinstance(of.fields, BenchmarkRunFields)
        fields = replace(of.fields, benchmark_id=other)
        new.append(of._replace(fields=fields))
    remember(ws, NOTES, new)
    now = again(ws)
    with pytest.raises(CannotApprove, match="Several benchmarks were run for both: notes, notes"):
        evidence_of(now, NOTES, "v1", "v0")
    with pytest.raises(CannotApprove, match="Name one by its id"):
        evidence_of(now, NOTES, "v1", "v0", "notes")
    assert evidence_of(now, NOTES, "v1", "v0", other).runs


def test_decisions_never_go_back_in_time(tmp_path: Path) -> None:
    """The newest is dated after the one before, whatever the clock says."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    path = next((tmp_path / f"{NOTES}-workspace/reviews/approval").glob("*.json"))
    value = json.loads(path.read_text())
    path.write_text(json.dumps(value | {"createdAt": "2099-05-05T00:00:00Z"}))
    withdraw(again(ws), NOTES, ("v1", None), ANA, "A customer complained.")
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.state == "withdrawn"


def test_what_cannot_be_read_decides_nothing(tmp_path: Path) -> None:
    """A newer record with an unknown word leaves the approval before it in force."""
    ws = measured(tmp_path, "v0", "v1")
    path = tmp_path / decided(ws, "v1", "v0").receipt.path
    value = json.loads(path.read_text())
    other = path.with_name(f"{new_id()}.json")
    fields = value["fields"] | {"decision": "maybe"}
    newer = {"id": other.stem, "fields": fields, "createdAt": "2099-05-05T00:00:00Z"}
    other.write_text(json.dumps(value | newer))
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.in_force
    states = [(each.state, each.current) for each in decisions(again(ws), NOTES)]
    assert states == [("undecided", False), ("approved", True)]


def test_a_text_that_is_too_long_is_refused(tmp_path: Path) -> None:
    """Nothing is stored."""
    ws = measured(tmp_path, "v0", "v1")
    with pytest.raises(CannotJudge, match="at most 1,000"):
        approve(ws, NOTES, evidence_of(ws, NOTES, "v1", "v0"), ANA, "x" * 1_001)
    assert not rows(again(ws), ApprovalRow)


def test_decisions_open_clean(tmp_path: Path) -> None:
    """They add no problem."""
    ws = measured(tmp_path, "v0", "v1", "v2")
    before = check(ws)
    decided(ws, "v1", "v0")
    decided(again(ws), "v2", "v1")
    assert check(again(ws)) == before


@pytest.mark.parametrize("field", ["overallScore", "passRate"])
def test_a_changed_value_of_a_benchmark_run_lapses_the_approval(tmp_path: Path, field: str) -> None:
    """What it states is evidence too."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    path = next((tmp_path / f"{NOTES}-workspace/reviews/benchmark-run").glob("*.json"))
    value = json.loads(path.read_text())
    value["fields"][field] = 0.125
    path.write_text(json.dumps(value))
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.why == "The runs that it is based on, or their scores, have changed since."


def test_a_lapsed_approval_can_be_withdrawn(tmp_path: Path) -> None:
    """Else the text as it was would bring it back."""
    ws = measured(tmp_path, "v0", "v1")
    decided(ws, "v1", "v0")
    (tmp_path / SKILL).write_text("Do something else.\n")
    withdraw(again(ws), NOTES, ("v1", None), ANA, "It is another one.")
    found = decision_on(again(ws), NOTES, "v1", "v0")
    assert found is not None
    assert found.state == "withdrawn"


def test_without_benchmark_runs_there_is_no_evidence_to_bind_to(tmp_path: Path) -> None:
    """Nor with one that is not here."""
    ws = measured(tmp_path, "v0")
    assert evidence_sha256(ws, NOTES, ()) is None
    assert evidence_sha256(ws, NOTES, ("gone",)) is None


def test_the_stored_comparison_of_both_versions_is_named(tmp_path: Path) -> None:
    """A decision rests on it too."""
    ws = measured(tmp_path, "v0", "v1")
    assert evidence_of(ws, NOTES, "v1", "v0").comparison is None
    made = compare_versions(ws, benchmark_named(ws, NOTES, BENCHMARK), "v0", "v1")
    record(ws, made)
    assert evidence_of(again(ws), NOTES, "v1", "v0").comparison == made.id
