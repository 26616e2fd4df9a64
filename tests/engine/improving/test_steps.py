"""Improve a skill: its versions are run, compared, analyzed, and the next one is made."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evalcore.engine.improving import working
from evalcore.engine.improving.next_version import make_next
from evalcore.engine.improving.writing import write_pair
from evalcore.engine.journal import Compared, events
from evalcore.engine.model_analysis.analyzing import read_analysis
from evalcore.engine.model_answers import Invalid
from evalcore.engine.plan import ANALYSIS, NEXT, SNAPSHOT, Executor
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, new_run
from evalcore.errors import CannotRun, UnknownName
from evalcore.lint.run import check
from evalcore.views.runs.outcome_words import missing_of, outcome_words
from tests.engine.comparing_model import (
    AGENT,
    KEY,
    NEW,
    OLD,
    SUGGESTION,
    analyzed,
    asked_to,
    both,
    comparing,
    improved,
    improvement,
    outputs,
    replying,
    workspace,
)
from tests.engine.conftest import opened
from tests.families.build import changed
from tests.models.fake_openai import FakeOpenAI


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeOpenAI]:
    monkeypatch.setenv("JUDGE_KEY", KEY)
    with comparing(tmp_path / "config/models.toml") as server:
        yield server


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A skill with two versions and graded outputs of both."""
    folder = tmp_path / "folder"
    workspace(folder)
    outputs(folder, both())
    return folder


def problems(root: Path) -> set[tuple[str, str, str]]:
    """Return what `evalcore check` finds in a folder."""
    return {(each.severity, each.code, each.path) for each in check(opened(root))}


def history(root: Path) -> list[dict[str, Any]]:
    """Return the versions that are listed."""
    value = json.loads((root / "writer-workspace/history.json").read_text("utf-8"))
    return list(value["versions"])


def skill(root: Path, version: str) -> str:
    """Return the text of a version's skill."""
    return (root / f"writer-workspace/{version}/skill/SKILL.md").read_text("utf-8")


def test_stored_outputs_are_compared_analyzed_and_become_the_next_version(
    root: Path, fake: FakeOpenAI
) -> None:
    """Everything is read back, check finds nothing new, and the user's skill stays as it is."""
    before = problems(root)
    folder = improved(root)
    found = folder.progress()
    assert (folder.state(), found.done, found.total) == ("finished", 4, 4)
    assert problems(root) == before
    tables = opened(root).tables
    rows = tables.comparisons.to_dict("records")
    assert {row["case_id"] for row in rows} == {"one", "two"}
    assert {(row["judge"], row["judge_type"]) for row in rows} == {("fake-1", "llm")}
    won = [row["version_a" if row["winner"] == "A" else "version_b"] for row in rows]
    assert won == ["v1", "v1"]
    assert len(tables.comparison_scores) == 10
    kinds = dict(tables.analyses["kind"].value_counts())
    assert kinds == {"strength": 1, "weakness": 1, "suggestion": 1}
    assert set(tables.analyses["winner_version"]) == {"v1"}
    assert history(root)[2]["path"] == "v2/skill"
    assert history(root)[2]["description"].startswith("v1 with 1 of 1 suggestions of run ")
    assert skill(root, "v2") == NEW.replace("Write briefly.", "Write three sentences.")
    assert (root / "writer/SKILL.md").read_text() == skill(root, "v1") == NEW
    assert (len(asked_to(fake, "compare")), len(asked_to(fake, "analyze"))) == (4, 1)
    assert found.calls == 5
    assert found.tokens == 600


def test_a_changed_skill_is_kept_run_graded_and_compared(tmp_path: Path, fake: FakeOpenAI) -> None:
    """It becomes the next version first; each case runs three times under both versions."""
    root = tmp_path / "folder"
    workspace(root, skill=NEW + "Cite.\n")
    folder = improved(root, executor=AGENT)
    found = folder.progress()
    assert folder.state() == "finished"
    assert found.done == found.total == 12 + 1 + 2 + 1 + 1
    assert skill(root, "v2") == NEW + "Cite.\n"
    assert [each["version"] for each in history(root)] == [0, 1, 2, 3]
    assert skill(root, "v3").endswith("Write three sentences.\nBe very kind.\nCite.\n")
    runs = opened(root).tables.runs
    assert dict(runs.groupby("version").size()) == {"v1": 6, "v2": 6}
    assert set(runs["status"]) == {"completed"}
    assert not {each for each in problems(root) if each[0] != "info"}
    assert found.steps[SNAPSHOT].version == "v2"


def test_a_model_judges_too_where_it_is_asked_to(tmp_path: Path, fake: FakeOpenAI) -> None:
    """All calls count: six gradings, two pairs in both orders, one analysis."""
    root = tmp_path / "folder"
    workspace(root)
    found = improved(root, executor=AGENT, judge="model", runs=1, apply=False).progress()
    assert len(asked_to(fake, "judge")) == 4
    assert len(fake.asked) == 4 + 4 + 1
    assert found.calls == len(fake.asked) + 4


def test_only_what_is_missing_is_run(tmp_path: Path, fake: FakeOpenAI) -> None:
    """With one graded run of each, two are added to make three."""
    root = tmp_path / "folder"
    workspace(root)
    outputs(root, both())
    plan = improvement(root, executor=AGENT)
    assert [(run.version, run.case, run.run) for run in plan.runs] == [
        (version, case, run)
        for case in ("one", "two")
        for version in ("v0", "v1")
        for run in ("2", "3")
    ]


def test_the_analysis_is_told_both_skills_the_comparisons_and_the_grades(
    root: Path, fake: FakeOpenAI
) -> None:
    """After unblinding, as data; neither test cases nor keys are in it."""
    improved(root)
    (asked,) = asked_to(fake, "analyze")
    text = asked["messages"][1]["content"]
    assert "The winner is v1, the loser v0." in text
    assert OLD in text
    assert NEW in text
    assert "Case one: v1 won. It is good." in text
    assert re.search(r"v1: 2 graded runs, \d+% of the score", text)
    assert "It is there." in text
    assert 'contains "done"' not in text
    assert KEY not in json.dumps(asked)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("It is better.", "no valid JSON"),
        (json.dumps(changed(analyzed(), strengths="many")), "strengths"),
        (json.dumps(changed(analyzed(), weaknesses=[3])), "weaknesses"),
        (json.dumps(changed(analyzed(), suggestions={})), "no list"),
        (json.dumps(changed(analyzed(), strengths=["text"])), "sent the form back"),
        (json.dumps(analyzed(dict.fromkeys(SUGGESTION, "text"))), "sent the form back"),
        (json.dumps(analyzed(changed(SUGGESTION, after=""))), "lacks"),
        (json.dumps(analyzed(changed(SUGGESTION, before=None))), "lacks"),
        (json.dumps(analyzed())[:-1] + ', "strengths": []}', "twice"),
    ],
)
def test_an_analysis_of_another_form_counts_for_nothing(text: str, why: str) -> None:
    """Nothing is guessed of what it may have meant."""
    found = read_analysis(text)
    assert isinstance(found, Invalid)
    assert why in found.why


def test_an_invalid_analysis_is_kept_and_makes_no_version(root: Path, fake: FakeOpenAI) -> None:
    """The comparisons stay; what it answered can be read in the run."""
    replying(fake, analyze=lambda _: "It is better.")
    folder = improved(root)
    found = folder.progress()
    assert found.analysis is not None
    assert found.analysis.answers == ("It is better.",)
    assert any("There is no analysis" in each for each in missing_of(found))
    assert len(history(root)) == 2
    assert not list((root / "writer-workspace/comparisons").glob(f"analysis-{folder.id}.json"))


def test_suggestions_that_cannot_be_applied_are_listed_with_their_reasons(
    root: Path, fake: FakeOpenAI
) -> None:
    """The others make the next version."""
    said = [
        SUGGESTION,
        changed(SUGGESTION, before="Be long."),
        changed(SUGGESTION, before="e"),
        changed(SUGGESTION, before="briefly.\nBe"),
    ]
    replying(fake, analyze=lambda _: analyzed(*said))
    words = outcome_words(improved(root).progress())
    assert "v2 is v1 with 1 of 4 suggestions applied." in words
    assert any("Suggestion 2" in each and "not in the skill" in each for each in words)
    assert any("Suggestion 3" in each and "times" in each for each in words)
    assert any("Suggestion 4" in each and "suggestion 1" in each for each in words)


def test_without_one_that_can_be_applied_there_is_no_version(root: Path, fake: FakeOpenAI) -> None:
    """A copy that is the same would be no next version."""
    replying(fake, analyze=lambda _: analyzed(changed(SUGGESTION, before="Be long.")))
    folder = improved(root)
    assert len(history(root)) == 2
    assert "No suggestion could be applied" in outcome_words(folder.progress())[1]
    assert folder.state() == "finished"


def test_it_can_be_left_at_the_analysis(root: Path, fake: FakeOpenAI) -> None:
    """The suggestions are written and nothing is made of them."""
    folder = improved(root, apply=False)
    assert NEXT not in folder.progress().steps
    assert len(history(root)) == 2
    assert len(opened(root).tables.analyses) == 3


def test_a_text_that_is_not_in_the_skill_is_named_without_applying_it_too(
    root: Path, fake: FakeOpenAI
) -> None:
    """Whoever applies it by hand has to know; the document has the suggestion as it was made."""
    replying(fake, analyze=lambda _: analyzed(SUGGESTION, changed(SUGGESTION, before="Be long.")))
    folder = improved(root, apply=False)
    words = outcome_words(folder.progress())
    assert words[1:] == ["Suggestion 2 (body): the text to replace is not in the skill of v1."]
    (path,) = folder.progress().steps[ANALYSIS].paths
    written = json.loads((root / path).read_text("utf-8"))["suggestions"]
    assert written == [SUGGESTION, changed(SUGGESTION, before="Be long.")]


def test_improving_again_compares_the_version_that_was_made(root: Path, fake: FakeOpenAI) -> None:
    """The user's skill is like v1, which is kept: it makes no version again."""
    improved(root)
    plan = improvement(root, executor=AGENT)
    assert plan.steps is not None
    assert (plan.steps.version_a, plan.steps.version_b) == ("v1", "v2")
    assert plan.steps.snapshot is None


def test_an_evenly_divided_comparison_counts_for_the_earlier_version(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """A change that did not win is not better."""
    root = tmp_path / "folder"
    workspace(root)
    outputs(root, {"v0": {"one": "good", "two": "poor"}, "v1": {"one": "poor", "two": "good"}})
    found = improved(root).progress().analysis
    assert found is not None
    assert (found.winner, found.loser) == ("v0", "v1")


def test_without_any_verdict_nothing_is_analyzed(root: Path, fake: FakeOpenAI) -> None:
    """There is nothing that the model could be asked."""
    replying(fake, compare=lambda _: "neither")
    folder = improved(root)
    assert asked_to(fake, "analyze") == []
    assert len(missing_of(folder.progress())) == 3
    assert len(history(root)) == 2


class _Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize(
    "where", ["write_pair", "analyzed_by_model", "write_analysis", "make_next"]
)
def test_a_killed_run_goes_on_and_asks_nothing_twice_that_is_journaled(
    root: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Whichever step it died in; the end is the same as without."""
    folder = new_run(improvement(root, limits={"concurrency": 1}))

    def dies(*_: Any) -> Any:
        raise _Killed

    with monkeypatch.context() as patched:
        patched.setattr(working, where, dies)
        with pytest.raises(_Killed):
            work(folder.id)
    asked = len(asked_to(fake, "compare"))
    assert folder.state() == "interrupted"
    work(folder.id)
    assert folder.state() == "finished"
    cases = [each.pair.case for each in events(folder.path) if isinstance(each, Compared)]
    assert sorted(cases) == ["one", "two"]
    assert len(asked_to(fake, "compare")) == 4
    assert asked == (2 if where == "write_pair" else 4)
    assert len(asked_to(fake, "analyze")) == 1
    assert len(history(root)) == 3
    assert len(opened(root).tables.comparisons) == 2


def test_a_version_that_was_made_before_a_kill_is_not_made_twice(
    root: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The snapshot was there, and its line in the journal was not."""
    folder = new_run(improvement(root))

    def dies(*given: Any) -> Any:
        make_next(*given)
        raise _Killed

    with monkeypatch.context() as patched:
        patched.setattr(working, "make_next", dies)
        with pytest.raises(_Killed):
            work(folder.id)
    work(folder.id)
    assert [each["version"] for each in history(root)] == [0, 1, 2]
    assert folder.progress().steps[NEXT].version == "v2"


def test_a_server_that_does_not_answer_interrupts_and_is_asked_again(
    root: Path, fake: FakeOpenAI
) -> None:
    """What was answered before stays; nothing is decided by silence."""
    fake.faults = ["", "", "status 500"]
    folder = new_run(improvement(root, limits={"concurrency": 1}))
    work(folder.id)
    found = folder.progress()
    assert (folder.state(), len(found.pairs)) == ("interrupted", 1)
    assert "The comparing model" in found.why
    work(folder.id)
    assert folder.state() == "finished"
    assert len(asked_to(fake, "compare")) == 2 + 1 + 1 + 2


@pytest.mark.parametrize(
    ("calls", "pairs", "analyses"), [(1, 0, 0), (3, 1, 0), (4, 2, 0), (5, 2, 1)]
)
def test_a_limit_of_calls_counts_the_steps(
    root: Path, fake: FakeOpenAI, calls: int, pairs: int, analyses: int
) -> None:
    """A pair begins only where both its calls are allowed."""
    folder = improved(root, limits={"calls": calls, "concurrency": 1})
    assert len(asked_to(fake, "compare")) == 2 * pairs
    assert len(asked_to(fake, "analyze")) == analyses
    assert folder.state() == ("finished" if analyses else "budget_stopped")


def test_a_cancelled_run_stops_before_the_next_pair(
    root: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in work is finished; going on does the rest."""
    folder = new_run(improvement(root, limits={"concurrency": 1}))

    def cancels(*given: Any) -> Any:
        folder.ask_to_stop("gently")
        return write_pair(*given)

    monkeypatch.setattr(working, "write_pair", cancels)
    work(folder.id)
    assert (folder.state(), len(folder.progress().pairs)) == ("cancelled", 1)
    monkeypatch.setattr(working, "write_pair", write_pair)
    folder.forget_stop()
    work(folder.id)
    assert folder.state() == "finished"
    assert len(asked_to(fake, "compare")) == 4


def test_a_run_that_is_stopped_now_keeps_no_half_pair(
    root: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The call in work is ended; nothing is decided by it."""
    folder = new_run(improvement(root, limits={"concurrency": 1}))

    def stops(_: Any) -> Any:
        folder.ask_to_stop("now")
        time.sleep(1)
        return "too late"

    replying(fake, compare=stops)
    work(folder.id)
    found = folder.progress()
    assert (folder.state(), found.pairs, found.analysis) == ("cancelled", {}, None)


def test_a_skill_that_changed_after_the_plan_is_refused(tmp_path: Path, fake: FakeOpenAI) -> None:
    """What was said before the start is not what would be run; nothing is written."""
    root = tmp_path / "folder"
    workspace(root, skill=NEW + "Cite.\n")
    folder = new_run(improvement(root, executor=AGENT))
    (root / "writer/SKILL.md").write_text(NEW + "Cite all.\n")
    work(folder.id)
    found = folder.progress()
    assert folder.state() == "interrupted"
    assert "changed since this was planned" in found.why
    assert SNAPSHOT in found.failed
    assert len(history(root)) == 2
    assert not list(root.rglob("run-*"))
    assert fake.asked == []


def test_a_skill_that_is_kept_already_makes_no_second_version(
    tmp_path: Path, fake: FakeOpenAI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that was killed after its snapshot finds it, and goes on."""
    root = tmp_path / "folder"
    workspace(root, skill=NEW + "Cite.\n")
    folder = new_run(improvement(root, executor=AGENT, runs=1))

    def dies(_: Any) -> Any:
        raise _Killed

    with monkeypatch.context() as patched:
        patched.setattr("evalcore.engine.runner.Runner._resume", dies)
        patched.setattr("evalcore.engine.journal.Journal.add", lambda *_, **__: None)
        with pytest.raises(_Killed):
            work(folder.id)
    assert len(history(root)) == 3
    work(folder.id)
    assert folder.state() == "finished"
    assert skill(root, "v2") == NEW + "Cite.\n"
    assert [each["version"] for each in history(root)] == [0, 1, 2, 3]


def test_stored_outputs_of_some_cases_are_compared_and_the_others_named(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """A case without an output on a side is left out before anything is asked."""
    root = tmp_path / "folder"
    workspace(root)
    outputs(root, {"v0": {"one": "poor"}, "v1": {"one": "good", "two": "good"}})
    steps = improvement(root).steps
    assert steps is not None
    assert steps.cases == ("one",)
    assert steps.left_out == ("two is not compared. No output of v0.",)


def test_what_cannot_be_improved_is_refused_with_the_next_step(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Before anything is written."""
    root = tmp_path / "folder"
    workspace(root, skill=NEW + "Cite.\n")
    with pytest.raises(CannotRun, match="Choose an executor"):
        improvement(root)
    with pytest.raises(UnknownName):
        improvement(root, executor=AGENT, against="v7")
    with pytest.raises(CannotRun, match="name an earlier one"):
        improvement(root, executor=AGENT, against="v2")
    value = {"current_version": 0, "versions": history(root)[:1]}
    (root / "writer-workspace/history.json").write_text(json.dumps(value))
    (root / "writer/SKILL.md").write_text(OLD)
    with pytest.raises(CannotRun, match="only one version"):
        improvement(root, executor=AGENT)


def test_test_runs_that_failed_are_tried_again_before_anything_is_compared(
    tmp_path: Path, fake: FakeOpenAI
) -> None:
    """Half of the outputs would be another comparison."""
    root = tmp_path / "folder"
    mark = tmp_path / "mark"
    workspace(root, cases={"one": f"write=a.txt once={mark}"})
    folder = new_run(improvement(root, executor=AGENT, runs=1, limits={"concurrency": 1}))
    work(folder.id)
    assert asked_to(fake, "compare") == []
    assert "not done" in folder.progress().failed["compare one"]
    work(folder.id)
    assert folder.progress().failed == {}
    assert folder.state() == "finished"
    assert folder.progress().done == folder.progress().total


def test_no_key_is_in_any_file(root: Path, fake: FakeOpenAI, tmp_path: Path) -> None:
    """Neither in the folder nor in what evalcore keeps of the run."""
    folder: RunFolder = improved(root)
    assert ANALYSIS in folder.progress().steps
    for place in (root, tmp_path / "state", tmp_path / "cache"):
        for path in place.rglob("*"):
            assert not path.is_file() or KEY.encode() not in path.read_bytes(), path


@pytest.mark.parametrize(("named", "executing"), [("", "small"), ("large", "large")])
def test_a_model_executes_too_the_one_of_the_configuration_or_the_one_that_compares(
    tmp_path: Path, fake: FakeOpenAI, named: str, executing: str
) -> None:
    """With the executor that asks a model."""
    root = tmp_path / "folder"
    workspace(root)
    config = tmp_path / "config/models.toml"
    config.write_text(f'executor = "{named}"\n' + config.read_text("utf-8"))
    plan = improvement(root, executor=Executor("openai", "model"))
    assert plan.agent is not None
    assert plan.agent.model.name == executing
    assert len(plan.runs) == 12
