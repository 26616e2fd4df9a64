"""`evalcore trends`: the sentence, the document and the files, each with the same numbers."""

import csv
import json
import re
import sys
from pathlib import Path
from subprocess import run

import pytest

import evalcore.demo
from tests.cli.command import ROOT, environment
from tests.cli.conftest import Invoke

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
OF_ALL = ("trends", DEMO, "--suite", "commit-helper")


def test_the_direction_comes_first(invoke: Invoke) -> None:
    """Each line's with its figures; then the points, newest first."""
    found = invoke(*OF_ALL)
    assert found.exit_code == 0
    lines = found.stdout.splitlines()
    assert "Pass rate of with_skill is improving over the last 3 versions: 48 % → 97 %" in lines[1]
    assert re.search(r"iteration-3 +with_skill +97 % +66 to 100 % +5 +10", found.stdout)


def test_time_is_rising_and_not_improving(invoke: Invoke) -> None:
    """No amount of time, tokens or cost is good or bad in itself."""
    found = invoke(*OF_ALL, "--metric", "tokens").stdout
    assert "improving" not in found
    assert "degrading" not in found
    assert "Tokens per run of with_skill is steady" in found


def test_the_document_holds_every_point(invoke: Invoke) -> None:
    """In full precision; docs/trends.md explains each name."""
    document = json.loads(invoke(*OF_ALL, "--json").stdout)
    told = {each["line"]: each["direction"] for each in document["directions"]}
    assert told == {"with_skill": "improving", "without_skill": "no clear direction"}
    points = document["lines"][1]["points"]
    assert [point["value"] for point in points] == pytest.approx([29 / 60, 23 / 30, 29 / 30])
    explained = (ROOT / "docs" / "trends.md").read_text(encoding="utf-8")
    names = {*document, *document["directions"][0], *document["lines"][0], *points[0]}
    assert not [name for name in names if f"`{name}`" not in explained]


def test_alerts_are_in_the_document(invoke: Invoke) -> None:
    """With both figures, and whether the comparison confirms them."""
    found = invoke("trends", DEMO, "--suite", "support-agent", "--json").stdout
    (alert,) = json.loads(found)["alerts"]
    assert (alert["level"], alert["points"], alert["relative"]) == ("critical", 0.5, 0.5)
    assert alert["certainty"] == "could be noise"
    text = (ROOT / "docs" / "trends.md").read_text(encoding="utf-8")
    assert not [name for name in alert if f"`{name}`" not in text]


def test_the_chart_is_written_in_the_form_of_its_name(invoke: Invoke, tmp_path: Path) -> None:
    """SVG with its numbers as text, CSV in full precision; a file that exists stays."""
    picture, numbers = tmp_path / "t.svg", tmp_path / "t.csv"
    for out in (picture, numbers):
        assert invoke(*OF_ALL, "--out", out).exit_code == 0
    assert "97 %" in picture.read_text(encoding="utf-8")
    rows = list(csv.DictReader(numbers.read_text(encoding="utf-8").splitlines()))
    assert float(rows[-1]["value"]) == pytest.approx(29 / 30, abs=1e-12)
    assert len(rows) == 6
    marked = tmp_path / "excel.csv"
    assert invoke(*OF_ALL, "--out", marked, "--excel").exit_code == 0
    assert marked.read_bytes() == b"\xef\xbb\xbf" + numbers.read_bytes()
    again = invoke(*OF_ALL, "--out", picture)
    assert again.exit_code == 2
    assert "--force" in again.stderr
    assert invoke(*OF_ALL, "--out", picture, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("trends", DEMO), "8 suites; name one with --suite"),
        (("trends", DEMO, "--suite", "nope"), "There is no suite 'nope'"),
        ((*OF_ALL, "--metric", "speed"), "There is: .*headline, time, tokens"),
        ((*OF_ALL, "--metric", "headlin"), "Did you mean 'headline'"),
        ((*OF_ALL, "--out", "chart.gif"), "must end in .svg, .png or .csv"),
        ((*OF_ALL, "--excel"), "add --out FILE.csv"),
    ],
)
def test_what_cannot_be_done_names_the_next_step(
    invoke: Invoke, arguments: tuple[str | Path, ...], said: str
) -> None:
    """Exit code 2 and one sentence."""
    found = invoke(*arguments)
    assert found.exit_code == 2
    assert re.search(said, found.stderr)
    assert not found.stdout


def test_a_suite_without_runs_says_so(invoke: Invoke, tmp_path: Path) -> None:
    """Nothing is drawn of nothing."""
    folder = tmp_path / "x" / "evals"
    folder.mkdir(parents=True)
    prompts = [{"id": 1, "prompt": "When?", "expected_output": "May", "expectations": []}]
    (folder / "evals.json").write_text(json.dumps({"skill_name": "x", "evals": prompts}))
    found = invoke("trends", tmp_path)
    assert (found.exit_code, found.stdout.startswith("No version has a value")) == (0, True)
    assert invoke("trends", tmp_path, "--out", tmp_path / "x.svg").exit_code == 2
    assert not (tmp_path / "x.svg").exists()


def test_neither_plotly_nor_streamlit_is_loaded(tmp_path: Path) -> None:
    """They cost a second of every call."""
    code = f"""
import sys
from evalcore.cli.main import app
try:
    app(["trends", {str(DEMO)!r}, "--suite", "commit-helper", "--out", "x.svg"])
except SystemExit:
    sys.exit(bool({{"plotly", "streamlit"}} & {{name.partition(".")[0] for name in sys.modules}}))
"""
    found = run([sys.executable, "-c", code], env=environment(tmp_path), cwd=tmp_path, check=False)
    assert found.returncode == 0
    assert (tmp_path / "x.svg").exists()
