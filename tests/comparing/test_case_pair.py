"""One case side by side: its criteria paired, what became of each, and the judgments to show."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from evalcore.comparing.case_pair import Answers, CriterionPair, criterion_changes
from evalcore.comparing.model import Side
from evalcore.comparing.sides import side_of
from evalcore.tables.rows import Row
from evalcore.workspace.opened import open_workspace
from tests import made
from tests.comparing.judged import opened, side

TABS = "tabs"


def said(
    version: str,
    answers: dict[str, bool | None],
    number: int = 1,
    configuration: str = "-",
    **given: object,
) -> Iterable[Row]:
    """Return one run of the case with its answers to criteria."""
    run_id = f"{TABS}@{version}/{configuration}#{number}"
    yield made.run(
        run_id=run_id,
        case_id=TABS,
        version=version,
        configuration=configuration,
        run=str(number),
        passed=all(answers.values()),
        fraction=0.5,
        judge="judge-a",
    )
    for name, passed in answers.items():
        yield made.judgment(name, passed, run_id=run_id, judge="judge-a", **given)


def brief(pairs: Iterable[CriterionPair]) -> list[tuple[str, str]]:
    """Return name and direction of each pair."""
    return [(pair.criterion, pair.direction) for pair in pairs]


def between(root: Path, a: dict[str, bool | None], b: dict[str, bool | None]) -> tuple[Side, Side]:
    """Return the sides v0 and v1 with one run each."""
    ws = opened(root, said("v0", a), said("v1", b))
    return side(ws, "v0"), side(ws, "v1")


def answers(pair: CriterionPair) -> tuple[Answers, Answers]:
    """Return both sides of a pair that both have."""
    assert pair.a is not None
    assert pair.b is not None
    return pair.a, pair.b


def test_regressed_criteria_stand_first_then_improved_then_the_rest(tmp_path: Path) -> None:
    """What only one side was asked stands between the changes and what is the same."""
    sides = between(
        tmp_path,
        {"steady": True, "up": False, "down": True, "gone": True},
        {"steady": True, "up": True, "down": False, "fresh": True},
    )
    assert brief(criterion_changes(*sides, TABS)) == [
        ("down", "regressed"),
        ("up", "improved"),
        ("gone", "only in A"),
        ("fresh", "only in B"),
        ("steady", "same"),
    ]


def test_several_runs_are_counted_and_their_mean_is_taken(tmp_path: Path) -> None:
    """Three runs, of which one is not scored: its answer counts nowhere but in the runs."""
    ws = opened(
        tmp_path,
        *(said("v0", {"title": passed}, number=n) for n, passed in enumerate([True, False, None])),
        said("v1", {"title": True}),
    )
    (pair,) = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    a, b = answers(pair)
    assert (a.runs, a.answered, a.passed) == (3, 2, 1)
    assert a.value == pytest.approx(0.6)
    assert (a.score, a.max_score, b.runs, b.value) == (3.0, 5.0, 1, 1.0)
    assert pair.direction == "improved"


def test_the_largest_change_stands_first(tmp_path: Path) -> None:
    """Two of two runs lost weigh more than one of two."""
    ws = opened(
        tmp_path,
        *(said("v0", {"half": True, "whole": True}, number=n) for n in (1, 2)),
        *(said("v1", {"half": n == 1, "whole": False}, number=n) for n in (1, 2)),
    )
    found = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    assert [pair.criterion for pair in found] == ["whole", "half"]


def test_the_row_is_what_the_opened_run_says(tmp_path: Path) -> None:
    """Each side's row is a position in its own judgments, of the run that is open there."""
    ws = opened(
        tmp_path,
        *(said("v0", {"title": True}, number=n, rationale=f"run {n}") for n in (1, 2)),
        said("v1", {"title": True}, rationale="new"),
    )
    (pair,) = criterion_changes(
        side(ws, "v0"), side(ws, "v1"), TABS, run_a="tabs@v0/-#2", run_b="tabs@v1/-#1"
    )
    rows = [each.row for each in answers(pair)]
    assert None not in rows
    texts = ws.tables.text("judgments", [row for row in rows if row is not None])
    assert texts["rationale"].tolist() == ["run 2", "new"]


def test_the_run_that_the_grid_opens_is_open_where_none_is_named(tmp_path: Path) -> None:
    """Of a case that failed once, that run is shown."""
    ws = opened(
        tmp_path, *(said("v0", {"title": n == 1}, number=n) for n in (1, 2)), said("v1", {})
    )
    (pair,) = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    assert pair.a is not None
    assert pair.a.row is not None
    assert ws.tables.judgments["run_id"].iloc[pair.a.row] == "tabs@v0/-#2"


def test_a_criterion_in_other_words_is_paired_and_marked(tmp_path: Path) -> None:
    """Between versions likeness pairs; what asks something else stays alone."""
    sides = between(
        tmp_path,
        {"Every field has a label.": True, "The page has a title.": True},
        {"Every field has a label (also dates).": False, "Nothing loads from the network.": True},
    )
    first, *rest = criterion_changes(*sides, TABS)
    assert (first.criterion, first.direction, first.reworded) == (
        "Every field has a label (also dates).",
        "regressed",
        True,
    )
    assert answers(first)[0].words == "Every field has a label."
    assert [pair.direction for pair in rest] == ["only in A", "only in B"]


@pytest.mark.parametrize(("names", "paired"), [(["Heading", "Names"], 2), (["Heading"], 0)])
def test_inside_one_version_the_place_pairs_lists_of_one_length(
    tmp_path: Path, names: list[str], paired: int
) -> None:
    """Two configurations are asked the same in the same order, whatever a grader calls it."""
    ws = opened(
        tmp_path,
        said("v1", {"Title is set": True, "Labels there": False}, configuration="with_skill"),
        said("v1", dict.fromkeys(names, True), configuration="old_skill"),
    )
    found = criterion_changes(side(ws, "v1@old_skill"), side(ws, "v1@with_skill"), TABS)
    assert sum(pair.reworded for pair in found) == paired


def test_a_person_counts_where_people_are_asked_for(tmp_path: Path) -> None:
    """The recorded judge says yes, a person no: whose scores are chosen decides."""
    no = made.judgment("title", False, run_id="tabs@v0/-#1", judge="reviewer", judge_type="human")
    ws = opened(tmp_path, said("v0", {"title": True}), [no], said("v1", {"title": True}))
    sides = side(ws, "v0"), side(ws, "v1")
    recorded, first, human = (
        criterion_changes(*sides, TABS, scores=scores)[0]
        for scores in ("recorded", "human-first", "human")
    )
    assert (recorded.direction, first.direction) == ("same", "improved")
    assert answers(recorded)[0].runs == 1
    assert answers(first)[0].value == pytest.approx(0.2)
    assert (human.direction, answers(human)[1].value) == ("same", None)


def test_conventions_are_left_out(tmp_path: Path) -> None:
    """No rate counts them, so no change of a case is theirs."""
    rule = made.judgment("frontmatter", False, run_id="tabs@v0/-#1", kind="convention")
    ws = opened(tmp_path, said("v0", {"title": True}), [rule], said("v1", {"title": True}))
    found = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    assert brief(found) == [("title", "same")]


def test_a_case_that_one_side_never_ran_is_only_in_the_other(tmp_path: Path) -> None:
    """Two folders, and the case is in one of them."""
    one = opened(tmp_path / "a", said("v0", {"title": True}))
    two = opened(tmp_path / "b", [made.run(version="v0", case_id="links")])
    assert brief(criterion_changes(side(one, "v0"), side(two, "v0"), TABS)) == [
        ("title", "only in A")
    ]
    assert criterion_changes(side(one, "v0"), side(two, "v0"), "nowhere") == ()


def test_a_real_criterion_that_gained_an_example_is_one_criterion(realworld: Path) -> None:
    """Iteration 2 adds the command to the words of one of eight expectations."""
    ws = open_workspace(realworld / "geoffsdesk+gke-upgrades-skill", cache=False)
    a, b = (side_of(ws, "workspace", f"iteration-{n}@with_skill") for n in (1, 2))
    found = criterion_changes(a, b, "stuck-upgrade-troubleshoot")
    assert len(found) == 8
    assert [pair.criterion for pair in found if pair.reworded] == [
        "Provides kubectl command to check PDBs (kubectl get pdb --all-namespaces or similar)"
    ]
