"""The criteria of the compared cases, each over what its run's own judge says of it."""

from itertools import product
from pathlib import Path
from typing import Final

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison
from evalcore.counting.people import Scores
from evalcore.tables.rows import JudgmentRow, Row, RunScoreRow
from tests import made
from tests.comparing.judged import judged, side
from tests.comparing.judged import opened as judged_in
from tests.comparing.sided import run_id, sides

CASES: Final = [f"case-{n}" for n in range(8)]


def told(root: Path, *judgments: Row, scores: Scores = "recorded") -> Comparison:
    """Return what a comparison of two cases says, whose runs the judge `model` scored."""
    runs = [
        made.run(
            run_id=run_id(case, version), case_id=case, version=version, passed=True, judge="model"
        )
        for case in ("x", "y")
        for version in ("v0", "v1")
    ]
    suite = made.suite()._replace(headline="share of runs passed")
    versions = made.version("v0", 0), made.version("v1", 1)
    return compare(*sides(made.workspace(root, suite, *versions, *runs, *judgments)), scores)


def said(case: str, version: str, judge: str, **given: object) -> JudgmentRow:
    """Return what one judge says of the criterion `tone` of a run."""
    return made.judgment("tone", None, run_id=run_id(case, version), judge=judge, **given)


def test_a_person_s_score_does_not_count_among_the_recorded_ones(tmp_path: Path) -> None:
    """A run that a person judged too is one run, with the score of its own judge."""
    found = told(
        tmp_path,
        said("x", "v0", "a person", fraction=0.0, judge_type="human"),
        said("x", "v0", "model", fraction=0.8),
        said("x", "v1", "model", fraction=0.8),
        said("x", "v1", "a person", fraction=0.2, judge_type="human"),
        said("y", "v0", "model", fraction=0.6),
        said("y", "v1", "model", fraction=0.6),
    )
    (tone,) = found.slices
    assert (tone.a.value, tone.b.value) == (0.7, 0.7)
    assert (tone.a.runs, tone.b.runs, tone.up, tone.down) == (2, 2, 0, 0)


def test_who_alone_judged_a_criterion_counts(tmp_path: Path) -> None:
    """Where the run's own judge says nothing of a criterion, the first who does counts."""
    found = told(
        tmp_path,
        *(said("x", version, "a person", fraction=0.4) for version in ("v0", "v1")),
        *(said("y", version, "model", fraction=0.6) for version in ("v0", "v1")),
    )
    (tone,) = found.slices
    assert (tone.a.value, tone.a.runs) == (0.5, 2)


def test_a_criterion_scored_beyond_its_scale_is_not_scored(tmp_path: Path) -> None:
    """A score of 9 of 5 is left out; the criterion is held over the other case."""
    found = told(
        tmp_path,
        said("x", "v0", "model", fraction=1.8),
        *(said("x", "v1", "model", fraction=1.0) for _ in range(1)),
        *(said("y", version, "model", fraction=0.6) for version in ("v0", "v1")),
    )
    (tone,) = found.slices
    assert (tone.a.cases, tone.a.value, tone.b.value) == (1, 0.6, 0.6)


def test_by_people_a_criterion_is_the_median_of_those_who_judged_it(tmp_path: Path) -> None:
    """Of 2 and 4 of 5 it is 3; where nobody judged, people first takes what is recorded."""
    review = "reviews/eval-judgment/x.json"
    people = [
        said(
            case,
            version,
            who,
            fraction=score / 5,
            judge_type="human",
            source=review,
            status="scored",
        )
        for case in ("x", "y")
        for version, scores in (("v0", (2, 4)), ("v1", (5, 5)))
        for who, score in zip(("ann", "bo"), scores, strict=True)
    ]
    recorded = [
        said(case, version, "model", fraction=0.8)
        for case in ("x", "y")
        for version in ("v0", "v1")
    ]
    whole = [
        made.row(
            RunScoreRow,
            run_id=run_id(case, version),
            judge="ann",
            judge_type="human",
            score=1.0,
            max_score=1.0,
            passed=True,
            judged=1,
            expected=1,
        )
        for case in ("x", "y")
        for version in ("v0", "v1")
    ]
    (tone,) = told(tmp_path, *recorded, *people, *whole, scores="human").slices
    assert tone.a.value == pytest.approx(0.6)
    assert (tone.b.value, tone.up) == (1.0, 2)
    (tone,) = told(tmp_path, *recorded, *people, *whole).slices
    assert (tone.a.value, tone.b.value) == (0.8, 0.8)
    half = [one for one in people if one.run_id == run_id("x", "v0")]
    (tone,) = told(tmp_path, *recorded, *half, scores="human-first").slices
    assert tone.a.value == pytest.approx(0.7)
    assert tone.b.value == pytest.approx(0.8)


def test_a_criterion_that_two_folders_define_differently_is_no_slice(tmp_path: Path) -> None:
    """Its name is the same on both sides, what it asks is not."""
    title = made.criterion("title", case_id="tabs", description="The title is set.", weight=1.0)
    run = list(judged("v1", {"tabs": ["title", "links"]}))
    one = judged_in(tmp_path / "a", run, [title])
    two = judged_in(tmp_path / "b", run, [title._replace(weight=3.0)])
    found = compare(side(one, "v1"), side(two, "v1"))
    assert [each.name for each in found.slices] == ["links"]


def losing(root: Path, lost: str) -> Comparison:
    """Return eight cases with three runs a side, of which v0 fails two and v1 none.

    `lost` is the version whose second and third runs have no score, or nothing.
    """
    runs: list[Row] = []
    for case, version, number in product(CASES, ("v0", "v1"), (1, 2, 3)):
        passed = None if lost == version and number > 1 else version == "v1" or number == 1
        at = run_id(case, version, number)
        runs.append(
            made.run(
                run_id=at,
                case_id=case,
                version=version,
                run=str(number),
                passed=passed,
                fraction=None if passed is None else float(passed),
            )
        )
        status = "unscored" if passed is None else "scored"
        runs.append(made.judgment("tone", run_id=at, passed=passed, status=status))
    cases = [made.case(case_id=case, tags='["short"]') for case in CASES]
    suite = made.suite("iterations")._replace(headline="pass rate")
    versions = made.version("v0", 0), made.version("v1", 1)
    return compare(*sides(made.workspace(root, suite, *versions, *cases, *runs)))


def test_no_criterion_or_tag_gets_better_by_losing_runs(tmp_path: Path) -> None:
    """Two thirds of v1 are lost: with them counted as failed it is no better than v0."""
    found = losing(tmp_path, "v1")
    assert {(one.kind, one.verdict and one.verdict.kind) for one in found.slices} == {
        ("criterion", "lost"),
        ("tag", "lost"),
    }
    assert all(one.verdict and one.verdict.word == "can't tell" for one in found.slices)


def test_a_criterion_is_better_where_nothing_is_lost(tmp_path: Path) -> None:
    """The same runs, all of them scored."""
    found = losing(tmp_path, "")
    assert {one.verdict.word for one in found.slices if one.verdict} == {"better"}
    assert len(found.slices) == 2
