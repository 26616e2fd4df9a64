"""The ranking of several sides by the closed studies of a suite."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from evalcore.blind.closing import close
from evalcore.blind.creating import Design, create_study
from evalcore.blind.judging import Answer, give_verdict, open_task, tasks
from evalcore.blind.keys import keep_secret
from evalcore.blind.proposing import propose, side_named
from evalcore.blind.ranking import Ranks, may_see, ranks
from evalcore.families.reviews.review import Winner
from evalcore.judging.answering.independent import Judges
from evalcore.judging.hiding import studies
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.statistics.ranking import Ranked, Ranking
from evalcore.views.blind.ranking import ranking_blocks, ranking_lines, why_none
from evalcore.views.blocks.page import Say, Table
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, SUPPORT, copied

OLD, NEXT, NEW = (f"support-reply@1.{minor}.0" for minor in range(3))


@pytest.fixture
def support(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """A suite of which three versions have outputs of the same five cases."""
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    return copied(tmp_path / "ws", SUPPORT)


def created(ws: Workspace, a: str, b: str) -> Study:
    """Create a study for Ana."""
    proposal = propose(*(side_named(ws, SUPPORT, name) for name in (a, b)), chance=Random(1))
    made = create_study(ws, SUPPORT, proposal, Design((), Judges((ANA.id,))), BEN).id
    return next(each for each in studies(ws, SUPPORT) if each.id == made)


def compared(ws: Workspace, a: str, b: str, for_b: int, *, closed: bool = True) -> Study:
    """Create a study in which B wins so many of five cases, and A the others."""
    study = created(ws, a, b)
    for at, task in enumerate(tasks(study, ANA)):
        opened = open_task(ws, study, ANA, task)
        is_b_left = opened.left == opened.pair.run_b
        better: Winner = "left" if is_b_left == (at < for_b) else "right"
        give_verdict(ws, study, opened, Answer(better, {}, "Better."), ANA, new_id())
    if closed:
        close(ws, study, BEN)
    return study


def found(ws: Workspace) -> Ranks:
    """Return the ranking of the suite."""
    known = ranks(studies(ws, SUPPORT))
    assert known is not None
    return known


def test_two_sides_are_not_ranked(support: Workspace) -> None:
    """Nor is what open studies have so far."""
    compared(support, OLD, NEXT, 3)
    compared(support, NEXT, NEW, 3, closed=False)
    assert ranks(studies(support, SUPPORT)) is None


def test_three_sides_are_ranked_by_their_cases(support: Workspace) -> None:
    """Each case counts once for both sides of its study."""
    compared(support, OLD, NEXT, 3)
    compared(support, NEXT, NEW, 4)
    known = found(support)
    assert [side.name for side in known.ranking.sides] == [NEW, NEXT, OLD]
    assert known.cases == {OLD: 5, NEXT: 10, NEW: 5}
    assert (known.studies, known.untold) == (2, 0)
    strengths = {side.name: side.strength for side in known.ranking.sides}
    # The chain is saturated: each step is the logit of its own study.
    assert strengths[NEXT] - strengths[OLD] == pytest.approx(0.405465)
    assert strengths[NEW] - strengths[NEXT] == pytest.approx(1.386294)


def test_a_study_without_its_key_is_counted_apart(support: Workspace) -> None:
    """It tells nothing."""
    compared(support, OLD, NEXT, 3)
    compared(support, NEXT, NEW, 4)
    lost = compared(support, OLD, NEW, 4, closed=False)
    keep_secret(lost.id, bytes(32))
    close(support, lost, BEN, without_key=True)
    known = found(support)
    assert (known.studies, known.untold) == (2, 1)
    assert ranking_lines(known)[-1] == "1 study left out: closed without revealing which was which."


def test_a_study_that_nobody_judged_is_not_counted(support: Workspace) -> None:
    """It says nothing of its sides."""
    compared(support, OLD, NEXT, 3)
    compared(support, NEXT, NEW, 4)
    close(support, created(support, OLD, NEW), BEN)
    known = found(support)
    assert (known.studies, known.untold) == (2, 0)
    assert known.cases == {OLD: 5, NEXT: 10, NEW: 5}


def test_who_lost_nothing_is_named_instead_of_ranked(support: Workspace) -> None:
    """A number would be invented."""
    compared(support, OLD, NEXT, 3)
    compared(support, NEXT, NEW, 5)
    known = found(support)
    assert known.ranking.sides == ()
    assert ranking_lines(known)[0].startswith(f"No ranking: {NEW} lost nothing to {OLD}, {NEXT}")


def test_what_no_study_connects_is_said() -> None:
    """With what to do."""
    ranking = Ranking(groups=(("a", "b"), ("c", "d")), connected=False)
    assert why_none(ranking) == (
        "No ranking: no study compares a, b with c, d. Create one that does."
    )


def test_several_who_lost_nothing_are_named_together() -> None:
    """Whatever they lost to each other."""
    assert why_none(Ranking(groups=(("a", "b"), ("d",), ("c",)))) == (
        "No ranking: a, b lost nothing to d, c, so their strengths have no finite value. "
        "More cases may tell how far they are ahead."
    )


def test_who_has_pairs_left_to_compare_may_not_see_it(support: Workspace) -> None:
    """Others may, and so may they once nothing is left."""
    compared(support, OLD, NEXT, 3)
    study = created(support, NEXT, NEW)
    assert not may_see(studies(support, SUPPORT), ANA)
    assert may_see(studies(support, SUPPORT), BEN)
    assert may_see(studies(support, SUPPORT), None)
    close(support, study, BEN)
    assert may_see(studies(support, SUPPORT), ANA)


def test_the_words_say_what_errors_assume() -> None:
    """On the page and in the terminal."""
    known = Ranks(Ranking((Ranked("v2", 1.0, 0.5), Ranked("v1", -1.0, 0.5))), Counter(), 2, 0)
    said = ranking_blocks(known)[2]
    assert isinstance(said, Say)
    for text in (said.text, ranking_lines(known)[-1]):
        assert "a tie half for each; ranges and errors take cases as independent" in text


def test_the_table_has_chance_range_strength_and_cases() -> None:
    """In the order of strength."""
    known = Ranks(
        Ranking((Ranked("v2", 1.0986123, 0.5), Ranked("v1", -1.0986123, 0.5))),
        Counter({"v1": 7, "v2": 8}), 2, 0,
    )  # fmt: skip
    table = ranking_blocks(known)[1]
    assert isinstance(table, Table)
    cells = [[(cell.text, cell.sub) for cell in row.cells] for row in table.rows]
    assert cells[0] == [
        ("1", ""), ("v2", ""), ("75 %", "53 % to 89 %"), ("1.10", "± 0.50"), ("8", ""),
    ]  # fmt: skip
    assert [cell for cell, _ in cells[1]][:3] == ["2", "v1", "25 %"]
