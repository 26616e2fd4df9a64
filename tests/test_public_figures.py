"""The figures that Python gives are those of the screen and the commands, to the digit."""

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd
import pytest

import evalcore
from benchmarks.generate import WRITERS, generate
from evalcore import Column, Workspace, open_workspace
from evalcore.cli.answering import json_text
from evalcore.cli.checking import suite_counts
from evalcore.cli.comparing import Request, run_comparison
from evalcore.cli.comparing_document import as_document as compared
from evalcore.cli.rubric import as_document as rubric
from evalcore.cli.trending import as_document as trends
from evalcore.comparing.slices import KEY
from evalcore.counting.people import Scores
from evalcore.demo import packaged
from evalcore.errors import CannotCompare, UnknownName
from evalcore.tables.rows import ExclusionRow, Row
from evalcore.trends.metrics import metrics
from evalcore.views.overview.column import weakest
from tests import made
from tests.reviewing import Reviews

SCORES: Final[tuple[Scores, ...]] = ("recorded", "human", "human-first")
README: Final = Path(__file__).resolve().parent.parent / "README.md"
ONE_FIGURE: Final = README.parent.parent / "shared" / "cases" / "one-figure"
NEAR: Final = 1e-12


class Example(NamedTuple):
    """What the README's example computes."""

    verdict: Any
    rates: dict[Column, Any]
    criteria: "pd.Series[float]"


def example(ws: Workspace, suite: str, sides: tuple[str, str], scores: Scores) -> Example:
    """Run the example of the README as it stands, on another folder, suite and pair of versions."""
    (code,) = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    typed = {'"FOLDER"': repr(str(ws.root)), '"release-notes"': repr(suite)}
    typed |= {'"v2", "v3"': f"{sides[0]!r}, {sides[1]!r}"}
    if scores != "recorded":
        typed |= {"counted()": f"counted({scores!r})", ").verdict": f", {scores!r}).verdict"}
    for old, new in typed.items():
        assert code.count(old) >= 1, old
        code = code.replace(old, new)
    found: dict[str, Any] = {}
    exec(compile(code, str(README), "exec"), found)
    return Example(*(found[name] for name in Example._fields))


def as_read(document: Any) -> Any:
    """Return what a program reads of a document that a command prints."""
    return json.loads(json_text(document))


def by_rubric(ws: Workspace, suite: str, scores: Scores) -> dict[tuple[str, ...], float]:
    """Return the means that `evalcore rubric --json` prints, as shares of the highest score."""
    return {
        (column["version"], column["configuration"], each["kind"], each["criterion"]): (
            column["mean"] / (each["max_score"] or 1)
        )
        for each in as_read(rubric(ws, suite, scores))["criteria"]
        for column in each["columns"]
    }


def by_compare(ws: Workspace, suite: str, sides: tuple[str, str], scores: Scores) -> Any:
    """Return the document that `evalcore compare --json` prints."""
    found = run_comparison(Request(ws.root, *sides, suite=suite, scores=scores))
    return as_read(compared(found.comparison, ({}, {})))


def assert_one_figure(ws: Workspace, suite: str, scores: Scores = "recorded") -> None:
    """Python, Rubric, Overview, Compare and Trends give the same figures."""
    columns = [column for column, rate in evalcore.rates(ws, suite, scores).items() if rate.cases]
    if len(columns) < 2:
        return
    sides = columns[-2].key, columns[-1].key
    found = example(ws, suite, sides, scores)
    mine = {key[1:]: value for key, value in found.criteria.items() if key[0] == suite}  # type: ignore[index]
    assert mine == pytest.approx(by_rubric(ws, suite, scores), abs=NEAR)
    document = by_compare(ws, suite, sides, scores)
    word = None if found.verdict is None else found.verdict.word
    assert word == (document["verdict"] and document["verdict"]["word"])
    if not document["left_out"] and document["comparable"] == "whole":
        for side, column in zip("ab", columns[-2:], strict=True):
            stated = document["estimates"][side]["value"]
            assert stated == pytest.approx(evalcore.rates(ws, suite, scores)[column].value)
    counted = ws.tables.counted(scores)
    here = counted[counted["suite"] == suite]
    for column in columns:
        of_cases = means(here, column).groupby("criterion").mean()
        weak = weakest(ws, suite, column, scores)
        lost = {each.criterion: each.value for each in weak.first}
        assert lost == pytest.approx(of_cases[list(lost)].to_dict(), abs=NEAR)
    followed = as_read(trends(ws, suite, evalcore.trend(ws, suite).metric, "versions", scores))
    for line in followed["lines"]:
        for point in line["points"]:
            rate = evalcore.rates(ws, suite, scores)[
                Column(point["version"], point["configuration"])
            ]
            assert point["value"] == pytest.approx(rate.value, abs=NEAR)


def means(counted: pd.DataFrame, column: Column) -> "pd.Series[float]":
    """Return the mean over runs of each case and criterion of a column."""
    here = (counted["version"] == column.version) & (
        counted["configuration"] == column.configuration
    )
    return counted[here].groupby(["case_id", "criterion"])["value"].mean()


@pytest.mark.parametrize("scores", SCORES)
def test_the_example_gives_the_figures_of_the_demo(scores: Scores) -> None:
    """Each suite of the demo, by each score source: some runs were judged by two people."""
    ws = open_workspace(packaged(), cache=False)
    for suite in map(str, ws.tables.suites["suite"]):
        assert_one_figure(ws, suite, scores)


@pytest.mark.parametrize("family", WRITERS)
def test_the_example_gives_the_figures_of_any_family(family: str, tmp_path: Path) -> None:
    """Generated workspaces have repeated runs, unscored criteria and several versions."""
    generate(family, 240 if family == "descriptions" else 60, tmp_path / "w")
    ws = open_workspace(tmp_path / "w", cache=False)
    suites = [str(suite) for suite in ws.tables.suites["suite"]]
    assert any(len(evalcore.rates(ws, suite)) > 1 for suite in suites)
    for suite in suites:
        assert_one_figure(ws, suite)


def test_what_each_criterion_did_is_what_compare_says() -> None:
    """The counted judgments of the cases that both sides ran, also of runs that a gate stopped."""
    ws = open_workspace(packaged(), cache=False)
    stopped = 0
    for suite in map(str, ws.tables.suites["suite"]):
        if suite == "error-messages":
            continue  # it waits for its first grading
        found, counted = evalcore.compare(ws, suite), ws.tables.counted()
        stopped += 0 if found.gates is None else found.gates.stopped_a
        counted = counted[counted["suite"] == suite]
        a, b = (means(counted, side.column) for side in (found.a, found.b))
        both = a.index.intersection(b.index)
        both = both[both.get_level_values("case_id").isin([pair.case_id for pair in found.pairs])]
        for one in (one for one in found.slices if one.kind == "criterion"):
            cases = both[both.get_level_values("criterion") == one.name]
            mine = a[cases].mean(), b[cases].mean()
            assert (one.a.value, one.b.value) == pytest.approx(mine, abs=NEAR), one.name
    assert stopped


def put_one_figure(
    root: Path, passed: tuple[bool, ...] = (False, False, False, True, True)
) -> None:
    """Write a suite of one criterion and two versions; the first is that of `one-figure`."""
    evals = {"id": 0, "eval_name": "one", "prompt": "Do one", "expectations": ["A"]}
    files = {"z/SKILL.md": "---\nname: z\ndescription: Does z.\n---\nWork.\n"}
    files["z/evals/evals.json"] = json.dumps({"skill_name": "z", "evals": [evals]})
    for version, results in (("iteration-1", passed), ("iteration-2", (True, True))):
        for at, each in enumerate(results, 1):
            item = {"text": "A", "passed": each, "evidence": "Seen in the output."}
            path = f"z-workspace/{version}/one/with_skill/run-{at}/grading.json"
            files[path] = json.dumps({"expectations": [item]})
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")


def rate_of(ws: Workspace, scores: Scores = "recorded") -> list[float | None]:
    """Return the figure of the first version as each place has it."""
    (suite,) = map(str, ws.tables.suites["suite"])
    column, rate = next(iter(evalcore.rates(ws, suite, scores).items()))
    counted = ws.tables.counted(scores)
    mine = counted[counted["version"] == column.version]["passed"].astype(float).mean()
    (of_rubric,) = (
        value for key, value in by_rubric(ws, suite, scores).items() if key[:2] == column
    )
    return [mine, rate.value, of_rubric]


def test_a_persons_score_changes_no_recorded_figure(tmp_path: Path) -> None:
    """40 % before and after a person passed run 1; by people first it is 60 % everywhere."""
    put_one_figure(tmp_path)
    ws = open_workspace(tmp_path, cache=False)
    assert rate_of(ws) == [0.4] * 3
    (first,) = ws.tables.runs.loc[lambda runs: runs["source"].str.contains("1/one/.*/run-1/")][
        "run_id"
    ]
    Reviews(tmp_path, "z-workspace").judge(first, "expectation:A", 1)
    again = open_workspace(tmp_path, cache=False)
    assert len(again.tables.judgments) == len(ws.tables.judgments) + 1
    assert rate_of(again) == [0.4] * 3
    assert rate_of(again, "human-first") == [0.6] * 3
    assert rate_of(again, "human") == [1.0] * 3
    assert [each.judgments for each in suite_counts(again)] == [7]
    assert_one_figure(again, "z")


def test_the_case_that_found_it_gives_40_percent(tmp_path: Path) -> None:
    """The folder in which the README's example said 50 % after one person had judged."""
    if not ONE_FIGURE.is_dir():
        pytest.skip("no shared cases here")
    ws = open_workspace(ONE_FIGURE, cache=False)
    assert rate_of(ws) == [0.4] * 3


@pytest.mark.parametrize(
    ("what", "row"),
    [
        ("superseded", made.judgment("a", False, run_id="r2", status="superseded", pointer="/1")),
        ("a convention", made.judgment("name", False, run_id="r2", kind="convention")),
        ("unscored", made.judgment("b", None, run_id="r2")),
        ("of no run", made.judgment("a", False, run_id="gone")),
        ("a second judge's", made.judgment("a", False, run_id="r2", judge="y", pointer="/2")),
        ("a person's", made.judgment("a", False, run_id="r2", judge_type="human",
                                     source="reviews/eval-judgment/1.json")),
    ],
)  # fmt: skip
def test_what_does_not_count_is_in_no_figure(tmp_path: Path, what: str, row: Any) -> None:
    """Neither among the counted judgments nor among the judged items of `check`."""
    runs = [made.run(run_id=f"r{n}", run=str(n), judge="x") for n in (1, 2)]
    judged = [made.judgment("a", True, run_id=f"r{n}", judge="x") for n in (1, 2)]
    ws = made.workspace(tmp_path, made.suite(), made.version("v0", 0), *runs, *judged, row)
    counted = ws.tables.counted()
    assert counted["passed"].tolist() == [True, True], what
    assert counted.index.tolist() == [0, 1]
    assert [each.judgments for each in suite_counts(ws)] == [2], what


@pytest.mark.parametrize("about", [{"status": "error"}, {"case_id": "draft"}, {"run_id": "gone"}])
def test_runs_that_do_not_count_are_in_no_figure(tmp_path: Path, about: dict[str, str]) -> None:
    """One that broke off, of a draft case, or excluded by a person: not on Overview either."""
    other = {"run_id": "r2", "run": "2", **about}
    rows: list[Row] = [
        made.run(),
        made.judgment("a", True),
        made.run(**other),
        made.judgment("a", False, run_id=other["run_id"]),
        made.case(case_id="draft", status="draft"),
        made.row(ExclusionRow, suite=made.SUITE, run_id="gone"),
    ]
    ws = made.workspace(tmp_path, made.suite(), made.version("v0", 0), *rows)
    assert ws.tables.counted()["run_id"].tolist() == ["r1"]
    assert [each.judgments for each in suite_counts(ws)] == [1]
    assert weakest(ws, made.SUITE, Column("v0", "-")).losing == 0


def test_the_texts_of_a_figure_have_its_rows() -> None:
    """The index of the counted judgments finds their judge and their rationales."""
    tables = open_workspace(packaged(), cache=False).tables
    counted = tables.counted("human-first")
    assert counted.index.is_unique
    behind = tables.judgments.loc[counted.index]
    for name in ("run_id", *KEY):
        assert behind[name].astype(str).tolist() == counted[name].astype(str).tolist()
    assert tables.text("judgments", counted.index)["rationale"].notna().any()


def test_trends_are_those_of_the_command() -> None:
    """Every metric of every suite: lines, directions and alerts."""
    ws = open_workspace(packaged(), cache=False)
    for suite in map(str, ws.tables.suites["suite"]):
        for metric in metrics(ws, suite)[:6]:
            found = evalcore.trend(ws, suite, metric.key)
            document = as_read(trends(ws, suite, metric, "versions", "recorded"))
            assert [line.name for line in found.lines] == [x["name"] for x in document["lines"]]
            points = [spot.value for line in found.lines for spot in line.spots]
            assert points == [p["value"] for line in document["lines"] for p in line["points"]]
            told = [(each.name, each.escalated) for each in found.directions]
            assert told == [(x["line"], x["escalated"]) for x in document["directions"]]
            assert len(found.alerts) == len(document["alerts"])


def test_a_wrong_name_is_said_as_by_the_commands() -> None:
    """No suite, version or metric of that name; one side alone; a version with itself."""
    ws = open_workspace(packaged(), cache=False)
    asks: list[Callable[..., object]] = [evalcore.rates, evalcore.compare, evalcore.trend]
    for ask in asks:
        with pytest.raises(UnknownName, match="There is no suite 'x'"):
            ask(ws, "x")
    with pytest.raises(UnknownName, match="version 'v9'"):
        evalcore.compare(ws, "release-notes", "v2", "v9")
    with pytest.raises(UnknownName, match="metric"):
        evalcore.trend(ws, "release-notes", "v9")
    with pytest.raises(CannotCompare, match="Name both sides"):
        evalcore.compare(ws, "release-notes", "v2")
    with pytest.raises(CannotCompare, match="not compared with itself"):
        evalcore.compare(ws, "release-notes", "v2", "v2")


def test_without_names_the_newest_is_compared_as_by_the_command() -> None:
    """The default sides are those of `evalcore compare`."""
    ws = open_workspace(packaged(), cache=False)
    asked = run_comparison(Request(packaged(), suite="release-notes")).comparison
    assert evalcore.compare(ws, "release-notes").verdict == asked.verdict


@pytest.mark.parametrize("ask", [evalcore.rates, evalcore.compare, evalcore.trend, open_workspace])
def test_public_functions_are_typed_and_say_what_they_raise(ask: Callable[..., object]) -> None:
    """Whoever writes Python needs no other page than help."""
    assert "Raises:" in (inspect.getdoc(ask) or "")
    signature = inspect.signature(ask)
    annotated = [each.annotation for each in signature.parameters.values()]
    assert inspect.Signature.empty not in {*annotated, signature.return_annotation}
