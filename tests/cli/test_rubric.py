"""`evalcore rubric`: the weakest criteria first, and one document with all."""

import json
from datetime import datetime
from pathlib import Path

import evalcore.demo
from evalcore.judging.answering.deciding import Decided, decide
from tests.cli.command import evalcore as command
from tests.cli.conftest import Invoke
from tests.judging.answering.test_deciding import TEXT, suggesting
from tests.judging.notes_and_exclusions import ANA, RUN, SUITE

DEMO = Path(evalcore.demo.__file__).parent / "workspace"


def test_it_says_which_criterion_is_weakest(tmp_path: Path) -> None:
    """The sentence of the page, then a table."""
    found = command("rubric", DEMO, "--suite", "invoice-extractor", home=tmp_path)
    assert found.returncode == 0
    first, *rest = found.stdout.splitlines()
    assert first.startswith(
        "iteration-3, with_skill: “The chart names each supplier” is the weakest"
    )
    assert any(line.startswith("fidelity") and "4.75 of 5" in line for line in rest)


def test_the_document_has_every_version(tmp_path: Path) -> None:
    """In full precision, and nothing else on the output."""
    found = command("rubric", DEMO, "--suite", "invoice-extractor", "--json", home=tmp_path)
    document = json.loads(found.stdout)
    (one,) = [each for each in document["criteria"] if each["key"] == "rubric:fidelity"]
    newest = one["columns"][-1]
    assert (newest["version"], newest["configuration"]) == ("iteration-3", "with_skill")
    assert newest["mean"] == 4.75
    assert sum(each["n"] for each in newest["scores"]) == newest["judgments"] == 12
    assert len(one["columns"]) == 6


def test_a_suite_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Exit 2 and the nearest name; with several suites one must be named."""
    found = command("rubric", DEMO, "--suite", "invoice-extracter", home=tmp_path)
    assert (found.returncode, "invoice-extractor" in found.stderr) == (2, True)
    assert command("rubric", DEMO, home=tmp_path).returncode == 2


def test_the_document_has_faults_suggestions_weights_and_changes(tmp_path: Path) -> None:
    """What the page says, in full; on the terminal a line each."""
    found = command("rubric", DEMO, "--suite", "invoice-extractor", "--json", home=tmp_path)
    document = json.loads(found.stdout)
    (one,) = [each for each in document["criteria"] if each["key"] == "structural:S3"]
    assert one["faults"] == [
        {"fault": "unstable", "found": 3, "of": 11, "words": None, "with": None, "without": None}
    ]
    assert len(document["suggestions"]) == 21
    assert document["suggestions"][0]["criterion"] == "structural:S4"
    assert document["weights"]["criteria"][0]["key"] == "rubric:chart_clarity"
    assert document["changes"] == []
    text = command("rubric", DEMO, "--suite", "invoice-extractor", home=tmp_path).stdout
    assert "16 criteria are unstable: runs of the same case differ" in text
    assert "21 suggestions by graders, 12 open" in text
    assert "The order changes with “chart_clarity” at weight 6.73 instead of 1.5." in text


def test_the_document_has_what_people_decided_on_suggestions(
    tmp_path: Path, invoke: Invoke
) -> None:
    """With the time in ISO form: a decided suggestion ended the command in an error."""
    decide(suggesting(tmp_path / "w"), SUITE, Decided(TEXT, None, RUN, "accepted", "Yes."), ANA)
    (one,) = json.loads(invoke("rubric", tmp_path / "w", "--json").stdout)["suggestions"]
    (decision,) = one["decisions"]
    assert (decision["decision"], decision["reason"], decision["author"]) == (
        "accepted",
        "Yes.",
        ANA.id,
    )
    assert datetime.fromisoformat(decision["at"]).tzinfo
