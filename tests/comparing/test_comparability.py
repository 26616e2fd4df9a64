"""What may be compared, what must be left out, what stops a comparison, and what nobody knows."""

import gc
import weakref
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.comparability import comparability, incomparable_cases
from evalcore.comparing.model import Break, Side, What
from evalcore.comparing.sides import side_of
from evalcore.counting.rates import rates
from evalcore.tables.rows import CriterionRow, JudgmentRow, Row
from evalcore.workspace.opened import Workspace, open_workspace
from tests import made
from tests.comparing.judged import judged, opened, side

TWO = ["The form has a title.", "Every field has a label."]
THREE = [*TWO, "The date is checked before it is sent."]
ALL = {"tabs": TWO, "links": TWO}


def found(ws: Workspace, what: What, a: str = "v0", b: str = "v1") -> Break:
    """Return the one break of a kind between two sides."""
    breaks = comparability(side(ws, a), side(ws, b)).breaks
    (only,) = [each for each in breaks if each.what == what]
    return only


@lru_cache
def real(folder: Path, name: str) -> Workspace:
    """Open a real workspace, once for all tests here."""
    return open_workspace(folder / name, cache=False)


def test_the_same_cases_judged_alike_are_wholly_comparable(tmp_path: Path) -> None:
    """Cases, prompts, criteria, judge and model are the same: nothing to say."""
    known: dict[str, Any] = {"judge": "judge-a", "model": "model-a"}
    ws = opened(tmp_path, judged("v0", ALL, **known), judged("v1", ALL, **known))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, told.breaks, told.unknown) == ("whole", (), ())
    assert incomparable_cases(side(ws, "v0"), side(ws, "v1")) == {}


def test_missing_cases_are_named_with_the_side_that_lacks_them(tmp_path: Path) -> None:
    """The common part stays comparable; the step says what to run where, and how many."""
    ws = opened(
        tmp_path,
        judged("v0", {f"case-{n}": TWO for n in range(1, 13)}),
        judged("v1", {"case-1": TWO, "extra": TWO}),
    )
    told, cases = comparability(side(ws, "v0"), side(ws, "v1")), found(ws, "cases")
    assert (told.level, cases.stops, cases.a, cases.b) == ("part", False, "12 cases", "2 cases")
    assert set(cases.cases) == {f"case-{n}" for n in range(2, 13)} | {"extra"}
    named = ", ".join(f"case-{n}" for n in range(2, 10))
    assert cases.mend == (
        f"Run the 11 missing cases ({named} and 3 more) in v1. Run the missing case (extra) in v0."
    )


def test_without_a_common_case_nothing_is_comparable(tmp_path: Path) -> None:
    """Then nothing else is looked at either, so that nothing is called unknown."""
    ws = opened(tmp_path, judged("v0", {"tabs": TWO}), judged("v1", {"links": TWO}))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, told.unknown, found(ws, "cases").stops) == ("nothing", (), True)
    assert "or choose two versions that ran the same cases" in found(ws, "cases").mend


def test_a_draft_case_is_not_missing(tmp_path: Path) -> None:
    """Who runs a draft on one side only does not make the sides differ."""
    ws = opened(
        tmp_path,
        [made.case(case_id="links", status="draft")],
        judged("v0", {"tabs": TWO}),
        judged("v1", ALL),
    )
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_a_case_with_another_criterion_is_left_out(tmp_path: Path) -> None:
    """One more criterion in one of two cases: that case is apart, the other is compared."""
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {**ALL, "links": THREE}))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert told.level == "part"
    assert incomparable_cases(side(ws, "v0"), side(ws, "v1")) == {"links": "other criteria"}
    assert found(ws, "criteria").mend == "Judge the case (links) of v0 again by the criteria of v1."


def test_other_criteria_in_every_case_stop(tmp_path: Path) -> None:
    """No case is left, so no part is comparable."""
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {"tabs": THREE, "links": THREE}))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, found(ws, "criteria").stops) == ("nothing", True)
    assert found(ws, "criteria").cases == ()


def test_another_criterion_in_the_place_of_one_is_a_change(tmp_path: Path) -> None:
    """As many as before, but one asks something else."""
    other = [TWO[0], "The page loads within a second on a slow line."]
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {**ALL, "tabs": other}))
    assert incomparable_cases(side(ws, "v0"), side(ws, "v1")) == {"tabs": "other criteria"}


def test_a_criterion_in_other_words_is_no_change(tmp_path: Path) -> None:
    """Graders touch up a wording from iteration to iteration."""
    touched = [TWO[0], "Every field has a label (also the date)."]
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {**ALL, "tabs": touched}))
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_inside_one_version_only_the_number_of_criteria_counts(tmp_path: Path) -> None:
    """Two configurations are asked the same; a grader that wrote one criterion for two was not."""
    words = {"tabs": ["A heading.", "Labels."], "links": ["It was judged as a whole."]}
    ws = opened(tmp_path, judged("v1", ALL, "with_skill"), judged("v1", words, "without_skill"))
    sides = side(ws, "v1@without_skill"), side(ws, "v1@with_skill")
    assert incomparable_cases(*sides) == {"links": "other criteria"}


def test_what_most_runs_were_judged_by_counts(tmp_path: Path) -> None:
    """One of three runs with a criterion less does not make the case another."""
    runs = [judged("v1", {"tabs": TWO}, number=n) for n in (1, 2)]
    ws = opened(
        tmp_path, judged("v0", {"tabs": TWO}), judged("v1", {"tabs": TWO[:1]}, number=3), *runs
    )
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_a_gate_that_failed_is_no_other_rubric(tmp_path: Path) -> None:
    """Without its gate a run has no rubric: only kinds that both sides judged are compared."""
    gate = made.judgment("parses", run_id="tabs@v0/-#1", kind="structural")
    both = [gate._replace(run_id="tabs@v1/-#1")]
    both.append(made.judgment("clarity", run_id="tabs@v1/-#1", kind="rubric"))
    ws = opened(tmp_path, judged("v0", {"tabs": []}), judged("v1", {"tabs": []}), [gate, *both])
    assert "criteria" not in comparability(side(ws, "v0"), side(ws, "v1")).unknown
    assert incomparable_cases(side(ws, "v0"), side(ws, "v1")) == {}


def test_runs_without_judgments_leave_the_criteria_unknown(tmp_path: Path) -> None:
    """A benchmark that holds pass rates only does not tell what was asked."""
    ws = opened(tmp_path, judged("v0", {"tabs": []}, origin="benchmark"), judged("v1", ALL))
    assert "criteria" in comparability(side(ws, "v0"), side(ws, "v1")).unknown


def test_another_judge_stops_and_says_who_judges_again(tmp_path: Path) -> None:
    """Judges differ in every case: numbers do not mean the same until one judges both."""
    ws = opened(tmp_path, judged("v0", ALL, judge="judge-a"), judged("v1", ALL, judge="judge-b"))
    judge = found(ws, "judge")
    assert (judge.a, judge.b, judge.stops) == ("judge-a", "judge-b", True)
    assert judge.mend == "Judge all cases of v0 again with judge-b, as v1 was judged."
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "nothing"


def test_the_recorded_judge_says_nothing_where_people_count(tmp_path: Path) -> None:
    """With the scores of people alone, it does not matter who had judged before."""
    ws = opened(tmp_path, judged("v0", ALL, judge="judge-a"), judged("v1", ALL, judge="judge-b"))
    sides = side(ws, "v0"), side(ws, "v1")
    assert comparability(*sides, "human").level == "whole"
    assert incomparable_cases(*sides, "human") == {}
    assert comparability(*sides, "human-first").level == "nothing"


def test_another_judge_of_one_case_leaves_that_case_out(tmp_path: Path) -> None:
    """The cases that the same judge scored stay comparable."""
    ws = opened(
        tmp_path,
        judged("v0", ALL, judge="judge-a"),
        judged("v1", {"tabs": TWO}, judge="judge-a"),
        judged("v1", {"links": TWO}, judge="person", judge_type="human"),
    )
    assert incomparable_cases(side(ws, "v0"), side(ws, "v1")) == {"links": "other judge"}
    assert (found(ws, "judge").cases, found(ws, "judge").stops) == (("links",), False)


def test_a_rule_beside_the_judge_is_no_other_judge(tmp_path: Path) -> None:
    """An empty output that a rule fails needs no judgment; the judge scored the other cases."""
    ws = opened(
        tmp_path,
        judged("v0", {"tabs": TWO}, judge="judge-a"),
        judged("v0", {"links": TWO}, judge="rule:empty", judge_type="heuristic"),
        judged("v1", ALL, judge="judge-a"),
    )
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_the_judge_of_the_judgments_stands_for_the_runs(tmp_path: Path) -> None:
    """Where a run does not name its judge, its judgments may."""
    first, second = (_judged_by(judge, version) for judge, version in (("a", "v0"), ("b", "v1")))
    judge = found(opened(tmp_path, first, second), "judge")
    assert (judge.a, judge.b) == ("a", "b")


def _judged_by(judge: str, version: str) -> list[Row]:
    return [
        row._replace(judge=judge) if isinstance(row, JudgmentRow) else row
        for row in judged(version, ALL)
    ]


@pytest.mark.parametrize("known", [{}, {"judge": "judge-a", "model": "model-a"}])
def test_what_one_side_does_not_record_is_unknown(tmp_path: Path, known: dict[str, Any]) -> None:
    """A judge or model named on one side, or on neither, is never called a difference."""
    ws = opened(tmp_path, judged("v0", ALL, **known), judged("v1", ALL))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, told.unknown) == ("whole", ("judge", "executor"))


def test_another_model_stops(tmp_path: Path) -> None:
    """What another model did says nothing of the skill."""
    ws = opened(tmp_path, judged("v0", ALL, model="sonnet-4"), judged("v1", ALL, model="opus-5"))
    model = found(ws, "executor")
    assert (model.a, model.b, model.stops) == ("sonnet-4", "opus-5", True)
    assert model.mend == "Run all cases of v0 again with opus-5, as v1 was run."


def test_a_larger_context_window_is_no_other_model(tmp_path: Path) -> None:
    """`opus-5[1m]` is the model `opus-5`."""
    ws = opened(tmp_path, judged("v0", ALL, model="opus-5"), judged("v1", ALL, model="opus-5[1m]"))
    assert comparability(side(ws, "v0"), side(ws, "v1")).breaks == ()


@pytest.mark.parametrize(
    ("a", "b", "silent"),
    [
        ("opus", "sonnet", True),
        ("opus-4-6", "opus-4-8", False),
        ("without_skill", "with_skill", False),
    ],
)
def test_models_that_the_configurations_are_named_by_are_what_is_compared(
    tmp_path: Path, a: str, b: str, silent: bool
) -> None:
    """Only where both names say their own model is a difference of models no break."""
    models = "claude-opus-4-6", "claude-sonnet-4-6"
    ws = opened(
        tmp_path, judged("v1", ALL, a, model=models[0]), judged("v1", ALL, b, model=models[1])
    )
    breaks = comparability(side(ws, f"v1@{a}"), side(ws, f"v1@{b}")).breaks
    assert (breaks == ()) == silent


def test_another_executor_counts_where_no_model_is_named(tmp_path: Path) -> None:
    """Records name an agent, not its model."""
    ws = opened(
        tmp_path, judged("v0", ALL, executor="agent-a"), judged("v1", ALL, executor="agent-b")
    )
    assert found(ws, "executor").a == "agent-a"


def test_prompt_versions_of_records_are_what_is_compared() -> None:
    """The version is the prompt under test; what a case asks are its inputs, the same for all."""
    demo = Path(__file__).parents[2] / "evalcore/demo/workspace/support-agent"
    ws = open_workspace(demo, cache=False)
    a, b = (side_of(ws, ".", f"support-reply@1.{n}.0") for n in (1, 2))
    told = comparability(a, b)
    assert (told.level, told.breaks) == ("whole", ())


def test_two_folders_are_held_against_each_other(tmp_path: Path) -> None:
    """Equal words mean the same in any folder; what differs is named by the folders."""
    here = opened(tmp_path / "here", judged("v1", ALL))
    there = opened(tmp_path / "there", judged("v1", {"tabs": TWO, "links": THREE}))
    a, b = side(here, "v1"), side(there, "v1")
    assert incomparable_cases(a, b) == {"links": "other criteria"}
    (broken,) = comparability(a, b).breaks
    assert broken.mend == (
        "Judge the case (links) of v1 of here again by the criteria of v1 of there."
    )


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"weight": 3.0}, True),
        ({"guide": '{"1": "bad"}'}, True),
        ({"description": "The output must be valid JSON with three keys."}, True),
        ({"description": "The title is set, and clear."}, False),
    ],
)
def test_a_criterion_that_two_folders_define_differently_is_another(
    tmp_path: Path, change: dict[str, object], other: bool
) -> None:
    """A label may stay while its meaning moves; a touched up description is no other meaning."""
    title = made.criterion("title", case_id="tabs", description="The title is set.", weight=1.0)
    run = list(judged("v1", {"tabs": ["title"]}))
    one = opened(tmp_path / "a", run, [title])
    two = opened(tmp_path / "b", run, [CriterionRow(**{**title._asdict(), **change})])
    assert bool(incomparable_cases(side(one, "v1"), side(two, "v1"))) == other


def test_suites_with_different_headlines_stop(tmp_path: Path) -> None:
    """A pass rate and an efficiency are not subtracted from each other."""
    run = list(judged("v1", {"tabs": TWO}))
    suite = made.suite("rubric")._replace(headline="overall efficiency")
    two = made.workspace(tmp_path / "b", suite, made.version("v1", 0), made.case(), *run)
    (first, *_) = comparability(side(opened(tmp_path / "a", run), "v1"), side(two, "v1")).breaks
    assert (first.what, first.a, first.b) == ("headline", "pass_rate", "overall efficiency")
    assert first.stops


def test_an_answer_is_remembered_and_holds_no_workspace(tmp_path: Path) -> None:
    """Asked again it is the same object; it goes with the snapshots."""
    run = list(judged("v1", ALL))
    one, two = opened(tmp_path / "a", run), opened(tmp_path / "b", run)
    assert comparability(side(one, "v1"), side(two, "v1")) is comparability(
        side(one, "v1"), side(two, "v1")
    )
    gone = weakref.ref(one), weakref.ref(two)
    del one, two
    gc.collect()
    assert [ref() for ref in gone] == [None, None]


def test_real_configurations_graded_by_one_and_by_eleven_criteria(realworld: Path) -> None:
    """Three of seven cases without the skill were graded by a single line: they are left out."""
    ws = real(realworld, "z5labs+ai")
    suite = "plugins/postgres-skill-creator/skills/postgres-skill-creator"
    a, b = (side_of(ws, suite, f"iteration-1@{name}") for name in ("without_skill", "with_skill"))
    assert comparability(a, b).level == "part"
    assert incomparable_cases(a, b) == dict.fromkeys(("3", "4", "6"), "other criteria")


def test_real_iterations_by_another_model_are_not_compared(realworld: Path) -> None:
    """Iteration 1 was run with Sonnet, iteration 2 with Opus; inside each one nothing differs."""
    ws = real(realworld, "shoji9x9+skills")
    one, two, base = (
        side_of(ws, "tests/dependabot-merge", name)
        for name in (
            "iteration-1@with_skill",
            "iteration-2@with_skill",
            "iteration-2@without_skill",
        )
    )
    (model,) = comparability(one, two).breaks
    assert (model.what, model.a, model.b) == ("executor", "claude-sonnet-4-6", "claude-opus-4-8")
    assert comparability(base, two).breaks == ()


def test_real_expectations_that_were_rewritten_leave_their_cases_out(realworld: Path) -> None:
    """Of 37 cases in both iterations, 18 have the same words and 2 are only touched up."""
    ws = real(realworld, "geoffsdesk+gke-upgrades-skill")
    a, b = (side_of(ws, "workspace", f"iteration-{n}@with_skill") for n in (6, 31))
    left = incomparable_cases(a, b)
    assert comparability(a, b).level == "part"
    assert {"eval-1", "eval-7", "eval-9"} <= left.keys()
    assert not {"eval-25", "eval-30"} & left.keys()
    assert len(left) == 17


def test_most_real_pairs_inside_a_version_are_wholly_comparable(realworld: Path) -> None:
    """Configurations of one version are asked the same: a warning there is the exception."""
    ws = real(realworld, "shoji9x9+skills")
    levels = [
        comparability(
            side_of(ws, suite, f"{version}@without_skill"),
            side_of(ws, suite, f"{version}@with_skill"),
        ).level
        for suite, version in _both(ws)
    ]
    assert levels.count("whole") >= 0.9 * len(levels) > 20


def _both(ws: Workspace) -> list[tuple[str, str]]:
    """Return each suite and version that ran with and without its skill."""
    has: dict[tuple[str, str], set[str]] = {}
    for suite, columns in rates(ws).items():
        for column, rate in columns.items():
            if rate.value is not None:
                has.setdefault((suite, column.version), set()).add(column.configuration)
    return [place for place, of in has.items() if of >= {"without_skill", "with_skill"}]


def test_sides_of_one_name_in_folders_of_one_name_are_a_and_b(tmp_path: Path) -> None:
    """Two revisions of one folder have the same names throughout."""
    one = opened(tmp_path / "a/skill", judged("v1", {"tabs": TWO}))
    two = opened(tmp_path / "b/skill", judged("v1", ALL))
    sides: tuple[Side, Side] = (side(one, "v1"), side(two, "v1"))
    (cases,) = comparability(*sides).breaks
    assert cases.mend == "Run the missing case (links) in v1 of A."
