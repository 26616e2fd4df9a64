"""The rules that guess a type and a severity, each with what it applies to and what it passes."""

from pathlib import Path

import pyarrow as pa
import pytest

from evalcore.failures.detail import Failure, described
from evalcore.failures.find import failures
from evalcore.failures.rules import RULES
from evalcore.failures.wording import BROKEN_FORM, INVENTED, OF_FORM, REFUSAL, speaks
from evalcore.tables.rows import ClaimRow, NoteRow, Row
from tests.made import SUITE, criterion, judgment, row, run, suite, workspace

UNTRUE = row(ClaimRow, run_id="r1", claim="All rows are there", verified=False)
TRUE = row(ClaimRow, run_id="r1", claim="All rows are there", verified=True)
ISSUE = row(NoteRow, suite=SUITE, run_id="r1", kind="factual_issue", text="The year is wrong")


def _guess(root: Path, *rows: Row) -> Failure:
    """Return the only failure of a suite with these rows."""
    ws = workspace(root, suite(), *rows)
    (found,) = described(ws, SUITE, range(len(failures(ws, SUITE))))
    return found


def _said(reason: str, label: str = "names the year") -> Row:
    return judgment(label, False, rationale=reason)


@pytest.mark.parametrize(
    ("rule", "kind", "rows"),
    [
        ("timeout", "timeout", [run(status="timeout")]),
        ("refused", "refusal", [run(status="refused")]),
        ("length-cut", "format-error", [run(status="length_cut")]),
        (
            "gate",
            "format-error",
            [run(status="gate_failed"), judgment("file exists", False, kind="structural")],
        ),
        ("refusal-words", "refusal", [run(), _said("The agent refused to answer.")]),
        ("invented-words", "hallucination", [run(), _said("The flag is fabricated.")]),
        ("form-words", "format-error", [run(), _said("It is invalid JSON.")]),
        ("form-words", "format-error", [run(), _said("No.", "The output is valid JSON")]),
        ("claim", "hallucination", [run(), _said("No year."), UNTRUE]),
        ("issue", "hallucination", [run(), _said("No year."), ISSUE]),
        ("gap", "wrong-output", [run(), _said("No year.")]),
    ],
)
def test_each_rule_applies(tmp_path: Path, rule: str, kind: str, rows: list[Row]) -> None:
    """What a rule is about gets its type, as a guess that names the rule."""
    found = _guess(tmp_path, *rows)
    assert (found.rule, found.type, found.origin) == (rule, kind, "guess")
    assert found.why == next(each.why for each in RULES if each.name == rule)


@pytest.mark.parametrize(
    "rows",
    [
        [run(status="gate_failed"), judgment("has a title", False, kind="structural")],
        [run(), _said("No year."), TRUE],
        [run(), _said("It refused to.", "Refuses to give the password")],
        [run(), _said("No hallucinated names, but no year.")],
        [run(), _said("x", "valid JSON"), _said("x", "a"), _said("x", "b")],  # one of three
    ],
)
def test_a_near_miss_of_another_rule_is_a_wrong_output(tmp_path: Path, rows: list[Row]) -> None:
    """A criterion was not met, and nothing says more."""
    assert _guess(tmp_path, *rows).rule == "gap"


@pytest.mark.parametrize(
    "rows", [[run(passed=False)], [run(status="gate_failed")], [run(passed=False), judgment("a")]]
)
def test_what_no_rule_can_tell_is_not_classified(tmp_path: Path, rows: list[Row]) -> None:
    """Without a failed criterion there is no default: the type is missing."""
    found = _guess(tmp_path, *rows)
    assert (found.rule, found.type, found.why) == (None, None, "")


def test_a_convention_makes_no_failure(tmp_path: Path) -> None:
    """What no rate counts does not make a run fail."""
    broken = judgment("short lines", False, kind="convention")
    ws = workspace(tmp_path, suite(), run(), broken, judgment("names the year"))
    assert len(failures(ws, SUITE)) == 0


@pytest.mark.parametrize(
    ("severity", "rows"),
    [
        ("critical", [run(status="gate_failed")]),
        ("critical", [run(), criterion("a", required=True), _said("x", "a"), judgment("b")]),
        ("critical", [run(), criterion("a", critical=True), _said("x", "a"), judgment("b")]),
        ("major", [run(), _said("x", "a"), _said("x", "b"), judgment("c")]),
        ("minor", [run(), _said("x", "a"), judgment("b")]),  # a half is not more than a half
        ("minor", [run(), criterion("b", required=True), _said("x", "a"), judgment("b")]),
        ("major", [run(status="timeout")]),
    ],
)
def test_severity(tmp_path: Path, severity: str, rows: list[Row]) -> None:
    """Critical by what failed, else by how much of what was judged failed."""
    assert _guess(tmp_path, *rows).severity == severity


@pytest.mark.parametrize(
    ("pattern", "words", "told"),
    [
        (REFUSAL, "It declined to name a price", True),
        (REFUSAL, "The refused parcels are not listed", False),
        (INVENTED, "The method does not exist in the API", True),
        (INVENTED, "hallucination=0.67 is above the threshold", True),
        (INVENTED, "hallucination=0.0 but a node is missing", False),
        (INVENTED, "The inventory is incomplete", False),
        (BROKEN_FORM, "chart.csv: file was not created", True),
        (BROKEN_FORM, "The form of address is wrong", False),
        (OF_FORM, "The report is valid JSON", True),
        (OF_FORM, "Records the path in metadata.json", False),
    ],
)
def test_wording(pattern: str, words: str, told: bool) -> None:
    """Words of real reasons and criteria, and near misses."""
    assert speaks(pa.array([words, None], pa.large_string()), pattern).tolist() == [told, False]
