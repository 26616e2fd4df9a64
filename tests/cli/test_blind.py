"""`evalcore blind`: create a study, say how far it is, tell a judge, end it."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalcore.judging.hiding import studies
from evalcore.judging.storing.judges import remember_judge
from evalcore.views.blind.ranking import LATER
from evalcore.workspace.opened import open_workspace
from tests.blind.packet_files import data_of, saved, verdict
from tests.blind.study import THREE, said
from tests.cli.conftest import Invoke
from tests.judging.copies import DEMO, INVOICES

SIDES = ("iteration-2@with_skill", "iteration-3@with_skill")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of one suite of the demo."""
    name = f"{INVOICES}-workspace"
    shutil.copytree(DEMO / name, tmp_path / "ws" / name)
    shutil.copytree(DEMO / INVOICES, tmp_path / "ws" / INVOICES)
    return tmp_path / "ws"


def told(invoke: Invoke, *arguments: str | Path) -> Any:
    """Return the JSON document that a command prints."""
    result = invoke("blind", *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_from_the_first_command_to_the_last(invoke: Invoke, folder: Path) -> None:
    """Create, judge, tell the judge, close; each says where it wrote."""
    ana = remember_judge("Ana", None)
    study = told(invoke, "create", folder, *SIDES, "--judge", "Ana")
    assert (folder / study["path"]).is_file()
    assert (study["pairs"], study["minutes"], study["left_out"]) == (4, 6, [])
    assert told(invoke, "status", folder)[0]["judges"] == {}
    ws = open_workspace(folder)
    for place in range(4):
        said(ws, studies(ws, INVOICES)[0], "left", ana, place=place)
    assert told(invoke, "status", folder)[0]["judges"] == {ana.id: 4}
    revealed = told(invoke, "reveal", folder, "--judge", "Ana")
    assert sorted(each["won"] for each in revealed["verdicts"]) == ["a", "a", "b", "b"]
    closed = invoke("blind", "close", folder, "--study", study["study"][:35])
    assert closed.exit_code == 0
    assert closed.stdout.startswith("Closed: ")
    assert "Can't tell which is better: B is preferred in" in closed.stdout
    assert "The left output won 4 of 4 times" in closed.stdout
    assert closed.stdout.count(SIDES[0]) >= 4
    assert (folder / closed.stdout.splitlines()[0].removeprefix("Closed: ")).is_file()


def test_closing_tells_programs_the_numbers(invoke: Invoke, folder: Path) -> None:
    """With one verdict: its side, no error, no p below one half."""
    ana = remember_judge("Ana", None)
    told(invoke, "create", folder, *SIDES, "--judge", "Ana", "--cases", "1")
    ws = open_workspace(folder)
    said(ws, studies(ws, INVOICES)[0], "tie", ana)
    found = told(invoke, "close", folder)["result"]
    assert (found["win_rate_b"], found["standard_error"], found["sign_test_p"]) == (0.5, None, None)
    assert found["counts"] == {"a": 0, "b": 0, "tie": 1, "both_bad": 0}
    assert found["verdict"] == "can't tell"


def test_a_dry_run_writes_nothing(invoke: Invoke, folder: Path) -> None:
    """It says what would be compared."""
    result = invoke("blind", "create", folder, *SIDES, "--dry-run")
    assert "4 pairs" in result.stdout
    assert "Nothing was written." in result.stdout
    assert not list(folder.rglob("blind-study"))


def test_the_state_never_tells_verdicts_or_sides(invoke: Invoke, folder: Path) -> None:
    """Only how many there are."""
    ana = remember_judge("Ana", None)
    told(invoke, "create", folder, *SIDES, "--judge", "Ana")
    ws = open_workspace(folder)
    study = studies(ws, INVOICES)[0]
    said(ws, study, "both bad", ana)
    state = invoke("blind", "status", folder)
    assert f"{ana.id}: 1 pair compared" in state.stdout
    words = state.stdout.replace(study.id, "").replace(ana.id, "")  # an id may spell any word
    assert "bad" not in words
    assert "iteration" not in words


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("create", *SIDES, "--judge", "Ana", "--judges-per-task", "2"), "Name more"),
        (("create", SIDES[0], SIDES[0]), "Both sides are the same"),
        (("create", SIDES[0], "iteration-9"), "iteration-9"),
        (("create", *SIDES, "--cases", "nowhere"), "nowhere"),
        (("close",), "no blind study here"),
        (("reveal", "--judge", "Ana"), "no blind study here"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    invoke: Invoke, folder: Path, arguments: tuple[str, ...], why: str
) -> None:
    """Exit code 2, nothing written."""
    command, *rest = arguments
    result = invoke("blind", command, folder, *rest)
    assert result.exit_code == 2
    assert why in result.stderr
    assert not list(folder.rglob("blind-*"))


def test_a_judge_who_is_not_done_is_told_nothing(invoke: Invoke, folder: Path) -> None:
    """Nor is one whom nobody knows."""
    remember_judge("Ana", None)
    told(invoke, "create", folder, *SIDES, "--judge", "Ana")
    early = invoke("blind", "reveal", folder, "--judge", "Ana")
    assert (early.exit_code, early.stdout) == (2, "")
    assert "4 pairs left" in early.stderr
    assert invoke("blind", "reveal", folder, "--judge", "Cem").exit_code == 2


def test_a_packet_leaves_and_comes_back(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    """Export writes one file and never replaces one; import needs no suite and no study."""
    study = told(invoke, "create", folder, *SIDES)["study"]
    out = tmp_path / "packet.html"
    packet = told(invoke, "export", folder, "--out", out)
    assert (packet["study"], packet["pairs"], packet["left_out"]) == (study, 4, 0)
    assert packet["bytes"] == out.stat().st_size
    again = invoke("blind", "export", folder, "--out", out)
    assert again.exit_code == 2
    assert "it exists already; choose another name" in again.stderr
    data = data_of(out.read_bytes())
    file = saved(tmp_path, data, verdict(data, 0), verdict(data, 1))
    result = invoke("blind", "import", folder, file)
    assert result.exit_code == 0
    assert f"{packet['packet']}: 2 of 4 pairs compared." in result.stdout
    assert "2 verdicts stored now, 0 already stored." in result.stdout
    assert told(invoke, "import", folder, file)["new"] == 0
    assert told(invoke, "status", folder)[0]["judges"] == {packet["packet"]: 2}


def test_an_import_that_leaves_something_out_says_so(
    invoke: Invoke, folder: Path, tmp_path: Path
) -> None:
    """With exit 1; a file of a study that is not here is refused with 2."""
    told(invoke, "create", folder, *SIDES, "--criteria", "description")
    out = tmp_path / "packet.html"
    told(invoke, "export", folder, "--out", out)
    data = data_of(out.read_bytes())
    result = invoke("blind", "import", folder, saved(tmp_path, data, verdict(data)))
    assert result.exit_code == 1
    assert "Not stored: accuracy has no score on one side. Score both." in result.stdout
    foreign = invoke("blind", "import", folder, saved(tmp_path, data, study="another"))
    assert foreign.exit_code == 2
    assert "There is no study 'another'" in foreign.stderr


def test_what_cannot_be_written_whole_is_not_left(invoke: Invoke, folder: Path) -> None:
    """A folder that is not there is named."""
    told(invoke, "create", folder, *SIDES)
    result = invoke("blind", "export", folder, "--out", folder / "none" / "packet.html")
    assert result.exit_code == 2
    assert "packet.html was not written" in result.stderr
    assert told(invoke, "status", folder)[0]["judges"] == {}


THIRD = "iteration-1@with_skill"


def compared(invoke: Invoke, folder: Path) -> None:
    """Let Ana compare three versions in two studies, and close both."""
    ana = remember_judge("Ana", None)
    for sides in (SIDES, (SIDES[0], THIRD)):
        study = told(invoke, "create", folder, *sides, "--judge", "Ana")["study"]
        ws = open_workspace(folder)
        for place, winner in enumerate((*THREE, THREE[-1])):
            known = next(each for each in studies(ws, INVOICES) if each.id == study)
            if place < len(known.fields.pairs):
                said(ws, known, winner, ana, place=place)
        told(invoke, "close", folder, "--study", study)


def test_a_ranking_needs_three_versions(invoke: Invoke, folder: Path) -> None:
    """That is said, with nothing invented; with three it has its errors and ranges."""
    assert told(invoke, "rank", folder)["why_not"].startswith("No ranking: closed studies of three")
    compared(invoke, folder)
    ranking = told(invoke, "rank", folder)
    assert ranking["studies"] == 2
    assert {each["name"] for each in ranking["ranking"]} == {*SIDES, THIRD}
    for each in ranking["ranking"]:
        low, high = each["likely"]
        assert 0 < low < each["chance"] < high < 1
        assert each["error"] > 0
    lines = invoke("blind", "rank", folder).stdout.splitlines()
    assert lines[0].startswith("1. ")
    assert "±" in lines[0]


def test_a_ranking_waits_for_the_judge_who_still_compares(invoke: Invoke, folder: Path) -> None:
    """In no form: it names versions, and who won with runs that are hidden from them."""
    compared(invoke, folder)
    told(invoke, "create", folder, *SIDES, "--judge", "Ana")
    assert told(invoke, "rank", folder)["why_not"] == LATER
    assert invoke("blind", "rank", folder).stdout == f"{LATER}\n"
    told(invoke, "close", folder, "--study", told(invoke, "status", folder)[-1]["study"])
    assert invoke("blind", "rank", folder).stdout.startswith("1. ")
