"""What benchmarks say of the two versions on Compare."""

from pathlib import Path

from evalcore.benchmarks.definitions import benchmark_named
from evalcore.comparing.sides import side_of
from evalcore.memory.comparing_versions import compare_versions, record
from evalcore.views.blocks.base import Block, Link
from evalcore.views.blocks.chain import Chain
from evalcore.views.blocks.evidence import Note
from evalcore.views.blocks.page import Links
from evalcore.views.compare.recorded import Offer, by_benchmark
from evalcore.workspace.opened import Workspace
from tests.chains.store import SUITE
from tests.memory.compared_versions import CASES, instruction, opened, weekly
from tests.memory.remembered import again

Seen = tuple[list[Block], list[Offer]]


def seen(ws: Workspace, a: str = "p@1", b: str = "p@2") -> Seen | None:
    """Return what Compare shows of two versions."""
    return by_benchmark(side_of(ws, SUITE, a), side_of(ws, SUITE, b))


def of(kind: type[Block], found: Seen | None) -> list[Block]:
    """Return the blocks of a kind."""
    assert found is not None
    return [each for each in found[0] if isinstance(each, kind)]


def test_what_is_not_recorded_yet_can_be(tmp_path: Path) -> None:
    found = seen(opened(tmp_path, {"1": 0, "2": CASES}))
    assert found is not None
    ((_, words),) = found[1]
    assert words == ("Weekly: p@1 scores 0.00, p@2 1.00, over 8 cases.",)
    assert of(Chain, found) == []


def test_what_is_recorded_is_shown_with_its_chain_and_not_offered(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    record(ws, compare_versions(ws, weekly(ws), "p@1", "p@2"))
    found = seen(again(ws), "p@2", "p@1")
    assert found is not None
    assert found[1] == []
    (said,) = of(Note, found)
    assert isinstance(said, Note)
    assert said.texts[0].text.startswith("Recommended: p@2.")
    assert len(of(Chain, found)) == 1


def test_who_asks_for_a_comparison_is_said_where_it_can_be_recorded(tmp_path: Path) -> None:
    found = seen(opened(tmp_path, {"1": 0, "2": CASES}, instruction()))
    assert found is not None
    assert found[1][0][1][0] == "orchestrator asks for this comparison."


def test_an_instruction_is_a_link_to_its_versions(tmp_path: Path) -> None:
    """On the comparison of any two versions of the suite."""
    found = seen(opened(tmp_path, {"1": 0, "2": CASES, "3": 1}, instruction()), "p@2", "p@3")
    (links,) = of(Links, found)
    assert isinstance(links, Links)
    assert links.items[0].text == "p@1 against p@2 by Weekly"
    assert links.items[0].link == Link("compare", {"a": "p@1", "b": "p@2"})


def test_an_instruction_without_versions_is_counted(tmp_path: Path) -> None:
    found = seen(opened(tmp_path, {"1": 0, "2": CASES}, instruction(promptVersionA=None)))
    assert found is not None
    assert "1 instruction to compare versions names no two versions." in repr(found[0])


def test_versions_that_no_benchmark_ran_for_have_nothing(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    for path in (tmp_path / SUITE / "records/benchmark-run").iterdir():
        path.unlink()
    assert seen(again(ws)) is None


def test_a_retired_benchmark_offers_nothing(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES})
    path = tmp_path / SUITE / "records/benchmark/bm.json"
    path.write_text(path.read_text().replace('"active"', '"retired"'))
    ws = again(ws)
    assert benchmark_named(ws, SUITE, "bm").status == "retired"
    assert seen(ws) is None


def test_a_reader_from_whom_runs_are_hidden_sees_none_of_it(tmp_path: Path) -> None:
    ws = opened(tmp_path, {"1": 0, "2": CASES}, instruction())
    assert seen(ws) is not None
    assert seen(ws.hiding({f"{SUITE}::case-0@p%402/-#run-2-0"}, "ana-0001")) is None
