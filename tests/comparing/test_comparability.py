"""What is compared, left out, or only named; what stops a comparison, and what nobody knows."""

import gc
import weakref
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from evalcore.comparing.comparability import comparability, shared
from evalcore.comparing.model import Break, OtherCriterion, Side, What
from evalcore.comparing.sides import side_of
from evalcore.counting.rates import rates
from evalcore.tables.rows import JudgmentRow, Row
from evalcore.workspace.opened import Workspace, open_workspace
from tests import made
from tests.comparing.judged import judged, opened, side
from tests.families.build import write

TWO = ["The form has a title.", "Every field has a label."]
THREE = [*TWO, "The date is checked before it is sent."]
ALL = {"tabs": TWO, "links": TWO}


def found(ws: Workspace, what: What, a: str = "v0", b: str = "v1") -> Break:
    """Return the one break of a kind between two sides."""
    breaks = comparability(side(ws, a), side(ws, b)).breaks
    (only,) = [each for each in breaks if each.what == what]
    return only


def left_out(ws: Workspace, a: str = "v0", b: str = "v1") -> dict[str, str]:
    """Return the cases of two sides that share nothing to be compared by, with the reason."""
    return dict(shared(side(ws, a), side(ws, b)).incomparable)


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
    assert left_out(ws) == {}


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


def test_a_case_with_one_criterion_more_is_compared_on_the_shared_ones(tmp_path: Path) -> None:
    """No case is left out; the criterion of one side is named with its wording."""
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {**ALL, "links": THREE}))
    told, criteria = comparability(side(ws, "v0"), side(ws, "v1")), found(ws, "criteria")
    assert (told.level, criteria.stops, criteria.remark) == ("part", False, False)
    assert left_out(ws) == {}
    assert criteria.cases == ("links",)
    assert criteria.criteria == (
        OtherCriterion("links", "expectation", None, THREE[-1], "only in B"),
    )
    assert criteria.mend == "Re-grade the case (links) of v0 with the criteria of v1."


def test_one_criterion_more_in_every_case_is_compared_on_the_shared_ones(tmp_path: Path) -> None:
    """One added criterion of three does not forbid the numbers of the other two."""
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {"tabs": THREE, "links": THREE}))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, found(ws, "criteria").stops) == ("part", False)
    assert found(ws, "criteria").cases == ()


def test_without_a_shared_criterion_in_any_case_nothing_is_comparable(tmp_path: Path) -> None:
    """Then no case is left."""
    other = {"tabs": ["The page loads within a second."], "links": ["Nothing is lost on return."]}
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", other))
    told = comparability(side(ws, "v0"), side(ws, "v1"))
    assert (told.level, found(ws, "criteria").stops) == ("nothing", True)
    assert left_out(ws) == dict.fromkeys(ALL, "other criteria")


def test_a_case_without_a_shared_criterion_is_left_out(tmp_path: Path) -> None:
    """The other case is compared."""
    other = {**ALL, "links": ["Nothing is lost on return."]}
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", other))
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "part"
    assert left_out(ws) == {"links": "other criteria"}
    assert not found(ws, "criteria").stops


def test_cases_that_are_all_left_out_for_different_reasons_leave_nothing(tmp_path: Path) -> None:
    """Neither break alone keeps the sides apart."""
    files: dict[str, Any] = {}
    for number, prompt, text in (
        (1, "Make a form.", "It has a title."),
        (2, "A table.", "It ends."),
    ):
        home = f"pdf-workspace/iteration-{number}"
        for name, asked, items in (("form", prompt, TWO), ("table", "Draw.", [text])):
            judgments = [{"text": each, "passed": True, "evidence": "Seen."} for each in items]
            files[f"{home}/eval-{name}/eval_metadata.json"] = {"eval_name": name, "prompt": asked}
            files[f"{home}/eval-{name}/with_skill/grading.json"] = {"expectations": judgments}
    ws = open_workspace(write(tmp_path, files), cache=False)
    sides = side_of(ws, "pdf", "iteration-1"), side_of(ws, "pdf", "iteration-2")
    assert shared(*sides).incomparable == {"form": "other prompt", "table": "other criteria"}
    told = comparability(*sides)
    assert [(each.what, each.stops) for each in told.breaks] == [
        ("prompts", False),
        ("criteria", False),
    ]
    assert told.level == "nothing"


def test_another_headline_metric_stops_though_every_case_is_shared(tmp_path: Path) -> None:
    """A mean score and a pass rate are not compared, whoever was judged alike."""
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", ALL))
    suite = made.suite()._replace(headline="mean_score")
    cases = [made.case(case_id=case) for case in ALL]
    other = made.workspace(tmp_path, suite, made.version("v1", 1), *cases, *judged("v1", ALL))
    told = comparability(side(ws, "v0"), side(other, "v1"))
    assert [(each.what, each.stops) for each in told.breaks] == [("headline", True)]
    assert told.level == "nothing"
    assert shared(side(ws, "v0"), side(other, "v1")).incomparable == {}


def test_a_criterion_in_other_words_is_no_change(tmp_path: Path) -> None:
    """Graders touch up a wording from iteration to iteration."""
    touched = [TWO[0], "Every field has a label (also the date)."]
    ws = opened(tmp_path, judged("v0", ALL), judged("v1", {**ALL, "tabs": touched}))
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


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
    assert left_out(ws) == {}
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_runs_without_judgments_leave_the_criteria_unknown(tmp_path: Path) -> None:
    """A benchmark that holds pass rates only does not tell what was asked."""
    ws = opened(tmp_path, judged("v0", {"tabs": []}, origin="benchmark"), judged("v1", ALL))
    assert "criteria" in comparability(side(ws, "v0"), side(ws, "v1")).unknown


def test_another_judge_is_a_remark_and_says_who_judges_again(tmp_path: Path) -> None:
    """The numbers are compared; that the change may come from the judge is said beside them."""
    ws = opened(tmp_path, judged("v0", ALL, judge="judge-a"), judged("v1", ALL, judge="judge-b"))
    judge = found(ws, "judge")
    assert (judge.a, judge.b, judge.stops, judge.remark) == ("judge-a", "judge-b", False, True)
    assert judge.mend == "Re-grade all cases of v0 with judge-b, as v1 was graded."
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"
    assert left_out(ws) == {}


def test_the_recorded_judge_says_nothing_where_people_count(tmp_path: Path) -> None:
    """With the scores of people alone, it does not matter who had judged before."""
    ws = opened(tmp_path, judged("v0", ALL, judge="judge-a"), judged("v1", ALL, judge="judge-b"))
    sides = side(ws, "v0"), side(ws, "v1")
    assert comparability(*sides, "human").breaks == ()
    assert [each.what for each in comparability(*sides, "human-first").breaks] == ["judge"]


def test_another_judge_of_one_case_names_that_case(tmp_path: Path) -> None:
    """It stays in the comparison."""
    ws = opened(
        tmp_path,
        judged("v0", ALL, judge="judge-a"),
        judged("v1", {"tabs": TWO}, judge="judge-a"),
        judged("v1", {"links": TWO}, judge="person", judge_type="human"),
    )
    assert left_out(ws) == {}
    assert (found(ws, "judge").cases, found(ws, "judge").remark) == (("links",), True)


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


def test_another_model_is_a_remark_and_says_what_to_run_again(tmp_path: Path) -> None:
    """What another model did is compared, and called by its name."""
    ws = opened(tmp_path, judged("v0", ALL, model="sonnet-4"), judged("v1", ALL, model="opus-5"))
    model = found(ws, "executor")
    assert (model.a, model.b, model.stops, model.remark) == ("sonnet-4", "opus-5", False, True)
    assert model.mend == "Run all cases of v0 again with opus-5, as v1 was run."
    assert comparability(side(ws, "v0"), side(ws, "v1")).level == "whole"


def test_a_larger_context_window_is_no_other_model(tmp_path: Path) -> None:
    """`opus-5[1m]` is the model `opus-5`."""
    ws = opened(tmp_path, judged("v0", ALL, model="opus-5"), judged("v1", ALL, model="opus-5[1m]"))
    assert comparability(side(ws, "v0"), side(ws, "v1")).breaks == ()


def test_an_alias_of_the_model_is_named_and_asks_for_nothing(tmp_path: Path) -> None:
    """`claude-sonnet` is taken for `claude-sonnet-4-6`, which the user may know better."""
    ws = opened(
        tmp_path,
        judged("v0", ALL, model="claude-sonnet"),
        judged("v1", ALL, model="claude-sonnet-4-6"),
    )
    told, names = comparability(side(ws, "v0"), side(ws, "v1")), found(ws, "names")
    assert (told.level, [each.what for each in told.breaks]) == ("whole", ["names"])
    assert (names.a, names.b, names.mend, names.remark) == (
        "claude-sonnet",
        "claude-sonnet-4-6",
        "",
        True,
    )


@pytest.mark.parametrize(
    ("a", "b", "both"),
    [
        ("v0@without_skill", "v1@with_skill", True),
        ("v0@with_skill", "v1@with_skill", False),
        ("v1@without_skill", "v1@with_skill", False),
    ],
)
def test_version_and_configuration_both_changed_is_a_remark(
    tmp_path: Path, a: str, b: str, both: bool
) -> None:
    """Nobody can tell which of the two made a difference (G7)."""
    ran = [
        judged(version, ALL, configuration)
        for version in ("v0", "v1")
        for configuration in ("with_skill", "without_skill")
    ]
    ws = opened(tmp_path, *ran)
    told = comparability(side(ws, a), side(ws, b))
    assert [(each.what, each.remark) for each in told.breaks] == [("sides", True)] * both
    assert told.level == "whole"


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
    """Only where both names say their own model does a difference of models need no remark."""
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
    (broken,) = comparability(side(here, "v1"), side(there, "v1")).breaks
    assert broken.what == "criteria"
    assert broken.mend == (
        "Re-grade the case (links) of v1 of here with the criteria of v1 of there."
    )


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
    """Two of seven cases without the skill were graded by a single line: they are left out.

    In a third both sides have 15 of 17 criteria in common, and these are compared.
    """
    ws = real(realworld, "z5labs+ai")
    suite = "plugins/postgres-skill-creator/skills/postgres-skill-creator"
    a, b = (side_of(ws, suite, f"iteration-1@{name}") for name in ("without_skill", "with_skill"))
    common = shared(a, b)
    assert comparability(a, b).level == "part"
    assert common.incomparable == dict.fromkeys(("3", "4"), "other criteria")
    assert {
        case: (match.shared, common.asked[case]) for case, match in common.criteria.items()
    } == {"6": (15, 17)}


def test_real_iterations_by_another_model_are_compared_and_say_so(realworld: Path) -> None:
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
    told = comparability(one, two)
    (model,) = [each for each in told.breaks if each.what == "executor"]
    assert (model.a, model.b, model.remark) == ("claude-sonnet-4-6", "claude-opus-4-8", True)
    assert told.level != "nothing"
    assert comparability(base, two).breaks == ()


def test_real_expectations_that_were_rewritten_leave_their_cases_in(realworld: Path) -> None:
    """Of 37 cases in both iterations, 20 have the same criteria and 17 share most of them."""
    ws = real(realworld, "geoffsdesk+gke-upgrades-skill")
    a, b = (side_of(ws, "workspace", f"iteration-{n}@with_skill") for n in (6, 31))
    common = shared(a, b)
    assert comparability(a, b).level == "part"
    assert (len(common.asked), len(common.criteria), common.incomparable) == (37, 17, {})
    assert {"eval-1", "eval-7", "eval-9"} <= common.criteria.keys()
    assert not {"eval-25", "eval-30"} & common.criteria.keys()
    assert all(2 * match.shared > common.asked[case] for case, match in common.criteria.items())


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
