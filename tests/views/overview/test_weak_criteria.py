"""The weakest criteria: what is lost most, over how many cases, with which interval."""

from pathlib import Path

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.rates import SHARE
from evalcore.tables.rows import Row
from evalcore.views.overview.attention import weak_blocks
from evalcore.views.overview.column import Weakest, weakest
from evalcore.views.overview.summary import overview
from tests import made
from tests.counting.peopled import said
from tests.views.panel_json import panel_json

V0 = Column("v0", "-")


def cases(failing: int, of: int, label: str = "tone") -> list[Row]:
    """Return a run a case, of which some fail a criterion."""
    rows: list[Row] = []
    for n in range(of):
        rows.append(made.run(run_id=f"r{n}", case_id=f"case-{n}", passed=n >= failing))
        rows.append(made.judgment(label, n >= failing, run_id=f"r{n}"))
    return rows


def opened(root: Path, *rows: Row) -> Workspace:
    """Return a suite with one version."""
    about = made.suite()._replace(headline=SHARE)
    return made.workspace(root, about, made.version("v0", 0), *rows)


def found(ws: Workspace) -> Weakest:
    """Return the weakest criteria of the only version."""
    return weakest(ws, made.SUITE, V0)


def test_a_criterion_has_value_interval_and_n(tmp_path: Path) -> None:
    """Of eight cases two fail: 75 %, Wilson's interval, failed in two."""
    (weak,) = found(opened(tmp_path, *cases(2, 8))).first
    assert (weak.value, weak.cases, weak.failed) == (0.75, 8, 2)
    assert weak.low is not None and round(weak.low, 3) == 0.409
    assert weak.high is not None and round(weak.high, 3) == 0.929


def test_one_case_has_no_interval_and_is_named(tmp_path: Path) -> None:
    """A mean of one says nothing about others."""
    (weak,) = found(opened(tmp_path, *cases(1, 1))).first
    assert (weak.low, weak.high, weak.case) == (None, None, "case-0")


def test_what_loses_most_stands_first(tmp_path: Path) -> None:
    """Two failures of eight weigh more than the only failure of one."""
    rare = made.judgment("rare", False, run_id="r7")
    assert [weak.criterion for weak in found(opened(tmp_path, *cases(2, 8), rare)).first] == [
        "tone",
        "rare",
    ]


def test_how_many_lose_anything_of_how_many_is_told(tmp_path: Path) -> None:
    """What is met in full is counted, not listed."""
    whole = [made.judgment("plain", run_id=f"r{n}") for n in range(3)]
    weak = found(opened(tmp_path, *cases(1, 3), *whole))
    assert (weak.losing, weak.asked) == (1, 2)


def test_runs_of_a_case_are_one_value(tmp_path: Path) -> None:
    """Three runs of one case are one case."""
    runs: list[Row] = []
    for n in (1, 2, 3):
        runs.append(made.run(run_id=f"r{n}", run=str(n), passed=n > 1))
        runs.append(made.judgment("tone", n > 1, run_id=f"r{n}"))
    (weak,) = found(opened(tmp_path, *runs)).first
    assert (weak.cases, weak.failed, round(weak.value, 3)) == (1, 1, 0.667)


def test_a_scale_without_a_pass_mark_has_its_mean(tmp_path: Path) -> None:
    """It failed nowhere; it lacks what is missing to the end of its scale."""
    graded = [
        made.judgment(
            "depth", None, run_id=f"r{n}", kind="rubric", score=4.0, fraction=0.8, status="scored"
        )
        for n in range(2)
    ]
    runs = [made.run(run_id=f"r{n}", case_id=f"case-{n}", fraction=0.8) for n in range(2)]
    depth = made.criterion("depth", "rubric", max_score=5.0)
    ws = opened(tmp_path, *runs, *graded, depth)
    (weak,) = found(ws).first
    assert (weak.failed, weak.top) == (None, 5.0)
    row = panel_json(weak_blocks(overview(ws, made.SUITE)))[1]["rows"][0]["cells"]
    assert row[2]["text"] == "4 of 5 over 2 cases"


def test_an_unscored_judgment_is_no_zero(tmp_path: Path) -> None:
    """It is left out of the mean."""
    ws = opened(tmp_path, *cases(0, 2), made.judgment("open", None, run_id="r0"))
    assert found(ws) == Weakest((), 0, 1)


def test_a_structural_id_that_differs_by_case_says_so(tmp_path: Path) -> None:
    """`S1` of one case is not `S1` of another."""
    checks = [
        made.criterion("S1", "structural", case_id=f"case-{n}", description=f"File {n} is there")
        for n in (0, 1)
    ]
    judged = [made.judgment("S1", False, run_id=f"r{n}", kind="structural") for n in (0, 1)]
    (weak, *_) = found(opened(tmp_path, *cases(0, 2), *checks, *judged)).first
    assert weak.about == "has a different meaning in each case"


def test_the_criterion_is_a_door_to_the_cases_that_fail_it(tmp_path: Path) -> None:
    """The link carries its own name; the number its n."""
    head, table = panel_json(weak_blocks(overview(opened(tmp_path, *cases(2, 8)), made.SUITE)))
    name, bar, number = table["rows"][0]["cells"]
    assert head["hint"] == "v0: 1 of 1 criterion not fully met"
    assert name["link"]["query"]["criterion"] == "tone"
    assert bar["bar"]["value"] == 0.75
    assert (number["text"], number["sub"]) == ("75 % over 8 cases", "✗ failed in 2")


def test_nothing_weak_has_its_n(tmp_path: Path) -> None:
    """That nothing failed is said of so many criteria."""
    (head,) = panel_json(weak_blocks(overview(opened(tmp_path, *cases(0, 2)), made.SUITE)))
    assert head["hint"] == "v0: the 1 criterion passed"


def test_criteria_of_one_case_each_are_said_to_be_that(tmp_path: Path) -> None:
    """Where none is shared, the heading says so, and no row repeats that its one case failed."""
    ws = opened(tmp_path, *cases(1, 1), made.judgment("rare", False, run_id="r0"))
    head, table = panel_json(weak_blocks(overview(ws, made.SUITE)))
    assert head["hint"].endswith("2 criteria not fully met, each used in one case")
    assert [row["cells"][-1].get("sub", "") for row in table["rows"]] == ["", ""]


def test_people_s_answers_make_the_list_by_people(tmp_path: Path) -> None:
    """What one of two people fails is half of it, in percent, and no score on the scale."""
    ws = opened(
        tmp_path,
        made.case(),
        made.run(judge="gpt"),
        made.judgment("tone", judge="gpt"),
        said("tone", "ana", 5.0),
        said("tone", "bo", 1.0),
    )
    assert not found(ws).first
    (tone,) = weakest(ws, made.SUITE, V0, "human").first
    assert (tone.value, tone.cases, tone.failed, tone.top) == (0.5, 1, 0, None)
