"""The address is the choice: what it asks for is met, or said to be missing."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore import Workspace, open_workspace
from pages.parts.state import Choice, choose, offer
from tests.dashboard.live import write, write_alpha


@pytest.fixture(scope="module")
def workspace(small_workspace: Path) -> Workspace:
    """Open the workspace with two suites."""
    return open_workspace(small_workspace, cache=False)


def test_without_wishes_the_first_suite_is_shown_whole(workspace: Workspace) -> None:
    """All versions and configurations of it, by the recorded scores, and nothing is said."""
    assert choose("skills", {}, workspace) == Choice("skills", "alpha")


def test_what_the_workspace_has_is_chosen(workspace: Workspace) -> None:
    """Suite, version, configuration and whose scores come from the address."""
    query = {"suite": "beta", "v": "iteration-1", "c": "with_skill", "scores": "human"}
    found = choose("skills", query, workspace)
    assert found == Choice("skills", "beta", "iteration-1", "with_skill", "human")


def test_a_wish_that_cannot_be_met_is_said(workspace: Workspace) -> None:
    """The sentence names what is missing and what is shown instead."""
    found = choose("skills", {"suite": "gamma", "v": "v9", "c": "none"}, workspace)
    assert (found.suite, found.version, found.configuration) == ("alpha", None, None)
    assert found.messages == (
        "There is no suite called “gamma” here; showing alpha.",
        "There is no version called “v9” here; showing all versions.",
        "There is no configuration called “none” here; showing all configurations.",
    )


def test_a_version_belongs_to_its_suite(workspace: Workspace) -> None:
    """A version of another suite is not one of this suite."""
    assert choose("skills", {"suite": "beta", "v": "v1"}, workspace).version is None


def test_a_long_wish_is_said_short(workspace: Workspace) -> None:
    """A sentence stays a sentence, whatever stands in the address."""
    found = choose("skills", {"suite": "x" * 10_000}, workspace)
    assert len(found.messages[0]) < 200


def test_unknown_scores_and_parameters_are_ignored(workspace: Workspace) -> None:
    """The address may hold more than is known here."""
    found = choose("skills", {"scores": "loudest", "utm": "1", "token": "x"}, workspace)
    assert found == Choice("skills", "alpha")


def test_an_empty_folder_has_nothing_to_choose(tmp_path: Path) -> None:
    """Without suites there is no suite, and no error."""
    found = choose("empty", {}, open_workspace(tmp_path, cache=False))
    assert found == Choice("empty")


def test_an_empty_folder_says_one_thing_only(tmp_path: Path) -> None:
    """Where there is no suite, nothing is said of its versions."""
    found = choose("empty", {"suite": "a", "v": "v1"}, open_workspace(tmp_path, cache=False))
    assert found.messages == ("There is no suite called “a” here; showing none.",)


def test_a_short_name_means_the_suite_that_has_it(tmp_path: Path) -> None:
    """The address may say what the sidebar shows; links then carry the whole path."""
    write_alpha(tmp_path / "plugins")
    found = choose("s", {"suite": "alpha", "v": "v1"}, open_workspace(tmp_path, cache=False))
    assert found == Choice("s", "plugins/alpha", "v1")


def test_a_suite_without_runs_says_so_where_it_is_offered(tmp_path: Path) -> None:
    """It stands last."""
    write_alpha(tmp_path)
    write(tmp_path / "aaa/evals/evals.json", {"evals": [{"id": 1, "prompt": "Say hello"}]})
    found = offer(open_workspace(tmp_path, cache=False), None).suites
    assert list(found.items()) == [("alpha", "alpha"), ("aaa", "aaa · no runs")]


def test_versions_are_offered_in_their_order(workspace: Workspace) -> None:
    """Oldest first; configurations by name."""
    assert offer(workspace, "alpha").versions == ("v0", "v1")
    assert offer(workspace, "beta").configurations == ("with_skill", "without_skill")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda choice: choice.query(), {"w": "s", "suite": "a", "v": "v1"}),
        (lambda choice: choice.query(v=None), {"w": "s", "suite": "a"}),
        (
            lambda choice: choice.query(run="a::c"),
            {"w": "s", "suite": "a", "v": "v1", "run": "a::c"},
        ),
    ],
)
def test_a_choice_writes_its_own_address(
    change: Callable[[Choice], dict[str, str]], expected: dict[str, str]
) -> None:
    """Links carry the choice on, changed or with something added; defaults are left out."""
    assert change(Choice("s", "a", "v1")) == expected


def test_the_address_names_what_was_chosen_and_keeps_a_wish(
    run: Callable[..., AppTest], small_workspace: Path
) -> None:
    """Without a suite in it the first one is written; one that is gone stays, with its sentence."""
    assert run("gradings", small_workspace).query_params["suite"] == "alpha"
    gone = run("gradings", small_workspace, suite="gamma")
    assert gone.query_params["suite"] == "gamma"
    assert "There is no suite called “gamma” here; showing alpha." in [t.value for t in gone.text]
