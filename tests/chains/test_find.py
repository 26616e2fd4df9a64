"""What a record came from and what it led to."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import evalcore
from evalcore.chains.find import Chain, Link, chain, replaced_failures
from evalcore.chains.joins import words_of
from evalcore.chains.records import IDS, SuiteRecords
from evalcore.families.reviews.models import MessageFields
from evalcore.memory.store import remember
from evalcore.tables.rows import FailureRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.chains.store import SUITE, ids, record, sent, small_store, told, written
from tests.memory import remembered

DEMO = Path(evalcore.__file__).parent / "demo" / "workspace"


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return written(tmp_path_factory.mktemp("chains"), *small_store())


def test_a_benchmark_run_stands_between_its_test_runs_and_what_was_made_of_them(
    ws: Workspace,
) -> None:
    came, led = told(ws, chain(ws, SUITE, "benchmark-run", "b-2"))
    assert came == {
        "produces benchmark": ["bm"],
        "  groups test-case": ["case-1", "case-2"],
        "aggregates test-run": ["run-12", "run-22"],
    }
    assert led == {
        "references prompt-comparison": ["cmp"],
        "originated from a run of eval-failure": ["fail"],
        "adds a point to eval-trend": ["trend"],
    }


def test_a_benchmark_run_without_a_failed_run_led_to_no_failure(ws: Workspace) -> None:
    _, led = told(ws, chain(ws, SUITE, "benchmark-run", "b-1"))
    assert "originated from a run of eval-failure" not in led


def test_a_test_run_is_known_by_its_record_and_by_its_run_id(ws: Workspace) -> None:
    run = f"{SUITE}::case-1@p%402/-#run-12"
    by_record = told(ws, chain(ws, SUITE, "test-run", "run-12"))
    assert by_record == told(ws, chain(ws, SUITE, "test-run", run))
    came, led = by_record
    assert came == {"produces test-case": ["case-1"], "  evaluated by rubric": ["rubric"]}
    assert led == {
        "contains eval-judgment": ["j-run-12.json"],
        "aggregates benchmark-run": ["b-2"],
        "  references prompt-comparison": ["cmp"],
        "originated from eval-failure": ["fail"],
    }


def test_a_failure_names_its_run_and_the_benchmark_runs_with_that_run(ws: Workspace) -> None:
    came, led = told(ws, chain(ws, SUITE, "eval-failure", "fail"))
    assert came == {
        "originated from test-run": ["run-12"],
        "  produces test-case": ["case-1"],
        "originated from a run of benchmark-run": ["b-2"],
    }
    assert led == {}


def test_a_comparison_names_the_benchmark_runs_that_it_refers_to(ws: Workspace) -> None:
    came, _ = told(ws, chain(ws, SUITE, "prompt-comparison", "cmp"))
    assert came["references benchmark-run"] == ["b-1", "b-2"]
    assert came["  aggregates test-run"] == ["run-11", "run-12", "run-21", "run-22"]


def test_what_a_record_names_and_is_not_here_is_missing(tmp_path: Path) -> None:
    lost = record("eval-failure", "lost", testRunId="gone", failureType="timeout")
    ws = written(tmp_path, *small_store(), lost)
    came, _ = told(ws, chain(ws, SUITE, "eval-failure", "lost"))
    assert came == {"originated from test-run": ["gone?"]}


def test_a_record_that_is_not_here_has_the_links_that_others_state(tmp_path: Path) -> None:
    lost = record("eval-failure", "lost", testRunId="gone", failureType="timeout")
    ws = written(tmp_path, *small_store(), lost)
    came, led = told(ws, chain(ws, SUITE, "test-run", "gone"))
    assert (came, led) == ({}, {"originated from eval-failure": ["lost"]})


def test_nothing_is_known_of_what_nobody_names(ws: Workspace) -> None:
    found = chain(ws, SUITE, "benchmark", "none such")
    assert (found.came_from, found.led_to) == ((), ())


def test_a_relation_stated_twice_is_one_link(tmp_path: Path) -> None:
    twice = record(
        "relation", "again", sourceId="fail", relation="originated_from", targetId="run-12"
    )
    ws = written(tmp_path, *small_store(), twice)
    came, _ = told(ws, chain(ws, SUITE, "eval-failure", "fail"))
    assert came["originated from test-run"] == ["run-12"]


def test_stores_with_the_same_ids_do_not_mix(tmp_path: Path) -> None:
    written(tmp_path / "one", *small_store())
    written(tmp_path / "two", *small_store()[:-2])
    ws = evalcore.open_workspace(tmp_path, cache=False)
    _, led = told(ws, chain(ws, f"two/{SUITE}", "test-run", "run-12"))
    assert led["aggregates benchmark-run"] == ["b-2"]
    assert "originated from eval-failure" not in led


def test_a_case_outside_of_stores_is_evaluated_by_its_criteria() -> None:
    ws = evalcore.open_workspace(DEMO, cache=False)
    came, led = told(ws, chain(ws, "release-notes", "test-case", "security-fix"))
    criteria = ws.tables.criteria
    mine = criteria[
        (criteria["suite"] == "release-notes") & (criteria["case_id"] == "security-fix")
    ]
    assert came == {"evaluated by rubric-criterion": sorted(mine["criterion"])}
    runs = ws.tables.runs
    assert led["produces test-run"] == sorted(
        runs[(runs["suite"] == "release-notes") & (runs["case_id"] == "security-fix")]["run_id"]
    )


def test_conventions_and_corrected_judgments_are_not_counted() -> None:
    """A person corrected their judgment in the demo; only the newer one is a step."""
    ws = evalcore.open_workspace(DEMO, cache=False)
    every = ws.tables.judgments
    old = every[(every["status"] == "superseded") | (every["kind"] == "convention")]
    assert len(old)
    for run in old["run_id"].astype(str).unique()[:10]:
        suite = run.partition("::")[0]
        found = chain(ws, suite, "test-run", run)
        (judged,) = [link for link in found.led_to if link.records.type == "eval-judgment"]
        counted = every[(every["run_id"] == run) & (every["status"] != "superseded")]
        assert judged.records.total == (counted["kind"] != "convention").sum()


def every_record(ws: Workspace) -> Iterator[tuple[str, str, str]]:
    """Yield suite, type and id of each record in the tables and of each end of a relation."""
    for kind, (table, column) in IDS.items():
        frame = getattr(ws.tables, table)
        if kind != "eval-judgment":
            for suite, name in set(zip(frame["suite"], frame[column], strict=True)):
                yield str(suite), kind, str(name)
    relations = ws.tables.relations
    for end in ("source", "target"):
        pairs = zip(
            relations["suite"], relations[f"{end}_type"], relations[f"{end}_id"], strict=True
        )
        yield from {(str(suite), str(kind), str(name)) for suite, kind, name in pairs}


def named(of: SuiteRecords, found: Chain) -> Iterator[tuple[str, str]]:
    """Yield type and id of everything that a chain names."""

    def each(links: tuple[Link, ...]) -> Iterator[tuple[str, str]]:
        for link in links:
            yield from ((link.records.type, name) for name in ids(of, link.records))
            yield from each(link.further)

    yield from ((found.record.type, name) for name in ids(of, found.record))
    yield from each(found.came_from)
    yield from each(found.led_to)


def test_no_chain_of_the_demo_names_a_record_twice() -> None:
    """Also where several ways lead to it: a run's benchmark run, and that of its comparison."""
    ws = evalcore.open_workspace(DEMO, cache=False)
    seen = 0
    for suite, kind, name in sorted(set(every_record(ws))):
        if kind in ("eval-judgment", "rubric-criterion"):
            continue  # a label of several cases: not an id outside of stores
        of = SuiteRecords(ws, suite)
        found = [
            each for each in named(of, chain(ws, suite, kind, name))
            if each[0] not in ("eval-judgment", "rubric-criterion")
        ]  # fmt: skip
        assert len(found) == len(set(found)), (suite, kind, name)
        seen += len(found) > 1
    assert seen > 200


def test_each_record_that_another_came_from_led_to_it(ws: Workspace) -> None:
    """First steps are read both ways alike."""
    relations = ws.tables.relations
    for kind, other in (("source", "target"), ("target", "source")):
        rows = relations[[f"{kind}_type", f"{kind}_id", f"{other}_type", f"{other}_id"]]
        for of, name, wanted, related in rows.astype(str).itertuples(index=False):
            if of == "eval-judgment" or wanted == "eval-judgment":
                continue
            found = chain(ws, SUITE, of, name)
            first = {
                (link.records.type, each)
                for link in (*found.came_from, *found.led_to)
                for each in ids(SuiteRecords(ws, SUITE), link.records)
            }
            assert (wanted, related) in first, (of, name, wanted, related)


def test_of_a_hidden_run_only_its_case_is_known(ws: Workspace) -> None:
    run = f"{SUITE}::case-1@p%402/-#run-12"
    hiding = ws.hiding({run}, "ana-0001")
    came, led = told(hiding, chain(hiding, SUITE, "test-run", run))
    assert (came, led) == (
        {"produces test-case": ["case-1"], "  evaluated by rubric": ["rubric"]},
        {},
    )


def test_nothing_tells_that_a_hidden_run_failed(ws: Workspace) -> None:
    """Neither its benchmark run, nor its case, nor the id of the failure in the address."""
    hiding = ws.hiding({f"{SUITE}::case-1@p%402/-#run-12"}, "ana-0001")
    for kind, name in (("benchmark-run", "b-2"), ("test-case", "case-1"), ("benchmark", "bm")):
        _, led = told(hiding, chain(hiding, SUITE, kind, name))
        assert not any("eval-failure" in link for link in led), kind
        assert not any("prompt-comparison" in link for link in led), kind
    came, _ = told(hiding, chain(hiding, SUITE, "eval-failure", "fail"))
    assert came == {}
    assert any(
        "eval-failure" in link for link in told(ws, chain(ws, SUITE, "benchmark-run", "b-2"))[1]
    )


def test_words_of_names_each_word_once(ws: Workspace) -> None:
    cases = IDS["test-case"]._replace(table="runs")
    rows = ws.tables.runs.index.to_numpy()
    assert sorted(words_of(ws, cases, rows)) == ["case-1", "case-2"]


def test_what_was_sent_and_decided_follows_from_what_it_is_about(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    _, led = told(ws, chain(ws, SUITE, "benchmark-run", "b-2"))
    assert led["about task"] == ["do"]
    assert led["about message"] == ["say"]
    assert led["rests on approval"] == ["ok"]
    _, led = told(ws, chain(ws, SUITE, "eval-failure", "fail"))
    assert led == {"about memory-item": ["learn"]}
    _, led = told(ws, chain(ws, SUITE, "prompt-comparison", "cmp"))
    assert led == {"rests on approval": ["ok"]}


def test_a_decision_names_the_comparison_and_the_benchmark_runs_it_rests_on(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    came, _ = told(ws, chain(ws, SUITE, "approval", "ok"))
    assert came["rests on prompt-comparison"] == ["cmp"]
    assert came["rests on benchmark-run"] == ["b-1", "b-2"]
    lost = record("approval", "no", version="p", decision="refused", reason="Gone.",
                  benchmarkRunIds=["b-9"])  # fmt: skip
    ws = written(tmp_path, lost)
    came, _ = told(ws, chain(ws, SUITE, "approval", "no"))
    assert came == {"rests on benchmark-run": ["b-9?"]}


def test_messages_that_answer_each_other_in_a_circle_end(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    came, led = told(ws, chain(ws, SUITE, "message", "say"))
    assert came["answers message"] == ["reply"]
    assert led == {}
    assert "benchmark-run" in " ".join(came)


def test_what_a_message_is_about_may_be_missing(tmp_path: Path) -> None:
    lost = record("message", "lost", sender="a", recipient="b", subject="s", text="t",
                  aboutType="benchmark-run", aboutId="gone")  # fmt: skip
    ws = written(tmp_path, *small_store(), lost)
    came, _ = told(ws, chain(ws, SUITE, "message", "lost"))
    assert came == {"about benchmark-run": ["gone?"]}


def test_one_id_of_two_types_is_two_records(tmp_path: Path) -> None:
    """A message about the comparison `b-2` is not about the benchmark run of that id."""
    other = record("message", "other", sender="a", recipient="b", subject="s", text="t",
                   aboutType="prompt-comparison", aboutId="b-2")  # fmt: skip
    ws = written(tmp_path, *small_store(), other)
    _, led = told(ws, chain(ws, SUITE, "benchmark-run", "b-2"))
    assert "about message" not in led


def test_what_was_sent_is_hidden_with_a_hidden_run(tmp_path: Path) -> None:
    ws = written(tmp_path, *small_store(), *sent())
    hiding = ws.hiding({f"{SUITE}::case-1@p%402/-#run-12"}, "ana-0001")
    for kind, name in (("benchmark-run", "b-2"), ("benchmark", "bm"), ("test-case", "case-1")):
        _, led = told(hiding, chain(hiding, SUITE, kind, name))
        assert not any(word in " ".join(led) for word in ("task", "message", "approval")), kind


def test_a_lesson_about_a_failure_stays_with_its_correction(tmp_path: Path) -> None:
    """Somebody corrected the failure twice; the newest record is the one that is shown."""
    ws = written(tmp_path, *small_store(), *sent())
    old = "fail"
    for name in ("second", "third"):
        fields = {
            "testRunId": f"{SUITE}::case-1@p%402/-#run-12",
            "failureType": "timeout",
            "description": "Slow.",
            "affectedCriterionIds": [],
            "severity": "minor",
        }
        path = tmp_path / SUITE / "reviews/eval-failure" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        envelope = {"id": name, "type": "eval-failure", "schema": 1, "createdBy": "ana-3f2a"}
        value = {**envelope, "createdAt": "2026-03-09T08:00:00Z", "supersedes": old}
        path.write_text(json.dumps({**value, "fields": fields}))
        old = name
    ws = evalcore.open_workspace(tmp_path, cache=False)
    _, led = told(ws, chain(ws, SUITE, "test-run", "run-12"))
    assert led["originated from eval-failure"] == ["third"]
    _, led = told(ws, chain(ws, SUITE, "eval-failure", "third"))
    assert led == {"about memory-item": ["learn"]}
    came, _ = told(ws, chain(ws, SUITE, "memory-item", "learn"))
    assert came["about eval-failure"] == ["third"]


def test_a_message_about_a_benchmark_that_was_changed_since_is_about_the_new_one(
    tmp_path: Path,
) -> None:
    """Outside of stores each run of a benchmark replaces its record."""
    ws = remembered.suite(tmp_path, remembered.NOTES)
    first = remembered.benchmark(["breaking-change"])
    message = remembered.message()
    assert isinstance(message.fields, MessageFields)
    about = replace(message.fields, about_type="benchmark", about_id=remembered.BENCHMARK)
    remember(ws, remembered.NOTES, [first, message._replace(fields=about)], "ana-3f2a")
    newer = first._replace(id=remembered.RUN, supersedes=(remembered.BENCHMARK,))
    remember(ws, remembered.NOTES, [newer], "ana-3f2a")
    ws = remembered.again(ws)
    came, _ = told(ws, chain(ws, remembered.NOTES, "message", remembered.MESSAGE))
    assert came["about benchmark"] == [remembered.RUN]
    _, led = told(ws, chain(ws, remembered.NOTES, "benchmark", remembered.RUN))
    assert led["about message"] == [remembered.MESSAGE]


def test_each_judgment_came_from_its_run(ws: Workspace) -> None:
    """The first run of the table as well as the last."""
    sources = {str(each) for each in ws.tables.judgments["source"]}
    assert len(sources) == 4
    for source in sources:
        came, _ = told(ws, chain(ws, SUITE, "eval-judgment", source))
        run = source.rpartition("/j-")[2].removesuffix(".json")
        assert came["contains test-run"] == [run]


def test_in_a_store_a_criterion_is_scored_by_its_judgments(ws: Workspace) -> None:
    """Outside of stores many cases have a criterion of one name."""
    came, led = told(ws, chain(ws, SUITE, "rubric-criterion", "tone"))
    judgments = [f"j-run-{case}{time}.json" for case in (1, 2) for time in (1, 2)]
    assert (came | led)["scores eval-judgment"] == judgments
    demo = evalcore.open_workspace(DEMO, cache=False)
    notes = demo.tables.criteria[demo.tables.criteria["suite"] == "release-notes"]
    for name in sorted(set(notes["criterion"].astype(str))):
        came, led = told(demo, chain(demo, "release-notes", "rubric-criterion", name))
        assert "scores eval-judgment" not in came | led


def test_outside_of_stores_the_number_of_a_run_is_no_name_of_it() -> None:
    """Each case has a run of that number."""
    ws = evalcore.open_workspace(DEMO, cache=False)
    assert "1" in set(ws.tables.runs[ws.tables.runs["suite"] == "release-notes"]["run"])
    assert chain(ws, "release-notes", "test-run", "1").record.missing == ("1",)


def test_what_is_missing_in_a_suite_is_said_though_another_one_has_hidden_runs(
    tmp_path: Path,
) -> None:
    """Nothing of this suite is hidden, so what is not here is gone."""
    about = record("message", "about", sender="a", recipient="b", subject="s", text="t",
                   aboutType="eval-failure", aboutId="gone")  # fmt: skip
    written(tmp_path / "one", *small_store())
    written(tmp_path / "two", *small_store(), about)
    ws = evalcore.open_workspace(tmp_path, cache=False)
    hiding = ws.hiding({f"one/{SUITE}::case-2@p%402/-#run-22"}, "ana-0001")
    came, _ = told(hiding, chain(hiding, f"two/{SUITE}", "message", "about"))
    assert came == {"about eval-failure": ["gone?"]}


def test_failures_that_replace_each_other_in_a_circle_end(tmp_path: Path) -> None:
    """What stands is the one that none of them replaces."""
    replaces = {"now": "one", "one": "two", "two": "one"}
    ws = made.workspace(
        tmp_path,
        made.suite("records"),
        *(
            made.row(FailureRow, suite=made.SUITE, failure_id=name, supersedes=f'["{old}"]')
            for name, old in replaces.items()
        ),
    )
    assert replaced_failures(ws) == {1: 0, 2: 0}
