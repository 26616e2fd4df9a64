"""Results of a closed study: who won, each case once, and what could have misled judges."""

from collections.abc import Sequence

import pytest

from evalcore.blind.results import Counts, Results, results
from evalcore.blind.unblinding import Place, Unblinded, Won
from evalcore.families.reviews.blind_models import BlindPair
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace
from tests.blind.study import created
from tests.judging.copies import ANA

OTHER: dict[Place, Place] = {"left": "right", "right": "left"}


def pair(number: int, case: str | None = None, *, alike: bool = False) -> BlindPair:
    """Return a pair of a case of its own, or of a named one."""
    return BlindPair(
        pair=f"p{number:03}",
        case_id=case or f"case-{number}",
        run_a=f"a{number}",
        run_b=f"b{number}",
        output_a="a" * 64,
        output_b=("a" if alike else "b") * 64,
    )


def said(
    of: BlindPair, won: Won, judge: str = "ana", *, a: Place = "left", knows: bool = False
) -> Unblinded:
    """Return a verdict."""
    scores = {"clarity": (2.0, 4.0)}
    return Unblinded("v", of, judge, won, scores, "Better.", knows, a, "2026-11-01T00:00:00Z")


@pytest.fixture
def study(ws: Workspace) -> Study:
    """A study that scores clarity among others."""
    return created(ws, ANA, criteria="description")


def found(study: Study, verdicts: Sequence[Unblinded], *more: BlindPair) -> Results:
    """Return the results of a study of exactly these pairs; B's outputs are longer."""
    pairs = list({each.pair.pair: each.pair for each in verdicts}.values())
    fields = study.fields.model_copy(update={"pairs": [*pairs, *more]})
    return results(study._replace(fields=fields), verdicts, lambda run: 9 if run[0] == "b" else 5)


def test_eight_cases_for_b_are_better_and_safe_to_stop(study: Study) -> None:
    """In the words of every verdict; seven are better, and not yet safe."""
    eight = found(study, [said(pair(number), "b") for number in range(8)])
    assert eight.verdict is not None
    assert (eight.verdict.word, eight.verdict.difference) == ("better", 1.0)
    assert eight.rate == (1.0, 0.0)
    assert eight.p == pytest.approx(2 / 2**8)
    assert eight.evidence > 20
    seven = found(study, [said(pair(number), "b") for number in range(7)])
    assert seven.evidence < 20


def test_five_cases_for_a_can_not_tell(study: Study) -> None:
    """Five of five is p .0625."""
    assert found(study, [said(pair(n), "a") for n in range(5)]).verdict.word == "can't tell"  # type: ignore[union-attr]


def test_many_verdicts_on_one_case_are_one_case(study: Study) -> None:
    """Three judges on two runs of it: the case counts once, for the majority."""
    votes: list[tuple[str, Won]] = [("ana", "b"), ("ben", "b"), ("cem", "a")]
    verdicts = [said(pair(number, "one"), won, judge) for number in (1, 2) for judge, won in votes]
    one = found(study, verdicts)
    assert one.counts == Counts(2, 4, 0, 0)
    assert [case.preference for case in one.cases] == [pytest.approx(4 / 6)]
    assert one.rate == (1.0, None)
    assert (one.agreeing, one.compared) == (2, 6)


def test_who_knew_is_set_apart(study: Study) -> None:
    """Their verdicts change nothing else."""
    verdicts = [said(pair(1), "a"), said(pair(2), "b", knows=True)]
    told = found(study, verdicts)
    assert told.known == Counts(0, 1, 0, 0)
    assert told.counts == Counts(1, 0, 0, 0)
    assert [case.case_id for case in told.cases] == ["case-1"]


def test_both_bad_is_half_and_told_apart(study: Study) -> None:
    """Like a tie for the rate."""
    told = found(study, [said(pair(1), "both bad"), said(pair(2), "tie")])
    assert told.counts == Counts(0, 0, 1, 1)
    assert told.rate == (0.5, 0.0)
    assert told.p is None


def test_identical_outputs_are_a_tie_unless_judged(study: Study) -> None:
    """Once judged, what was said counts."""
    told = found(study, [said(pair(1), "b")], pair(2, alike=True))
    assert told.identical == 1
    assert told.rate is not None
    assert told.rate.value == 0.75
    judged = found(study, [said(pair(2, alike=True), "b")])
    assert judged.identical == 0
    assert judged.rate == (1.0, None)


def test_where_it_stood_and_how_long_it_was(study: Study) -> None:
    """The left output won in two of three; the longer, B, in one."""
    verdicts = [
        said(pair(1), "a", a="left"),
        said(pair(2), "a", a="right"),
        said(pair(3), "b", a="right"),
        said(pair(4), "tie"),
    ]
    told = found(study, verdicts)
    assert told.left[:2] == (2, 3)
    assert told.longer[:2] == (1, 3)


def test_outputs_of_one_length_say_nothing_of_length(study: Study) -> None:
    """Nor do those that are gone."""
    for size in (5, None):
        told = results(study, [said(study.fields.pairs[0], "a")], lambda _, size=size: size)  # type: ignore[misc]
        assert told.longer == (0, 0, None)


def test_scores_are_means_of_each_side(study: Study) -> None:
    """Of the criteria that the study has."""
    told = found(study, [said(pair(1), "a"), said(pair(2), "b", knows=True)])
    (clarity,) = told.scores
    assert clarity[:4] == ("clarity", 2.0, 4.0, 1)
    assert clarity.verdict.word == "can't tell"


def test_a_criterion_is_told_by_its_cases_and_held_to_a_stricter_level(study: Study) -> None:
    """Six cases that agree are enough for one criterion, and not for each of three.

    Two verdicts on a case are one observation; a scale without room tells nothing.
    """
    six = [said(pair(number), "b") for number in range(6)]
    (one,) = found(study, six).scores
    assert one.verdict.word == "better"
    three = dict.fromkeys(("accuracy", "completeness", "clarity"), (2.0, 4.0))
    several = found(study, [each._replace(scores=three) for each in six]).scores
    assert [each.verdict.word for each in several] == ["can't tell"] * 3
    (twice,) = found(study, [*six[:3], *six[:3]]).scores
    assert (twice.verdicts, twice.verdict.word) == (6, "can't tell")
    flat = [each.model_copy(update={"high": each.low}) for each in study.fields.criteria]
    fields = study.fields.model_copy(update={"criteria": flat})
    assert results(study._replace(fields=fields), six, lambda _: None).scores == ()


def test_without_verdicts_nothing_is_told(study: Study) -> None:
    """No rate, no verdict."""
    told = found(study, [], pair(1))
    assert (told.rate, told.verdict, told.p, told.cases) == (None, None, None, ())
