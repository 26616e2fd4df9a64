"""The `activation` family: each query is a case, each description a version, each trial a run."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.activation import FAMILY
from evalcore.tables.rows import (
    BenchmarkRow,
    CaseRow,
    CriterionRow,
    DocumentRow,
    JudgmentRow,
    RunRow,
    SuiteRow,
    VersionRow,
)
from tests.families.activation_documents import (
    AFTER,
    ALWAYS,
    BEFORE,
    EAGER,
    NEVER,
    SHOULD,
    SHOULD_NOT,
    TWO_TRIES,
    Counts,
    attempt,
    loop,
    of,
    result,
    results,
    trigger_set,
)
from tests.families.build import Read, changed, write

SET = "pdf/evals/trigger-eval.json"
RESULTS = "pdf/evals/results.json"


def opened(root: Path, files: dict[str, Any]) -> Read:
    """Write files and read them."""
    return Read(FAMILY, write(root, files))


def one(root: Path, **fields: Any) -> Read:
    """Read one result with other fields; `...` takes one away."""
    item = changed(result(SHOULD[0], 2, 3), **fields)
    return opened(root, {RESULTS: {"description": BEFORE, "results": [item]}})


def flags(read: Read, text: str, version: str | None = None) -> list[bool | None]:
    """Return whether the runs of a query activated the skill, in their order."""
    case = read.one(CaseRow, prompt=text).case_id
    runs = [row for row in read.all(RunRow) if row.case_id == case]
    return [row.activated for row in runs if version in (None, row.version)]


def test_a_set_without_results_is_a_suite_of_cases(tmp_path: Path) -> None:
    """Every query has what is expected of it; there is no version and no run."""
    read = opened(tmp_path, {SET: trigger_set()})
    suite = read.one(SuiteRow)
    assert (suite.suite, suite.name, suite.root) == (
        "pdf (triggers)",
        "pdf (triggers)",
        "pdf/evals",
    )
    assert (suite.skill_path, suite.headline) == ("pdf", "share of queries answered as expected")
    assert [row.prompt for row in read.all(CaseRow)] == [*SHOULD, *SHOULD_NOT]
    assert (read.all(VersionRow), read.all(RunRow), read.problems) == ([], [], [])
    assert read.one(DocumentRow) == DocumentRow(SET, "activation", "trigger_set", suite.suite, 5)


def test_a_case_says_what_should_happen(tmp_path: Path) -> None:
    """In words, as a tag and as its one criterion."""
    read = opened(tmp_path, {SET: trigger_set()})
    answered, silent = (read.one(CaseRow, prompt=text) for text in (SHOULD[0], SHOULD_NOT[0]))
    assert (answered.expected, silent.expected) == ("should trigger", "should not trigger")
    assert json.loads(silent.tags or "") == ["should not trigger"]
    criteria = {row.case_id: row.criterion for row in read.all(CriterionRow)}
    assert criteria[answered.case_id] == "activates"
    assert criteria[silent.case_id] == "stays silent"
    assert (silent.source, silent.pointer) == (SET, "/3")


def test_the_id_of_a_query_does_not_depend_on_its_place(tmp_path: Path) -> None:
    """It is the item's own where it has one, else it comes from the text."""
    first = opened(tmp_path / "a", {SET: trigger_set()})
    other = opened(tmp_path / "b", {SET: trigger_set(SHOULD[::-1])})
    ids = [{row.prompt: row.case_id for row in read.all(CaseRow)} for read in (first, other)]
    assert ids[0] == ids[1]
    assert ids[0][SHOULD[0]] == "q-" + hashlib.sha256(b"\0" + SHOULD[0].encode()).hexdigest()[:8]
    own = [changed(item, id=number) for number, item in enumerate(trigger_set())]
    read = opened(tmp_path / "c", {SET: own})
    assert [row.case_id for row in read.all(CaseRow)] == ["0", "1", "2", "3", "4"]


def test_an_id_that_another_query_has_is_not_used(tmp_path: Path) -> None:
    """Both queries are cases."""
    read = opened(tmp_path, {SET: [changed(item, id="q") for item in trigger_set()]})
    ids = [row.case_id for row in read.all(CaseRow)]
    assert (ids[0], len(set(ids))) == ("q", 5)


def test_a_long_query_has_a_short_name(tmp_path: Path) -> None:
    """On one line, and the whole of it is the prompt."""
    text = "First line\n" + "a" * 80
    case = opened(tmp_path, {SET: trigger_set([text])}).all(CaseRow)[0]
    assert (case.prompt, case.name) == (text, "First line " + "a" * 48 + "…")
    exact = "b" * 60
    assert opened(tmp_path, {SET: trigger_set([exact])}).all(CaseRow)[0].name == exact


def test_each_counted_trial_is_a_run(tmp_path: Path) -> None:
    """The first ones are those that activated the skill, as the order is not known."""
    read = one(tmp_path)
    runs = read.all(RunRow)
    assert [row.activated for row in runs] == [True, True, False]
    assert [row.run for row in runs] == ["1", "2", "3"]
    assert [row.passed for row in runs] == [True, True, False]
    assert (runs[0].configuration, runs[0].status, runs[0].max_score) == ("-", "completed", 1)
    assert (runs[2].fraction, runs[2].checks_passed, runs[2].checks_total) == (0, 0, 1)


def test_a_false_alarm_is_a_failed_run(tmp_path: Path) -> None:
    """What should stay silent passes where it does."""
    read = opened(tmp_path, {RESULTS: results({SHOULD_NOT[0]: (1, 3)})})
    assert [(row.activated, row.passed) for row in read.all(RunRow)] == [
        (True, False),
        (False, True),
        (False, True),
    ]
    judged = read.all(JudgmentRow)
    assert {row.criterion for row in judged} == {"stays silent"}
    assert [row.passed for row in judged] == [False, True, True]
    assert {row.judge_type for row in judged} == {"heuristic"}


def test_results_stand_beside_the_set_that_they_ask(tmp_path: Path) -> None:
    """The set's queries are the cases, asked or not."""
    read = opened(tmp_path, {SET: trigger_set(), RESULTS: results(of(ALWAYS, *SHOULD))})
    assert len(read.all(CaseRow)) == 5
    assert len(read.all(RunRow)) == 9
    assert {row.source for row in read.all(CaseRow)} == {SET}


def test_a_loop_has_a_version_for_each_description(tmp_path: Path) -> None:
    """In the order in which they were tried; its train results stand there twice and count once."""
    read = opened(tmp_path, {SET: trigger_set(), "pdf/evals/x/results.json": TWO_TRIES})
    versions = [(row.version, row.description) for row in read.all(VersionRow)]
    assert versions == [("iteration-1", BEFORE), ("iteration-2", AFTER)]
    assert len(read.all(RunRow)) == 30
    assert (flags(read, SHOULD[2], "iteration-1"), flags(read, SHOULD[2], "iteration-2")) == (
        [False] * 3,
        [True] * 3,
    )
    assert read.problems == []


def test_what_was_held_out_is_a_tag(tmp_path: Path) -> None:
    """Whoever wrote the next description saw the results of the others."""
    read = opened(tmp_path, {SET: trigger_set(), "pdf/evals/x/results.json": TWO_TRIES})
    tags = {row.prompt: json.loads(row.tags or "") for row in read.all(CaseRow)}
    assert tags[SHOULD[0]] == ["should trigger", "train"]
    assert tags[SHOULD_NOT[1]] == ["should not trigger", "test"]


def test_a_description_that_was_measured_again_has_more_runs(tmp_path: Path) -> None:
    """One version, whichever document it stands in, and however its lines are broken."""
    wrapped = BEFORE.replace(" ", "\n")
    read = opened(
        tmp_path, {"pdf/evals/a.json": results(NEVER), "pdf/evals/b.json": results(EAGER, wrapped)}
    )
    assert [row.version for row in read.all(VersionRow)] == ["a"]
    assert flags(read, SHOULD[0]) == [False] * 3 + [True] * 3
    assert [row.run for row in read.all(RunRow)].count("6") == 5


def test_the_same_counts_in_two_documents_are_the_same_runs(tmp_path: Path) -> None:
    """A loop's results are often saved once more; the copy is named."""
    single = loop(attempt(1, BEFORE, of(EAGER, *SHOULD), of(EAGER, *SHOULD_NOT)))
    read = opened(tmp_path, {"pdf/evals/loop.json": single, RESULTS: results(EAGER)})
    assert len(read.all(RunRow)) == 15
    problem = read.problem("results-repeated")
    assert (problem.path, problem.severity) == (RESULTS, "info")


def test_an_iteration_that_repeats_a_description_has_runs_of_its_own(tmp_path: Path) -> None:
    """Equal counts in one document are no copy of each other."""
    parts = of(EAGER, *SHOULD), of(EAGER, *SHOULD_NOT)
    read = opened(tmp_path, {RESULTS: loop(attempt(1, BEFORE, *parts), attempt(2, BEFORE, *parts))})
    assert [row.version for row in read.all(VersionRow)] == ["iteration-1"]
    assert (len(read.all(RunRow)), read.problems) == (30, [])


@pytest.mark.parametrize(
    "fields", [{"date": "2026-01-02"}, {"model": "sonnet"}, {"description": AFTER}]
)
def test_what_tells_measurements_apart_makes_two_of_them(
    tmp_path: Path, fields: dict[str, Any]
) -> None:
    """A date, a model, another description: equal counts are then no copy."""
    first = results(EAGER, date="2026-01-01", model="opus")
    second = results(EAGER, date="2026-01-01", model="opus") | fields
    read = opened(tmp_path, {"pdf/evals/a.json": first, "pdf/evals/b.json": second})
    assert (len(read.all(RunRow)), read.problems) == (30, [])


def test_the_model_of_a_document_is_that_of_its_runs(tmp_path: Path) -> None:
    """Wherever the document writes it."""
    read = opened(tmp_path, {RESULTS: changed(results(NEVER), model="opus")})
    assert {row.model for row in read.all(RunRow)} == {"opus"}
    summary = results(NEVER)["summary"] | {"model": "haiku"}
    read = opened(tmp_path, {RESULTS: changed(results(NEVER), summary=summary)})
    assert {row.model for row in read.all(RunRow)} == {"haiku"}


def test_results_without_a_description_are_named_by_their_file(tmp_path: Path) -> None:
    """Nothing says that two of them are of one description."""
    files = {
        f"pdf/evals/{name}/results.json": changed(results(counts), description=...)
        for name, counts in (("may", NEVER), ("june", EAGER))
    }
    read = opened(tmp_path, files)
    assert [row.version for row in read.all(VersionRow)] == ["june", "may"]


def test_one_label_for_two_descriptions_is_told_apart(tmp_path: Path) -> None:
    """Two loops both begin with iteration 1."""
    files = {
        f"pdf/evals/{name}/results.json": loop(
            attempt(1, text, of(counts, *SHOULD), of(counts, *SHOULD_NOT))
        )
        for name, text, counts in (("may", BEFORE, NEVER), ("june", AFTER, EAGER))
    }
    labels = [row.version for row in opened(tmp_path, files).all(VersionRow)]
    assert labels == ["iteration-1", "iteration-1 (may)"]


def test_hits_and_false_alarms_stand_beside_the_version(tmp_path: Path) -> None:
    """Means over queries: a query with more runs counts as much as the others."""
    counts: Counts = {SHOULD[0]: (3, 3), SHOULD[1]: (0, 1), SHOULD_NOT[0]: (1, 4)}
    read = opened(tmp_path, {RESULTS: results(counts)})
    rates = {row.metric: (row.mean, row.n) for row in read.all(BenchmarkRow)}
    assert rates["hit rate"] == (0.5, 2)
    assert rates["false alarm rate"] == (0.25, 1)


def test_totals_are_kept_beside_ours(tmp_path: Path) -> None:
    """The tool counts queries whose rate reaches its threshold."""
    read = opened(tmp_path, {RESULTS: results({SHOULD[0]: (2, 3), SHOULD[1]: (1, 3)})})
    shares = [row for row in read.all(BenchmarkRow) if "expected" in (row.metric or "")]
    found = {row.origin: (row.mean, row.n) for row in shares}
    assert found == {"stored": (0.5, 2), "computed": (0.5, 2)}


def test_a_query_without_a_verdict_counts_by_its_rate(tmp_path: Path) -> None:
    """From one half of its runs on it activates the skill, as the scripts have it."""
    counts: Counts = {SHOULD[0]: (1, 2), SHOULD[1]: (1, 3), SHOULD_NOT[0]: (1, 3)}
    items = [changed(item, **{"pass": ...}) for item in results(counts)["results"]]
    totals = {"total": 3, "passed": 2, "failed": 1}
    read = opened(tmp_path, {RESULTS: {"results": items, "summary": totals}})
    shares = {row.origin: row.mean for row in read.all(BenchmarkRow) if row.n == 3}
    assert shares == {"stored": 2 / 3, "computed": 2 / 3}
    assert read.problems == []


def test_hits_and_alarms_that_are_stated_are_checked_by_run(tmp_path: Path) -> None:
    """Misses and silences too."""
    counts: Counts = {SHOULD[0]: (1, 3), SHOULD_NOT[0]: (3, 4)}
    stated = {"tp": 1, "fn": 2, "fp": 3, "tn": 1}
    assert opened(tmp_path, {RESULTS: results(counts, metrics=stated)}).problems == []
    for name, count in stated.items():
        wrong = results(counts, metrics={name: count + 1})
        problem = opened(tmp_path, {RESULTS: wrong}).problem("derived-mismatch")
        assert problem.pointer == f"/metrics/{name}"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"summary": {"total": 6, "passed": 2, "failed": 3}}, "/summary/total"),
        ({"summary": {"total": 5, "passed": 3, "failed": 3}}, "/summary/passed"),
        ({"summary": {"total": 5, "passed": 2, "failed": 2}}, "/summary/failed"),
        ({"metrics": {"tp": 1, "fn": 9, "fp": 0, "tn": 6}}, "/metrics/tp"),
        ({"metrics": {"tp": 0, "fn": 9, "fp": 0, "tn": 5}}, "/metrics/tn"),
        ({"metrics": {"query_passed": 5}}, "/metrics/query_passed"),
    ],
)
def test_a_total_that_contradicts_its_list_is_named(
    tmp_path: Path, change: dict[str, Any], place: str
) -> None:
    """With its place; what the runs give counts."""
    read = opened(tmp_path, {RESULTS: changed(results(NEVER), **change)})
    assert place in {p.pointer for p in read.problems if p.code == "derived-mismatch"}


def test_totals_of_a_loop_are_checked_by_part(tmp_path: Path) -> None:
    """Those of the held-out queries too."""
    document = loop(
        changed(attempt(1, BEFORE, of(NEVER, *SHOULD), of(NEVER, *SHOULD_NOT)), test_passed=1)
    )
    read = opened(tmp_path, {RESULTS: document})
    assert read.problem("derived-mismatch").pointer == "/history/0/test_passed"


def test_a_threshold_of_the_tools_own_is_no_contradiction(tmp_path: Path) -> None:
    """Two of three runs fail a threshold of 0.8; three of three reach any."""
    document = results({SHOULD[0]: (2, 3)}, summary={"total": 1, "passed": 0, "failed": 1})
    document["results"][0]["pass"] = False
    assert opened(tmp_path, {RESULTS: document}).problems == []
    assert one(tmp_path, triggers=3, trigger_rate=1, **{"pass": False}).codes() == [
        "derived-mismatch"
    ]


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"trigger_rate": ...}, [True, True, False]),
        ({"triggers": ..., "trigger_rate": 0.67}, [True, True, False]),
        ({"trigger_rate": 0.67}, [True, True, False]),
        ({"triggers": [True, False, True], "runs": ..., "trigger_rate": ...}, None),
        ({"triggered": [False, True, True]}, [False, True, True]),
        ({"triggered": True}, [True, True, False]),
        ({"triggers": ..., "trigger_rate": ..., "runs": [False, True]}, [False, True]),
        ({"triggers": ..., "trigger_rate": ..., "runs": ..., "pass": False, "actual": False},
         [False]),
        ({"triggers": ..., "runs": ..., "trigger_count": 1, "run_count": 2, "trigger_rate": 0.5},
         [True, False]),
        ({"triggers": 0, "runs": 0, "trigger_rate": ..., "pass": ...}, []),
    ],
)  # fmt: skip
def test_runs_are_told_in_several_ways(
    tmp_path: Path, fields: dict[str, Any], wanted: list[bool] | None
) -> None:
    """As counts, as a rate of so many, one by one, or a single one."""
    read = one(tmp_path, **fields)
    if wanted is None:
        assert (read.all(RunRow), read.codes()) == ([], ["wrong-type"])
    else:
        assert (flags(read, SHOULD[0]), read.codes()) == (wanted, [])


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"errored": 1, "triggers": 1, "trigger_rate": 0.5}, [True, False, None]),
        ({"errored": 3, "triggers": 0, "trigger_rate": 0.0, "pass": False}, [None] * 3),
        ({"errors": 1, "triggers": ..., "trigger_rate": 0.5}, [True, False, None]),
        ({"triggers": ..., "trigger_rate": ..., "runs": [{"actual": True}, {"error": "timeout"}]},
         [True, None]),
        ({"triggers": ..., "trigger_rate": ..., "runs": ..., "triggered": False, "error": "exit 1"},
         [None]),
    ],
)  # fmt: skip
def test_a_run_that_crashed_is_an_error(
    tmp_path: Path, fields: dict[str, Any], wanted: list[bool | None]
) -> None:
    """It has no score, it is said how many crashed, and no stated verdict is wrong for it."""
    read = one(tmp_path, **fields)
    assert flags(read, SHOULD[0]) == wanted
    assert [each.code for each in read.problems] == ["crashed-runs"]
    crashed = [row for row in read.all(RunRow) if row.activated is None]
    assert {(row.status, row.passed, row.score) for row in crashed} == {("error", None, None)}
    assert len(read.all(JudgmentRow)) == len(wanted) - len(crashed)


def test_queries_without_a_finished_run_are_in_no_rate(tmp_path: Path) -> None:
    """Six hits of six, though six other queries crashed every time and are called failed."""
    items = [result(f"hit {n}", 3, 3) for n in range(6)]
    items += [
        changed(result(f"miss {n}", 0, 3), errored=3, should_trigger=False, **{"pass": False})
        for n in range(6)
    ]
    totals = {"passed": 6, "failed": 6, "total": 12}
    read = opened(tmp_path, {RESULTS: {"results": items, "summary": totals}})
    assert [each.code for each in read.problems] == ["crashed-runs"]
    assert "Of 36 runs 18 crashed" in read.problem("crashed-runs").message
    assert "Of the 18 that finished, 18 activated the skill" in read.problem("crashed-runs").message
    rates = {(row.metric, row.origin, row.mean, row.n) for row in read.all(BenchmarkRow)}
    assert rates == {
        ("queries answered as expected", "stored", 0.5, 12),
        ("queries answered as expected", "computed", 1.0, 6),
        ("hit rate", "computed", 1.0, 6),
    }


def test_a_rate_of_unknown_runs_is_kept_as_stated(tmp_path: Path) -> None:
    """One run without a score stands for them; the rate and the verdict stand beside its case."""
    read = one(tmp_path, triggers=..., runs=..., trigger_rate=0.4, **{"pass": False})
    assert [each.code for each in read.problems] == ["runs-unknown"]
    (run,) = read.all(RunRow)
    assert (run.origin, run.status, run.activated, run.score) == (
        "benchmark", "completed", None, None,
    )  # fmt: skip
    assert [row.status for row in read.all(JudgmentRow)] == ["unscored"]
    stated = {(row.metric, row.origin, row.mean, row.text) for row in read.all(BenchmarkRow)}
    assert stated == {
        ("trigger_rate", "stored", 0.4, None), ("pass", "stored", None, "false"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({RESULTS: results(NEVER)}, ["0 of 15 runs activated the skill, though 3 of 5 queries"]),
        ({RESULTS: results(ALWAYS)}, []),
        ({RESULTS: results({SHOULD[0]: (0, 3), SHOULD_NOT[0]: (0, 3)})}, []),
        ({RESULTS: loop(attempt(1, BEFORE, NEVER, {}), attempt(2, AFTER, ALWAYS, {}))}, []),
        ({RESULTS: results(ALWAYS), "pdf/evals/late.json": results(NEVER, AFTER)}, ["0 of 15"]),
    ],
)
def test_a_skill_that_never_answers_makes_its_measurement_suspect(
    tmp_path: Path, files: dict[str, Any], said: list[str]
) -> None:
    """Several queries should have activated it; one that did tells that the document measures."""
    read = opened(tmp_path, files)
    found = [each.message for each in read.problems if each.code == "never-activated"]
    assert [each[: len(words)] for each, words in zip(found, said, strict=True)] == said


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"triggers": 4}, "impossible-count"),
        ({"triggers": 2, "errored": 2}, "impossible-count"),
        ({"triggers": -1}, "impossible-count"),
        ({"runs": ...}, "runs-unknown"),
        ({"triggers": ..., "trigger_rate": 0.5}, "runs-unknown"),
        ({"triggers": 100, "runs": 201, "trigger_rate": ...}, "too-many-runs"),
        ({"trigger_rate": 0.6}, "derived-mismatch"),
    ],
)
def test_counts_that_cannot_be_are_named(tmp_path: Path, fields: dict[str, Any], code: str) -> None:
    """The query stays a case."""
    read = one(tmp_path, **fields)
    assert (read.codes(), len(read.all(CaseRow))) == ([code], 1)
    assert len(read.all(RunRow)) == (3 if code == "derived-mismatch" else 0)


def test_two_hundred_runs_of_a_query_are_read(tmp_path: Path) -> None:
    """The most there may be."""
    assert len(one(tmp_path, triggers=100, runs=200, trigger_rate=0.5).all(RunRow)) == 200


def test_the_runs_of_every_query_may_be_stated_once(tmp_path: Path) -> None:
    """Beside the list."""
    item = {"query": SHOULD[0], "should_trigger": True, "trigger_rate": 0.75}
    read = opened(tmp_path, {RESULTS: {"runs_per_query": 4, "results": [item]}})
    assert flags(read, SHOULD[0]) == [True, True, True, False]


def test_a_reason_belongs_to_its_run(tmp_path: Path) -> None:
    """Where it is not known whose each is, every run has them all."""
    known = one(tmp_path, triggers=2, runs=2, trigger_rate=1, reasons=["a", "b"])
    assert [row.rationale for row in known.all(JudgmentRow)] == ["a", "b"]
    mixed = one(tmp_path, triggers=1, runs=2, trigger_rate=0.5, reasons=["a", "b"])
    assert [row.rationale for row in mixed.all(JudgmentRow)] == ["a\nb", "a\nb"]
    listed = one(tmp_path, triggered=[False, True], runs=2, reasons=["a", "b"])
    assert [row.rationale for row in listed.all(JudgmentRow)] == ["a", "b"]


@pytest.mark.parametrize(
    ("item", "code", "cases"),
    [
        ("a query", "wrong-type", 5),
        ({"should_trigger": True}, "missing-query", 5),
        ({"query": 7, "should_trigger": True}, "wrong-type", 5),
        ({"query": "Shred it.", "should_trigger": "yes"}, "wrong-type", 6),
        ({"query": "Shred it."}, "missing-expectation", 6),
        (trigger_set()[0], "duplicate-case", 5),
        ({"query": SHOULD[0], "should_trigger": False}, "expectation-differs", 5),
    ],
)
def test_an_item_that_is_none_is_named_with_its_place(
    tmp_path: Path, item: Any, code: str, cases: int
) -> None:
    """The others are read."""
    read = opened(tmp_path, {SET: [*trigger_set(), item]})
    problem = next(problem for problem in read.problems if problem.code == code)
    assert problem.pointer.startswith("/5")
    assert len(read.all(CaseRow)) == cases


def test_a_query_of_which_nothing_is_expected_has_no_score(tmp_path: Path) -> None:
    """Its runs are listed all the same."""
    read = opened(
        tmp_path,
        {RESULTS: {"results": [changed(result(SHOULD[0], 1, 1)),
                               {"query": "Shred it.", "triggers": 1, "runs": 1}]}},
    )  # fmt: skip
    case = read.one(CaseRow, prompt="Shred it.")
    run = read.one(RunRow, case_id=case.case_id)
    assert (run.activated, run.passed, run.fraction, run.checks_total) == (True, None, None, None)
    assert len(read.all(JudgmentRow)) == 1


def test_a_later_document_may_say_what_is_expected(tmp_path: Path) -> None:
    """Then the query has a criterion and a score."""
    items = [*trigger_set()[1:], {"query": SHOULD[0]}]
    read = opened(tmp_path, {SET: items, RESULTS: results(ALWAYS)})
    assert read.one(CaseRow, prompt=SHOULD[0]).expected == "should trigger"
    assert {row.passed for row in read.all(RunRow)} == {True}


def test_other_names_of_the_fields_are_read(tmp_path: Path) -> None:
    """Prompt, should_activate, and what tools sort their queries by."""
    items = [{"prompt": SHOULD[0], "should_activate": True, "category": "direct"},
             {"prompt": SHOULD_NOT[0], "should_activate": False, "tags": ["a", "b"]}]  # fmt: skip
    read = opened(tmp_path, {SET: {"note": "…", "queries": items}})
    assert [row.prompt for row in read.all(CaseRow)] == [SHOULD[0], SHOULD_NOT[0]]
    tags = [json.loads(row.tags or "") for row in read.all(CaseRow)]
    assert tags == [["should trigger", "direct"], ["should not trigger", "a", "b"]]


def test_expected_counts_beside_what_came_of_it(tmp_path: Path) -> None:
    """Alone it is a name that any test case has."""
    item = {"query": SHOULD[0], "expected": True, "actual": False, "passed": False}
    read = opened(tmp_path, {RESULTS: {"description": AFTER, "cases": [item]}})
    assert (flags(read, SHOULD[0]), read.problems) == ([False], [])
    other = [{"query": SHOULD[0], "expected": True}]
    assert opened(tmp_path / "b", {RESULTS: other}).plans == []


def test_bare_texts_in_two_lists_are_a_set(tmp_path: Path) -> None:
    """One of queries to answer, one of those to leave alone."""
    value = {"skill": "pdf", "should_trigger": list(SHOULD), "should_not_trigger": [*SHOULD_NOT, 3]}
    read = opened(tmp_path, {"triggers.json": value})
    assert [row.expected for row in read.all(CaseRow)] == ["should trigger"] * 3 + [
        "should not trigger"
    ] * 2
    assert read.all(CaseRow)[4].pointer == "/should_not_trigger/1"
    assert read.problem("wrong-type").pointer == "/should_not_trigger/2"


def test_a_file_with_an_item_a_line_is_a_set(tmp_path: Path) -> None:
    """Places are lines of the file, blank ones counted."""
    lines = [json.dumps(item) for item in trigger_set()]
    read = opened(tmp_path, {"pdf/evals/triggers.jsonl": "\n\n".join(lines)})
    assert [row.pointer for row in read.all(CaseRow)] == ["/0", "/2", "/4", "/6", "/8"]


def test_trials_in_files_of_their_own_give_the_order(tmp_path: Path) -> None:
    """The counts beside them are of the same runs."""
    files: dict[str, Any] = {SET: trigger_set(), "pdf/evals/r/results.json": results(
        {SHOULD[0]: (1, 3)}
    )}  # fmt: skip
    for number, flag in ((1, False), (2, True), (10, False)):
        item = {"query": SHOULD[0], "decision": flag, "reason": f"reason {number}"}
        trial = {"description": BEFORE, "results": [item]}
        files[f"pdf/evals/r/trial-{number}.json"] = trial
    read = opened(tmp_path, files)
    assert flags(read, SHOULD[0]) == [False, True, False]
    assert [row.rationale for row in read.all(JudgmentRow)] == ["reason 1", "reason 2", "reason 10"]
    kinds = sorted(row.kind or "" for row in read.all(DocumentRow))
    assert kinds == ["trigger_results", "trigger_set", *["trigger_trial"] * 3]
    assert read.problems == []


def test_a_list_of_the_queries_alone_is_one_of_the_documents(tmp_path: Path) -> None:
    """What was given to a judge, without the answers."""
    only = [{"query": item["query"]} for item in trigger_set()]
    read = opened(tmp_path, {SET: trigger_set(), "pdf/evals/queries.json": only})
    assert [row.kind for row in read.all(DocumentRow)] == ["trigger_set", "trigger_queries"]
    assert len(read.all(CaseRow)) == 5
