"""One case side by side: its criteria paired, what became of each, and the judgments to show."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from evalcore.comparing.case_pair import (
    Answers,
    CriterionPair,
    changed_between,
    criterion_changes,
    runs_of_change,
)
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


def test_the_value_of_each_run_is_known(tmp_path: Path) -> None:
    """By the run's id; a run that is not scored has none."""
    ws = opened(
        tmp_path,
        *(said("v0", {"title": passed}, number=n) for n, passed in enumerate([True, False, None])),
        said("v1", {"title": True}),
    )
    a, b = answers(*criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS))
    assert list(a.by_run) == ["tabs@v0/-#0", "tabs@v0/-#1"]
    assert [one.passed for one in a.by_run.values()] == [1, 0]
    assert a.by_run["tabs@v0/-#0"] == b.by_run["tabs@v1/-#1"] > a.by_run["tabs@v0/-#1"]


def test_a_change_is_shown_by_runs_between_which_it_happened(tmp_path: Path) -> None:
    """A passing run of A against a failing one of B; of several the one that shows more changes."""
    ws = opened(
        tmp_path,
        said("v0", {"first": False, "second": True}, number=1),
        said("v0", {"first": True, "second": False}, number=2),
        said("v0", {"first": True, "second": True}, number=3),
        said("v1", {"first": True, "second": False}, number=1),
        said("v1", {"first": False, "second": False}, number=2),
    )
    found = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    first = next(pair for pair in found if pair.criterion == "first")
    runs = runs_of_change(first, *found)
    assert runs == ("tabs@v0/-#3", "tabs@v1/-#2")
    assert changed_between(first, *runs)
    assert not changed_between(first, "tabs@v0/-#1", "tabs@v1/-#2")
    assert not changed_between(first, "tabs@v0/-#1", "tabs@v1/-#1")
    assert not changed_between(first, None, "tabs@v1/-#1")


def test_a_change_of_passing_is_not_shown_by_runs_that_both_pass(tmp_path: Path) -> None:
    """Though their scores differ: 3 of 5 and 5 of 5 pass both."""
    ws = opened(
        tmp_path,
        said("v0", {"title": False}, number=1, fraction=0.2),
        said("v0", {"title": True}, number=2, fraction=0.6),
        said("v1", {"title": True}, fraction=1.0),
    )
    (pair,) = criterion_changes(side(ws, "v0"), side(ws, "v1"), TABS)
    assert not changed_between(pair, "tabs@v0/-#2", "tabs@v1/-#1")
    assert changed_between(pair, "tabs@v0/-#1", "tabs@v1/-#1")
    assert runs_of_change(pair) == ("tabs@v0/-#1", "tabs@v1/-#1")


def test_what_did_not_change_names_no_runs(tmp_path: Path) -> None:
    """Nor what only one side was asked."""
    sides = between(tmp_path, {"steady": True, "gone": True}, {"steady": True, "fresh": True})
    assert runs_of_change(*criterion_changes(*sides, TABS)) is None


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
