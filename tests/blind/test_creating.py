"""A study is bound to its secret before anybody judges, and says what it leaves out."""

import json
import shutil
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from evalcore.blind import proposing
from evalcore.blind.creating import Design, bound_secret, create_study
from evalcore.blind.criteria import SETS, criteria_named
from evalcore.blind.judging import take_part
from evalcore.blind.keys import keep_secret, new_secret, secret_of
from evalcore.blind.proposing import minutes, propose, side_named, sides
from evalcore.counting import digests
from evalcore.counting.outcomes import outcomes
from evalcore.errors import CannotJudge, UnknownName
from evalcore.judging.answering.independent import Judges
from evalcore.tables.rows import RunRow
from evalcore.workspace.opened import Workspace, open_workspace
from tests.blind.study import A, B, created, now, proposed, said
from tests.judging.copies import ANA, BEN, INVOICES, copied


def test_a_pair_for_each_case_that_both_sides_ran(ws: Workspace) -> None:
    """Each is of one case, one run of each side."""
    found = proposed(ws)
    assert len(found.pairs) == len({pair.case_id for pair in found.pairs}) == 4
    for pair in found.pairs:
        assert f"::{pair.case_id}@iteration-2/with_skill" in pair.run_a
        assert f"::{pair.case_id}@iteration-3/with_skill" in pair.run_b


def test_all_runs_are_paired_without_repeating_one(ws: Workspace) -> None:
    """Three runs of four cases on both sides: twelve pairs."""
    found = proposed(ws, "all")
    assert len(found.pairs) == 12
    for side in ("run_a", "run_b"):
        assert len({getattr(pair, side) for pair in found.pairs}) == 12
    assert len({pair.pair for pair in found.pairs}) == 12


def test_only_the_cases_that_are_named(ws: Workspace) -> None:
    """A case that nobody ran is refused by its name."""
    case = proposed(ws).pairs[0].case_id
    assert [pair.case_id for pair in proposed(ws, "one", case).pairs] == [case]
    with pytest.raises(UnknownName, match="elsewhere"):
        proposed(ws, "one", "elsewhere")


def test_a_case_without_output_on_a_side_is_left_out_and_named(ws: Workspace) -> None:
    """The output of one side is gone: the case is not in the study."""
    pair = proposed(ws).pairs[0]
    runs = ws.tables.runs
    mine = runs[(runs["case_id"] == pair.case_id) & (runs["version"] == "iteration-3")]
    for folder in mine[mine["configuration"] == "with_skill"]["outputs"]:
        shutil.rmtree(ws.root / folder)
    ws = open_workspace(ws.root, cache=False)
    found = proposed(ws)
    assert pair.case_id not in {each.case_id for each in found.pairs}
    assert found.left_out == ((pair.case_id, f"No output of {B}."),)


def test_more_cases_than_a_study_holds_are_refused_without_reading_all_outputs(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One case more than there may be is enough to know; named cases are a study."""
    ws, looked_at = open_workspace(ws.root, cache=False), set[str | None]()
    known = digests.digest_now

    def noted(of: Workspace, run: RunRow) -> str | None:
        looked_at.add(run.case_id)
        return known(of, run)

    monkeypatch.setattr(proposing, "MOST", 2)
    monkeypatch.setattr(digests, "digest_now", noted)
    with pytest.raises(CannotJudge, match="At most 2 pairs"):
        proposed(ws)
    assert len(looked_at) == 3
    assert len(proposed(ws, "one", *sorted(filter(None, looked_at))[:2]).pairs) == 2


def test_a_side_against_itself_is_refused(ws: Workspace) -> None:
    """So is a name that means several sides, or none."""
    side = side_named(ws, INVOICES, A)
    with pytest.raises(CannotJudge, match="the same"):
        propose(side, side, chance=Random(1))
    for name in ("iteration-2", "iteration-9"):
        with pytest.raises(UnknownName, match=name):
            side_named(ws, INVOICES, name)


def test_the_secret_stays_on_this_machine_and_the_record_is_bound_to_it(ws: Workspace) -> None:
    """Nothing in the workspace holds it; the record holds its sha256 with the pairs."""
    study = created(ws, ANA)
    secret = secret_of(study.id)
    assert secret is not None
    assert bound_secret(study) == secret
    for file in ws.root.rglob("*"):
        assert not file.is_file() or secret.hex().encode() not in file.read_bytes()


def test_another_secret_is_not_taken(ws: Workspace) -> None:
    """Nor the right one for pairs that somebody changed afterwards."""
    study = created(ws, ANA)
    pairs = study.fields.pairs
    changed = study._replace(fields=replace(study.fields, pairs=pairs[::-1]))
    assert bound_secret(changed) is None
    keep_secret(study.id, new_secret())
    assert bound_secret(study) is None


def test_created_twice_it_is_one_study(ws: Workspace) -> None:
    """A second click has the same submission: secret and record stay as they are."""
    study = created(ws, ANA)
    design = Design((), Judges((ANA.id,)))
    secret = secret_of(study.id)
    again = create_study(ws, INVOICES, proposed(ws), design, BEN, study.id)
    assert not again.new
    assert secret_of(study.id) == secret
    assert bound_secret(now(ws, study.id)) == secret


def test_more_judges_for_a_pair_than_are_named_are_refused(ws: Workspace) -> None:
    """As many as are named are fine."""
    with pytest.raises(CannotJudge, match="2 judges"):
        created(ws, ANA, per_task=2)
    assert created(ws, ANA, BEN, per_task=2).fields.judges_per_task == 2


def test_without_a_number_everyone_who_joins_compares_every_pair(ws: Workspace) -> None:
    """Named or not: the second judge has as much to compare as the first."""
    for judges in ((), (ANA, BEN)):
        study = created(ws, *judges)
        for judge in (ANA, BEN):
            if not judges:
                take_part(ws, now(ws, study.id), judge, "joined")
            for place in range(4):
                said(ws, now(ws, study.id), "left", judge, place=place)
        assert len(now(ws, study.id).verdicts) == 8


def test_sets_of_criteria_have_the_scales_of_the_seeds(ws: Workspace) -> None:
    """Five dimensions at 1 to 10 (000); 1 to 5 (004); those of the suite as they are asked."""
    assert len(SETS["skill"]) == 5
    assert {(each.low, each.high) for each in SETS["skill"]} == {(1, 10)}
    assert {(each.low, each.high) for each in SETS["description"]} == {(1, 5)}
    own = criteria_named(ws, "suite", [proposed(ws).pairs[0].run_a])
    assert own
    assert all(each.low < each.high for each in own)
    with pytest.raises(UnknownName, match="beauty"):
        criteria_named(ws, "beauty", [])


def test_minutes_grow_with_pairs_criteria_and_judges() -> None:
    """90 seconds a pair, 16 more for each criterion."""
    assert minutes(4, 0, 1) == 6
    assert minutes(4, 5, 1) == 11
    assert minutes(4, 0, 2) == 12
    assert minutes(0, 0, 1) == 1


def test_the_record_is_what_the_judges_machine_needs(ws: Workspace) -> None:
    """Sides, pairs and judges; no secret and no side that stands left."""
    study = created(ws, ANA)
    file = next((ws.root).rglob(f"{study.id}.json"))
    assert set(json.loads(file.read_text())["fields"]) == {
        "sideA", "sideB", "pairs", "criteria", "judges", "names", "drawn", "reasons",
        "commitment",
    }  # fmt: skip


def test_runs_of_no_version_are_proposed_as_no_side(tmp_path: Path) -> None:
    """They may be of several; who names them gets them."""
    ws = copied(tmp_path, "sql-helper")
    known = [column.key for column in outcomes(ws, "sql-helper").columns]
    assert "unassigned" in known
    assert [column.key for column in sides(ws, "sql-helper")] == [
        key for key in known if key != "unassigned"
    ]
    with pytest.raises(UnknownName) as fault:
        side_named(ws, "sql-helper", "d9")
    assert "unassigned" not in str(fault.value)
    assert side_named(ws, "sql-helper", "unassigned").column.version == "unassigned"
