"""Where a run's folder stands: container, version, eval, configuration and run."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.layouts.iterations import (
    below,
    container_of,
    folder_words,
    gathered,
    run_location,
    suite_above,
    version_folder,
)
from evalcore.layouts.shapes import Document, looks_like_evaluation


@pytest.mark.parametrize(
    ("folder", "container", "version", "eval_folder", "configuration", "run"),
    [
        (
            "w/iteration-1/eval-1/with_skill/run-2",
            "w",
            "iteration-1",
            "w/iteration-1/eval-1",
            "with_skill",
            "2",
        ),
        (
            "w/iteration-1/eval-1/with_skill",
            "w",
            "iteration-1",
            "w/iteration-1/eval-1",
            "with_skill",
            "1",
        ),
        (
            "w/iteration-5b/eval-tabs/old_skill/run-1",
            "w",
            "iteration-5b",
            "w/iteration-5b/eval-tabs",
            "old_skill",
            "1",
        ),
        (
            "iteration-7-rerun/free name/with_skill",
            "",
            "iteration-7-rerun",
            "iteration-7-rerun/free name",
            "with_skill",
            "1",
        ),
        (
            "a/b-workspace/iteration-master/x/without_skill",
            "a/b-workspace",
            "iteration-master",
            "a/b-workspace/iteration-master/x",
            "without_skill",
            "1",
        ),
        ("w/iteration-1/eval-1", "w", "iteration-1", "w/iteration-1/eval-1", "-", "1"),
        (
            "r/run_20260316_202259/planner/eval-real-1",
            "r/planner",
            "run_20260316_202259",
            "r/run_20260316_202259/planner/eval-real-1",
            "-",
            "1",
        ),
        (
            "2026-03-13/planner/eval-1/with_skill/run-2",
            "planner",
            "2026-03-13",
            "2026-03-13/planner/eval-1",
            "with_skill",
            "2",
        ),
        (
            "r/2026-03-13/runs/eval-1/with_skill",
            "r/2026-03-13",
            "current",
            "r/2026-03-13/runs/eval-1",
            "with_skill",
            "1",
        ),
        (
            "w/iteration-2/runs/eval-1/with_skill/run-3",
            "w",
            "iteration-2",
            "w/iteration-2/runs/eval-1",
            "with_skill",
            "3",
        ),
        ("w/eval-1/with_skill/run-1", "w", "current", "w/eval-1", "with_skill", "1"),
        ("w/runs/eval-1/with_skill", "w", "current", "w/runs/eval-1", "with_skill", "1"),
        ("w/tabs/with_skill/run-2", "w", "current", "w/tabs", "with_skill", "2"),
        ("tabs/without_skill", "", "current", "tabs", "without_skill", "1"),
        (
            "w/iter_2/eval-1/claude_with_skill/run_final",
            "w",
            "iter_2",
            "w/iter_2/eval-1",
            "claude_with_skill",
            "final",
        ),
        (
            "iteration-1/w/iteration-2/eval-1/with_skill",
            "iteration-1/w",
            "iteration-2",
            "iteration-1/w/iteration-2/eval-1",
            "with_skill",
            "1",
        ),
        (
            "w/iteration-2/e/without_skill/without_skill",
            "w",
            "iteration-2",
            "w/iteration-2/e",
            "without_skill",
            "1",
        ),
        (
            "w/iteration-3/claude_with_skill/eval-4",
            "w",
            "iteration-3",
            "w/iteration-3/eval-4",
            "claude_with_skill",
            "1",
        ),
        (
            "w/iteration-3/with_skill/eval-4/run-2",
            "w",
            "iteration-3",
            "w/iteration-3/eval-4",
            "with_skill",
            "2",
        ),
        (
            "w/iteration-3/eval-4/run-2/with_skill",
            "w",
            "iteration-3",
            "w/iteration-3/eval-4",
            "with_skill",
            "2",
        ),
        ("w/iteration-3/with_skill", "w", "iteration-3", "w/iteration-3", "with_skill", "1"),
        (
            "w/iteration-3/runbook/with_skill",
            "w",
            "iteration-3",
            "w/iteration-3/runbook",
            "with_skill",
            "1",
        ),
        (
            "w/iteration-3/eval-no-skill/claude_with_skill",
            "w",
            "iteration-3",
            "w/iteration-3/eval-no-skill",
            "claude_with_skill",
            "1",
        ),
        (
            "eval-rule-workspace/results/8/run-1/with_rule",
            "eval-rule-workspace/results",
            "current",
            "eval-rule-workspace/results/8",
            "with_rule",
            "1",
        ),
        ("w/results/8/run-2", "w/results", "current", "w/results/8", "-", "2"),
        (
            "runner/results/run_20260412/skill/eval-x",
            "runner/results/run_20260412/skill",
            "current",
            "runner/results/run_20260412/skill/eval-x",
            "-",
            "1",
        ),
        (
            "ab-results/2026-04-12-v1.14.0/eval-8/with_skill",
            "ab-results",
            "2026-04-12-v1.14.0",
            "ab-results/2026-04-12-v1.14.0/eval-8",
            "with_skill",
            "1",
        ),
        ("w/v1-runs/tabs/with_skill", "w", "v1-runs", "w/v1-runs/tabs", "with_skill", "1"),
        (
            "head-to-head/s/eval-x/official",
            "head-to-head/s",
            "current",
            "head-to-head/s/eval-x",
            "official",
            "1",
        ),
    ],
)
def test_a_run_is_placed_by_its_path(
    folder: str, container: str, version: str, eval_folder: str, configuration: str, run: str
) -> None:
    """With and without iteration, configuration, `runs` and run-N, in whatever order."""
    at = run_location(folder)
    assert at is not None
    assert (at.container, at.version, at.eval_folder, at.configuration, at.run, at.folder) == (
        container,
        version,
        eval_folder,
        configuration,
        run,
        folder,
    )


def test_the_configuration_folder_is_the_runs_where_there_is_no_run_level() -> None:
    """A run without a folder of its own shares that of its configuration."""
    one, many = (
        run_location("w/iteration-1/e/with_skill"),
        run_location("w/iteration-1/e/with_skill/run-1"),
    )
    assert one is not None
    assert many is not None
    assert one.configuration_folder == one.folder == many.configuration_folder


@pytest.mark.parametrize("folder", ["", "skills/pdf", "evals", "iteration-1", "with_skill"])
def test_other_folders_hold_no_run(folder: str) -> None:
    """A path that says nothing about a run is no place of one."""
    assert run_location(folder) is None


def test_an_iteration_is_its_own_folder() -> None:
    """Only the iteration's folder itself is one, or a folder in it that only gathers."""
    assert gathered("w/iteration-3") == ("w", "iteration-3")
    assert gathered("iteration-3") == ("", "iteration-3")
    assert gathered("w/iteration-3/eval-1") is None
    assert gathered("w/iterations") is None
    assert gathered("w/iteration-3/results") == ("w", "iteration-3")


@pytest.mark.parametrize(
    ("folder", "number", "words"),
    [
        ("a/eval-3-tabs", "3", "tabs"),
        ("eval-0", "0", "eval-0"),
        ("eval-tabs", None, "tabs"),
        ("a/tabs", None, "tabs"),
        ("eval3", "3", "eval3"),
    ],
)
def test_an_eval_folder_has_a_number_or_words(folder: str, number: str | None, words: str) -> None:
    """The number joins the folder to its eval; the words name it."""
    assert folder_words(folder) == (number, words)


@given(st.lists(st.text(min_size=1).filter(lambda part: "/" not in part), max_size=6))
def test_any_path_has_a_place_or_none(parts: list[str]) -> None:
    """No folder name makes placing fail, and a place lies on the path itself."""
    folder = "/".join(parts)
    at = run_location(folder)
    folder_words(folder)
    gathered(folder)
    if at is not None:
        assert folder.startswith(at.container)
        assert folder.startswith(at.configuration_folder)


def test_evaluations_are_known_by_name_or_shape() -> None:
    """A file that nobody claimed is named when it looks like an evaluation."""
    names, shapes = {"grading.json"}, [{"case_id", "results"}, {"rubric_scores"}]
    assert looks_like_evaluation("x/grading.json", None, names, shapes)
    assert looks_like_evaluation(
        "x/odd.json", Document({"case_id": 1, "results": []}), names, shapes
    )
    assert not looks_like_evaluation("x/odd.json", Document({"case_id": 1}), names, shapes)
    assert not looks_like_evaluation("package.json", Document({"name": "x"}), names, shapes)
    assert not looks_like_evaluation("x/odd.json", Document([{"rubric_scores": {}}]), names, shapes)


@pytest.mark.parametrize(
    "value",
    [
        {"assertions": [{"expectation": "Is blue", "passed": True}]},
        {"evals": [{"id": 1, "assertions": {"A1": {"name": "blue", "passed": False}}}]},
        [{"with_skill": {"evaluations": [{"text": "Is blue", "result": "PASS"}]}}],
        {"assertions": {"A1": {"description": "blue", "with_skill": "PASS"}}},
    ],
)
def test_judged_items_make_an_evaluation(value: Any) -> None:
    """Whatever is around them: a list of texts with verdicts is worth naming."""
    assert looks_like_evaluation("x/odd.json", Document(value), set(), [])
    assert Document(value).holds_items


@pytest.mark.parametrize(
    "value",
    [
        {"results": [{"name": "a test", "status": "passed"}]},
        {"$schema": "x", "expectations": [{"text": "t", "passed": True}]},
        {"assertions": ["Is blue"]},
        {"checks": [{"text": "t", "passed": True}]},
        [[[[[[[{"assertions": [{"text": "t", "passed": True}]}]]]]]]],
    ],
)
def test_other_lists_make_none(value: Any) -> None:
    """Reports of tests, schemas and criteria without verdicts are no judged items."""
    assert not Document(value).holds_items


@pytest.mark.parametrize(
    ("folder", "home"),
    [
        ("r/run_20260316_202259/planner", ("r/planner", "run_20260316_202259")),
        ("2026-03-13/planner", ("planner", "2026-03-13")),
        ("r/2026-03-13/with_skill", ("r", "current")),
        ("r/2026-03-13/results", ("r", "2026-03-13")),
        ("r/2026-03-13/reviews", None),
        ("r/2026-03-13/eval-1", ("r", "2026-03-13")),
        ("r/2026-03-13", ("r", "2026-03-13")),
        ("r/planner", None),
    ],
)
def test_a_skills_folder_in_a_time_stamp_is_a_version_of_it(folder: str, home: Any) -> None:
    """All stamps of one skill have one container; what gathers, configures or asks is no skill."""
    assert container_of(folder) == home


@pytest.mark.parametrize(
    "folder",
    ["r/run_20260316_202259/planner/eval-1/with_skill", "w/iteration-1/eval-1/with_skill"],
)
def test_a_run_is_named_below_the_folder_of_its_version(folder: str) -> None:
    """Also where that lies inside a time stamp."""
    at = run_location(folder)
    assert at is not None
    assert below(at) == "eval-1/with_skill"
    assert folder.startswith(version_folder(at.container, at.version, folder))


def test_the_folder_of_no_version_is_its_container() -> None:
    """What has none lies beside its evals."""
    assert version_folder("w", "current", "w/eval-1") == "w"


@pytest.mark.parametrize(
    ("value", "words", "name"),
    [
        ([{"query": "a", "should_trigger": False}], "1 trigger query", ""),
        ({"a": {"graded": [{"text": "x", "passed": True}] * 2}}, "2 judged items", "graded"),
        ({"checks": [{"name": "x", "result": "PASS"}]}, "1 judged item", "checks"),
        ({"runs": [{"eval_id": 1}, {"score": 2}]}, "2 runs", "runs"),
        ({"skills": {"a": {"cases": [{"query": "x"}]}}}, "1 case", "cases"),
    ],
)
def test_what_an_unknown_document_holds(value: Any, words: str, name: str) -> None:
    """A list of something evaluated, wherever it stands."""
    found = Document(value).content
    assert found is not None
    assert (found.words, found.name) == (words, name)


@pytest.mark.parametrize(
    "value",
    [
        {"runs": [{"databaseId": 10, "conclusion": "failure"}]},
        {"results": [{"name": "test_a", "status": "passed"}]},
        {"checks": [{"name": "x", "result": {"ok": True}}]},
        {"items": [{"passed": True}]},
        {"evals": ["a"], "cases": [{"id": 1}]},
        {"$schema": "x", "evals": [{"prompt": "x"}]},
        [],
        "text",
    ],
)
def test_what_evaluates_nothing_holds_nothing(value: Any) -> None:
    """Jobs of a pipeline, reports of tests, and schemas."""
    assert Document(value).content is None


@pytest.mark.parametrize(
    ("folder", "suite"),
    [
        ("/a/pdf-workspace/iteration-1", "/a/pdf-workspace"),
        ("/a/pdf/iteration-2/eval-slow/with_skill/run-1", "/a/pdf"),
        ("/a/pdf/eval-3", "/a/pdf"),
        ("/a/support/records", "/a/support"),
        ("/a/pdf", None),
        ("/a/evals", None),
        ("/a/eval-runner", None),
        ("/a/2026-01-01", None),
        ("/iteration-1", None),
        ("", None),
    ],
)
def test_a_part_of_a_suite_is_known_by_its_name(folder: str, suite: str | None) -> None:
    """An eval only if it is numbered, or in something that is a part itself."""
    assert suite_above(folder) == suite
