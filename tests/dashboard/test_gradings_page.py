"""The Gradings page without a browser: what it hands to its panels, for every kind of workspace."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import evalcore.demo
from evalcore.demo import minimal_folder
from tests.dashboard.live import write
from tests.families.build import write as write_files

SEEDS = Path(__file__).parents[1] / "data" / "seeds"
DEMO = Path(evalcore.demo.__file__).parent / "workspace"
LIMIT = 150 * 1024


def panels(app: AppTest) -> dict[str, dict[str, Any]]:
    """Return what each panel of the page is given, by the name of its component."""
    found = app.get("bidi_component")
    return {
        item.proto.component_name.rpartition(".")[2]: json.loads(item.proto.json) for item in found
    }


def blocks(app: AppTest, kind: str) -> list[dict[str, Any]]:
    """Return the blocks of one kind that the evidence shows."""
    return [block for block in panels(app)["grades"]["blocks"] if block["t"] == kind]


def lines(app: AppTest) -> dict[str, Any]:
    """Return the numbered text of the page."""
    drawn = [json.loads(item.proto.json).get("blocks", []) for item in app.get("bidi_component")]
    return next(block for blocks in drawn for block in blocks if block["t"] == "lines")


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "gradings")


def strings(value: Any) -> Iterator[str]:
    """Return every text of a JSON value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("family", ["improve", "records", "rubric", "descriptions", "iterations"])
@pytest.mark.parametrize("tab", ["grades", "output", "transcript", "case", "raw"])
def test_every_family_is_shown_on_every_tab(
    run_page: Callable[..., AppTest], family: str, tab: str
) -> None:
    """The seeds' own examples are drawn without an error, grid and head beside each tab."""
    app = run_page(SEEDS / family, tab=tab)
    assert not app.exception
    shown = panels(app)
    assert shown["grid"]["rows"]
    assert shown["head"]["tab"] == tab


@pytest.mark.parametrize(
    ("suite", "texts"),
    [
        ("release-notes", {"Prompt", "Measured"}),
        ("sql-helper", {"Measured"}),
        ("commit-helper", {"Measured"}),
        ("invoice-extractor", {"Measured"}),
        ("support-agent", {"Measured"}),
    ],
)
def test_every_suite_of_the_demo_is_small_to_send(
    run_page: Callable[..., AppTest], suite: str, texts: set[str]
) -> None:
    """All that the panels are given for a page and a case stays below 150 KB."""
    app = run_page(DEMO, suite=suite)
    assert not app.exception
    assert sum(len(item.proto.json) for item in app.get("bidi_component")) < LIMIT
    assert texts <= set(strings(panels(app)["grades"]))


def test_a_criterion_shows_score_scale_anchor_and_reasons(
    run_page: Callable[..., AppTest],
) -> None:
    """A scored criterion says what its score means and where the scale passes."""
    app = run_page(DEMO, suite="release-notes", filter="failing")
    item = next(block for block in blocks(app, "item") if block["mark"] == "fail")
    assert item["score"].endswith(" of 5")
    assert item["scale"]["label"].endswith("passes at 3")
    assert item["anchor"]
    assert any(text["text"] for text in item["texts"])


def test_an_address_that_means_nothing_shows_the_first_case(
    run_page: Callable[..., AppTest],
) -> None:
    """Unknown filters, tabs, pages and runs are as if they were absent; the run is said to be."""
    app = run_page(DEMO, suite="release-notes", filter="?", tab="?", page="-1", run="nope")
    assert not app.exception
    assert panels(app)["head"]["where"] == "1 of 12"
    assert any("The run in this address is not in the suite" in text.value for text in app.text)


def test_a_folder_without_evaluations_teaches_the_next_step(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Three commands, then the one that opens another folder, and a folder that is enough."""
    folder = tmp_path / "nothing"
    folder.mkdir()
    app = run_page(folder)
    assert not app.exception
    assert [code.value for code in app.code][3:] == ["evalcore open FOLDER", minimal_folder()]


def test_a_suite_without_runs_shows_its_cases(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Cases that nothing has run yet are listed and shown as they are defined."""
    cases = [
        {"id": 1, "prompt": "Say hello", "expected_output": "Hello", "expectations": ["Greets"]}
    ]
    write(tmp_path / "new/evals/evals.json", {"skill_name": "new", "evals": cases})
    app = run_page(tmp_path)
    assert not app.exception
    assert panels(app)["head"]["verdict"] == "no run in any version"
    assert any("This case has no run in any version yet" in text.value for text in app.text)


def test_outputs_are_shown_as_what_they_are(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """Markdown as source, JSON as a tree on request, a table as cells, code in its colours."""
    run = "s-workspace/iteration-1/eval-1/with_skill"
    files = {
        f"{run}/grading.json": {"expectations": [{"text": "ok", "passed": True, "evidence": "-"}]},
        f"{run}/outputs/a.md": "---\ntitle: x\n---\n# Title",
        f"{run}/outputs/b.csv": "name,amount\nRope,3\n",
        f"{run}/outputs/c.json": {"total": 3},
        f"{run}/outputs/d.py": "print('x')\n",
        f"{run}/transcript.md": "It began.",
    }
    write_files(tmp_path, files)
    output = {"tab": "output"}
    plain = run_page(tmp_path, **output, file=f"{run}/outputs/a.md")
    assert lines(plain)["text"].startswith("---\ntitle: x\n---\n# Title")
    table = run_page(tmp_path, **output, file=f"{run}/outputs/b.csv")
    assert table.dataframe[0].value.to_dict("list") == {"name": ["Rope"], "amount": ["3"]}
    tree = run_page(tmp_path, **output, file=f"{run}/outputs/c.json")
    assert "total" in lines(tree)["text"]
    tree.segmented_control[0].set_value("Tree").run()
    assert json.loads(tree.json[0].value) == {"total": 3}
    code = run_page(tmp_path, **output, file=f"{run}/outputs/d.py")
    assert (code.code[0].language, code.code[0].value) == ("python", "print('x')")
    said = run_page(tmp_path, tab="transcript")
    assert lines(said)["text"] == "It began."


def test_a_long_file_comes_in_parts(run_page: Callable[..., AppTest], tmp_path: Path) -> None:
    """A file of a megabyte is small to send, and the part with a line opens by its line."""
    run = "s-workspace/iteration-1/eval-1/with_skill"
    text = "".join(f"line {number} {'x' * 80}\n" for number in range(1, 12_001))
    files = {
        f"{run}/grading.json": {"expectations": [{"text": "ok", "passed": True, "evidence": "-"}]},
        f"{run}/outputs/long.txt": text,
    }
    write_files(tmp_path, files)
    app = run_page(tmp_path, tab="output", file=f"{run}/outputs/long.txt", line="11000")
    shown = lines(app)
    assert len(json.dumps(shown)) < LIMIT
    assert shown["first"] <= 11_000 < shown["first"] + shown["text"].count("\n")
    assert "of 12,000" in shown["message"]


def test_a_list_that_is_narrowed_keeps_nothing_of_the_run_that_was_open(
    run_page: Callable[..., AppTest],
) -> None:
    """Neither its file nor its step: another case is open then."""
    of_run = {"run": "release-notes::security-fix@v3/-#1", "line": "3", "step": "2", "find": "a"}
    app = run_page(DEMO, suite="release-notes", tab="raw", whole="1", part="2", **of_run)
    (search,) = [each for each in app.text_input if each.label == "Search"]
    search.set_value("notes").run()
    kept = {"run", "case", "file", "line", "whole", "step", "find", "part"}
    assert app.query_params["q"] == "notes"
    assert kept.isdisjoint(app.query_params)
