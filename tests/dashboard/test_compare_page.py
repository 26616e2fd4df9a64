"""The Compare page without a browser: what it hands to its panels, for every kind of workspace."""

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dulwich import porcelain
from streamlit.testing.v1 import AppTest

import evalcore.demo
from evalcore.recent import remember
from tests.dashboard.graded import CASES, write_graded
from tests.dashboard.live import write

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SUITES = ("release-notes", "sql-helper", "commit-helper", "invoice-extractor", "support-agent")
LIMIT = 150 * 1024


def blocks(app: AppTest) -> dict[str, dict[str, Any]]:
    """Return what the page's panels are given, by the kind of block; of several, the last."""
    found = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    return {block["t"]: block for data in found for block in data.get("blocks", [])}


def texts(app: AppTest) -> str:
    """Return the plain sentences of the page."""
    return "\n".join(text.value for text in app.text)


@pytest.fixture
def run_page(run: Callable[..., AppTest]) -> Callable[..., AppTest]:
    """Return a function that runs the page on a workspace, without a browser."""
    return partial(run, "compare")


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return 42 cases in 2 versions, 2 configurations and 3 runs."""
    return write_graded(tmp_path_factory.mktemp("graded") / "post")


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("tab", ["rates", "slices", "texts"])
def test_every_family_is_compared_on_every_tab(
    run_page: Callable[..., AppTest], suite: str, tab: str
) -> None:
    """A sentence, the counts and the cases, whatever is shown beside them, and little to send."""
    app = run_page(DEMO, suite=suite, tab=tab)
    assert not app.exception
    found = blocks(app)
    assert found["verdict"]["text"].endswith(".")
    assert found["verdict"]["how"]
    assert [item["key"] for item in found["counts"]["items"]][:3] == [
        "regressed",
        "improved",
        "same",
    ]
    assert found["list"]["rows"]
    assert sum(len(item.proto.json) for item in app.get("bidi_component")) < LIMIT


@pytest.mark.parametrize("suite", SUITES)
def test_a_case_of_every_family_is_shown_side_by_side(
    run_page: Callable[..., AppTest], suite: str
) -> None:
    """Both sides have a run, and each criterion says what both judges said."""
    first = blocks(run_page(DEMO, suite=suite))["list"]["rows"][0]
    app = run_page(DEMO, suite=suite, case=first["id"])
    assert not app.exception
    pair = blocks(app)["pair"]
    assert pair["name"] == first["name"]
    assert pair["a"]["runs"]
    assert pair["b"]["runs"]
    assert all(item["a"]["score"] and item["b"]["score"] for item in pair["criteria"])
    assert pair["criteria"][0]["folded"] is False
    assert sum(len(item.proto.json) for item in app.get("bidi_component")) < LIMIT


def test_every_case_is_listed_and_counted_once(
    run_page: Callable[..., AppTest], graded: Path
) -> None:
    """The counts add up to the cases that ran, and the list holds them all."""
    found = blocks(run_page(graded))
    counted = sum(item["n"] for item in found["counts"]["items"])
    assert counted == CASES - 1  # one case was never run
    assert found["list"]["foot"] == f"{counted} cases"
    assert len(found["list"]["rows"]) == counted


def test_the_address_chooses_sides_filter_and_page(
    run_page: Callable[..., AppTest], graded: Path
) -> None:
    """What a link says is what is shown."""
    app = run_page(
        graded, a="iteration-2@without_skill", b="iteration-2@with_skill", filter="regressed"
    )
    found = blocks(app)
    assert "in iteration-2" in found["verdict"]["text"]
    assert {row["change"] for row in found["list"]["rows"]} == {"regressed"}
    assert found["counts"]["items"][0]["on"] is True


def test_an_unknown_side_or_case_says_so(run_page: Callable[..., AppTest], graded: Path) -> None:
    """The page shows the usual instead, and nothing fails."""
    app = run_page(graded, a="iteration-9", case="no-such-case", ra="99")
    assert not app.exception
    assert "Nothing called “iteration-9” has scores here" in texts(app)
    assert "The case in this address is on neither side" in texts(app)


def test_a_case_that_is_left_out_is_still_shown(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """It has a run on one side only; the other side says that it was not run."""
    for iteration, cases in (("iteration-1", (1, 2)), ("iteration-2", (1, 2, 3))):
        for case in cases:
            _graded(tmp_path / f"x-workspace/{iteration}/eval-{case}", passed=True)
    app = run_page(tmp_path, case="eval-3")
    assert not app.exception
    found = blocks(app)
    assert found["counts"]["items"][-1]["n"] == 1
    row = next(row for row in found["list"]["rows"] if row["change"] == "left")
    pair = blocks(run_page(tmp_path, case=row["id"]))["pair"]
    assert pair["word"] == "left out"
    assert pair["a"]["runs"] == []
    assert pair["a"]["none"] == "not run"
    assert pair["b"]["runs"]


def test_one_version_only_names_the_next_step(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """There is no number at all without a second side."""
    _graded(tmp_path / "x-workspace/iteration-1/eval-1", passed=True)
    app = run_page(tmp_path)
    assert not app.exception
    assert "A second version or configuration is needed" in texts(app)
    assert not blocks(app)


def test_a_folder_without_suites_says_what_was_looked_for(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """As every page does."""
    (tmp_path / "package.json").write_text("{}", encoding="utf-8")
    app = run_page(tmp_path)
    assert not app.exception
    assert "No evaluation was found" in texts(app)


def test_where_the_criteria_differ_no_number_stands_beside_another(
    run_page: Callable[..., AppTest], tmp_path: Path
) -> None:
    """The sentence says what differs and how to mend it; rates, criteria and counts are gone."""
    _graded(tmp_path / "x-workspace/iteration-1/eval-1", passed=True, text="Names the city")
    _graded(tmp_path / "x-workspace/iteration-2/eval-1", passed=False, text="Rhymes throughout")
    found = blocks(run_page(tmp_path))
    assert "not comparable" in found["verdict"]["text"]
    assert "%" not in found["verdict"]["text"]
    assert "strips" not in found
    assert [item["key"] for item in found["counts"]["items"]] == ["left"]


def test_a_hostile_name_stays_plain_data(run_page: Callable[..., AppTest], tmp_path: Path) -> None:
    """Names and texts of a workspace reach the browser only as JSON for text nodes."""
    hostile = "<img src=x onerror=alert(1)>![y](http://127.0.0.1:9/y.png)"
    for iteration, passed in (("iteration-1", True), ("iteration-2", False)):
        _graded(tmp_path / f"x-workspace/{iteration}/eval-1", passed=passed, text=hostile)
    case = blocks(run_page(tmp_path))["list"]["rows"][0]["id"]
    app = run_page(tmp_path, case=case)
    assert not app.exception
    assert blocks(app)["pair"]["criteria"][0]["title"] == hostile
    assert not any(hostile in markdown.value for markdown in app.markdown)


def test_whose_scores_is_offered_only_where_people_judged(
    run_page: Callable[..., AppTest], graded: Path
) -> None:
    """The demo's support agent has human scores; the verdict says whose it goes by."""
    assert not [box for box in run_page(graded).selectbox if box.label == "Whose scores"]
    app = run_page(DEMO, suite="support-agent", scores="human-first")
    assert not app.exception
    assert [box.value for box in app.selectbox if box.label == "Whose scores"] == ["human-first"]
    assert "by people's scores where there are any" in blocks(app)["verdict"]["text"]


def test_another_folder_is_the_second_side(
    run_page: Callable[..., AppTest], graded: Path, tmp_path: Path
) -> None:
    """Both sides are named with their folder, and a link to a run of B goes there."""
    copy = tmp_path / "afterwards"
    shutil.copytree(graded, copy)
    name = remember(copy)
    found = blocks(run_page(graded, bw=name))
    assert "nothing was run anew" in found["verdict"]["text"]
    assert [item["n"] for item in found["counts"]["items"]][:2] == [0, 0]
    case = found["list"]["rows"][0]["id"]
    pair = blocks(run_page(graded, bw=name, case=case))["pair"]
    assert pair["b"]["link"]["query"]["w"] == name
    assert "w" not in pair["a"]["link"]["query"]


def test_an_unknown_folder_or_suite_says_so(
    run_page: Callable[..., AppTest], graded: Path, small_workspace: Path
) -> None:
    """B is then of this folder, or of a suite that the other one has."""
    app = run_page(graded, bw="/etc")
    assert not app.exception
    assert "No folder called “/etc” was opened on this machine; B is from this one." in texts(app)
    app = run_page(graded, bw=remember(small_workspace), bsuite="nope")
    assert not app.exception
    assert "There is no suite called “nope” there; B is from" in texts(app)


def test_an_earlier_revision_is_a_side(run_page: Callable[..., AppTest], tmp_path: Path) -> None:
    """A as it was committed against B as it is now; both say which they are."""
    root = tmp_path / "kept"  # the cache, where revisions are written, lies beside it
    folder = root / "x-workspace/iteration-1/eval-1"
    _graded(folder, passed=False)
    porcelain.init(root)
    porcelain.add(root)
    porcelain.commit(root, b"First", author=b"A <a@b.c>", committer=b"A <a@b.c>")
    _graded(folder, passed=True)
    app = run_page(root, arev="HEAD")
    assert not app.exception
    found = blocks(app)
    assert "at HEAD" in found["verdict"]["text"]
    assert [item["n"] for item in found["counts"]["items"]] == [0, 1, 0]
    pair = blocks(run_page(root, arev="HEAD", case=found["list"]["rows"][0]["id"]))["pair"]
    assert pair["a"]["link"] is None
    assert pair["b"]["link"]


def test_an_unknown_revision_says_so(run_page: Callable[..., AppTest], graded: Path) -> None:
    """A folder without git has none."""
    app = run_page(graded, arev="HEAD~3", brev="../../etc")
    assert not app.exception
    assert "The revision “HEAD~3” cannot be read" in texts(app)
    assert "The revision “../../etc” cannot be read" in texts(app)


def _graded(folder: Path, *, passed: bool, text: str = "Names the month") -> None:
    grading = {
        "expectations": [{"text": text, "passed": passed, "evidence": "“May”"}],
        "summary": {"passed": int(passed), "failed": int(not passed), "total": 1},
    }
    write(folder / "with_skill/grading.json", grading)
