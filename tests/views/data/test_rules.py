"""The hard rules on the Data page: how each stands, and the files behind what breaks it."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from evalcore.tables.rows import FingerprintRow
from evalcore.views.data.documents import part_words
from evalcore.views.data.rules import broken_blocks, chosen_rule, rule_blocks
from evalcore.views.data.state import DataView, data_view
from evalcore.views.problems import problems_at_open
from evalcore.workspace.opened import Workspace
from tests.judging.copies import NOTES, SUPPORT, copied
from tests.made import SUITE, case, judgment, row, run, suite, workspace

OUTPUTS = (
    "Kept by 1 run; broken by 1 run; 1 run cannot be checked, as no record says what the output "
    "was."
)


@pytest.fixture
def several(tmp_path: Path) -> Workspace:
    """Three runs that failed; the output of the second is not what two records say."""
    runs = [run(run_id=f"r{at}", passed=False, outputs=f"out/{at}") for at in (1, 2, 3)]
    said = [fingerprint("r1", True, "one"), *(fingerprint("r2", False, n) for n in "abcd")]
    return workspace(tmp_path, suite(), case(), *runs, judgment("k", rationale="So."), *said)


def fingerprint(run_id: str, kept: bool, name: str) -> FingerprintRow:
    """Return what a judgment says of an output."""
    return row(
        FingerprintRow,
        suite=SUITE,
        run_id=run_id,
        kind="eval-judgment",
        kept=kept,
        author="ana-1",
        source=f"reviews/eval-judgment/{name}.json",
        pointer="/evalcore/outputSha256",
    )


def table(blocks: list[Any], label: str) -> list[list[dict[str, Any]]]:
    """Return the cells of the rows of a table, as they are sent."""
    found = [msgspec.to_builtins(block) for block in blocks]
    (one,) = (block for block in found if block.get("label") == label)
    return [line["cells"] for line in one["rows"]]


def test_each_rule_says_in_words_what_was_counted(several: Workspace) -> None:
    """Kept, broken and unknown stand apart; the numbers are those of the rule."""
    cells = table(rule_blocks(several, SUITE, DataView("rules")), "Hard rules")

    assert [(name["text"], standing["text"]) for name, standing in cells] == [
        ("Outputs are not modified", "broken"),
        ("Every score has a rationale", "kept"),
        ("Every failed run has its failure", "not recorded"),
        ("Regressions are surfaced at once", "nothing to check"),
        ("Approvals are justified", "nothing to check"),
    ]
    assert [name["sub"] for name, _ in cells] == [
        OUTPUTS,
        "Kept by 1 score.",
        "Not recorded for 3 failed runs.",
        "There is nothing to check yet.",
        "There is nothing to check yet.",
    ]


def test_what_breaks_a_rule_leads_to_the_run_and_to_the_files(several: Workspace) -> None:
    """The run's own document is first; of many records the first few are listed."""
    view = DataView("rules", rule="outputs")
    lines = table(broken_blocks(several, SUITE, view), "What breaks it")

    texts = [cells[0]["text"] for cells in lines]
    assert texts == ["r2", "eval-judgment", "eval-judgment", "and 2 more"]
    why = "The output of this run has changed since it was judged. 3 more records say the same."
    assert lines[0][0]["sub"] == why
    assert lines[0][0]["link"] == {"page": "gradings", "query": {"suite": SUITE, "run": "r2"}}
    places = [
        (cells[1]["link"]["query"]["file"], cells[1]["link"]["query"]["at"]) for cells in lines[:-1]
    ]
    assert places == [
        ("grading/r1.json", None),
        ("reviews/eval-judgment/a.json", "/evalcore/outputSha256"),
        ("reviews/eval-judgment/b.json", "/evalcore/outputSha256"),
    ]


def test_what_a_suite_does_not_record_is_counted_with_the_way_to_begin(several: Workspace) -> None:
    """The command is there, as no problem says it."""
    blocks = broken_blocks(several, SUITE, DataView("rules", rule="failures"))

    texts = [msgspec.to_builtins(block).get("text", "") for block in blocks]
    assert any("evalcore failures FOLDER --suite SUITE --record" in text for text in texts)
    assert len(table(blocks, "What breaks it")) == 3


def test_a_rule_that_is_kept_lists_nothing(several: Workspace) -> None:
    """It says how many things keep it."""
    blocks = broken_blocks(several, SUITE, DataView("rules", rule="rationales"))

    assert [msgspec.to_builtins(block)["t"] for block in blocks] == ["heading", "say"]


def test_long_lists_come_in_pages(tmp_path: Path) -> None:
    """The last page has the rest."""
    runs = [run(run_id=f"r{at}", passed=False) for at in range(120)]
    ws = workspace(tmp_path, suite(), case(), *runs)

    blocks = broken_blocks(ws, SUITE, DataView("rules", rule="failures", page=3))

    assert len(table(blocks, "What breaks it")) == 20
    assert msgspec.to_builtins(blocks[-1])["text"] == "101–120 of 120 failed runs"


def test_the_first_broken_rule_is_open_unless_the_address_names_another(tmp_path: Path) -> None:
    """A name that is no rule counts as none."""
    ws = copied(tmp_path, SUPPORT, NOTES)

    assert chosen_rule(ws, SUPPORT, DataView("rules")) == "rationales"
    assert chosen_rule(ws, SUPPORT, data_view({"rule": "failures"}, problems=True)) == "failures"
    assert chosen_rule(ws, SUPPORT, data_view({"rule": "speed"}, problems=True)) == "rationales"
    assert chosen_rule(ws, NOTES, DataView("rules")) == "outputs"


def test_the_part_says_how_many_rules_are_broken(tmp_path: Path) -> None:
    """A suite that keeps them all has no number, nor has a folder without suites."""
    ws = copied(tmp_path, SUPPORT, NOTES)
    problems = problems_at_open(ws)

    assert part_words(ws, problems, SUPPORT)["rules"] == "Hard rules 2 broken"
    assert part_words(ws, problems, NOTES)["rules"] == "Hard rules"
    assert part_words(ws, problems, None)["rules"] == "Hard rules"
