"""Which document of which run a file is, by its name and its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.layouts.files import spot


@pytest.mark.parametrize(
    ("path", "kind", "eval_folder", "configuration"),
    [
        (
            "w/iteration-1/eval-1/with_skill/run-1/grading.json",
            "grading",
            "w/iteration-1/eval-1",
            "with_skill",
        ),
        (
            "w/iteration-1/eval-1/with_skill/timing.json",
            "timing",
            "w/iteration-1/eval-1",
            "with_skill",
        ),
        ("w/iteration-1/eval-1/eval_metadata.json", "eval_metadata", "w/iteration-1/eval-1", "-"),
        (
            "w/iteration-9/gemini_with_skill/eval-6-grading.json",
            "grading",
            "w/iteration-9/eval-6",
            "gemini_with_skill",
        ),
        (
            "w/iteration-9/with_skill/eval-6-config.json",
            "run_config",
            "w/iteration-9/eval-6",
            "with_skill",
        ),
        (
            "w/iteration-1/eval-x/grading_without_skill.json",
            "grading",
            "w/iteration-1/eval-x",
            "without_skill",
        ),
        (
            "w/iteration-1/eval-x/old_skill-grading.json",
            "grading",
            "w/iteration-1/eval-x",
            "old_skill",
        ),
        (
            "w/iteration-1/eval-x/timing_with_skill.json",
            "timing",
            "w/iteration-1/eval-x",
            "with_skill",
        ),
        ("w/iteration-1/eval-x/gemini-grading.json", "grading", "w/iteration-1/eval-x", "gemini"),
    ],
)
def test_a_file_is_placed_by_its_name_and_folder(
    path: str, kind: str, eval_folder: str, configuration: str
) -> None:
    """Files of several evals or configurations side by side are told apart by their names."""
    folder, _, name = path.rpartition("/")
    found = spot(folder, name)
    assert found is not None
    assert (found.kind, found.at.eval_folder, found.at.configuration, found.whole) == (
        kind,
        eval_folder,
        configuration,
        False,
    )


@pytest.mark.parametrize(
    "path",
    [
        "w/iteration-5/evals/grading_v5.json",
        "w/iteration-5/tabs-grading-results.json",
        "w/iteration-5/grading.json",
        "w/iteration-5/results/gradings.json",
    ],
)
def test_a_file_may_be_about_a_whole_iteration(path: str) -> None:
    """A grading that stands above the evals speaks of several."""
    folder, _, name = path.rpartition("/")
    found = spot(folder, name)
    assert found is not None
    assert (found.whole, found.at.container, found.at.version) == (True, "w", "iteration-5")


@pytest.mark.parametrize(
    "path",
    [
        "template/schemas/grading.schema.json",
        "docs/grading.json",
        "w/iteration-1/notes.json",
        "src/timing.json",
        "w/iteration-1/eval-1/grading.md",
        "app-config.json",
    ],
)
def test_other_files_are_no_documents_of_a_run(path: str) -> None:
    """A schema, another place or another ending is not ours."""
    folder, _, name = path.rpartition("/")
    assert spot(folder, name) is None


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_name_has_a_spot_or_none(folder: str, name: str) -> None:
    """Only a JSON file is a document of a run."""
    for found, of in (
        (spot(folder.strip("/"), name), name),
        (spot(f"iteration-1/{folder}", f"{name}grading.json"), "grading.json"),
    ):
        assert found is None or (of.endswith(".json") and found.kind)
