"""Problems that many places share are named once."""

from typing import Any

import pytest

from evalcore.problems import FEW, Problem, Severity, grouped


def problems(n: int, severity: Severity = "info", **fields: Any) -> list[Problem]:
    """So many files with the same problem."""
    row = Problem("", "/x", severity, "list-name", "It is called so.", "Rename it.", "alpha")
    return [row._replace(path=f"{at}.json", **fields) for at in range(n)]


def test_what_many_places_of_a_suite_share_is_one_problem_with_their_number() -> None:
    """It names the first file, and how to see the others."""
    (one,) = grouped(problems(FEW + 1))
    assert (one.path, one.pointer, one.severity, one.code) == ("0.json", "/x", "info", "list-name")
    assert one.message == (
        "It is called so. There are 4 places like this in 4 files of this suite; this is the first."
    )
    assert one.hint == "Rename it. `evalcore check --json` lists them all."


def test_a_few_places_are_each_named() -> None:
    """They can be read one by one."""
    assert grouped(problems(FEW)) == problems(FEW)


def test_many_places_of_one_file_are_one_problem() -> None:
    """It says that they are in this file."""
    (one,) = grouped([problems(1)[0]._replace(pointer=f"/{at}") for at in range(9)])
    assert one.pointer == "/0"
    assert one.message.endswith(" There are 9 places like this in this file; this is the first.")


@pytest.mark.parametrize("kind", [{"severity": "error"}, {"suite": None}])
def test_errors_and_what_is_of_no_suite_are_each_named(kind: dict[str, Any]) -> None:
    """Each has to be mended, or found, by itself."""
    rows = [row._replace(**kind) for row in problems(9)]
    assert grouped(rows) == rows


def test_another_suite_code_or_severity_is_another_kind() -> None:
    """They are counted apart, and stand in their order."""
    rows = [*problems(4), *problems(4, suite="beta"), *problems(4, code="layout")]
    rows += problems(4, "warning")
    assert [(row.suite, row.code, row.severity) for row in grouped(rows)] == [
        ("alpha", "list-name", "info"),
        ("beta", "list-name", "info"),
        ("alpha", "layout", "info"),
        ("alpha", "list-name", "warning"),
    ]


def test_warnings_are_alike_only_with_the_same_message() -> None:
    """A mean that is wrong by another amount is another fault; notes are alike by their code."""
    warnings = [row._replace(message=row.path) for row in problems(9, "warning")]
    assert grouped(warnings) == warnings
    notes = [row._replace(message=row.path) for row in problems(9)]
    assert len(grouped(notes)) == 1
