"""The chain of a record in words: names, counts, and the pages that show them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import pytest

import evalcore
from evalcore.chains.records import IDS
from evalcore.views.blocks.base import Block, Link, link
from evalcore.views.blocks.chain import Chain, ChainLink, ChainRecord
from evalcore.views.blocks.page import Heading
from evalcore.views.chains.block import MAX_NAME, chain_blocks, chain_blocks_at
from evalcore.workspace.opened import Workspace
from tests.chains.store import SUITE, record, sent, small_store, written

DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"
STORE = "support-agent"


@pytest.fixture(scope="module")
def demo() -> Workspace:
    return evalcore.open_workspace(DEMO, cache=False)


def drawn(blocks: Sequence[Block]) -> Chain:
    """Return the chain among blocks."""
    (found,) = [each for each in blocks if isinstance(each, Chain)]
    return found


def records(links: Sequence[ChainLink]) -> Iterator[ChainRecord]:
    """Yield every record of some links."""
    for each in links:
        yield from each.records
        yield from records(each.further)


def texts(links: Sequence[ChainLink]) -> list[str]:
    """Return every record as `kind text`."""
    return [f"{each.kind} {each.text}".strip() for each in records(links)]


def test_records_have_names_and_not_ids(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "benchmark-run", "bench-2026-02-09"))
    assert texts(found.came_from)[0] == "benchmark Reply quality, weekly"
    assert "trend reply quality" in texts(found.led_to)
    comparison = next(each for each in records(found.led_to) if "comparison" in each.kind)
    assert comparison.text == "support-reply@1.0.0 against support-reply@1.1.0"
    assert comparison.sub == "support-reply@1.0.0 won"


def test_a_run_without_a_configuration_shows_none(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "eval-failure", "fail-2026-02-16-arabic"))
    assert texts(found.came_from)[0] == (
        "test run support-reply@1.1.0 · run-2026-02-16-arabic-warranty"
    )


def test_up_to_three_records_are_named_and_more_are_counted(tmp_path: Path) -> None:
    extra = [record("eval-failure", f"f-{at}", testRunId="run-12") for at in range(2)]
    three = written(tmp_path / "three", *small_store(), *extra)
    found = drawn(chain_blocks(three, SUITE, "test-run", "run-12"))
    assert sum(each.kind == "failure" for each in records(found.led_to)) == 3
    extra.append(record("eval-failure", "f-9", testRunId="run-12"))
    four = written(tmp_path / "four", *small_store(), *extra)
    found = drawn(chain_blocks(four, SUITE, "test-run", "run-12"))
    assert [each.text for each in records(found.led_to) if "failure" in each.text] == ["4 failures"]


def test_a_count_leads_to_where_its_records_are_listed(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "benchmark-run", "bench-2026-02-09"))
    (runs,) = [each for each in records(found.came_from) if each.text == "5 test runs"]
    assert runs.link == link("trends", over="benchmark-runs", point="bench-2026-02-09")
    (failures,) = [each for each in records(found.led_to) if each.text == "4 failures"]
    assert failures.link == Link("failures", {})


def test_a_record_leads_to_the_page_that_shows_it(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "eval-failure", "fail-2026-02-09-regression"))
    pages = {each.kind: each.link for each in records(found.came_from)}
    run = "support-agent::tc-refund-window@support-reply%401.1.0/-#run-2026-02-09-refund-window"
    assert pages["test run"] == Link("gradings", {"run": run, "case": None})
    assert pages["test case"] == Link("gradings", {"case": "tc-refund-window", "run": None})
    point = link("trends", over="benchmark-runs", point="bench-2026-02-09")
    assert pages["benchmark run"] == point


def test_what_is_not_here_says_so_and_is_no_link(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "eval-failure", "fail-2026-02-12-invoice-copy"))
    (run,) = records(found.came_from)
    assert (run.missing, run.link, run.sub) == (True, None, "missing")


def test_an_arrow_reads_as_the_relation_does(demo: Workspace) -> None:
    """Onward from the earlier record to the later one, or back."""
    found = drawn(chain_blocks(demo, STORE, "test-run", "run-2026-02-09-refund-window"))
    read = {each.relation: (each.onward, each.sentence) for each in found.led_to}
    assert read["contains"] == (True, "test run contains judgment")
    assert read["originated from"] == (False, "failure originated from test run")


def test_a_record_without_any_link_has_no_chain(tmp_path: Path) -> None:
    ws = written(tmp_path, record("benchmark", "alone", name="Alone", testCaseIds=[]))
    assert chain_blocks(ws, SUITE, "benchmark", "alone") == []
    assert chain_blocks_at(ws, "no/such/file.json") == []


def test_without_a_title_the_chain_stands_alone(demo: Workspace) -> None:
    name = "fail-2026-02-09-regression"
    titled = chain_blocks(demo, STORE, "eval-failure", name)
    assert isinstance(titled[0], Heading)
    assert chain_blocks(demo, STORE, "eval-failure", name, title="") == titled[1:]


def test_a_long_name_is_cut_with_a_sign(tmp_path: Path) -> None:
    case = record("test-case", "long", name="long\n" * 100, rubricId="rubric")
    run = record("test-run", "its", testCaseId="long")
    ws = written(tmp_path, *small_store(), case, run)
    found = drawn(chain_blocks(ws, SUITE, "test-run", "its"))
    named = next(each for each in records(found.came_from) if each.kind == "test case")
    assert len(named.text) == MAX_NAME
    assert named.text.endswith("…")
    assert "\n" not in named.text


def test_every_type_with_a_table_is_described(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    names = {"eval-judgment": "", "rubric-criterion": "tone", "test-case": "case-1",
             "test-run": "run-12", "benchmark-run": "b-1", "eval-trend": "trend",
             "eval-failure": "fail", "prompt-comparison": "cmp", "benchmark": "bm",
             "approval": "ok", "task": "do", "message": "say", "memory-item": "learn"}  # fmt: skip
    assert names.keys() == IDS.keys()
    for kind, name in names.items():
        blocks = chain_blocks_at(ws, f"{SUITE}/records/{kind}/{name or 'j-run-11'}.json")
        assert drawn(blocks).record.text, kind


def test_a_run_that_is_hidden_shows_its_case_alone(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store())
    run = f"{SUITE}::case-1@p%402/-#run-12"
    found = drawn(chain_blocks(ws.hiding({run}, "ana-0001"), SUITE, "test-run", run))
    assert texts(found.came_from) == ["test case Case 1", "rubric rubric"]
    assert found.led_to == []


def test_a_benchmark_run_whose_rate_is_hidden_shows_none(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store())
    assert drawn(chain_blocks(ws, SUITE, "benchmark-run", "b-2")).record.sub.startswith("50 %")
    hiding = ws.hiding({f"{SUITE}::case-1@p%402/-#run-12"}, "ana-0001")
    assert drawn(chain_blocks(hiding, SUITE, "benchmark-run", "b-2")).record.sub == ""


def test_the_label_names_the_record(demo: Workspace) -> None:
    found = drawn(chain_blocks(demo, STORE, "benchmark", "bm-reply-quality"))
    assert found.label == "Came from and led to: benchmark Reply quality, weekly"
    assert cast("Link", found.record.link).page == "trends"


def test_a_decision_is_shown_as_it_stands(tmp_path: Path) -> None:
    """One whose time is over has lapsed, whatever its record says."""
    ended = record("approval", "ended", version="p@2", baseline="p@1", decision="waived",
                   reason="Needed.", owner="ana", expiresAt="2026-03-02T00:00:00Z",
                   benchmarkRunIds=["b-2"])  # fmt: skip
    ws = written(tmp_path, *small_store(), ended)
    found = drawn(chain_blocks(ws, SUITE, "benchmark-run", "b-2"))
    (decision,) = [each for each in records(found.led_to) if each.kind == "decision"]
    assert (decision.text, decision.sub) == ("p@2 over p@1", "lapsed")
    assert decision.link == Link("compare", {"a": "p@1", "b": "p@2"})
