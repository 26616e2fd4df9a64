"""Logs of Inspect are read where they are: tasks, samples, epochs, scores, and how they ended."""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from evalcore import Workspace, open_workspace
from evalcore.counting.cells import typed
from evalcore.counting.run_steps import steps_of
from evalcore.families.inspect import logs
from evalcore.lint.run import check
from evalcore.tables.rows import JudgmentRow, NoteRow, RunRow, RunScoreRow
from tests.families.inspect_logs import (
    NAN,
    entries,
    header,
    sample,
    summary,
    write_eval,
    write_json,
)

Write = Callable[..., Path]


def opened(root: Path) -> Workspace:
    return open_workspace(root, cache=False)


def rows(ws: Workspace, table: str, of: Any) -> list[Any]:
    return typed(ws, table, of, range(len(getattr(ws.tables, table))))


def codes(ws: Workspace) -> set[tuple[str, str]]:
    return {(problem.severity, problem.code) for problem in ws.problems}


def as_zip(root: Path, *samples: dict[str, Any], **told: Any) -> Path:
    return write_eval(root / "a.eval", entries(*samples, **told))


def as_json(root: Path, *samples: dict[str, Any], **told: Any) -> Path:
    return write_json(root / "a.json", *samples, **told)


@pytest.mark.parametrize("write", [as_zip, as_json])
def test_a_log_is_a_version_of_its_task(tmp_path: Path, write: Write) -> None:
    """Samples are cases and epochs runs; the model is the configuration, the start the version."""
    write(tmp_path, sample("a", 1), sample("a", 2), sample(7, 1, target=["x", "y"]))
    ws = opened(tmp_path)
    assert codes(ws) == set()
    assert list(ws.tables.suites["suite"]) == ["sums"]
    cases = ws.tables.cases.set_index("case_id")
    assert list(cases["prompt"]) == ["What is a?", "What is 7?"]
    assert list(cases["expected"]) == ["x", "x / y"]
    found = [
        (run.case_id, run.run, run.version, run.configuration, run.status, run.fraction, run.tokens)
        for run in rows(ws, "runs", RunRow)
    ]
    place = ("2026-01-02 03:04:05", "acme/large", "completed", 1.0, 12.0)
    assert found == [("a", "1", *place), ("a", "2", *place), ("7", "1", *place)]


@pytest.mark.parametrize("write", [as_zip, as_json])
def test_a_runs_output_and_steps_are_read_from_its_own_record(tmp_path: Path, write: Write) -> None:
    """Where they stand says the row; an id may have a slash in it."""
    write(tmp_path, sample("a/../b"))
    ws = opened(tmp_path)
    (run,) = rows(ws, "runs", RunRow)
    path, _, place = run.outputs.partition("#")
    assert ws.raw(path, place) == "answer a/../b"
    steps = steps_of(ws, run)
    assert len(steps.calls) == 0
    assert [column for column in ("answer a/../b", "What is a/../b?") if column in str(steps)]


VALUES: list[tuple[Any, float | None, bool | None]] = [
    ("C", 1, True),
    ("I", 0, False),
    ("P", 0.5, False),
    ("N", 0, False),
    ("yes", 1, True),
    ("False", 0, False),
    (True, 1, True),
    (0, 0, False),
    ("1.0", 1, True),
    (0.25, 0.25, None),
    (3, 3, None),
    (NAN, None, None),
    (float("inf"), None, None),
    (None, None, None),
    ("blue", None, None),
]


@pytest.mark.parametrize("write", [as_zip, as_json])
@pytest.mark.parametrize(("value", "score", "passed"), VALUES)
def test_a_value_is_the_number_that_inspect_makes_of_it(
    tmp_path: Path, write: Write, value: Any, score: float | None, passed: bool | None
) -> None:
    """Letters, words, flags and numbers; what is no number is unscored and never 0."""
    write(tmp_path, sample(scores={"match": {"value": value}}))
    ws = opened(tmp_path)
    (row,) = rows(ws, "judgments", JudgmentRow)
    status = "unscored" if score is None else "scored"
    assert (row.score, row.passed, row.status, row.judge_type) == (
        score,
        passed,
        status,
        "heuristic",
    )
    assert codes(ws) == ({("warning", "score-not-a-number")} if value == "blue" else set())


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"tone": 3, "ok": False}, [("s/tone", 3.0, 5.0), ("s/ok", 0.0, 1.0)]),
        ([1, 60], [("s/1", 1.0, 1.0), ("s/2", 60.0, 100.0)]),
        ({}, []),
        (-2, [("s", -2.0, 1.0)]),
        (2500, [("s", 2500.0, 2500.0)]),
    ],
)
def test_each_of_several_values_is_a_criterion_on_a_scale(
    tmp_path: Path, value: Any, found: list[tuple[str, float, float]]
) -> None:
    """A log has no scale: it ends at 1, 5, 10 or 100, else at the highest value."""
    as_zip(tmp_path, sample(scores={"s": {"value": value}}))
    judged = rows(opened(tmp_path), "judgments", JudgmentRow)
    assert [(row.criterion, row.score, row.max_score) for row in judged] == found


def test_one_value_between_makes_a_criterion_a_rubric_in_all_logs(tmp_path: Path) -> None:
    """A kind is of the suite, so that a score of 1 in one log and 0.3 in another are alike."""
    for number, value in enumerate((1, 0.3)):
        told = {"eval_id": f"e{number}", "run_id": f"r{number}"}
        held = entries(sample(scores={"s": {"value": value}}), **told)
        write_eval(tmp_path / f"{number}.eval", held)
    judged = rows(opened(tmp_path), "judgments", JudgmentRow)
    assert [(row.kind, row.passed) for row in judged] == [("rubric", None)] * 2


def test_a_model_that_grades_is_the_judge(tmp_path: Path) -> None:
    """By the name of the scorer, or as it keeps what it was asked."""
    told = {"value": "C", "metadata": {"grading": []}, "answer": "42", "explanation": "As asked."}
    plain = {"value": "C"}
    as_zip(tmp_path, sample(scores={"mine": told, "model_graded_qa": plain, "match": plain}))
    judged = rows(opened(tmp_path), "judgments", JudgmentRow)
    assert [row.judge_type for row in judged] == ["llm", "llm", "heuristic"]
    assert (judged[0].evidence, judged[0].rationale) == ("42", "As asked.")


def test_logs_started_together_are_one_version(tmp_path: Path) -> None:
    """Two models are then two configurations, side by side, and a later start is the next one."""
    started: dict[str, dict[str, Any]] = {
        "a": {"eval_id": "1", "model": "acme/large"},
        "b": {"eval_id": "2", "model": "acme/small", "created": "2026-01-02T03:04:06+00:00"},
        "in/c": {"eval_id": "3", "run_id": "r2", "created": "2026-01-03T03:04:05+00:00"},
        "in/d": {"eval_id": "4", "task_args": {"hard": True}},
        "in/e": {"eval_id": "5", "task_args": {"hard": True}},
    }
    for name, told in started.items():
        write_eval(tmp_path / f"{name}.eval", entries(sample(), **told))
    ws = opened(tmp_path)
    first, second = "2026-01-02 03:04:05", "2026-01-03 03:04:05"
    assert list(ws.tables.versions["version"]) == [first, second]
    assert [(run.version, run.configuration) for run in rows(ws, "runs", RunRow)] == [
        (first, "acme/large"),
        (first, "acme/large (hard=True)"),
        (first, "acme/large (hard=True) #2"),
        (first, "acme/small"),
        (second, "acme/large"),
    ]


def test_tasks_below_one_folder_are_suites_of_their_own(tmp_path: Path) -> None:
    """Each is named by the folder that holds all of its logs."""
    for place, task in (("x/1", "sums"), ("x/2", "sums"), ("y", "words")):
        write_eval(tmp_path / place / "l.eval", entries(sample(), task=task, eval_id=place))
    assert sorted(opened(tmp_path).tables.suites["suite"]) == ["x/sums", "y/words"]


def test_a_log_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    """A copy, or the same log in the other form."""
    as_zip(tmp_path, sample())
    as_json(tmp_path, sample())
    ws = opened(tmp_path)
    assert len(ws.tables.runs) == 1
    assert codes(ws) == {("info", "log-repeated")}


ENDS: list[tuple[dict[str, Any], str, str | None]] = [
    ({"error": "It broke."}, "error", "It broke."),
    ({"error": {"message": "It broke.", "traceback": ""}}, "error", "It broke."),
    ({"scores": None}, "pending", None),
    ({"scores": None, "limit": "time"}, "timeout", "It was ended by a limit: time."),
    ({"scores": None, "limit": {"type": "cost", "limit": 1}}, "budget_stopped", "… cost."),
    ({"scores": None, "limit": "message"}, "length_cut", "It was ended by a limit: message."),
    ({"limit": "token"}, "completed", "It was ended by a limit: token."),
]


@pytest.mark.parametrize(("told", "status", "note"), ENDS)
def test_how_a_sample_ended_is_the_status_of_its_run(
    tmp_path: Path, told: dict[str, Any], status: str, note: str | None
) -> None:
    """A limit is only one where Inspect did not score the sample: what it scored, it counts."""
    as_zip(tmp_path, sample(**told))
    ws = opened(tmp_path)
    assert [run.status for run in rows(ws, "runs", RunRow)] == [status]
    noted = [each.text for each in rows(ws, "notes", NoteRow)]
    assert noted == ([] if note is None else [note.replace("…", "It was ended by a limit:")])


def test_what_was_never_scored_has_the_criteria_of_the_others(tmp_path: Path) -> None:
    """So that people can score it."""
    as_zip(tmp_path, sample("a"), sample("b", scores=None))
    found = opened(tmp_path).tables.criteria
    assert list(zip(found["case_id"], found["criterion"], strict=True)) == [
        ("a", "match"),
        ("b", "match"),
    ]


BY = {"author": "ada", "reason": "It is right.", "timestamp": "2026-01-05T00:00:00Z"}
HISTORY = [
    {"value": "I", "provenance": None},
    {"value": "P", "provenance": BY},
    {"value": "C", "provenance": BY},
    {"value": "UNCHANGED", "explanation": "x", "provenance": BY},
]
EDITED = {"match": {"value": "C", "history": HISTORY}}


@pytest.mark.parametrize("write", [as_zip, as_json])
def test_an_edited_score_is_that_of_a_person_beside_the_scorers(
    tmp_path: Path, write: Write
) -> None:
    """The first value stays the recorded one; each person's last edit is theirs."""
    write(tmp_path, sample(scores=EDITED))
    ws = opened(tmp_path)
    found = [
        (row.judge, row.judge_type, row.score, row.rationale)
        for row in rows(ws, "judgments", JudgmentRow)
    ]
    assert found == [(None, "heuristic", 0.0, None), ("ada", "human", 1.0, "It is right.")]
    (total,) = rows(ws, "run_scores", RunScoreRow)
    assert (total.judge, total.score, total.judged, total.expected) == ("ada", 1.0, 1, 1)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({}, set()),
        ({"log_updates": []}, set()),
        ({"log_updates": [{"provenance": BY}]}, {("info", "edits-not-read")}),
        (
            {"invalidated": True},
            {("info", "edits-not-read"), ("warning", "samples-invalidated")},
        ),
    ],
)
def test_of_a_large_log_edits_are_not_read_which_is_said_if_there_may_be_some(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    told: dict[str, Any],
    said: set[tuple[str, str]],
) -> None:
    """A summary has what a score is now; the header may say that somebody changed the log."""
    monkeypatch.setattr(logs, "MAX_READ", 100)
    as_zip(tmp_path, sample(scores=EDITED, invalidation=BY), **told)
    ws = opened(tmp_path)
    found = [(row.judge_type, row.score) for row in rows(ws, "judgments", JudgmentRow)]
    assert found == [("heuristic", 1.0)]
    assert codes(ws) == said
    assert all(problem.hint for problem in ws.problems)


@pytest.mark.parametrize("write", [as_zip, as_json])
def test_a_sample_that_was_invalidated_is_named(tmp_path: Path, write: Write) -> None:
    """It counts all the same, as only a person excludes runs."""
    write(tmp_path, sample("a", invalidation=BY), sample("b"), invalidated=True)
    ws = opened(tmp_path)
    (problem,) = ws.problems
    assert (problem.severity, problem.code) == ("warning", "samples-invalidated")
    assert ws.raw(problem.path, problem.pointer) == BY
    assert len(ws.tables.runs) == 2


GROWING = b'"' + b"a" * 3_000_000 + b'"'


@pytest.mark.parametrize("held", [b"[", [], GROWING, sample("b"), sample("a", 2)])
def test_of_a_sample_that_cannot_be_read_the_summary_counts(tmp_path: Path, held: Any) -> None:
    """Its record is no JSON, out of bounds, or that of another sample."""
    write_eval(tmp_path / "a.eval", {**entries(sample("a")), "samples/a_epoch_1.json": held})
    ws = opened(tmp_path)
    assert [run.score for run in rows(ws, "runs", RunRow)] == [1.0]
    (problem,) = ws.problems
    assert (problem.severity, problem.code) == ("warning", "sample-unreadable")
    assert problem.pointer == "/samples~1a_epoch_1.json"


def test_of_a_small_log_long_texts_are_whole(tmp_path: Path) -> None:
    """Its samples are read, where summaries cut them."""
    told = sample(input="long " * 500, scores={"match": {"value": "C", "explanation": "so " * 500}})
    held = entries(told)
    cut = {"value": "C", "explanation": "so…"}
    held["summaries.json"] = [{**summary(told), "input": "long…", "scores": {"match": cut}}]
    write_eval(tmp_path / "a.eval", held)
    ws = opened(tmp_path)
    (case,) = ws.tables.cases.itertuples()
    assert case.prompt == told["input"]
    (row,) = rows(ws, "judgments", JudgmentRow)
    assert row.rationale == told["scores"]["match"]["explanation"]


def test_an_unfinished_log_has_what_its_journal_has(tmp_path: Path) -> None:
    """Of a sample that is there twice the later one; one whose record is missing has no output."""
    held = {
        "_journal/start.json": {name: header()[name] for name in ("version", "eval", "plan")},
        "samples/a_epoch_1.json": sample("a"),
        "_journal/summaries/2.json": [summary(sample("a"))],
        "_journal/summaries/10.json": [
            summary(sample("a", scores={"match": {"value": "I"}})),
            summary(sample("b")),
        ],
    }
    write_eval(tmp_path / "a.eval", held)
    ws = opened(tmp_path)
    found = [(run.case_id, run.score, run.outputs is None) for run in rows(ws, "runs", RunRow)]
    assert found == [("a", 0.0, False), ("b", 1.0, True)]
    assert codes(ws) == {("info", "log-unfinished")}


@pytest.mark.skipif(sys.platform != "linux", reason="the bytes read are counted by Linux")
def test_samples_are_not_read_when_a_folder_is_opened(tmp_path: Path) -> None:
    """Only the list of entries, the header and the summaries are: 50 MB of samples cost nothing."""
    noise = [sample(number, store=os.urandom(500_000).hex()) for number in range(50)]
    held = entries(*noise)
    held["summaries.json"] = [{**each, "store": None} for each in held["summaries.json"]]
    write_eval(tmp_path / "a.eval", held)

    def read_so_far() -> int:
        told = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
        return int(told["rchar"])

    opened(tmp_path)  # modules are read by the first one
    before = read_so_far()
    ws = opened(tmp_path)
    assert len(ws.tables.runs) == 50
    assert read_so_far() - before < 200_000 < (tmp_path / "a.eval").stat().st_size / 100


HOSTILE: dict[str, tuple[dict[str, Any], str, int]] = {
    "no list of summaries": ({**entries(), "summaries.json": {"a": 1}}, "wrong-type", 0),
    "summaries that are no JSON": ({**entries(), "summaries.json": b"["}, "half-written", 0),
    "a header that is no JSON": ({"header.json": b"["}, "log-unreadable", -1),
    "a header that is no object": ({"header.json": [1]}, "log-unreadable", -1),
    "a header without a task": ({"header.json": header(task=None)}, "log-unreadable", -1),
    "a header with another task": ({"header.json": header(task={"a": 1})}, "log-unreadable", -1),
    "a sample without an id": (entries(sample(), sample(id=[], epoch=2)), "sample-unnamed", 1),
    "a sample without an epoch": (entries(sample(), sample("b", "x")), "sample-unnamed", 1),
    "scores that are a list": (entries(sample(scores=[1])), "wrong-type", 1),
    "a score that is a number": (entries(sample(scores={"match": 1})), "wrong-type", 1),
    "a score with 1,000 values": (
        entries(sample(scores={"s": {"value": dict.fromkeys(map(str, range(1000)), 1)}})),
        "too-many-scores",
        1,
    ),
    "metadata and usage of other types": (
        entries(sample(metadata=[1], model_usage=3, total_time="x", target={}, choices=4)),
        "wrong-type",
        1,
    ),
    "a history of other types": (
        entries(sample(scores={"s": {"value": 1, "history": [1, {"provenance": 3}]}})),
        "wrong-type",
        1,
    ),
    "another version": (entries(sample(), version=9), "log-version", 1),
    "invalidated samples": (entries(sample(), invalidated=True), "samples-invalidated", 1),
}


@pytest.mark.parametrize(("held", "code", "runs"), HOSTILE.values(), ids=HOSTILE)
def test_a_fault_in_a_log_is_a_problem(
    tmp_path: Path, held: dict[str, Any], code: str, runs: int
) -> None:
    """Its file, place and next step are said, and what can be read is (-1: there is no suite)."""
    write_eval(tmp_path / "a.eval", held)
    ws = opened(tmp_path)
    (found, *_) = [problem for problem in ws.problems if problem.code == code]
    assert found.path == "a.eval"
    assert found.hint
    assert len(ws.tables.suites) == (runs >= 0)
    assert len(ws.tables.runs) == max(runs, 0)


def test_a_log_that_was_cut_is_a_problem_and_hides_no_other(tmp_path: Path) -> None:
    """As one is that is copied just now."""
    whole = as_zip(tmp_path, sample()).read_bytes()
    (tmp_path / "b.eval").write_bytes(whole[:-9])
    ws = opened(tmp_path)
    assert len(ws.tables.runs) == 1
    (problem,) = ws.problems
    assert (problem.path, problem.code) == ("b.eval", "log-unreadable")
    assert "still be being written" in problem.message


def test_an_entry_that_is_there_twice_is_noted_and_the_last_one_counts(tmp_path: Path) -> None:
    """Inspect writes a sample again at the end."""
    path = as_zip(tmp_path, sample())
    with ZipFile(path, "a") as written, pytest.warns(UserWarning, match="Duplicate name"):
        written.writestr("summaries.json", json.dumps([summary(sample("b")), summary(sample("c"))]))
    ws = opened(tmp_path)
    assert [run.case_id for run in rows(ws, "runs", RunRow)] == ["b", "c"]
    assert codes(ws) == {("info", "repeated-entry")}


def test_more_samples_than_are_read_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first ones are read."""
    monkeypatch.setattr(logs, "MAX_SAMPLES", 2)
    as_zip(tmp_path, *(sample(number) for number in range(3)))
    ws = opened(tmp_path)
    assert len(ws.tables.runs) == 2
    assert codes(ws) == {("error", "too-many-samples")}


def test_what_is_no_log_is_nobodys(tmp_path: Path) -> None:
    """Files of other tools that end so, other zips, folders, and JSON that is a bit alike."""
    (tmp_path / "x.eval").mkdir()
    (tmp_path / "a.eval").write_text("(eval this)")
    (tmp_path / "b.eval").write_bytes(b"")
    write_eval(tmp_path / "c.eval", {"other.json": {}})
    (tmp_path / "d.json").write_text(json.dumps({"version": 1, "eval": {"task": "x"}}))
    ws = opened(tmp_path)
    assert (len(ws.tables.suites), ws.problems) == (0, [])


def test_long_prompts_of_messages_say_who_speaks(tmp_path: Path) -> None:
    """Parts that are no text are left out, and choices follow in their order."""
    said = [
        {"role": "system", "content": "Be short."},
        {"role": "user", "content": [{"type": "text", "text": "Which?"}, {"type": "image"}]},
    ]
    as_zip(tmp_path, sample(input=said, choices=["red", "blue"], metadata={"hard": True, "x": {}}))
    ws = opened(tmp_path)
    (case,) = ws.tables.cases.itertuples()
    assert case.prompt == "system: Be short.\n\nWhich?\nA) red\nB) blue"
    assert case.tags == '["hard=True"]'


def test_the_full_check_finds_no_fault_in_a_sound_log(tmp_path: Path) -> None:
    """NaN is how Inspect writes that a sample was not scored; a zip is no JSON."""
    scores = {"match": {"value": NAN}, "s": {"value": {"a": NAN, "b": 1}}}
    as_zip(tmp_path, sample(scores=scores), eval_id="other", run_id="other")
    as_json(tmp_path, sample(scores=scores))
    assert check(opened(tmp_path)) == []


def test_the_full_check_says_what_a_json_log_has_otherwise(tmp_path: Path) -> None:
    """As a note with the place: what Inspect's own documents have may change."""
    as_json(tmp_path, sample(input=7))
    found = [(each.pointer, each.severity) for each in check(opened(tmp_path))]
    assert ("/samples/0/input", "info") in found
