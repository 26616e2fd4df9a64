"""`evalcore trust`, and the judge's error in `evalcore compare`."""

import json
from pathlib import Path

import evalcore.demo
from tests.cli.conftest import Invoke

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
SQL = ("--suite", "sql-helper")


def test_it_says_first_how_far_the_judge_agrees(invoke: Invoke) -> None:
    """The sentence of the page, then the corrected rates and the rest."""
    found = invoke("trust", DEMO, *SQL)
    assert found.exit_code == 0
    first, *rest = found.stdout.splitlines()
    assert first == (
        "The recorded judge agrees with people on 98 % of 52 checked scores; always saying "
        "“passed” would agree on 87 %. 1 of 53 labels is divided and left out: adjudicate. Two "
        "people agree on 92 % of 13 pairs."
    )
    titles = ["Corrected pass rate", "By criterion", "By score", "Is it right when it is sure?"]
    at = [next(n for n, line in enumerate(rest) if line.startswith(each)) for each in titles]
    assert at == sorted(at)
    assert "\\n" not in found.stdout


def test_it_names_the_page_where_a_sample_is_drawn(invoke: Invoke) -> None:
    """Never "this page": a terminal is none."""
    said = invoke("trust", DEMO, "--suite", "release-notes").stdout
    assert "Draw one under “Independent batches” on Judge:" in said
    assert "this page" not in said


def test_the_document_has_every_figure(invoke: Invoke) -> None:
    """In full precision: the demo's own labels, by sample."""
    document = json.loads(invoke("trust", DEMO, *SQL, "--json").stdout)
    assert (document["labels"], document["divided"], document["checked"]["n"]) == (53, 1, 52)
    assert document["judge"]["id"] == document["judges"][0]["id"]
    columns = {each["name"]: each for each in document["rates"]["columns"]}
    assert columns["d3"]["sample"] == {"state": "complete", "missing": 0}
    assert columns["d1"]["sample"]["state"] == "none"
    d2 = columns["d2"]["sampled"]["rate"]
    assert d2["low"] < d2["value"] < columns["d2"]["judged"]["value"]
    assert columns["d1"]["corrected"] == {"rate": None, "why": "few of a class", "found": 7.0}
    assert [each["word"] for each in document["words"]] == ["high", "medium", "low"]
    assert document["flicker"]["same_output"] is None


def test_a_suite_that_no_model_judged_has_no_judge(invoke: Invoke, tmp_path: Path) -> None:
    """Said in a sentence, and as null."""
    folder = tmp_path / "alone/evals"
    folder.mkdir(parents=True)
    case = {"id": 1, "prompt": "When?", "expected_output": "May", "expectations": []}
    (folder / "evals.json").write_text(json.dumps({"skill_name": "alone", "evals": [case]}))
    assert "No model has judged this suite." in invoke("trust", tmp_path).stdout
    assert json.loads(invoke("trust", tmp_path, "--json").stdout)["judge"] is None


def test_no_command_is_named_that_refuses(invoke: Invoke) -> None:
    """Where a model judges nothing here, `evalcore judge` is no next step."""
    suite = ("--suite", "logs/handbook_answers")
    refused = invoke("judge", DEMO, *suite, "--model", "m", "--dry-run")
    assert "nor lets models judge them" in refused.stderr
    said = invoke("trust", DEMO, *suite).stdout
    assert "evalcore judge" not in said


def test_a_judge_is_named_by_its_name_or_its_id(invoke: Invoke) -> None:
    """One that is not there is the caller's fault."""
    document = json.loads(invoke("trust", DEMO, *SQL, "--json").stdout)
    for name in (document["judge"]["judge"], document["judge"]["id"]):
        found = invoke("trust", DEMO, *SQL, "--judge", name, "--json")
        assert json.loads(found.stdout)["judge"] == document["judge"]
    found = invoke("trust", DEMO, *SQL, "--judge", "nobody")
    assert (found.exit_code, "no judge 'nobody'" in found.stderr) == (2, True)


def test_compare_says_why_the_error_is_not_in_the_interval(invoke: Invoke) -> None:
    """Both on the terminal and in the document; without the option it says nothing."""
    sides = ("compare", DEMO, "d2", "d3", *SQL)
    said = invoke(*sides, "--judge-error").stdout.splitlines()[1]
    assert said == (
        "The judge's error is not in the interval: 8 and 12 labelled runs are too few: 10 runs of "
        "8 cases on each side are the least."
    )
    document = json.loads(invoke(*sides, "--judge-error", "--json").stdout)
    assert document["judge_error"]["why"] == "few"
    assert document["judge_error"]["labels"] == [8, 12]
    assert json.loads(invoke(*sides, "--json").stdout)["judge_error"] is None
    assert "judge's error" not in invoke(*sides).stdout
