"""Nothing that was acknowledged is lost, torn or doubled, and no damage of the cache is believed.

A short run of the harness. The same faults are given to a naive writer and a naive reader, and must
find them out: else they would prove nothing.
`make reliability` runs all of it at length.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.reliability import (
    damage,
    failing,
    killing,
    racing,
    racing_runs,
    reading,
    roots,
    run_servers,
    runs,
    sessions,
    sharing,
)
from tests.reliability.faulty import DEATHS
from tests.reliability.file_server import SERVERS
from tests.reliability.outcome import Line

KILLS = 20

Noted = Callable[[Line], Line]


@pytest.fixture
def noted(record_property: Callable[[str, object], None]) -> Noted:
    """Return what puts a line into the report of the tests and on the terminal."""

    def note(line: Line) -> Line:
        record_property(line.kind, line.text())
        print(line.text())  # noqa: T201 - figures are for reading
        return line

    return note


def test_killed_at_random_moments(tmp_path: Path, noted: Noted) -> None:
    """What was acknowledged before a kill -9 is whole, and dead temporary files are swept up."""
    line = noted(killing.at_random(tmp_path, KILLS, random.randrange(1_000_000)))
    assert line.faults == 0
    assert line.acknowledged > 0
    assert killing.swept(tmp_path) == (line.left, 0)


def test_runners_killed_at_random_moments(tmp_path: Path, noted: Noted) -> None:
    """No journaled step is lost or done again, and what was in work is counted and swept up."""
    line = noted(runs.killed(tmp_path, KILLS, random.randrange(1_000_000), fresh=5))
    assert (line.faults, line.number) == (0, KILLS)
    assert line.acknowledged > 0


def test_the_harness_finds_a_runner_out_that_writes_in_place(tmp_path: Path, noted: Noted) -> None:
    """A journal, or a document, that is opened and written again is cut off by a kill."""
    assert noted(runs.killed(tmp_path, 8, random.randrange(1_000_000), way="naive")).faults > 0


@pytest.mark.parametrize("family", racing_runs.VERSIONS)
@pytest.mark.parametrize("given", racing_runs.WAYS, ids=["at once", "in the middle", "one killed"])
def test_no_two_runs_share_a_place(
    tmp_path: Path, noted: Noted, family: str, given: dict[str, Any]
) -> None:
    """Whenever they begin: no execution is lost, and no claim is left when both have ended."""
    line = noted(racing_runs.raced(tmp_path, family, 1, **given))
    assert (line.faults, line.left) == (0, 0)
    assert line.acknowledged > racing_runs.RUNS


def test_the_harness_finds_runs_out_that_own_no_place(tmp_path: Path, noted: Noted) -> None:
    """Two of them lay their files into the same folders."""
    assert noted(racing_runs.raced(tmp_path, "improve", 3, "naive")).torn


def test_runs_go_on_when_their_server_is_killed(tmp_path: Path, noted: Noted) -> None:
    """Whenever that is after the click; the next server shows each to its end."""
    line = noted(run_servers.killed(tmp_path, 2, random.randrange(1_000_000)))
    assert line.faults == 0
    assert line.acknowledged > 0


def test_the_harness_finds_a_server_out_that_works_on_runs_itself(
    tmp_path: Path, noted: Noted
) -> None:
    """What it has begun ends with it."""
    assert noted(run_servers.killed(tmp_path, 1, random.randrange(1_000_000), naive=True)).faults


def test_killed_at_each_call(tmp_path: Path, noted: Noted) -> None:
    """Killed at any call, the record is there whole or not at all, and can be stored again."""
    line = noted(killing.at_every_call(tmp_path, "half way"))
    assert line.faults == 0
    assert line.number > 20


@pytest.mark.parametrize(
    ("name", "warm"), [("ENOSPC half way", False), ("EIO", False), ("EIO", True)]
)
def test_each_call_fails_once(tmp_path: Path, noted: Noted, name: str, warm: bool) -> None:
    """A failed call is said in a sentence, leaves nothing behind, and a second try succeeds."""
    fault = failing.faults_of(long=False)[name]
    line = noted(failing.each_call(tmp_path, name, fault, warm=warm))
    assert (line.faults, line.left) == (0, 0)
    assert line.number > 15


def test_full_disk(tmp_path: Path, noted: Noted) -> None:
    """What was stored stays whole, the refusal names the disk, and with room it can be stored."""
    line = noted(failing.full_disk(tmp_path))
    assert (line.faults, line.left) == (0, 0)
    assert line.acknowledged > 0
    assert "disk is full" in line.remark or "cuts files off" in line.remark


def test_read_only_disk(tmp_path: Path, noted: Noted) -> None:
    """It is said before, and again when somebody tries."""
    line = noted(failing.read_only_disk(tmp_path))
    assert (line.faults, line.left) == (0, 0)
    assert "read-only" in line.remark or "do not have permission" in line.remark


def test_no_permission(tmp_path: Path, noted: Noted) -> None:
    """A folder of somebody else is refused with the next step."""
    line = noted(failing.forbidden(tmp_path))
    assert (line.faults, line.left) == (0, 0)
    assert "do not have permission" in line.remark


@pytest.mark.parametrize(("kind", "writers"), [("same", 8), ("same", 2), ("other", 8), ("own", 8)])
def test_many_at_once(tmp_path: Path, noted: Noted, kind: str, writers: int) -> None:
    """One submission makes one record however many store it; different ones never meet."""
    line = noted(racing.at_once(tmp_path, kind, writers, rounds=8))
    assert (line.faults, line.left) == (0, 0)
    assert line.acknowledged == 8 * (1 if kind == "other" else writers)


@pytest.mark.parametrize("server", ["", "answers are lost"])
def test_one_document_changed_by_many(tmp_path: Path, noted: Noted, server: str) -> None:
    """Each change builds on the one before: none is lost."""
    line = noted(racing.counting_up(tmp_path, writers=4, times=15, server=server))
    assert (line.faults, line.acknowledged) == (0, 60)


@pytest.mark.parametrize("server", SERVERS)
def test_machines_that_share_a_folder(tmp_path: Path, noted: Noted, server: str) -> None:
    """A receipt is true, and what is refused is not there, whatever a file server answers."""
    line = noted(sharing.at_once(tmp_path, server, 10, random.randrange(1_000_000)))
    assert line.faults == 0
    assert (line.acknowledged > 0) == (server != "neither links nor locks")


@pytest.mark.parametrize("server", ["answers are lost", "no links"])
def test_the_harness_finds_a_writer_out_that_believes_a_server(
    tmp_path: Path, noted: Noted, server: str
) -> None:
    """A link that was reported as failed is there, and a name that was free is overwritten."""
    assert noted(sharing.at_once(tmp_path, server, 25, 1, way="believing")).faults


def test_sessions_of_the_page_store_at_once(tmp_path: Path, noted: Noted) -> None:
    """Each judge has a receipt for each judgment, and was sent nobody else's words before."""
    line = noted(sessions.many_at_once(tmp_path, sessions=3, each=4))
    assert (line.faults, line.acknowledged) == (0, 12)


def test_a_judge_goes_on_where_the_line_or_the_server_broke_off(
    tmp_path: Path, noted: Noted
) -> None:
    """Stored again after the break, each judgment is there once, with a receipt."""
    cut = noted(sessions.lines_cut(tmp_path / "lines", number=2, seed=1))
    assert (cut.faults, cut.acknowledged) == (0, 2 * len(sessions.CRITERIA))
    killed = noted(sessions.servers_killed(tmp_path / "servers", number=1, seed=1))
    assert (killed.faults, killed.acknowledged) == (0, len(sessions.CRITERIA))


def test_a_server_that_writes_later_is_found_out(tmp_path: Path, noted: Noted) -> None:
    """The control: what it acknowledged before it ended is lost."""
    line = noted(sessions.servers_killed(tmp_path, number=1, seed=1, naive=True))
    assert line.faults > 0


def test_files_swapped_while_they_are_read(tmp_path: Path, noted: Noted) -> None:
    """No crash, no hanging, and nothing from outside, whatever lies under the names."""
    line = noted(reading.while_disturbed(tmp_path, 2.0, random.randrange(1_000_000)))
    assert line.faults == 0
    assert line.number > 0


@pytest.mark.parametrize(
    ("kind", "number"), [(kind, 60 if kind == "one bit" else 10) for kind in damage.DAMAGE]
)
def test_a_damaged_index_is_never_believed(
    tmp_path: Path, noted: Noted, kind: str, number: int
) -> None:
    """Whatever is damaged, every table is that of the files, and nothing crashes."""
    line = noted(damage.of_an_index(tmp_path, kind, number, random.randrange(1_000_000)))
    assert (line.faults, line.acknowledged) == (0, number)


def test_an_index_that_was_not_finished_is_never_believed(tmp_path: Path, noted: Noted) -> None:
    """A process that is killed while it makes an index leaves nothing that is read."""
    line = noted(damage.in_the_making(tmp_path, 5, random.randrange(1_000_000)))
    assert (line.faults, line.acknowledged) == (0, 5)


def test_a_check_of_a_damaged_index_says_what_it_says_without_one(
    tmp_path: Path, noted: Noted
) -> None:
    """Exit code and output are those of a check without a cache."""
    line = noted(damage.checks(tmp_path, 3, random.randrange(1_000_000)))
    assert (line.faults, line.acknowledged) == (0, 3)


def test_the_harness_finds_an_index_out_that_is_believed(tmp_path: Path, noted: Noted) -> None:
    """Read without its digests, a damaged index gives wrong tables or ends the process."""
    lines = [
        damage.of_an_index(tmp_path / kind, kind, 20, 1, way="naive")
        for kind in ("one bit", "a page of zeros")
    ]
    assert [line.kind for line in map(noted, lines) if not line.faults] == []


def _names(base: Path) -> str:
    return base.name


@pytest.mark.parametrize("base", roots.SEEDS, ids=_names)
def test_judgments_stay_with_their_runs_in_other_roots(
    base: Path, tmp_path: Path, noted: Noted
) -> None:
    """Opened above or below the folder where it was judged, a run has them all, and current."""
    line = noted(roots.other_roots(tmp_path, base))
    assert line.faults == 0
    assert line.acknowledged > 0


@pytest.mark.parametrize(
    "base", [base for base in roots.SEEDS if base.name not in roots.UNSURE], ids=_names
)
def test_judgments_of_earlier_versions_stay_with_their_runs(
    base: Path, tmp_path: Path, noted: Noted
) -> None:
    """Records that say nothing of their run but its id are found by names and outputs."""
    assert noted(roots.other_roots(tmp_path, base, old=True)).faults == 0


@pytest.mark.parametrize("move", [roots.renamed, roots.moved])
@pytest.mark.parametrize("base", roots.SEEDS, ids=_names)
def test_judgments_stay_with_their_runs_where_the_folder_goes(
    base: Path, move: roots.Move, tmp_path: Path, noted: Noted
) -> None:
    """The folder that was judged, or one above it, has another name or another place."""
    assert noted(roots.other_roots(tmp_path, base, each=1, move=move)).faults == 0


@pytest.mark.parametrize(
    "base", [base for base in roots.SEEDS if base.name not in roots.SAME_IDS], ids=_names
)
def test_the_harness_finds_a_reader_out_that_goes_by_ids(
    base: Path, tmp_path: Path, noted: Noted
) -> None:
    """Looking for the id that a record was written with loses judgments in each family."""
    assert noted(roots.other_roots(tmp_path, base, way="naive")).faults > 0


def test_the_harness_finds_a_naive_writer_out(tmp_path: Path, noted: Noted) -> None:
    """Looking, opening and dumping loses, tears or doubles under each of these faults."""
    lines = [
        *(killing.at_every_call(tmp_path, death, way="naive") for death in DEATHS),
        failing.each_call(tmp_path, "ENOSPC", failing.faults_of(long=False)["ENOSPC"], way="naive"),
        failing.full_disk(tmp_path, way="naive"),
        racing.counting_up(tmp_path, writers=4, times=15, way="naive"),
    ]
    assert [line.kind for line in map(noted, lines) if not line.faults] == []
