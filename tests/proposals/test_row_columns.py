"""Guesses which column of a table is what: the exports of known tools, as they document them."""

import csv
import hashlib
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from evalcore.disk.sheets import sheet
from evalcore.families.rows import FAMILY
from evalcore.proposals.row_columns import guessed
from evalcore.tables.rows import JudgmentRow, RunRow
from tests.disk.test_sheets import parquet
from tests.families.build import Read, write


class Example(NamedTuple):
    """A table as a tool exports it, what of it is found, and how its runs are read.

    `runs` are (case, version, passed, share of the score, tokens); `scores` (criterion, score,
    type of judge, reason).
    """

    name: str
    data: bytes
    found: dict[str, Any]
    runs: list[tuple[Any, ...]]
    scores: list[tuple[Any, ...]]
    unsure: tuple[str, ...] = ()


def of_prompt(prompt: str) -> str:
    """The case of a prompt where none is named."""
    return f"q-{hashlib.sha256(prompt.encode()).hexdigest()[:8]}"


def lines(*rows: dict[str, Any]) -> bytes:
    """JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def written(*rows: Iterable[Any]) -> bytes:
    """A CSV of rows, the first of them its head."""
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    return file.getvalue().encode()


def sampled(sample: str, prompt: str, said: str) -> dict[str, Any]:
    """An answer in a log of OpenAI evals."""
    chat = [{"role": "user", "content": prompt}]
    data = {"prompt": chat, "sampled": [said]}
    return {"run_id": "r1", "sample_id": sample, "type": "sampling", "data": data}


def matched(sample: str, *, correct: bool, expected: str) -> dict[str, Any]:
    """What is made of the answer."""
    data = {"correct": correct, "expected": expected, "picked": None, "sampled": "x"}
    return {"run_id": "r1", "sample_id": sample, "type": "match", "data": data}


OPENAI = Example(
    "run.jsonl",
    lines(
        {"spec": {"completion_fns": ["gpt"], "eval_name": "capitals.dev.v0", "run_id": "r1"}},
        sampled("capitals.dev.0", "France?", "Paris"),
        matched("capitals.dev.0", correct=True, expected="Paris"),
        sampled("capitals.dev.1", "Peru?", "Quito"),
        matched("capitals.dev.1", correct=False, expected="Lima"),
        {"run_id": "r1", "sample_id": "capitals.dev.1", "type": "metrics", "data": {"f1": 0.5}},
        {"final_report": {"accuracy": 0.5}},
    ),
    {"name": "capitals.dev.v0", "case": "sample_id", "model": {"is": "gpt"},
     "tables": [{"file": "run.jsonl", "version": "r1"}]},
    [("capitals.dev.0", "r1", True, 1.0, None), ("capitals.dev.1", "r1", False, 0.25, None)],
    [("correct", 1, "heuristic", None), ("correct", 0, "heuristic", None),
     ("f1", 0.5, "heuristic", None)],
)  # fmt: skip

LM_EVAL = Example(
    "samples_arc_easy_2024-06-01T12-00-00.jsonl",
    lines(*(
        {"doc_id": at, "doc": {"question": "Hot?"}, "target": "0",
         "arguments": {"gen_args_0": {"arg_0": f"Q: Hot {at}?", "arg_1": " fire"}},
         "resps": [[["-1.5", "True"]]], "filtered_resps": [["-1.5", "True"]], "filter": "none",
         "metrics": ["acc", "acc_norm"], "doc_hash": "ab", "acc": 1.0, "acc_norm": float(at)}
        for at in (0, 1)
    )),
    {"case": "doc_id", "prompt": "/arguments/gen_args_0/arg_0", "expected": "target"},
    [("0", "current", False, 0.5, None), ("1", "current", True, 1.0, None)],
    [("acc", 1, "heuristic", None), ("acc_norm", 0, "heuristic", None),
     ("acc", 1, "heuristic", None), ("acc_norm", 1, "heuristic", None)],
)  # fmt: skip

LANGSMITH = Example(
    "experiment.csv",
    b"inputs.question,outputs.answer,error,reference.answer,feedback.correctness,"
    b"feedback.conciseness,execution_time,example_id,id\n"
    b"What is it?,A platform,,A platform,1,0.5,1.25,e1,r1\n"
    b"Who is it?,,Timeout,Ada,,,10.0,e2,r2\n",
    {"case": "example_id", "prompt": "inputs.question", "expected": "reference.answer",
     "output": "outputs.answer", "duration_s": "execution_time", "error": "error"},
    [("e1", "current", True, 0.75, None), ("e2", "current", None, None, None)],
    [("correctness", 1, "heuristic", None), ("conciseness", 0.5, "heuristic", None)],
    ("No column looks like a version",),
)  # fmt: skip

BRAINTRUST_ROWS = [
    {"id": f"a{at}", "span_id": f"s{at}", "created": "2024-06-01T12:00:00.000Z", "input": name,
     "output": f"Hi {name}", "expected": f"Hi {name}", "error": None,
     "scores": {"Factuality": score, "Levenshtein": 1}, "metadata": {"model": "gpt"},
     "metrics": {"tokens": 45, "duration": 1.5}}
    for at, (name, score) in enumerate((("Ada", 0.6), ("Bob", 0.25)))
]  # fmt: skip
BRAINTRUST_FOUND = {
    "prompt": "input", "output": "output", "expected": "expected", "model": "/metadata/model",
    "tokens": "/metrics/tokens", "duration_s": "/metrics/duration", "started_at": "created",
}  # fmt: skip
BRAINTRUST = Example(
    "experiment.jsonl",
    lines(*BRAINTRUST_ROWS),
    BRAINTRUST_FOUND,
    [(of_prompt("Ada"), "current", True, 0.8, 45), (of_prompt("Bob"), "current", True, 0.625, 45)],
    [("Factuality", 0.6, "heuristic", None), ("Levenshtein", 1, "heuristic", None),
     ("Factuality", 0.25, "heuristic", None), ("Levenshtein", 1, "heuristic", None)],
    ("'span_id' is new in every run",),
)  # fmt: skip
BRAINTRUST_CSV = BRAINTRUST._replace(
    name="experiment.csv",
    data=written(
        BRAINTRUST_ROWS[0],
        *(
            [of if isinstance(of, str | None) else json.dumps(of) for of in row.values()]
            for row in BRAINTRUST_ROWS
        ),
    ),
)

PHOENIX_COLUMNS: dict[str, list[Any]] = {
    "context.span_id": ["s1", "s1", "s2", "s2"],
    "annotation_name": ["Hallucination", "Helpfulness"] * 2,
    "annotator_kind": ["LLM", "HUMAN"] * 2,
    "label": ["factual", None, "hallucinated", None],
    "score": [0, 4, 1, 2],
    "explanation": ["It is in the text", "Nice", "Nowhere said", "Short"],
    "identifier": [None, "ada", None, "ada"],
    "attributes.input.value": ["What?", "What?", "Why?", "Why?"],
    "attributes.output.value": ["A tree", "A tree", "So", "So"],
}
PHOENIX = Example(
    "annotations.parquet",
    parquet(**PHOENIX_COLUMNS),
    {"prompt": "attributes.input.value", "output": "attributes.output.value",
     "run": "context.span_id"},
    [(of_prompt("What?"), "current", True, 1.0, None),
     (of_prompt("Why?"), "current", False, 0.0, None)],
    [("Hallucination", 1, "llm", "It is in the text"), ("Helpfulness", 4, "human", "Nice"),
     ("Hallucination", 0, "llm", "Nowhere said"), ("Helpfulness", 2, "human", "Short")],
    ("is new in every run", "'Hallucination' is bad", "'Helpfulness' is taken to be 1 to 5"),
)  # fmt: skip
PHOENIX_CSV = PHOENIX._replace(
    name="annotations.csv",
    data=written(PHOENIX_COLUMNS, *zip(*PHOENIX_COLUMNS.values(), strict=True)),
)

TABLE = (
    "Nr;Version;Frage;Antwort;Bewertung;Grund;Bestanden\r\n"
    '007;alt;"2+2; genau?";"=2+2";"3,5";"knapp";WAHR\r\n'
    '007;neu;"2+2; genau?";4;"4,5";"gut, ""genau""";FALSCH\r\n'
)
SPREADSHEET = Example(
    "Tabelle.csv",
    TABLE.encode("utf-8-sig"),
    {"case": "Nr", "version": "Version", "prompt": "Frage", "output": "Antwort", "decimal": ","},
    [("007", "alt", True, 0.85, None), ("007", "neu", False, 0.45, None)],
    [("Bewertung", 3.5, "llm", "knapp"), ("Bestanden", 1, "heuristic", None),
     ("Bewertung", 4.5, "llm", 'gut, "genau"'), ("Bestanden", 0, "heuristic", None)],
    ("'Bewertung' is taken to be 1 to 5", "reasons in 'Grund' are taken to be of 'Bewertung'",
     "a model is taken to have scored it"),
)  # fmt: skip
EXPORTED = SPREADSHEET._replace(
    data=TABLE.replace(";", "\t").replace("\t g", "; g").encode("utf-16")
)

EXAMPLES = {
    "OpenAI evals": OPENAI,
    "lm-evaluation-harness": LM_EVAL,
    "LangSmith": LANGSMITH,
    "Braintrust JSONL": BRAINTRUST,
    "Braintrust CSV": BRAINTRUST_CSV,
    "Phoenix Parquet": PHOENIX,
    "Phoenix CSV": PHOENIX_CSV,
    "spreadsheet": SPREADSHEET,
    "spreadsheet in UTF-16": EXPORTED,
}


@pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_a_table_of_a_tool_is_read_as_its_columns_are_called(
    tmp_path: Path, example: Example
) -> None:
    """Its mapping is found, and read by it each run has its scores; what is not sure is said."""
    (tmp_path / example.name).write_bytes(example.data)
    rows = sheet(example.data, example.name).rows
    if example.name.endswith(".jsonl"):
        rows = [json.loads(line) for line in example.data.splitlines()]
    guess = guessed(rows, example.name, {})
    assert guess.mapping | example.found == guess.mapping
    assert len(guess.unsure) >= len(example.unsure)
    for said in example.unsure:
        assert said in " ".join(guess.unsure)
    found = Read(FAMILY, write(tmp_path, {"t.rows.json": guess.mapping}))
    assert not found.problems
    assert [(run.case_id, run.version, run.passed, run.fraction, run.tokens)
            for run in found.all(RunRow)] == [
        (case, version, passed, share and pytest.approx(share), tokens)
        for case, version, passed, share, tokens in example.runs
    ]  # fmt: skip
    scored = [row for row in found.all(JudgmentRow) if row.status == "scored"]
    scores = [(row.criterion, row.score, row.judge_type, row.rationale) for row in scored]
    assert scores == example.scores


def test_what_a_person_names_is_taken_as_it_is() -> None:
    """Named columns are not guessed, and all others still are."""
    rows = [{"id": "1", "topic": "a", "answer": "x", "a": 1, "b": 0, "score": 5}]
    guess = guessed(rows, "t.csv", {"case": "topic"}, ["a", "b"])
    assert guess.mapping["case"] == "topic"
    assert guess.mapping["output"] == "answer"
    assert [each["name"] for each in guess.mapping["criteria"]] == ["a", "b"]
    guess = guessed([{"id": "1", "what": "tone", "n": 3}], "t.csv", {}, ["what"], "n")
    assert guess.mapping["criteria"] == [{"criterion": "what", "score": "n", "low": 1, "high": 5}]


def test_numbers_without_a_role_are_named() -> None:
    """They may be scores; where the scores were named, they are none."""
    rows = [{"id": "1", "correct": "yes", "tone": "4,5", "weight": 2, "remark": "x"}]
    said = "'tone', 'weight' have numbers and no role: name each column of scores"
    assert any(each.startswith(said) for each in guessed(rows, "t.csv", {}).unsure)
    assert not any("no role" in each for each in guessed(rows, "t.csv", {}, ["correct"]).unsure)


def test_who_scored_is_read_from_a_column_where_there_is_one() -> None:
    """Then nothing about it is taken for granted."""
    rows = [{"id": "1", "score": 3, "reason": "dull", "rater": "Ada"}]
    (asked,) = guessed(rows, "t.csv", {}).mapping["criteria"]
    assert (asked["judge"], asked.get("judge_type")) == ("rater", None)


def test_a_table_without_scores_says_how_to_name_them() -> None:
    """Nothing is made up; the next step is said."""
    guess = guessed([{"name": "x", "text": "y"}], "t.csv", {})
    assert guess.mapping["criteria"] == []
    assert "--criterion COLUMN" in guess.unsure[-1]


def test_labels_that_nobody_explained_are_asked_for() -> None:
    """Words that are no verdict are listed in the mapping, for a person to say what they mean."""
    rows = [{"id": str(at), "label": word} for at, word in enumerate(("good", "bad", "good"))]
    guess = guessed(rows, "t.csv", {})
    (asked,) = guess.mapping["criteria"]
    assert asked["words"] == {"good": None, "bad": None}
    assert "'good', 'bad'" in guess.unsure[-1]


def test_a_wide_and_deep_table_is_bounded() -> None:
    """Objects of thousands of fields are looked at only in part."""
    deep: dict[str, Any] = {"x": 1}
    for _ in range(50):
        deep = {"d": deep}
    rows = [{"id": at, "deep": deep, "o": {f"f{n}": n for n in range(5000)}} for at in range(5)]
    assert len(guessed(rows, "t.jsonl", {}).places) <= 400
