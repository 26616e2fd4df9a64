"""Problems that many places share are named once."""

from typing import Any

import pytest

from evalcore.problems import FEW, Problem, Severity, grouped, rank


def problems(n: int, severity: Severity = "info", **fields: Any) -> list[Problem]:
    """So many files with the same problem."""
    row = Problem("", "/x", severity, "list-name", "It is called so.", "Rename it.", "alpha")
    return [row._replace(path=f"{at}.json", **fields) for at in range(n)]


def test_what_many_places_share_is_one_problem_with_their_number() -> None:
    """It names the first three, and how to see the others."""
    (one,) = grouped(problems(FEW + 1))
    assert (one.path, one.pointer, one.severity, one.code) == ("0.json", "/x", "info", "list-name")
    assert one.message == (
        "It is called so. There are 4 places like this in 4 files of this suite; this is the "
        "first, others are 1.json#/x and 2.json#/x."
    )
    assert one.hint == "Rename it. `evalcore check --json` lists them all."


def test_a_few_places_are_each_named() -> None:
    """They can be read one by one."""
    assert grouped(problems(FEW)) == problems(FEW)


def test_many_places_of_one_file_are_one_problem() -> None:
    """It says that they are in this file."""
    (one,) = grouped([problems(1)[0]._replace(pointer=f"/{at}") for at in range(9)])
    assert one.pointer == "/0"
    assert " There are 9 places like this in this file; this is the first, " in one.message


@pytest.mark.parametrize("kind", [{"severity": "error"}, {"suite": None}])
def test_errors_and_what_is_of_no_suite_are_each_named(kind: dict[str, Any]) -> None:
    """Each has to be mended, or found, by itself."""
    rows = [row._replace(**kind) for row in problems(9)]
    assert grouped(rows) == rows


def test_another_step_or_severity_is_another_kind() -> None:
    """They are counted apart, and stand in their order."""
    rows = [*problems(4), *problems(4, hint="Move it."), *problems(4, "warning")]
    assert [(row.hint.partition(" `")[0], row.severity) for row in grouped(rows)] == [
        ("Rename it.", "info"),
        ("Move it.", "info"),
        ("Rename it.", "warning"),
    ]


def test_one_decision_is_one_note_whatever_its_codes_and_suites() -> None:
    """A writer's habit has several codes; the first place of each of them is named."""
    rows = [*problems(3), *problems(3, suite="beta", code="item-field", message="So is that.")]
    (one,) = grouped(rows)
    assert one.message == (
        "So is that. It is called so. There are 6 places like this in 3 files of 2 suites; this is "
        "the first, others are 0.json#/x and 1.json#/x."
    )


def test_what_makes_a_measurement_doubtful_stands_first() -> None:
    """Among its equals: what could not be read is worse."""
    rows = [
        *problems(1, "warning", code="any"),
        *problems(1, "warning", code="never-activated"),
        *problems(1, "error", code="invalid-json"),
    ]
    found = [row.code for row in sorted(rows, key=rank)]
    assert found == ["invalid-json", "never-activated", "any"]


def test_warnings_are_alike_only_with_the_same_message() -> None:
    """A mean that is wrong by another amount is another fault; notes are alike by their code."""
    warnings = [row._replace(message=row.path) for row in problems(9, "warning")]
    assert grouped(warnings) == warnings
    notes = [row._replace(message=row.path) for row in problems(9)]
    assert len(grouped(notes)) == 1
