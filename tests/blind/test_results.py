"""Results of a closed study: who won, each case once, and what could have misled judges."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import fmean

import pytest
from msgspec.structs import replace

from evalcore.blind.results import Counts, Results, results
from evalcore.blind.unblinding import Place, Unblinded, Won
from evalcore.families.reviews.models import BlindPair
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import ENOUGH
from evalcore.views.blind.results import headline
from evalcore.workspace.opened import Workspace
from tests.blind.null_studies import COIN, LEFT, Says, folder, share_above, studied
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


BEGUN = datetime(2026, 11, 1, tzinfo=UTC)


def said(
    of: BlindPair,
    won: Won,
    judge: str = "ana",
    *,
    a: Place = "left",
    knows: bool = False,
    minute: int = 0,
) -> Unblinded:
    """Return a verdict that was first given so many minutes after the study began."""
    scores, at = {"clarity": (2.0, 4.0)}, BEGUN + timedelta(minutes=minute)
    return Unblinded("v", of, judge, won, scores, "Better.", knows, a, at.isoformat(), at)


@pytest.fixture
def study(ws: Workspace) -> Study:
    """A study that scores clarity among others."""
    return created(ws, ANA, criteria="description")


def found(study: Study, verdicts: Sequence[Unblinded], *more: BlindPair) -> Results:
    """Return the results of a study of exactly these pairs; B's outputs are longer."""
    pairs = list({each.pair.pair: each.pair for each in verdicts}.values())
    fields = replace(study.fields, pairs=[*pairs, *more])
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
    """Three judges on two runs of it: the case counts once, with the mean preference."""
    votes: list[tuple[str, Won]] = [("ana", "b"), ("ben", "b"), ("cem", "a")]
    verdicts = [said(pair(number, "one"), won, judge) for number in (1, 2) for judge, won in votes]
    one = found(study, verdicts)
    assert one.counts == Counts(2, 4, 0, 0)
    assert [case.preference for case in one.cases] == [pytest.approx(4 / 6)]
    assert one.rate is not None
    assert one.rate.value == pytest.approx(4 / 6)
    assert one.rate.error is None
    assert (one.agreeing, one.compared) == (2, 6)


VOTES: dict[str, tuple[Won, Won, Won]] = {
    "none": ("a", "a", "a"), "one": ("b", "a", "a"), "two": ("b", "b", "a"),
    "three": ("b", "b", "b"), "ties": ("tie", "tie", "b"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("cases", "word", "rate"),
    [
        (("two",) * 13 + ("none",) * 12, "worse", "35 %"),
        (("three",) * 4 + ("two",) * 3 + ("ties",) * 3, "better", "80 %"),
        (("one", "one", "ties", "two", "none"), "can't tell", "40 %"),
    ],
)
def test_the_win_rate_is_the_mean_preference_of_the_cases(
    study: Study, cases: Sequence[str], word: str, rate: str
) -> None:
    """In sentence, table and numbers, whatever the majority of each case says."""
    told = found(study, [
        said(pair(number), won, judge)
        for number, votes in enumerate(cases)
        for judge, won in zip(("ana", "ben", "cem"), VOTES[votes], strict=True)
    ])  # fmt: skip
    assert told.rate is not None
    assert told.verdict is not None
    assert told.rate.value == pytest.approx(fmean(case.preference for case in told.cases))
    assert told.rate.value - 0.5 == pytest.approx((told.verdict.difference or 0) / 2)
    assert (told.verdict.word, f"B is preferred in {rate} (mean over" in headline(told)) == (
        word, True,
    )  # fmt: skip


def test_the_evidence_sees_the_cases_in_the_order_of_their_first_verdict(study: Study) -> None:
    """Ten for each in turn tell nothing; the same, first all of one, would be 93 to 1."""
    in_turn = [said(pair(n), "ab"[n % 2], minute=n) for n in range(20)]  # type: ignore[arg-type]
    assert found(study, in_turn[::-1]).evidence == pytest.approx(1.0)
    sorted_out = [each._replace(since=BEGUN) for each in in_turn if each.won == "a"]
    assert found(study, [*sorted_out, *in_turn[1::2]]).evidence > ENOUGH


CHANCE: dict[str, tuple[tuple[Says, ...], bool]] = {
    "one judge": ((COIN,), False),
    "two judges": ((COIN, COIN), False),
    "a judge who prefers the left": ((LEFT,), False),
    "a judge who corrects half": ((COIN,), True),
}


@pytest.mark.parametrize("judges", CHANCE)
def test_chance_is_rarely_evidence_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, judges: str
) -> None:
    """Whole studies of 20 cases, created, judged and closed; docs/statistics.md has more of them.

    In the order of what was said nearly all would be, which 1 in 20 may be.
    """
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "state"))
    ws, (says, again) = folder(tmp_path / "ws", 20), CHANCE[judges]
    told = [studied(ws, seed, *says, again=again) for seed in range(6)]
    assert share_above(told, ENOUGH) <= 1 / 6


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
    flat = [replace(each, high=each.low) for each in study.fields.criteria]
    fields = replace(study.fields, criteria=flat)
    assert results(study._replace(fields=fields), six, lambda _: None).scores == ()


def test_without_verdicts_nothing_is_told(study: Study) -> None:
    """No rate, no verdict."""
    told = found(study, [], pair(1))
    assert (told.rate, told.verdict, told.p, told.cases) == (None, None, None, ())
