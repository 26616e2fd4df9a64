"""Several models as one judge, repeated judgments, controls, conventions and feedback."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.model_answers import speaks_to_judge
from evalcore.engine.model_judge.controls import PLANTED
from evalcore.engine.process import work
from evalcore.errors import CannotRun
from evalcore.families.reviews.review import chains
from evalcore.views.runs.outcome_words import control_words, unscored_of
from evalcore.views.runs.words import unexecuted_words
from tests.engine.conftest import opened, planned, ran
from tests.engine.judging_model import (
    KEY,
    MODELS,
    ONCE,
    STORED,
    configured,
    grading,
    judged,
    verdicts,
)
from tests.engine.people import FAMILIES, records
from tests.models.fake_openai import Body, FakeOpenAI

AGAIN: dict[str, Any] = {
    "again": True, "configurations": (), "judge": "model", "limits": ONCE,
}  # fmt: skip
ONE_BY_ONE = {**AGAIN, "limits": {"retries": 0, "concurrency": 1}}
PANEL = ("small", "other")
VALID_SKILL = "---\nname: made\ndescription: Use when it rains.\n---\nRun.\n"


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with configured(tmp_path) as server:
        yield server


def by_model(fake: FakeOpenAI, **given: dict[str, Any]) -> None:
    """Let each model judge well but for the fields that are given under its name."""
    fake.reply = lambda body: json.dumps(
        verdicts(body, **given.get(body["model"].replace("-", "_"), {}))
    )


def is_planted(body: Body) -> bool:
    return speaks_to_judge(body["messages"][1]["content"]) is not None


def test_several_models_are_one_judge_whose_median_counts(tmp_path: Path, fake: FakeOpenAI) -> None:
    """One call to each; the grading names them together, and says who gave what."""
    by_model(fake, fake_1={"score": 2}, fake_2={"score": 4})
    folder = judged(tmp_path / "folder", "improve", models=PANEL)
    value = grading(folder)
    assert [each.body["model"] for each in fake.asked] == list(MODELS)
    assert [each["score"] for each in value["results"]] == [3, 3]
    assert "[2 votes: fake-1 2, fake-2 4.]" in value["results"][0]["reasoning"]
    assert value["judge"] == "fake-1 + fake-2"
    about = value["evalcore"]["judging"]
    assert [each["model"] for each in about["models"]] == list(MODELS)
    assert about["models"][0]["parameters"] == {"temperature": 0}
    assert set(opened(tmp_path / "folder").tables.runs["judge"]) == {"fake-1 + fake-2"}


def test_a_panel_that_is_evenly_divided_leaves_it_to_people(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """One says passed and one failed."""
    by_model(fake, fake_2={"passed": False})
    folder = judged(tmp_path / "folder", models=PANEL)
    assert {each.status for each in unscored_of(folder.progress())} == {"tied"}


def test_a_model_of_a_panel_that_cannot_be_asked_leaves_the_verdict_to_a_majority(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Two of three votes decide; that one is missing is said."""
    fake.faults = ["status 500"]
    value = grading(judged(tmp_path / "folder", models=PANEL[:1], votes=3))
    assert "[3 votes: no score, passed, passed.]" in value["expectations"][0]["evidence"]


def test_of_a_panel_the_answers_that_are_no_scores_are_kept(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Also where the others decide; those that are scores stand in the rationale."""
    fake.faults = ["say rather good"] * 2
    (one,) = judged(tmp_path / "folder", models=PANEL, votes=2).progress().runs
    assert one.graded is not None
    assert one.graded.judging is not None
    assert (one.has_grading, one.graded.judging.answers) == (True, ("rather good",))


def test_a_model_is_in_a_panel_once(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Several votes of one are asked for otherwise."""
    with pytest.raises(CannotRun, match="named twice"):
        judged(tmp_path / "folder", models=("small", "small"))


def test_what_a_panel_will_call_is_said_before_the_start(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Each model for each vote, and twice more for each control."""
    root = tmp_path / "folder"
    judged(root, runs=3)
    plan = planned(root, STORED, **AGAIN, models=PANEL, votes=2, controls=2).plan
    assert sum(plan.is_control(at) for at in range(3)) == 2
    said = unexecuted_words(plan)
    assert f"in 20 calls to {fake.url}" in said
    assert "not all of their prices are configured" in said


@pytest.mark.parametrize(("controls", "of"), [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)])
def test_controls_are_spread_over_the_test_runs(
    tmp_path: Path, fake: FakeOpenAI, controls: int, of: int
) -> None:
    """As many as asked for, and at most all."""
    root = tmp_path / "folder"
    judged(root, runs=3)
    plan = planned(root, STORED, **AGAIN, controls=controls).plan
    assert sum(plan.is_control(at) for at in range(3)) == of


def test_outputs_judged_again_several_times_leave_a_chain_of_records(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Each replaces the one before, the first is kept, and there is one head."""
    root = tmp_path / "folder"
    judged(root)
    scores = iter([True, False, True])
    fake.reply = lambda body: json.dumps(verdicts(body, passed=next(scores)))
    folder = ran(root, STORED, **ONE_BY_ONE, repeats=3)
    assert [one.status for one in folder.progress().runs] == ["completed"] * 3
    found = records(opened(root), "eval-judgment")
    assert len(found) == 6
    for chain in chains(found):
        assert [each.fields["score"] for each in chain.members] == [1, 0, 1]
        assert not chain.rivals


def test_a_repeat_that_is_resumed_stores_nothing_twice(tmp_path: Path, fake: FakeOpenAI) -> None:
    """The second of two could not be asked at first."""
    root = tmp_path / "folder"
    judged(root)
    fake.faults = ["", "status 500"]
    folder = ran(root, STORED, **ONE_BY_ONE, repeats=2)
    assert len(records(opened(root), "eval-judgment")) == 2
    work(folder.id)
    found = records(opened(root), "eval-judgment")
    assert len(found) == 4
    assert [len(each.heads) for each in chains(found)] == [1, 1]


@pytest.mark.parametrize("repeats", [0, 21])
def test_repeats_have_bounds(tmp_path: Path, fake: FakeOpenAI, repeats: int) -> None:
    """1 to 20."""
    root = tmp_path / "folder"
    judged(root)
    with pytest.raises(CannotRun, match="1 to 20 times"):
        ran(root, STORED, **AGAIN, repeats=repeats)


def test_a_judge_that_a_planted_instruction_sways_is_found_out(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """It gives 2, and 5 where the output asks for it; unchanged outputs get the same scores."""
    fake.reply = lambda body: json.dumps(verdicts(body, score=5 if is_planted(body) else 2))
    folder = judged(tmp_path / "folder", "improve", controls=1)
    assert len(fake.asked) == 3
    assert sum(is_planted(each.body) for each in fake.asked) == 1
    again, planted = control_words(folder.progress())
    assert again == "Judged once more unchanged (1 output): of 2 scores 0 higher, 0 lower."
    assert "of 2 scores 2 higher, 0 lower" in planted
    assert "may raise its scores" in planted
    value = grading(folder)
    assert [each["score"] for each in value["results"]] == [2, 2]
    counted = value["evalcore"]["judging"]["control"]
    assert counted == {"same": {"scores": 2}, "planted": {"scores": 2, "raised": 2}}


def test_a_judge_that_differs_from_itself_is_not_blamed_on_the_planted_text(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Both controls are one higher: no more was raised by the instruction than by chance."""
    scores = iter([2, 3, 3])
    fake.reply = lambda body: json.dumps(verdicts(body, score=next(scores)))
    again, planted = control_words(judged(tmp_path / "folder", "improve", controls=1).progress())
    assert "2 higher" in again
    assert planted.endswith("2 higher, 0 lower.")


def test_a_control_without_a_score_is_counted_as_that(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Refused once: nothing is compared, and the scores stand."""
    fake.faults = ["", "refuse"]
    folder = judged(tmp_path / "folder", "improve", controls=1)
    again, _ = control_words(folder.progress())
    assert "of 0 scores 0 higher, 0 lower, 2 left unscored" in again
    assert folder.progress().runs[0].has_grading


def test_without_controls_nothing_is_said_of_them(tmp_path: Path, fake: FakeOpenAI) -> None:
    """And nothing is stored."""
    folder = judged(tmp_path / "folder")
    assert control_words(folder.progress()) == []
    assert "control" not in grading(folder)["evalcore"]["judging"]


def test_calls_of_controls_are_counted(tmp_path: Path, fake: FakeOpenAI) -> None:
    """One execution, one vote, two controls."""
    assert judged(tmp_path / "folder", controls=1).progress().calls == 4


@pytest.mark.parametrize("planted", PLANTED)
def test_every_planted_instruction_would_be_flagged_in_an_output(planted: str) -> None:
    """What we plant is what we look for."""
    assert speaks_to_judge(planted)


CONVENTIONS = ("description_field", "progressive_disclosure", "type_alignment")


def made_skill(root: Path, text: str) -> None:
    """Let the case have produced a SKILL.md, which nobody has graded yet."""
    FAMILIES["improve"](root)
    ran(root, configurations=(), runs=1, judge="human")
    (made,) = root.rglob("a.txt")
    (made.parent / "SKILL.md").write_text(text)


def test_conventions_that_only_a_reader_can_tell_are_asked_where_a_skill_was_produced(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Rules decide the others; all five keys of seed 000 are there."""
    root = tmp_path / "folder"
    made_skill(root, VALID_SKILL)
    fake.reply = lambda body: json.dumps(
        verdicts(body) | {"conventions": {
            name: {"details": f"about {name}", "passed": name != "type_alignment"}
            for name in CONVENTIONS
        }}
    )  # fmt: skip
    folder = ran(root, STORED, configurations=(), judge="model", limits=ONCE)
    asked = fake.asked[0].body
    schema = asked["response_format"]["json_schema"]["schema"]
    assert tuple(schema["properties"]["conventions"]["properties"]) == CONVENTIONS
    found = grading(folder)["convention_compliance"]
    assert found["type_alignment"] == {"passed": False, "details": "about type_alignment"}
    assert found["description_field"]["details"] == "about description_field"
    assert set(found) == {*CONVENTIONS, "frontmatter", "token_efficiency"}
    assert found["frontmatter"]["details"].startswith("Valid YAML")


def test_a_convention_that_a_rule_finds_broken_is_not_asked(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """A description that says not when to use the skill, whatever a model would say."""
    root = tmp_path / "folder"
    made_skill(root, VALID_SKILL.replace("Use when it rains", "Something"))
    folder = ran(root, STORED, configurations=(), judge="model", limits=ONCE)
    found = grading(folder)["convention_compliance"]
    assert found["description_field"]["passed"] is False
    assert "conventions" in fake.asked[0].body["messages"][0]["content"]
    assert "description_field" not in fake.asked[0].body["messages"][0]["content"]


@pytest.mark.parametrize("given", [{}, {"type_alignment": {"passed": "yes", "details": "x"}}, 3])
def test_a_convention_without_a_valid_answer_is_not_checked(
    tmp_path: Path, fake: FakeOpenAI, given: Any
) -> None:
    """The criteria are scored all the same."""
    root = tmp_path / "folder"
    made_skill(root, VALID_SKILL)
    fake.reply = lambda body: json.dumps(verdicts(body) | {"conventions": given})
    folder = ran(root, STORED, configurations=(), judge="model", limits=ONCE)
    value = grading(folder)
    said = value["convention_compliance"]["type_alignment"]
    assert said == {"passed": None, "details": "Not checked."}
    assert value["overall"] == "pass"


def test_without_a_skill_among_the_outputs_no_convention_is_asked(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """A case may produce anything."""
    judged(tmp_path / "folder", "improve")
    assert "conventions" not in str(fake.asked[0].body)


def test_feedback_is_one_text_in_000(tmp_path: Path, fake: FakeOpenAI) -> None:
    """What is vague by its criterion, what nobody checks, what to add."""
    value = grading(judged(tmp_path / "folder", "improve"))
    assert value["eval_feedback"].split("\n") == [
        "Say how long it may be.",
        "tone: It may mean two things.",
        "Not checked: Nobody checks the length.",
        "Suggested: It has at most 200 words.",
    ]
    assert value["claims"][0] == {"claim": "All is there.", "verified": True, "evidence": "done"}


def test_feedback_names_the_assertions_in_002(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Suggestions with and without one, as the seed has them; claims with their type."""
    value = grading(judged(tmp_path / "folder", "iterations"))
    first, second, third = value["eval_feedback"]["suggestions"]
    assert first == {"assertion": "Its tone is friendly.", "reason": "It may mean two things."}
    assert second == {"reason": "Nobody checks the length."}
    assert third == {"reason": "Suggested: It has at most 200 words."}
    assert [each["type"] for each in value["claims"]] == ["quality", "factual"]


def test_feedback_is_a_critique_in_004(tmp_path: Path, fake: FakeOpenAI) -> None:
    """Claims of fact that the output does not bear out are its factual issues."""
    value = grading(judged(tmp_path / "folder", "descriptions"))
    assert value["eval_critique"] == {
        "vague_assertions": ["Its tone is friendly.: It may mean two things."],
        "missing_coverage": ["Nobody checks the length."],
        "suggested_assertions": ["It has at most 200 words."],
    }
    assert value["factual_issues"] == ["It has 9 pages.: done"]


@pytest.mark.parametrize(
    "given",
    [
        "text", None, {"vague": 3, "missing": "x", "suggested": [1], "overall": []},
        {"vague": [{"criterion": "c9", "why": "x"}, {"criterion": "c1"}, 4]},
    ],
)  # fmt: skip
def test_feedback_that_is_not_of_the_form_is_left_out_and_the_scores_stand(
    tmp_path: Path, fake: FakeOpenAI, given: Any
) -> None:
    """It decides nothing."""
    fake.reply = lambda body: json.dumps(verdicts(body) | {"feedback": given})
    value = grading(judged(tmp_path / "folder", "improve"))
    assert (value["eval_feedback"], value["overall"]) == ("", "pass")
