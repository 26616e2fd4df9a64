"""What stands first on Compare: the verdict, the breaks, and the pairs that are one click away."""

from dataclasses import replace
from pathlib import Path

from evalcore.comparing.model import Break, Comparability, Comparison, Side
from evalcore.comparing.sides import columns_of
from evalcore.tables.rows import Row
from evalcore.views.compare.sides import head_blocks, quick_pairs
from evalcore.workspace.opened import Workspace
from tests import made
from tests.views.compared import comparison, left, pair
from tests.views.panel_json import panel_json
from tests.views.verdicts import estimate, unclear

OTHER = Break("criteria", "", "", (), "Judge all cases again", stops=True)
MISSING = Break("cases", "20 cases", "25 cases", ("n",), "Run the 5 missing cases in v1", False)


def broken(*breaks: Break, **given: object) -> Comparison:
    """Return a comparison whose sides differ in these things."""
    fair = Comparability("part", breaks, ())
    return replace(comparison(pair("c", 0.0, 1.0)), comparability=fair, **given)  # type: ignore[arg-type]


def ran(tmp_path: Path, *sides: tuple[str, str]) -> Workspace:
    """Return a workspace with one scored run in each version and configuration."""
    rows: list[Row] = [made.suite(), made.case()]
    versions = list(dict.fromkeys(version for version, _ in sides))
    rows += [made.version(version, at) for at, version in enumerate(versions)]
    rows += [
        made.run(run_id=f"r{at}", version=version, configuration=configuration, fraction=1.0)
        for at, (version, configuration) in enumerate(sides)
    ]
    return made.workspace(tmp_path, *rows)


def test_the_verdict_comes_first_with_what_it_rests_on() -> None:
    """What was seen in one sentence, how far it carries below it, the method behind "how"."""
    first = panel_json(head_blocks(comparison(pair("c", 0.0, 1.0))))[0]
    assert first["t"] == "verdict"
    assert first["word"] == "better"
    assert first["text"].startswith("v2 passes more than v1: 86 % against 64 % on 42 cases (+21")
    assert first["rest"] == "Better, for cases like these too."
    assert first["how"]


def test_what_differs_and_how_to_mend_it_stand_below_the_verdict() -> None:
    """One line for each thing that differs, behind their number."""
    (verdict,) = panel_json(head_blocks(broken(MISSING, left_out=(left("n"),))))
    (line,) = verdict["cautions"]
    assert "20 cases" in line
    assert "Run the 5 missing cases in v1." in line


def test_where_everything_passes_the_criteria_that_never_fail_are_one_click_away() -> None:
    """More runs would not help; harder criteria would."""
    passed = replace(comparison(pair("c", 1.0, 1.0)), verdict=unclear("saturated"))
    passed = replace(passed, estimate_b=estimate(1.0))
    _, links = panel_json(head_blocks(passed))
    assert links["items"][0]["link"]["page"] == "rubric"


def test_where_nothing_is_comparable_there_is_no_number_and_nothing_is_said_twice() -> None:
    """The sentence says why and how to mend it; only further differences stand below."""
    nothing = {"verdict": None, "estimate_a": None, "estimate_b": None, "pairs": ()}
    found = broken(OTHER, **nothing)
    blocks = panel_json(head_blocks(found))
    assert [block["t"] for block in blocks] == ["verdict"]
    assert "not comparable" in blocks[0]["text"]
    assert "Judge all cases again" in blocks[0]["text"]
    assert "%" not in blocks[0]["text"]
    assert blocks[0]["cautions"] == []
    (said,) = panel_json(head_blocks(broken(OTHER, MISSING, **nothing)))
    assert len(said["cautions"]) == 1


def test_the_usual_pairs_are_offered_but_not_the_one_that_is_shown(tmp_path: Path) -> None:
    """Latest against previous, and with the skill against without it."""
    sides = [(v, c) for v in ("i1", "i2") for c in ("with_skill", "without_skill")]
    ws = ran(tmp_path, *sides)
    known = {column.key: Side(ws, made.SUITE, column) for column in columns_of(ws, made.SUITE)}
    a, b = known["i1@with_skill"], known["i2@with_skill"]
    assert quick_pairs(ws, made.SUITE, a, b) == (
        ("with_skill against without_skill", "i2@without_skill", "i2@with_skill"),
    )
    assert quick_pairs(ws, made.SUITE, b, a)[0] == (
        "Latest against previous",
        a.column.key,
        b.column.key,
    )


def test_no_pair_is_offered_that_does_not_exist(tmp_path: Path) -> None:
    """Two versions without configurations have only one usual pair, which is shown."""
    ws = ran(tmp_path, ("v0", "-"), ("v1", "-"))
    a, b = (Side(ws, made.SUITE, column) for column in columns_of(ws, made.SUITE))
    assert quick_pairs(ws, made.SUITE, a, b) == ()
