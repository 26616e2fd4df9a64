"""Errors in a transcript are recognised, and talk of errors is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.checks.steps import without_errors
from tests.bounded import bounded


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        'said: Traceback (most recent call last):\\n  File "x"',
        "Error: no such file",
        "error: pathspec 'x' did not match",
        "ERROR: failed",
        "error[E0308]: mismatched types",
        "> TypeError: x is not a function",
        "  - ValueError: bad",
        "json.decoder.JSONDecodeError: Expecting value",
        "KeyError",
        "java.lang.NullPointerException: null",
        "Exception: boom",
        "Exception in thread main",
        "fatal: not a git repository",
        "panic: runtime error",
        "npm ERR! code 1",
        "[ERROR] failed",
        "sh: foo: command not found",
        "Unhandled promise rejection",
        "Uncaught TypeError",
        "Process exited with code 1",
        "Exit code: 127",
        "exit status 2",
        '"exit_code": 1',
        '{"exitCode":-1}',
        "Exit code 10",
        "Segmentation fault (core dumped)",
    ],
)
def test_an_error_is_recognised(line: str) -> None:
    """The evidence is its line."""
    outcome = without_errors(f"All fine\n\n{line}\nmore")
    assert outcome.passed is False
    assert outcome.evidence.startswith("Line 3 of the transcript: “")


@pytest.mark.parametrize(
    "line",
    [
        "0 errors, 0 warnings",
        "No errors found.",
        "The function handles each error: it retries.",
        "I raise an Exception where the input is empty.",
        "Exit code: 0",
        "exited with code 0",
        '"exit_code": 0',
        "exit code 00",
        "exit 1",
        "Errors are handled",
        "## Error handling",
        "class MyError(Exception)",
        "It is fatal to forget this",
        "Unhandled cases: none",
    ],
)
def test_talk_of_errors_is_none(line: str) -> None:
    """Only what programs print when they fail is an error."""
    outcome = without_errors(f"Start\n{line}\nEnd")
    assert outcome.passed is True, outcome.evidence
    assert outcome.evidence == "No error in the 3 lines of the transcript."


@pytest.mark.parametrize("transcript", [None, "", " \n"])
def test_without_a_transcript_nobody_can_say(transcript: str | None) -> None:
    """A missing transcript is not one without errors."""
    outcome = without_errors(transcript)
    assert outcome.passed is None
    assert outcome.status == "not_run"


def test_a_long_transcript_is_read_in_one_pass() -> None:
    """Whatever its lines begin with."""
    with bounded():
        for line in (
            "a." * 500_000,
            "> " * 500_000,
            "a" * 1_000_000,
            "exit code" * 100_000,
            "\n" * 1_000_000,
        ):
            assert without_errors(line + "x").passed is True


@given(st.text())
def test_every_text_has_an_outcome(text: str) -> None:
    """No transcript raises an exception."""
    assert without_errors(text).evidence
