"""Tables of rows, read in place by the mapping beside them."""

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.disk.sheets import MAX_ROWS
from evalcore.families.rows import FAMILY
from evalcore.families.rows.mapping import CRITERION, MAPPING
from evalcore.families.rows.read import MAPPED
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    RunScoreRow,
    SuiteRow,
    VersionRow,
)
from tests.families.build import Read, write

WIDE = """id;version;Frage;Antwort;Note;Grund;Bestanden
007;v1;Was ist 2+2?;4;4,5;gut;ja
008;v1;Hauptstadt?;=cmd|' /C calc'!A0;2;falsch;nein
007;v2;Was ist 2+2?;4;5;gut;ja
008;v2;Hauptstadt?;Paris;4;;ja
"""
WIDE_COLUMNS: dict[str, Any] = {
    "schema": 1,
    "tables": ["t.csv"],
    "decimal": ",",
    "case": "id",
    "version": "version",
    "prompt": "Frage",
    "output": "Antwort",
    "criteria": [
        {"name": "Note", "score": "Note", "low": 1, "high": 5, "pass_at": 4, "rationale": "Grund",
         "judge": {"is": "gpt"}, "judge_type": {"is": "llm"}},
        {"name": "ok", "passed": "Bestanden"},
    ],
}  # fmt: skip
LONG = """case,run,metric,value,most,by,kind,why
a/b,1,fluency,4,5,gpt,LLM,reads well
a/b,1,correct,1,1,rule,CODE,
a/b,1,fluency,2,5,Ada,HUMAN,stiff
a/b,2,fluency,5,5,gpt,LLM,fine
a/b,2,correct,0,1,rule,CODE,
"""
LONG_COLUMNS: dict[str, Any] = {
    "tables": ["t.csv"],
    "case": "case",
    "run": "run",
    "criteria": [
        {"criterion": "metric", "score": "value", "high": "most", "rationale": "why",
         "judge": "by", "judge_type": "kind"}
    ],
}  # fmt: skip


def read(folder: Path, table: str, columns: Mapping[str, Any], name: str = "t.csv") -> Read:
    """What is read of a table and its mapping."""
    return Read(FAMILY, write(folder, {name: table, "t.rows.json": dict(columns)}))


def test_a_table_with_a_column_for_each_criterion_is_a_suite(tmp_path: Path) -> None:
    """Each row is a run, each column of scores a criterion with its scale."""
    found = read(tmp_path, WIDE, WIDE_COLUMNS)
    assert not found.problems
    suite = found.one(SuiteRow)
    assert (suite.suite, suite.name, suite.root, suite.headline) == ("t", "t", ".", "mean score")
    runs = {(run.case_id, run.version): run for run in found.all(RunRow)}
    assert list(runs) == [("007", "v1"), ("008", "v1"), ("007", "v2"), ("008", "v2")]
    one = runs["008", "v1"]
    assert (one.score, one.max_score, one.passed, one.status) == (0.2, 1.0, False, "completed")
    assert (one.source, one.pointer, one.outputs) == ("t.csv", "/1", "t.csv#/1/Antwort")
    assert (one.judge, one.judge_type, one.origin) == ("gpt", "llm", "log")
    note = found.one(JudgmentRow, run_id=one.run_id, criterion="Note")
    assert (note.kind, note.score, note.fraction, note.passed) == ("expectation", 2.0, 0.4, False)
    assert (note.rationale, note.source, note.pointer) == ("falsch", "t.csv", "/1/Note")
    asked = found.all(CriterionRow)
    scales = [(row.criterion, row.min_score, row.max_score, row.pass_at) for row in asked[:2]]
    assert scales == [("Note", 1, 5, 4), ("ok", 0, 1, None)]
    assert [row.version for row in found.all(VersionRow)] == ["v1", "v2"]
    assert found.one(CaseRow, case_id="007").prompt == "Was ist 2+2?"


def test_a_table_with_a_row_for_each_judgment_is_a_suite(tmp_path: Path) -> None:
    """Rows of one run are one; each judge has a score of its own, and people's is no rule's."""
    found = read(tmp_path, LONG, LONG_COLUMNS)
    assert not found.problems
    runs = [(run.case_id, run.run, run.score, run.max_score) for run in found.all(RunRow)]
    assert runs == [("a/b", "1", 0.9, 1.0), ("a/b", "2", 0.5, 1.0)]
    assert [(row.judge, row.judge_type, row.score, row.judged, row.expected)
            for row in found.all(RunScoreRow)[:3]] == [
        ("gpt", "llm", 4, 1, 2), ("rule", "heuristic", 1, 1, 2), ("Ada", "human", 2, 1, 2)
    ]  # fmt: skip
    kinds = {row.criterion: row.kind for row in found.all(JudgmentRow)}
    assert kinds == {"fluency": "rubric", "correct": "rubric"}, "no pass mark is stated"


def test_without_a_column_for_runs_repeated_rows_are_runs(tmp_path: Path) -> None:
    """In a long table a second score of one kind by one judge begins the next run."""
    columns = {name: value for name, value in LONG_COLUMNS.items() if name != "run"}
    found = read(tmp_path, LONG, columns)
    runs = [(row.run_id.rpartition("#")[2], row.criterion, row.judge)  # type: ignore[union-attr]
            for row in found.all(JudgmentRow)]  # fmt: skip
    assert sorted(runs) == [
        ("1", "correct", "rule"), ("1", "fluency", "Ada"), ("1", "fluency", "gpt"),
        ("2", "correct", "rule"), ("2", "fluency", "gpt"),
    ]  # fmt: skip


def test_rows_with_the_same_prompt_are_one_case_where_none_is_named(tmp_path: Path) -> None:
    """The id of such a case follows from its prompt, so that it is the same in another table."""
    files = {
        "a.jsonl": '{"q": "2+2?", "ok": true}\n',
        "b.jsonl": '{"q": "2+2?", "ok": false}\n{"q": "3+3?", "ok": true}\n',
        "t.rows.json": {
            "tables": [{"file": "a.jsonl", "version": "old"}, "b.jsonl"],
            "prompt": "q",
            "criteria": [{"name": "ok", "passed": "ok"}],
        },
    }
    found = Read(FAMILY, write(tmp_path, files))
    assert not found.problems
    first, second, third = found.all(RunRow)
    assert first.case_id == second.case_id != third.case_id
    assert [run.version for run in (first, second, third)] == ["old", "b", "b"]


def test_what_stands_in_a_row_beside_scores_is_read(tmp_path: Path) -> None:
    """Amounts with a factor, times, statuses, errors, and values inside of cells."""
    rows = [
        {"id": 1, "in": {"q": "hi"}, "meta": '{"m": "gpt"}', "ms": 1500, "t": 1_700_000_000,
         "s": "success", "e": None, "x": 0.5},
        {"id": 2, "in": {"q": "ho"}, "meta": '{"m": "gpt"}', "ms": None, "t": None, "s": "boom",
         "e": "it fell", "x": None},
        {"id": 3, "in": {"q": "hu"}, "s": "timeout", "x": None},
        {"id": 4, "in": {"q": "he"}, "s": "done", "x": None},
    ]  # fmt: skip
    columns = {
        "tables": ["t.json"], "case": "id", "prompt": "/in/q", "model": "/meta/m", "status": "s",
        "duration_s": {"column": "ms", "times": 0.001}, "started_at": "t", "error": "e",
        "configuration": {"is": "small"}, "criteria": [{"name": "x", "score": "x"}],
    }  # fmt: skip
    found = Read(FAMILY, write(tmp_path, {"t.json": rows, "t.rows.json": columns}))
    runs = found.all(RunRow)
    assert [run.status for run in runs] == ["completed", "error", "timeout", "completed"]
    assert (runs[0].model, runs[0].duration_s, runs[0].configuration) == ("gpt", 1.5, "small")
    assert runs[0].started_at is not None
    assert runs[0].started_at.year == 2023
    assert found.one(CaseRow, case_id="1").prompt == "hi"
    assert [note.text for note in found.all(NoteRow)] == ["it fell"]
    assert not found.codes()


def test_a_row_without_a_score_waits_where_there_is_an_output_to_judge(tmp_path: Path) -> None:
    """Without one it is a run without a score: nobody can grade it."""
    rows = [{"id": 1, "out": "Hi.", "x": None}, {"id": 2, "out": None, "x": None}]
    criteria = [{"name": "x", "score": "x"}]
    columns = {"tables": ["t.json"], "case": "id", "output": "out", "criteria": criteria}
    found = Read(FAMILY, write(tmp_path, {"t.json": rows, "t.rows.json": columns}))
    assert [run.status for run in found.all(RunRow)] == ["pending", "completed"]


def test_an_empty_cell_is_a_score_that_is_missing(tmp_path: Path) -> None:
    """A run is not better because a score of it is not there."""
    table = "id,version,a,b\n1,v1,1,0\n1,v2,1,\n"
    marks = {"low": 0, "high": 1, "pass_at": 1}
    criteria = [{"name": name, "score": name, **marks} for name in ("a", "b")]
    columns = {"tables": ["t.csv"], "case": "id", "version": "version", "criteria": criteria}
    found = read(tmp_path, table, columns)
    assert [(run.version, run.score, run.passed) for run in found.all(RunRow)] == [
        ("v1", 0.5, False), ("v2", None, None)
    ]  # fmt: skip
    assert [row.criterion for row in found.all(JudgmentRow) if row.status == "unscored"] == ["b"]


def test_words_are_scores_as_the_mapping_says(tmp_path: Path) -> None:
    """A label is a verdict or a score; one that nobody explained is unscored, not failed."""
    table = "id,label,grade\n1,factual,B\n2,hallucinated,A\n3,odd,A\n"
    columns = {
        "tables": ["t.csv"], "case": "id",
        "criteria": [
            {"name": "true to facts", "score": "label",
             "words": {"Factual": True, "hallucinated": False}},
            {"name": "grade", "score": "grade", "high": 4, "words": {"A": 4, "B": 3}},
        ],
    }  # fmt: skip
    found = read(tmp_path, table, columns)
    scores = [(row.criterion, row.score, row.passed) for row in found.all(JudgmentRow)]
    assert scores == [
        ("true to facts", 1, True), ("grade", 3, None), ("true to facts", 0, False),
        ("grade", 4, None), ("true to facts", None, None), ("grade", 4, None),
    ]  # fmt: skip
    problem = found.problem("unknown-score")
    assert (problem.path, problem.pointer) == ("t.csv", "/2/label")


def changed(**fields: Any) -> dict[str, Any]:
    """The mapping of the wide table with other fields; `...` takes one away."""
    return {name: of for name, of in (WIDE_COLUMNS | fields).items() if of is not ...}


@pytest.mark.parametrize(
    ("columns", "code", "path", "at", "runs"),
    [
        (changed(tables=["../t.csv"]), "outside", "t.rows.json", "/tables/0", 0),
        (changed(tables=["/etc/passwd"]), "outside", "t.rows.json", "/tables/0", 0),
        (changed(tables=["a/../../t.csv"]), "outside", "t.rows.json", "/tables/0", 0),
        (changed(tables=[{"file": "..\\t.csv"}]), "outside", "t.rows.json", "/tables/0", 0),
        (changed(tables=["nul\0.csv"]), "unreadable", "nul\0.csv", "", 0),
        (changed(tables=[7]), "wrong-type", "t.rows.json", "/tables/0", 0),
        (changed(tables=["gone.csv"]), "unreadable", "gone.csv", "", 0),
        (changed(case="Id"), "unknown-column", "t.rows.json", "/case", 0),
        (changed(output="Answer"), "unknown-column", "t.rows.json", "/output", 4),
        (changed(model={"col": "x"}), "wrong-type", "t.rows.json", "/model", 4),
        (changed(colour="x"), "unread-fields", "t.rows.json", "/colour", 4),
        (changed(criteria=[{"score": "Note"}]), "missing-name", "t.rows.json", "/criteria/0", 4),
        (changed(criteria=[{"name": "x"}]), "missing-score", "t.rows.json", "/criteria/0", 4),
        (changed(criteria={}), "wrong-type", "t.rows.json", "/criteria", 4),
        (changed(schema=2), "unknown-schema", "t.rows.json", "/schema", 4),
    ],
)  # fmt: skip
def test_a_mapping_that_cannot_be_followed_is_a_problem(
    tmp_path: Path, columns: dict[str, Any], code: str, path: str, at: str, runs: int
) -> None:
    """Each fault is named with its place, and what can be read is read."""
    (tmp_path / "w").mkdir()
    write(tmp_path, {"t.csv": WIDE})
    found = read(tmp_path / "w", WIDE, columns)
    assert (path, at) in {each[:2] for each in found.problems if each.code == code}, found.problems
    assert len(found.all(RunRow)) == runs


@pytest.mark.parametrize(
    ("table", "code", "at"),
    [
        ("id;version;Note;Bestanden\n;v1;4;ja\n", "no-case", "/0"),
        ("id;version;Note;Bestanden\n1;v1;9;ja\n", "score-out-of-range", "/0/Note"),
        ("id;version;Note;Bestanden\n1;v1;gut;ja\n", "unknown-score", "/0/Note"),
        ("id;version;Note;Bestanden\n1;v1;4;vielleicht\n", "unknown-score", "/0/Bestanden"),
        ("id;version;Note;Bestanden\n" + "1;v1;4;ja\n" * (MAX_ROWS + 1), "too-large", ""),
    ],
    ids=["no case", "out of range", "no number", "no verdict", "rows"],
)
def test_a_row_that_cannot_be_read_is_a_problem(
    tmp_path: Path, table: str, code: str, at: str
) -> None:
    """It is named by its file and pointer; no number is made of it."""
    columns = changed(prompt=..., output=...)
    del columns["criteria"][0]["rationale"]
    found = read(tmp_path, table, columns)
    columns["criteria"][0]["rationale"] = "Grund"
    assert [(each.path, each.pointer) for each in found.problems if each.code == code] == [
        ("t.csv", at)
    ]


def test_a_run_that_one_judge_scored_twice_keeps_the_first(tmp_path: Path) -> None:
    """Which row is meant cannot be known, so it is said."""
    table = "id,run,ok\n1,1,yes\n1,1,no\n"
    criteria = [{"name": "ok", "passed": "ok"}]
    columns = {"tables": ["t.csv"], "case": "id", "run": "run", "criteria": criteria}
    found = read(tmp_path, table, columns)
    assert found.one(RunRow).passed is True
    assert found.problem("repeated-judgment").pointer == "/1/ok"


def test_faults_of_a_large_table_are_bounded(tmp_path: Path) -> None:
    """Of one kind of fault in a table a few hundred are named, whatever its size."""
    table = "id;version;Frage;Antwort;Note;Grund;Bestanden\n" + "1;v1;q;a;9;w;ja\n" * 5000
    found = read(tmp_path, table, WIDE_COLUMNS)
    assert len(found.problems) < 500


def test_rows_that_are_something_else_are_left_out(tmp_path: Path) -> None:
    """`only` chooses rows by a value, as logs hold several kinds of lines."""
    lines = [{"type": "spec"}, {"type": "match", "id": 1, "ok": True}, {"type": "x", "id": 2}, 3]
    columns = {
        "tables": ["t.jsonl"], "only": {"/type": ["match"]}, "case": "id",
        "criteria": [{"name": "ok", "passed": "ok"}],
    }  # fmt: skip
    text = "\n".join(map(json.dumps, lines))
    found = read(tmp_path, text, columns, "t.jsonl")
    assert [(run.case_id, run.pointer) for run in found.all(RunRow)] == [("1", "/1")]
    assert found.codes() == ["wrong-type"], "a line that is no object"


def test_a_mapping_that_is_no_json_is_a_problem(tmp_path: Path) -> None:
    """It is a suite without runs, so that the fault has a place."""
    found = Read(FAMILY, write(tmp_path, {"t.rows.json": "{"}))
    assert [suite.suite for suite in found.all(SuiteRow)] == ["t"]
    assert found.codes() == ["half-written"]


ODD: tuple[Any, ...] = (
    None, True, -1, 1.5, 10**30, float("nan"), "", " ", "x" * 300, "=1+1", "\0", "../x", "a/b::c@d",
    [], {}, ["a"], {"column": "a"}, {"is": [1]}, {"column": "a", "times": 1e300},
)  # fmt: skip


def odd(rng: random.Random, names: Sequence[str], depth: int = 0) -> Any:
    """Some JSON value, however little it makes sense."""
    kind = rng.random()
    if kind < 0.7 or depth > 2:
        return rng.choice(ODD)
    if kind < 0.85:
        return [odd(rng, names, depth + 1) for _ in range(rng.randint(0, 4))]
    return {rng.choice(names): odd(rng, names, depth + 1) for _ in range(rng.randint(0, 4))}


@pytest.mark.parametrize("seed", range(5))
def test_whatever_a_mapping_and_its_tables_hold_nothing_is_raised(
    tmp_path: Path, seed: int
) -> None:
    """Faults in data are problems."""
    rng = random.Random(seed)
    names, inner = list(MAPPING.by_name), list(CRITERION.by_name)
    for _ in range(60):
        mapping = {name: odd(rng, [*inner, "a"]) for name in names if rng.random() < 0.5}
        if rng.random() < 0.9:
            mapping["tables"] = ["t.jsonl", "t.csv"]
            mapping["criteria"] = [
                {name: odd(rng, inner) for name in inner if rng.random() < 0.5} for _ in range(3)
            ]
        rows = [{name: odd(rng, names) for name in ("a", "x", "case")} for _ in range(3)]
        cells = "\n".join(",".join(map(str, row.values())) for row in rows)
        files = {"t.rows.json": mapping, "t.csv": f"a,x,case\n{cells}"}
        lines = "\n".join(map(json.dumps, rows))
        Read(FAMILY, write(tmp_path, {**files, "t.jsonl": lines}))


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 1, "p": ' + "[" * 800 + "]" * 800 + ', "ok": 1}',
        '{"id": "\\ud800", "p": "\\udfff", "ok": 1}',
    ],
    ids=["deep", "half of a character"],
)
def test_values_that_cannot_be_written_are_read(tmp_path: Path, line: str) -> None:
    """The run is there, whatever its prompt is."""
    columns = {"tables": ["t.jsonl"], "case": "id", "prompt": "p"}
    criteria = [{"name": "ok", "passed": "ok"}]
    found = read(tmp_path, line, {**columns, "criteria": criteria}, "t.jsonl")
    assert found.one(RunRow).passed is True


def test_more_scores_than_are_read_are_one_problem(tmp_path: Path) -> None:
    """A mapping with thousands of criteria over one column is not followed."""
    criteria = [{"name": f"c{n}", "score": "ok"} for n in range(3000)]
    table = "id,ok\n" + "1,1\n" * 1000
    columns = {"tables": ["t.csv"], "case": "id", "criteria": criteria}
    found = read(tmp_path, table, columns)
    assert (len(found.all(RunRow)), found.codes()) == (0, ["too-large"])


def test_a_mapping_is_shown_before_it_is_stored(tmp_path: Path) -> None:
    """With what each column is, and the first values as they are read."""
    (tmp_path / "t.csv").write_text(WIDE)
    reader = Reader(list_files(tmp_path))
    shown = MAPPED.preview(reader, "t.csv", WIDE_COLUMNS, 2)
    told = {each.what: (each.column, each.values) for each in shown.shown}
    assert told["case"] == ("id", ("007", "008"))
    assert told["Note: score, 1 to 5"] == ("Note", ("4,5", "2"))
    assert told["Note: judge"] == ("always gpt", ("gpt", "gpt"))
    assert len(shown.rows.tables["judgments"]) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]
