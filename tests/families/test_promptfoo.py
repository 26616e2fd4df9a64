"""Exports of promptfoo are read where they are: cases, prompts and providers, checks, ratings."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.counting.cells import typed
from evalcore.families.promptfoo import exports
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    RunScoreRow,
    VersionRow,
)
from tests.families.promptfoo_exports import (
    PROMPT,
    component,
    export,
    grading,
    result,
    table,
    write,
)


def opened(root: Path) -> Workspace:
    return open_workspace(root, cache=False)


def reading(root: Path, *results: Any, **told: Any) -> Workspace:
    write(root / "results.json", export(*results, **told))
    return opened(root)


def rows(ws: Workspace, name: str, of: Any) -> list[Any]:
    return typed(ws, name, of, range(len(getattr(ws.tables, name))))


def codes(ws: Workspace) -> list[tuple[str, str]]:
    return sorted({(problem.severity, problem.code) for problem in ws.problems})


def two_lines(root: Path) -> None:
    write(root / "r.jsonl", [result(0, 0), result(1, 0, "Fiji", success=False)])


def two_results(root: Path) -> None:
    write(root / "r.json", export(result(0, 0), result(1, 0, "Fiji", success=False)))


def two_cells(root: Path) -> None:
    wrong = result(success=False)
    write(root / "r.json", table(("Peru", [result()]), ("Fiji", [wrong])))


def bare_summary(root: Path) -> None:
    value = export(result(0, 0), result(1, 0, "Fiji", success=False))["results"]
    write(root / "r.json", value)


FORMS = [two_results, two_cells, two_lines, bare_summary]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_tells_the_same(tmp_path: Path, form: Any) -> None:
    """Version 3, the table of version 2, lines, and results without a file around them."""
    form(tmp_path)
    ws = opened(tmp_path)
    assert codes(ws) == []
    assert [case.prompt for case in rows(ws, "cases", CaseRow)] == ["land: Peru", "land: Fiji"]
    found = [
        (
            run.configuration,
            run.run,
            run.status,
            run.passed,
            run.fraction,
            run.duration_s,
            run.cost_usd,
        )
        for run in rows(ws, "runs", RunRow)
    ]
    same = ("acme:large", "1", "completed")
    assert found == [(*same, True, 1.0, 1.5, 0.25), (*same, False, 1.0, 1.5, 0.25)]
    assert next(row.criterion for row in rows(ws, "judgments", JudgmentRow)) == "contains: Peru"


@pytest.mark.parametrize("form", FORMS)
def test_the_output_of_a_run_stands_in_its_document(tmp_path: Path, form: Any) -> None:
    """Its place is that of the value, and the run's own record is there too."""
    form(tmp_path)
    ws = opened(tmp_path)
    for run in rows(ws, "runs", RunRow):
        path, _, place = run.outputs.partition("#")
        assert str(ws.raw(path, place)).startswith("The capital of")
        assert ws.raw(run.source, run.pointer)["score"] == 1
    for row in rows(ws, "judgments", JudgmentRow):
        assert ws.raw(row.source, row.pointer)["reason"] == row.rationale


def test_repeats_are_runs_and_other_assertions_are_another_case(tmp_path: Path) -> None:
    """promptfoo gives each repeat a number of a test of its own."""
    other: dict[str, Any] = {
        "testCase": {"vars": {"land": "Peru"}, "assert": [{"type": "is-json"}]}
    }
    ws = reading(tmp_path, result(0), result(1), result(2, **other), result(3, **other))
    found = [(run.case_id, run.run) for run in rows(ws, "runs", RunRow)]
    first = found[0][0]
    assert found == [(first, "1"), (first, "2"), (f"{first}-2", "1"), (f"{first}-2", "2")]


NAMED = [
    ("Short", "Name {{land}}", "Short"),
    ("Name {{land}}", "Name {{land}}", "prompt 1"),
    ("prompts/long.txt: Name {{land}}", "Name {{land}}", "prompts/long.txt"),
    ("", "Name {{land}}", "prompt 1"),
    ("x" * 61, "Name {{land}}", "prompt 1"),
]


@pytest.mark.parametrize(("label", "raw", "name"), NAMED)
def test_a_prompt_is_named_where_there_are_several(
    tmp_path: Path, label: str, raw: str, name: str
) -> None:
    """By its label or file; a label that is the text itself would change with every change."""
    heads = [{"label": label, "raw": raw}, {"label": "Other", "raw": "Say it."}]
    ws = reading(tmp_path, result(0, 0), result(0, 1), prompts=heads)
    found = [run.configuration for run in rows(ws, "runs", RunRow)]
    assert found == [f"{name} · acme:large", "Other · acme:large"]
    alone = reading(tmp_path / "alone", result(0, 0), prompts=heads[:1])
    assert [run.configuration for run in rows(alone, "runs", RunRow)] == ["acme:large"]


def test_columns_that_are_called_alike_are_told_apart(tmp_path: Path) -> None:
    """Two providers of one label, say with other options, are two configurations."""
    ws = reading(tmp_path, result(0, 0), result(0, 1), prompts=[PROMPT, PROMPT])
    found = [run.configuration for run in rows(ws, "runs", RunRow)]
    assert found == ["acme:large (1)", "acme:large (2)"]


def test_a_provider_is_called_by_its_label(tmp_path: Path) -> None:
    """The model is its id, whatever it is called."""
    ws = reading(tmp_path, result(provider={"id": "acme:large", "label": "Ours"}))
    (run,) = rows(ws, "runs", RunRow)
    assert (run.configuration, run.model) == ("Ours", "acme:large")


def test_exports_of_one_description_are_versions_by_time(tmp_path: Path) -> None:
    """Whatever the files are called; what changed are the prompts."""
    write(tmp_path / "a.json", export(result(), at="2026-03-04T10:00:00Z"))
    changed = [{**PROMPT, "raw": "Say the capital of {{land}}."}]
    write(tmp_path / "b.json", export(result(), at="2026-03-02T10:00:00Z", prompts=changed))
    write(tmp_path / "c.json", export(result(), description="Rivers / lakes"))
    ws = opened(tmp_path)
    assert list(ws.tables.suites["suite"]) == ["Capitals", "Rivers - lakes"]
    assert [(row.version, row.description) for row in rows(ws, "versions", VersionRow)] == [
        ("2026-03-02 10:00", "Say the capital of {{land}}."),
        ("2026-03-04 10:00", PROMPT["raw"]),
        ("2026-03-02 09:30", PROMPT["raw"]),
    ]


def test_exports_without_a_description_belong_together_by_their_cases(tmp_path: Path) -> None:
    """Half of the smaller one's; nothing is joined across folders."""
    told = {"description": None}
    write(tmp_path / "run-1.json", export(result(0), result(1, 0, "Fiji"), **told))
    later = export(result(0), result(1, 0, "Mali"), at="2026-03-03T10:00:00Z", **told)
    write(tmp_path / "run-2.json", later)
    write(tmp_path / "run-3.json", export(result(0, 0, "Chad"), at="2026-03-05", **told))
    write(tmp_path / "old" / "run-1.json", export(result(0), at="2026-01-01", **told))
    ws = opened(tmp_path)
    found = {(row.suite, row.version) for row in rows(ws, "versions", VersionRow)}
    assert len({suite for suite, _ in found}) == 3
    assert {version for suite, version in found if suite == "run"} >= {
        "2026-03-02 09:30",
        "2026-03-03 10:00",
    }


def test_what_is_exported_twice_counts_once(tmp_path: Path) -> None:
    """The last export of an evaluation counts, and lines of it tell nothing more."""
    about = {"evaluationCreatedAt": "2026-03-02T09:30:00Z"}
    write(tmp_path / "a.json", export(result(success=False)))
    after = {"metadata": {**about, "exportedAt": "2026-04-01T00:00:00Z"}}
    write(tmp_path / "b.json", export(result(), **after))
    write(tmp_path / "c.jsonl", [result()])
    ws = opened(tmp_path)
    assert [(run.source, run.passed) for run in rows(ws, "runs", RunRow)] == [("b.json", True)]
    assert {(problem.path, problem.code) for problem in ws.problems} == {
        ("a.json", "results-repeated"),
        ("c.jsonl", "results-repeated"),
    }


def test_versions_of_one_minute_have_names_of_their_own(tmp_path: Path) -> None:
    """The id of the evaluation tells them apart, else the file."""
    for name in ("a", "b", "c"):
        write(tmp_path / f"{name}.json", export(result(), evalId="e" if name > "b" else name))
    ws = opened(tmp_path)
    found = [row.version for row in rows(ws, "versions", VersionRow)]
    assert found == ["2026-03-02 09:30", "2026-03-02 09:30 (b)", "2026-03-02 09:30 (e)"]


CHECKS: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    (component(value="Lima"), ("contains: Lima", "heuristic", 1, True)),
    (component(value="Lima", metric="Truth"), ("Truth", "heuristic", 1, True)),
    (component("latency", threshold=5), ("latency: 5", "heuristic", 1, True)),
    (component("is-json", value={"a": 1}), ('is-json: {"a":1}', "heuristic", 1, True)),
    (component("llm-rubric", False, value="Is kind"), ("llm-rubric: Is kind", "llm", 0, False)),
    (component("not-similar", value="x"), ("not-similar: x", "llm", 1, True)),
    (component("similar:cosine", value="x"), ("similar:cosine: x", "llm", 1, True)),
    (component("javascript", score=7), ("javascript", "heuristic", 7, True)),
    (component("python", metric="Length", metricOnly=True), ("Length", "heuristic", 1, None)),
    (component("g-eval", metadata={"graderError": True}), ("g-eval", "llm", None, None)),
    ({"pass": True, "score": 1, "reason": "?"}, ("result", "heuristic", 1, True)),
    (component(value="y" * 99), (f"contains: {'y' * 49}…", "heuristic", 1, True)),
]


@pytest.mark.parametrize(("held", "told"), CHECKS)
def test_a_component_result_is_a_judgment(
    tmp_path: Path, held: dict[str, Any], told: tuple[Any, ...]
) -> None:
    """Its criterion is the metric, else type and value; who judged follows from the type."""
    ws = reading(tmp_path, result(gradingResult=grading(held)))
    (row,) = rows(ws, "judgments", JudgmentRow)
    assert (row.criterion, row.judge_type, row.score, row.passed) == told
    assert row.status == ("unscored" if told[2] is None else "scored")
    assert row.fraction == (None if told[2] in (None, 7) else told[2])
    assert codes(ws) == []


def test_a_model_that_judged_is_named(tmp_path: Path) -> None:
    """As the assertion names it, by its id or as text."""
    by = [component("llm-rubric", value=f"{n}", provider=p)
          for n, p in enumerate(["acme:judge", {"id": "acme:other"}, {"config": 1}])]  # fmt: skip
    ws = reading(tmp_path, result(gradingResult=grading(*by)))
    judges = [row.judge for row in rows(ws, "judgments", JudgmentRow)]
    assert judges == ["acme:judge", "acme:other", None]
    assert [run.judge_type for run in rows(ws, "runs", RunRow)] == ["llm"]


@pytest.mark.parametrize("flat", [True, False])
def test_a_set_of_assertions_decides_and_its_parts_do_not(tmp_path: Path, flat: bool) -> None:
    """Newer exports list the parts beside the set too; they are read once."""
    parts = [component("regex", False, value="a"), component("regex", value="b", weight=2)]
    about = {"assertionSet": {"type": "assert-set", "metric": "Style", "threshold": 0.5}}
    whole = {"pass": True, "score": 0.6, "reason": "Enough.", "metadata": about}
    held = [{**whole, "componentResults": parts}, *(parts if flat else []), component(value="c")]
    ws = reading(tmp_path, result(gradingResult=grading(*held)))
    assert [row.criterion for row in rows(ws, "judgments", JudgmentRow)] == [
        "Style",
        "regex: a",
        "regex: b",
        "contains: c",
    ]
    found = [(row.required, row.weight) for row in rows(ws, "criteria", CriterionRow)]
    assert found == [(True, None), (False, None), (False, 2), (True, None)]


def test_a_threshold_decides_over_all_assertions(tmp_path: Path) -> None:
    """Of a test case with one, no assertion alone is required, and promptfoo's verdict stands."""
    failed = grading(component(passed=False, value="x"), component(value="y"))
    ws = reading(tmp_path, result(testCase={"threshold": 0.5}, gradingResult=failed, score=0.5))
    assert [row.required for row in rows(ws, "criteria", CriterionRow)] == [None, None]
    (run,) = rows(ws, "runs", RunRow)
    assert (run.passed, run.fraction, run.checks_passed, run.checks_total) == (True, 0.5, 1, 2)


def test_criteria_have_names_of_their_own(tmp_path: Path) -> None:
    """The same assertion twice in a test case is two criteria."""
    ws = reading(
        tmp_path, result(gradingResult=grading(component(value="x"), component(value="x")))
    )
    assert [row.criterion for row in rows(ws, "criteria", CriterionRow)] == [
        "contains: x",
        "contains: x (2)",
    ]


def test_named_scores_that_no_assertion_is_named_by_are_scores(tmp_path: Path) -> None:
    """They measure, and decide nothing."""
    held = result(
        namedScores={"Truth": 1, "depth": 0.7}, gradingResult=grading(component(metric="Truth"))
    )
    ws = reading(tmp_path, held)
    found = [(row.criterion, row.score, row.passed) for row in rows(ws, "judgments", JudgmentRow)]
    assert found == [("Truth", 1, True), ("depth", 0.7, None)]


def test_a_persons_rating_is_of_the_run_as_a_whole(tmp_path: Path) -> None:
    """It decides as it does in promptfoo, beside what was checked, and its comment is a note."""
    rated = component("human", False, reason="Manual result", comment="too curt")
    held = result(gradingResult=grading(component(value="x"), rated), success=False, score=0)
    ws = reading(tmp_path, held)
    (run,) = rows(ws, "runs", RunRow)
    assert (run.passed, run.judge_type, run.checks_passed, run.checks_total) == (
        False,
        "human",
        1,
        1,
    )
    (score,) = rows(ws, "run_scores", RunScoreRow)
    assert (score.judge_type, score.score, score.passed) == ("human", 0, False)
    assert [(row.kind, row.text) for row in rows(ws, "notes", NoteRow)] == [("note", "too curt")]
    assert [row.criterion for row in rows(ws, "criteria", CriterionRow)] == ["contains: x"]


ENDS: list[tuple[dict[str, Any], tuple[Any, ...]]] = [
    ({"failureReason": 2, "error": "no <b>model</b>"}, ("error", None, "no <b>model</b>")),
    ({"failureReason": 2}, ("error", None, "promptfoo got no output.")),
    ({"failureReason": None, "gradingResult": None, "error": "gone"}, ("error", None, "gone")),
    ({"failureReason": 1, "error": "Expected x", "success": False}, ("completed", False, None)),
    ({"gradingResult": None}, ("completed", True, None)),
    ({"gradingResult": {"reason": "No assertions"}}, ("completed", True, None)),
]  # fmt: skip


def test_a_score_that_is_no_share_is_kept_as_it_is(tmp_path: Path) -> None:
    """Scripts may score as they like; nothing is made of it that has a highest score."""
    (run,) = rows(reading(tmp_path, result(score=7)), "runs", RunRow)
    assert (run.score, run.max_score, run.fraction, run.passed) == (7, None, None, True)


@pytest.mark.parametrize(("told", "ended"), ENDS)
def test_an_error_is_no_failure(
    tmp_path: Path, told: dict[str, Any], ended: tuple[Any, ...]
) -> None:
    """It is outside every rate, with what promptfoo says of it as a note."""
    ws = reading(tmp_path, result(**told))
    (run,) = rows(ws, "runs", RunRow)
    notes = [row.text for row in rows(ws, "notes", NoteRow)]
    assert (run.status, run.passed, notes[0] if notes else None) == ended
    if run.status == "error":
        assert (run.score, run.outputs, rows(ws, "judgments", JudgmentRow)) == (None, None, [])


def test_counts_that_contradict_the_results_are_noted(tmp_path: Path) -> None:
    """As many passed, failed and erred as the file says, else it says so."""
    three = (result(0), result(1, success=False), result(2, failureReason=2))
    right = {"successes": 1, "failures": 1, "errors": 1}
    assert codes(reading(tmp_path / "a", *three, stats=right)) == []
    ws = reading(tmp_path / "b", *three, stats={**right, "errors": 2})
    assert [(p.code, p.pointer) for p in ws.problems] == [
        ("derived-mismatch", "/results/stats/errors")
    ]


def with_results(*found: Any) -> dict[str, Any]:
    return export(*found)


HOSTILE: list[tuple[str, Any, int, list[str]]] = [
    ("no results", with_results(), 0, ["no-runs"]),
    ("results are texts", with_results("a", None, 7), 0, ["no-runs", "wrong-type"]),
    ("components are no objects", with_results(result(gradingResult=grading(None, 3))), 1, []),
    ("a grade is a text", with_results(result(gradingResult="good")), 1, []),
    ("components are one", with_results(result(gradingResult={"componentResults": 1})), 1, []),
    ("an odd score", with_results(result(score="1")), 1, ["wrong-type"]),
    ("a score too large", with_results(result(score=1e308)), 1, []),
    ("variables are a list", with_results(result(testCase={"vars": [1]}, vars=[1])), 1, []),
    ("places are texts", with_results(result(testIdx="a", promptIdx=[2])), 1, []),
    ("places are huge", with_results(result(testIdx=10**30, promptIdx=-5)), 1, []),
    ("prompts are an object", export(result(), prompts={"a": 1}), 1, []),
    ("prompts are texts", export(result(), prompts=["a"]), 1, ["wrong-type"]),
    ("stats are a list", export(result(), stats=[1]), 1, []),
    ("a time that is none", export(result(), at="yesterday"), 1, ["wrong-type"]),
    ("markup", export(result(land="<script>1</script>\u202e"), description="<b>/../x"), 1, []),
    ("a very long text", with_results(result(land="x" * 300_000)), 1, []),
    ("deep variables", with_results(result(testCase={"vars": {"a": [[[[{}]]] * 9]}})), 1, []),
]  # fmt: skip


@pytest.mark.parametrize(("value", "runs", "said"), [each[1:] for each in HOSTILE],
                         ids=[each[0] for each in HOSTILE])  # fmt: skip
def test_faults_are_problems(tmp_path: Path, value: Any, runs: int, said: list[str]) -> None:
    """Whatever an export holds, what can be read of it is, and nothing breaks off."""
    write(tmp_path / "r.json", value)
    ws = opened(tmp_path)
    assert list(ws.tables.suites["family"]) == ["promptfoo"]
    assert len(ws.tables.runs) == runs
    assert sorted({problem.code for problem in ws.problems}) == said
    assert max(map(len, ws.tables.cases["name"]), default=0) <= exports.LONGEST


@pytest.mark.parametrize("name", ["r.json", "r.jsonl"])
def test_results_and_checks_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """What is left out is said, and is no contradiction of the stated counts."""
    monkeypatch.setattr(exports, "MOST", 2)
    monkeypatch.setattr(import_module("evalcore.families.promptfoo.read"), "MOST_CHECKS", 3)
    many = grading(*(component(value=str(n)) for n in range(5)))
    held = [result(n, gradingResult=many) for n in range(4)]
    write(tmp_path / name, export(*held, stats={"successes": 4}) if name == "r.json" else held)
    ws = opened(tmp_path)
    assert (len(ws.tables.runs), len(ws.tables.judgments)) == (2, 6)
    assert codes(ws) == [("error", "too-many-runs"), ("warning", "too-many-checks")]


OTHERS: list[Any] = [
    {"results": {"items": []}},
    {"results": {"version": 1}},
    {"results": {"results": [{"score": 1}]}},
    {"results": [{"status": "passed"}], "version": "5", "stats": {}},
    [{"promptIdx": 1}],
]


@pytest.mark.parametrize("value", OTHERS)
def test_other_results_are_not_taken_for_an_export(tmp_path: Path, value: Any) -> None:
    """Reports of other tools have results too."""
    write(tmp_path / "report.json", value)
    assert list(opened(tmp_path).tables.suites["family"]) == []
