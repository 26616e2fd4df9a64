"""Faults of criteria: what shows each of them, and from how many observations on."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.quality import Finding, findings
from evalcore.tables.rows import Row
from tests import made
from tests.rubrics.rated import Scores, judged, rated


def found(ws: Workspace) -> dict[tuple[str, str], Finding]:
    """Return the findings by criterion and fault."""
    names = criterion_cells(ws, made.SUITE).criteria
    return {(names[one.criterion].name, one.fault): one for one in findings(ws, made.SUITE)}


def faults(root: Path, scores: Scores, **scale: float) -> dict[str, Finding]:
    """Return the findings of the only criterion by fault."""
    return {fault: one for (_, fault), one in found(rated(root, scores, **scale)).items()}  # type: ignore[arg-type]


def cases(*scores: float, column: str = "v0") -> Scores:
    """Return one run of each of several cases."""
    return {column: {f"c{at}": [score] for at, score in enumerate(scores)}}


@pytest.mark.parametrize(("n", "stated"), [(4, False), (5, True)])
def test_what_always_gets_one_score_is_said_from_five_judgments_on(
    tmp_path: Path, n: int, stated: bool
) -> None:
    """The highest never fails, the lowest never passes, any other is always the same."""
    for score, fault in ((5, "never fails"), (1, "never passes"), (4, "same score")):
        known = faults(tmp_path, cases(*[score] * n))
        assert (fault in known) is stated
        if stated:
            assert (known[fault].found, known[fault].n) == (n, n)
    assert not faults(tmp_path, cases(5, 5, 5, 5, 4))


def test_the_score_that_is_always_given_is_on_its_scale(tmp_path: Path) -> None:
    """4 of 5, not .8; 0 of 0 to 1 is the lowest."""
    assert faults(tmp_path, cases(4, 4, 4, 4, 4))["same score"].words == "4"
    assert "never passes" in faults(tmp_path, cases(0, 0, 0, 0, 0), least=0, top=1)


def repeated(*runs: list[float]) -> Scores:
    """Return several runs of each of several cases."""
    return {"v0": {f"c{at}": list(given) for at, given in enumerate(runs)}}


@pytest.mark.parametrize(
    ("runs", "unstable"),
    [
        (repeated([3, 4], [3, 3]), (1, 2)),
        (repeated([3, 3.9], [3, 3]), None),  # less than a step of the scale
        (repeated([3, 5]), None),  # one case may be the hard one
        (repeated([3, 4], [3, 3], [3, 3], [3, 3]), (1, 4)),
        (repeated([3, 4], [3, 3], [3, 3], [3, 3], [3, 3]), None),
        (repeated([3], [5]), None),  # cases may differ
    ],
)
def test_a_criterion_is_unstable_where_runs_of_a_case_differ(
    tmp_path: Path, runs: Scores, unstable: tuple[int, int] | None
) -> None:
    """By a quarter of the scale or more, in a quarter of at least two repeated cases."""
    one = faults(tmp_path, runs).get("unstable")
    assert (None if one is None else (one.found, one.n)) == unstable


def both(with_: list[float], without: list[float]) -> Scores:
    """Return one version with and without the skill."""
    return cases(*with_, column="v0@with_skill") | cases(*without, column="v0@without_skill")


@pytest.mark.parametrize(
    ("with_", "without", "fault"),
    [
        ([3, 4, 5], [3, 4, 5], "no contrast"),
        ([3, 4, 5], [3, 4, 4.5], "no contrast"),  # .1 of a scale of 4 is .025
        ([3, 4, 5], [3, 4, 4.4], None),  # .05 of the scale
        ([3, 4], [3, 4], None),  # two cases are too few
        ([3, 3, 5], [4, 4, 5], "inverted"),
        ([3, 4, 5], [4, 4, 5], None),  # one case more is chance
        ([5, 5, 5], [1, 2, 3], None),
    ],
)
def test_sides_are_told_apart_or_not(
    tmp_path: Path, with_: list[float], without: list[float], fault: str | None
) -> None:
    """Over the cases that a version was run on with and without the skill, from three on."""
    known = faults(tmp_path, both(with_, without))
    assert {"no contrast", "inverted"} & known.keys() == ({fault} if fault else set())
    if fault:
        assert known[fault].n == 3
        assert known[fault].sides == pytest.approx((sum(with_) / 15, sum(without) / 15))


def test_sides_are_paired_within_a_version(tmp_path: Path) -> None:
    """With the skill in one version and without it in another are no pair."""
    ws = rated(
        tmp_path,
        cases(3, 4, 5, column="v0@with_skill") | cases(3, 4, 5, column="v1@without_skill"),
    )
    assert not found(ws)


def test_what_never_fails_is_not_said_twice(tmp_path: Path) -> None:
    """It cannot tell anything apart: the cause is named, not its consequence."""
    assert list(faults(tmp_path, both([5, 5, 5], [5, 5, 5]))) == ["never fails"]


def by_person(run: str, score: float) -> Row:
    """Return a person's score of `tone`."""
    return made.judgment(
        "tone",
        None,
        run_id=run,
        score=score,
        fraction=score / 5,
        judge="ana",
        judge_type="human",
        status="scored",
        source=f"reviews/eval-judgment/{run}.json",
    )


@pytest.mark.parametrize(
    ("mine", "apart"),
    [
        ([3, 4, 3], (1, 3)),  # 3 and 5 are .4 apart
        ([4, 4, 3], None),  # one step is no disagreement
        ([2, 4], None),  # two runs are too few
        ([2, 4, 3, 3], (1, 4)),
        ([2, 4, 3, 3, 3], None),  # one of five
    ],
)
def test_people_disagree_where_a_quarter_of_their_scores_is_apart(
    tmp_path: Path, mine: list[float], apart: tuple[int, int] | None
) -> None:
    """By more than a fifth of the highest score, in runs that both judged."""
    recorded = [5, 4, 3, 3, 3][: len(mine)]
    more = [by_person(f"v0-c{at}-0", score) for at, score in enumerate(mine)]
    one = found(rated(tmp_path, cases(*recorded), *more)).get(("tone", "people disagree"))
    assert (None if one is None else (one.found, one.n)) == apart


def test_a_vague_wording_is_quoted_unless_anchors_explain_it(tmp_path: Path) -> None:
    """The description counts where there is one; structural checks are run by machines."""
    plain = made.criterion("tone", description="The answer is polished")
    anchored = plain._replace(guide='{"1": "rude", "5": "kind"}')
    measured = plain._replace(description="The answer is polished in at most 3 lines")
    assert found(rated(tmp_path, cases(2, 4), plain))[("tone", "vague")].words == "polished"
    assert not found(rated(tmp_path, cases(2, 4), anchored))
    assert not found(rated(tmp_path, cases(2, 4), measured))


def test_excluded_and_unfinished_runs_show_no_fault(tmp_path: Path) -> None:
    """What does not count in the rates does not count here."""
    ws = rated(
        tmp_path,
        cases(5, 5, 5, 5),
        made.run(run_id="lost", case_id="c4", version="v0", status="infrastructure_error"),
        judged("lost", "tone", 5),
    )
    assert not found(ws)


def test_without_scores_there_is_nothing(tmp_path: Path) -> None:
    """An empty suite has no faults, and no failure either."""
    assert not findings(rated(tmp_path, {}), made.SUITE)
