"""A compared with B: the cases that count, the verdict over them, and what is left out."""

import gc
import weakref
from pathlib import Path
from statistics import stdev

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Side
from evalcore.comparing.sides import side_of
from evalcore.tables.rows import RunScoreRow
from evalcore.views.verdict.sentence import cautions, sentence
from tests import made
from tests.comparing.sided import Values, each, opened, run_id, sides, versions
from tests.counting.peopled import of

CHECKS = "pass_rate"


def told(root: Path, a: Values, b: Values, headline: str = "share of runs passed") -> Comparison:
    """Return the comparison of v1 with v0."""
    return compare(*sides(opened(root, a, b, headline=headline)))


def test_ten_of_twelve_cases_mended_is_better(tmp_path: Path) -> None:
    """Exact McNemar: 10 up and 0 down has p = 2 / 2^10."""
    found = told(tmp_path, each([0] * 12), each([1] * 10 + [0] * 2))
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.up, found.verdict.down) == ("better", 10, 0)
    assert found.verdict.method == "mcnemar"
    assert found.verdict.p == pytest.approx(2 / 2**10)
    assert found.verdict.difference == pytest.approx(10 / 12)


def test_swapping_the_sides_turns_the_verdict_round(tmp_path: Path) -> None:
    """What is better one way is worse the other, by the same amount and the same p."""
    a, b = sides(opened(tmp_path, each([0] * 8), each([1] * 7 + [0])))
    there, back = compare(a, b).verdict, compare(b, a).verdict
    assert there is not None
    assert back is not None
    assert (there.word, back.word) == ("better", "worse")
    assert there.difference == pytest.approx(-(back.difference or 0))
    assert there.p == back.p


def test_runs_of_a_case_are_averaged_before_cases_are_paired(tmp_path: Path) -> None:
    """Three runs of one case are one case, however they came out."""
    found = told(tmp_path, {"x": [0, 0, 1], "y": [1]}, {"x": [1, 1, 1], "y": [1, 0]})
    values = {pair.case_id: (pair.a, pair.b, pair.runs_a, pair.runs_b) for pair in found.pairs}
    assert values == {"x": (pytest.approx(1 / 3), 1.0, 3, 3), "y": (1.0, 0.5, 1, 2)}


def test_cases_that_got_worse_stand_first(tmp_path: Path) -> None:
    """Regressed, then improved, each the largest change first, then the same."""
    a = {"up": [0.2], "same": [0.5], "down": [0.5], "far down": [1.0], "far up": [0.0]}
    b = {"up": [0.4], "same": [0.5], "down": [0.4], "far down": [0.2], "far up": [1.0]}
    found = told(tmp_path, a, b, CHECKS)
    assert [(pair.case_id, pair.change) for pair in found.pairs] == [
        ("far down", "regressed"),
        ("down", "regressed"),
        ("far up", "improved"),
        ("up", "improved"),
        ("same", "same"),
    ]


def test_cases_without_a_partner_are_named_with_the_reason(tmp_path: Path) -> None:
    """No case drops out silently."""
    found = told(
        tmp_path,
        {"both": [1], "old": [1], "blank": [None]},
        {"both": [1], "new": [1], "blank": [1]},
    )
    assert [pair.case_id for pair in found.pairs] == ["both"]
    assert {(left.case_id, left.reason) for left in found.left_out} == {
        ("old", "only in A"),
        ("new", "only in B"),
        ("blank", "not scored in A"),
    }


def test_draft_cases_are_set_aside(tmp_path: Path) -> None:
    """They are listed as left out and count on neither side."""
    ws = versions(
        tmp_path,
        made.case(case_id="draft", status="draft"),
        *(
            made.run(run_id=run_id(case, version), case_id=case, version=version, passed=True)
            for case in ("draft", "done")
            for version in ("v0", "v1")
        ),
    )
    found = compare(*sides(ws))
    assert [pair.case_id for pair in found.pairs] == ["done"]
    assert [(left.case_id, left.reason) for left in found.left_out] == [("draft", "set aside")]


def test_one_case_that_carries_most_of_a_difference_is_named(tmp_path: Path) -> None:
    """Without it, the difference would be half of it or less."""
    small, large = {f"c{n}": [0.5] for n in range(8)}, {f"c{n}": [0.51] for n in range(8)}
    found = told(tmp_path, {**small, "big": [0.0]}, {**large, "big": [1.0]}, CHECKS)
    assert found.carrier is not None
    assert found.carrier.case_id == "big"


def test_no_case_carries_a_difference_that_all_share(tmp_path: Path) -> None:
    """Each of eight equal changes is an eighth of it; of two, each leaves it as it is."""
    assert told(tmp_path, each([0] * 8), each([1] * 8)).carrier is None
    assert told(tmp_path, each([0] * 2), each([1] * 2)).carrier is None


def test_one_of_two_cases_that_changed_alike_carries_no_more_than_the_other(tmp_path: Path) -> None:
    """It is half of the sum; without it +50 points are +33."""
    unchanged = {"c2": [0.0], "c3": [0.0]}
    a, b = {"c0": [0.0], "c1": [0.0]}, {"c0": [1.0], "c1": [1.0]}
    assert told(tmp_path, {**a, **unchanged}, {**b, **unchanged}).carrier is None


def test_repeats_of_one_case_give_no_interval(tmp_path: Path) -> None:
    """Thirty runs of one case say nothing about other cases."""
    found = told(tmp_path, {"only": [0] * 30}, {"only": [1] * 30})
    assert found.verdict is not None
    assert (found.verdict.word, found.verdict.kind) == ("better on these cases", "powerless")
    assert (found.verdict.low, found.verdict.high) == (None, None)


def test_a_criterion_is_judged_over_the_cases_that_have_it(tmp_path: Path) -> None:
    """Eight cases whose clarity broke while their format held."""
    cases = [f"case-{n}" for n in range(8)]
    judgments = [
        made.judgment(label, passed, run_id=run_id(case, version))
        for case in cases
        for version, label, passed in (
            ("v0", "clarity", True),
            ("v0", "format", True),
            ("v1", "clarity", False),
            ("v1", "format", True),
        )
    ]
    ws = opened(tmp_path, {c: [1] for c in cases}, {c: [0] for c in cases}, *judgments)
    found = {each.name: each for each in compare(*sides(ws)).slices}
    assert found["clarity"].verdict is not None
    assert (found["clarity"].verdict.word, found["clarity"].down) == ("worse", 8)
    assert found["format"].verdict is not None
    assert found["format"].verdict.word == "can't tell"
    assert (found["format"].a.value, found["format"].b.value) == (1.0, 1.0)


def test_without_any_shared_criterion_there_is_no_verdict_and_no_rate(tmp_path: Path) -> None:
    """What was asked of neither side's other is not compared by anything."""
    cases = [f"case-{n}" for n in range(8)]
    judgments = [
        made.judgment(label, run_id=run_id(case, version))
        for case in cases
        for version, label in (("v0", "format"), ("v1", "clarity"))
    ]
    ws = opened(tmp_path, {c: [1] for c in cases}, {c: [0] for c in cases}, *judgments)
    found = compare(*sides(ws))
    assert (found.comparability.level, found.verdict, found.pairs) == ("nothing", None, ())
    assert (found.estimate_a, found.estimate_b, found.slices) == (None, None, ())
    assert {left.reason for left in found.left_out} == {"other criteria"}


def test_a_tag_is_judged_over_its_cases(tmp_path: Path) -> None:
    """The tags of the defined cases slice the headline."""
    ws = versions(
        tmp_path,
        *(made.case(case_id=f"c{n}", tags='["hard"]' if n < 7 else "[]") for n in range(9)),
        *(
            made.run(
                run_id=run_id(f"c{n}", version),
                case_id=f"c{n}",
                version=version,
                passed=version == "v1" and n < 7,
            )
            for n in range(9)
            for version in ("v0", "v1")
        ),
    )
    (tag,) = compare(*sides(ws)).slices
    assert (tag.kind, tag.name, tag.a.cases, tag.up) == ("tag", "hard", 7, 7)


def test_what_was_not_measured_is_not_averaged(tmp_path: Path) -> None:
    """A zero in a file means that nobody looked."""
    ws = versions(
        tmp_path,
        *(
            made.run(
                run_id=run_id(f"c{n}", version),
                case_id=f"c{n}",
                version=version,
                passed=True,
                duration_s=10.0 + n if version == "v0" else 20.0 + n,
                tokens=0.0 if n == 0 else 100.0,
            )
            for n in range(3)
            for version in ("v0", "v1")
        ),
    )
    time, tokens, cost = compare(*sides(ws)).measures
    assert (time.a, time.b, time.difference, time.cases) == (11.0, 21.0, 10.0, 3)
    assert (tokens.a, tokens.cases) == (100.0, 2)
    assert (cost.a, cost.difference, cost.cases) == (None, None, 0)


def by(name: str, version: str, passed: bool) -> RunScoreRow:
    """Return what a person says of the whole run of case-01 in a version."""
    return made.row(
        RunScoreRow,
        run_id=run_id("case-01", version),
        judge=name,
        judge_type="human",
        score=float(passed),
        max_score=1.0,
        passed=passed,
        judged=2,
        expected=2,
    )


def test_people_s_scores_count_where_they_are_asked_for(tmp_path: Path) -> None:
    """The median of several people who judged the whole run stands in for the recorded score."""
    people = [by("ann", "v1", False), by("bo", "v1", False), by("cy", "v1", True)]
    ws = opened(tmp_path, each([1, 1]), each([1, 1]), *people, by("ann", "v0", True))
    a, b = sides(ws)
    assert [pair.b for pair in compare(a, b, "human-first").pairs] == [0.0, 1.0]
    assert [pair.b for pair in compare(a, b, "human").pairs] == [0.0]
    assert [left.reason for left in compare(a, b, "human").left_out] == ["not scored in A"]
    assert [pair.b for pair in compare(a, b, "recorded").pairs] == [1.0, 1.0]


def test_a_person_s_score_is_not_held_against_a_model_s(tmp_path: Path) -> None:
    """Who judged would be the difference: the case is left out."""
    a, b = sides(opened(tmp_path, each([1, 1]), each([1, 1]), by("ann", "v1", False)))
    found = compare(a, b, "human-first")
    assert [pair.case_id for pair in found.pairs] == ["case-02"]
    assert [(left.case_id, left.reason) for left in found.left_out] == [
        ("case-01", "people only in B")
    ]


def test_two_folders_are_held_against_each_other(tmp_path: Path) -> None:
    """Cases are paired by their id, and each side says which folder it is of."""
    first = opened(tmp_path / "first", each([0] * 7), each([0] * 7))
    second = opened(tmp_path / "second", each([1] * 7), each([1] * 7))
    found = compare(sides(first)[0], sides(second)[0])
    assert found.verdict is not None
    assert found.verdict.word == "better"
    assert (found.a.workspace, found.b.workspace) == ("first", "second")


def test_a_comparison_is_remembered_and_keeps_no_folder_alive(tmp_path: Path) -> None:
    """The second answer is the first one; when nobody holds a workspace any more, it goes."""
    a = sides(opened(tmp_path, each([0]), each([1])))[0]
    other = opened(tmp_path, each([0]), each([1]))
    assert compare(a, sides(other)[1]) is compare(a, sides(other)[1])
    gone = weakref.ref(other)
    del other
    gc.collect()
    assert gone() is None


def test_runs_that_disagree_give_a_noise_floor(tmp_path: Path) -> None:
    """Two halves of the same runs differ by chance alone."""
    flaky = {f"c{n}": [n % 2, (n + 1) % 2] for n in range(8)}
    found = told(tmp_path, flaky, {f"c{n}": [1, 1] for n in range(8)})
    assert found.repeats_a is not None
    assert found.repeats_b is not None
    assert (found.repeats_a.agreeing, found.repeats_b.agreeing) == (0, 8)
    assert found.repeats_a.noise is not None
    assert found.repeats_a.noise > 0.3
    assert dict(found.repeats_b.pass_all) == {1: 1.0, 2: 1.0}
    assert dict(found.repeats_a.pass_at) == {1: 0.5, 2: 1.0}


def test_consistency_is_that_of_the_seed_over_all_runs(tmp_path: Path) -> None:
    """1 - stddev / mean: a case that ran once counts too, as in benchmark.json."""
    values = {"x": [1.0, 0.0], "y": [0.0]}
    found = told(tmp_path, values, {"x": [1.0, 1.0], "y": [1.0]})
    assert found.repeats_a is not None
    assert found.repeats_b is not None
    assert found.repeats_a.consistency == pytest.approx(1 - 3 * stdev([1, 0, 0]))
    assert found.repeats_b.consistency == 1.0


def test_one_run_a_case_has_no_repeats(tmp_path: Path) -> None:
    """Consistency of a single run would be false comfort."""
    found = told(tmp_path, each([1, 0]), each([1, 1]))
    assert (found.repeats_a, found.repeats_b) == (None, None)


def test_sides_of_other_suites_are_named(tmp_path: Path) -> None:
    """A side is what was asked for, also in words."""
    ws = opened(tmp_path, each([0]), each([1]))
    found = compare(*sides(ws))
    assert (found.a.column.key, found.b.column.key, found.a.workspace) == ("v0", "v1", "")
    assert isinstance(sides(ws)[0], Side)


def weighted(root: Path, weights: dict[str, float | None]) -> Comparison:
    """Return a comparison of cases with weights, of which B passes those that end in `up`."""
    cases = list(weights)
    return compare(
        *sides(
            versions(
                root,
                *(made.case(case_id=case, weight=weight) for case, weight in weights.items()),
                *(
                    made.run(
                        run_id=run_id(case, version),
                        case_id=case,
                        version=version,
                        fraction=float(case.endswith("up") == (version == "v1")),
                    )
                    for case in cases
                    for version in ("v0", "v1")
                ),
                family="descriptions",
                headline="pass_rate",
            )
        )
    )


def test_weights_of_cases_give_rates_of_their_own(tmp_path: Path) -> None:
    """D2: six light cases improved, one heavy case got worse: better, and weighted worse."""
    found = weighted(tmp_path, {**{f"{n}-up": 1.0 for n in range(6)}, "heavy": 94.0})
    assert found.verdict is not None
    assert found.verdict.difference == pytest.approx(5 / 7)
    assert found.weighted is not None
    assert [found.weighted.a, found.weighted.b] == pytest.approx([0.94, 0.06])


def test_a_case_without_a_weight_beside_others_counts_once(tmp_path: Path) -> None:
    """Nothing is lost for it."""
    found = weighted(tmp_path, {"1-up": None, "heavy": 3.0})
    assert found.weighted is not None
    assert (found.weighted.a, found.weighted.b) == (0.75, 0.25)


@pytest.mark.parametrize("weights", [(None, None), (1.0, 1.0), (2.0, 2.0), (-1.0, 2.0), (0.0, 0.0)])
def test_weights_that_change_nothing_or_make_no_sense_are_not_told(
    tmp_path: Path, weights: tuple[float | None, float | None]
) -> None:
    """None, all the same, below 0, or nothing in sum."""
    assert weighted(tmp_path, dict(zip(("1-up", "2-down"), weights, strict=True))).weighted is None


def test_the_people_who_judged_each_side_are_named(tmp_path: Path) -> None:
    """H4: a strict judge on A and a lenient one on B explain any difference."""
    cases = [f"case-{n:02}" for n in range(1, 8)]
    people = [
        of(run_id(case, version), judge, float(passed), 1.0, passed)
        for case in cases
        for version, judge, passed in (("v0", "strict", False), ("v1", "lenient", True))
    ]
    ws = opened(tmp_path, each([1] * 7), each([1] * 7), *people)
    found = compare(*sides(ws), "human")
    assert found.people_a is not None
    assert found.people_b is not None
    assert (found.people_a.names, found.people_b.names) == (("strict",), ("lenient",))
    assert any(text.startswith("Judged by lenient in v1, by strict") for text in cautions(found))
    assert compare(*sides(ws)).people_a is None


def test_a_change_of_version_and_configuration_is_said_in_the_verdict(tmp_path: Path) -> None:
    """G7: the newest with the skill against the first without it."""
    ws = versions(
        tmp_path,
        *(
            made.run(
                run_id=f"{n}@{version}",
                case_id=f"c{n}",
                version=version,
                configuration=configuration,
                passed=version == "v1",
            )
            for n in range(8)
            for version, configuration in (("v0", "without_skill"), ("v1", "with_skill"))
        ),
        headline="share of runs passed",
    )
    a, b = (side_of(ws, made.SUITE, version) for version in ("v0", "v1"))
    found = compare(a, b)
    said = sentence(found)
    assert said.startswith("v1, with_skill, passes more than v0, without_skill: 100 % against 0 %")
    (text,) = cautions(found)
    assert text.endswith(": the change may come from either.")


def test_one_case_with_repeats_is_decided_for_itself(tmp_path: Path) -> None:
    """Its runs vary, or do not; others are another question."""
    found = told(tmp_path, {"only": [0] * 4}, {"only": [1] * 4})
    assert found.verdict is not None
    assert found.verdict.word == "better on these cases"
    assert found.verdict.these_p == pytest.approx(2 / 70)
    assert "Better on this case; whether for others is open." in sentence(found)
