"""A comparison with the judge's error in it: when it is told, and when it is refused."""

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Side
from evalcore.counting.outcomes import Column
from evalcore.judging.answering.independent import Judges, drawn, start_batch
from evalcore.judging.model import Asked
from evalcore.judging.queueing.batches import runs_to_draw
from evalcore.validating.compared import JudgeError, judge_error
from evalcore.workspace.opened import Workspace
from tests.judging.copies import ANA, BEN, NOTES
from tests.validating.labels import label, now, same, sample, wrong_at
from tests.validating.test_trust import stated


def sides(ws: Workspace, *versions: str) -> tuple[Side, Side]:
    """Return two versions as they are on the disk now."""
    at = now(ws)
    a, b = (Side(at, NOTES, Column(version, "-")) for version in versions)
    return a, b


def error(ws: Workspace, a: str = "v0", b: str = "v3") -> JudgeError:
    """Return the judge's error in a comparison."""
    return judge_error(*sides(ws, a, b))


def test_a_judge_that_is_right_leaves_the_word(ws: Workspace) -> None:
    """The difference stays about as it was, and the interval is no narrower."""
    for version in ("v0", "v3"):
        label(ws, sample(ws, ANA, 12, version), ANA, same)
    found, plain = error(ws), compare(*sides(ws, "v0", "v3")).verdict
    assert plain is not None
    assert plain.difference is not None
    assert (found.why, found.labels) == ("", (12, 12))
    assert found.rate is not None
    assert found.rate.value == pytest.approx(plain.difference, abs=0.06)
    assert found.word == plain.word == "better"


def test_a_judge_that_errs_can_take_the_word_away(ws: Workspace) -> None:
    """People see failures that it passed: the difference shrinks, and the word goes."""
    label(ws, sample(ws, ANA, 12, "v0"), ANA, same)
    label(ws, sample(ws, ANA, 12, "v3"), ANA, wrong_at(0.45))
    found, plain = error(ws), compare(*sides(ws, "v0", "v3")).verdict
    assert plain is not None
    assert plain.difference is not None
    assert found.rate is not None
    assert found.rate.value < plain.difference - 0.15
    assert (plain.word, found.word) == ("better", "can't tell")


def test_labels_alone_make_no_word(ws: Workspace) -> None:
    """Where the verdict can't tell, it stays so, though people fail all of A."""

    def fails(run: str, of: Asked, score: float) -> float:
        return min(same(run, of, score), of.low)

    label(ws, sample(ws, ANA, 16, "v1"), ANA, fails)
    label(ws, sample(ws, ANA, 16, "v3"), ANA, same)
    plain, found = compare(*sides(ws, "v1", "v3")).verdict, error(ws, "v1", "v3")
    assert plain is not None
    assert plain.word == "can't tell"
    assert found.rate is not None
    assert found.rate.low > 0.2
    assert found.word == "can't tell"


def test_without_a_sample_it_is_refused(ws: Workspace) -> None:
    """Of the side that has none; then of the one that is not judged whole."""
    assert (error(ws).why, error(ws).side) == ("none", "A")
    label(ws, sample(ws, ANA, 12, "v0"), ANA, same)
    assert (error(ws).why, error(ws).side) == ("none", "B")
    runs = sample(ws, ANA, 12, "v3")
    label(ws, runs[:-1], ANA, same)
    assert (error(ws).why, error(ws).side, error(ws).rate) == ("open", "B", None)


def test_a_score_that_saw_others_spoils_the_sample(ws: Workspace) -> None:
    """Its run's value is no blind one any more."""
    for version in ("v0", "v3"):
        label(ws, sample(ws, ANA, 12, version), ANA, same)
    assert error(ws).rate is not None
    for run in runs_to_draw(ws, NOTES, ["v3"]):
        label(ws, [run], BEN, same, blind=False)
    assert error(ws).why == "not blind"


def test_few_labelled_runs_are_refused(ws: Workspace) -> None:
    """Ten runs of eight cases on each side are the least; the sentence says how many there are."""
    label(ws, sample(ws, ANA, 9, "v0"), ANA, same)
    label(ws, sample(ws, ANA, 12, "v3"), ANA, same)
    assert (error(ws).why, error(ws).labels) == ("few", (9, 12))


def test_other_scores_and_other_judges_are_refused(ws: Workspace) -> None:
    """People's scores have no error of a model; two judges have no error in common."""
    assert judge_error(*sides(ws, "v0", "v3"), "human").why == "people"
    stated(ws, lambda name: ("b" if "_v3_" in name else "c") * 64)
    at = now(ws)
    for version in ("v0", "v3"):
        label(at, sample(at, ANA, 12, version), ANA, same)
    assert error(at).why == "other judge"


def test_several_instructions_on_one_side_are_refused(ws: Workspace) -> None:
    """Nobody knows whose error it would be."""
    stated(ws, lambda name: ("b" if name.endswith("run1") else "c") * 64)
    at = now(ws)
    assert (error(at, "v1", "v3").why, error(at, "v1", "v3").side) == ("several judges", "A")


def test_a_sample_of_both_sides_at_once_serves_both(ws: Workspace) -> None:
    """One draw of all runs of two versions is a sample of each."""
    runs = runs_to_draw(ws, NOTES, ["v0", "v3"])
    draw = drawn(runs, len(runs) - 4)
    start_batch(ws, draw, Judges((ANA.id,)), BEN)
    label(ws, draw.runs, ANA, same)
    assert error(ws).why in ("", "few")
