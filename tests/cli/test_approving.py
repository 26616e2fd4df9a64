"""`evalcore approval`, as it is called."""

import json
from pathlib import Path

import pytest

from evalcore.demo import packaged
from tests.cli.conftest import Invoke
from tests.memory.approval_cases import measured

FUTURE = "2099-01-31"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder with the release notes and a benchmark, run for three versions."""
    return measured(tmp_path, "v0", "v1", "v2").root


def test_improvement_is_approved(root: Path, invoke: Invoke) -> None:
    """It ends with 0, and says what was seen and where it is recorded."""
    done = invoke("approval", "approve", root, "v1", "--over", "v0")
    assert done.exit_code == 0
    first, second = done.stdout.splitlines()
    assert first.startswith("Approved: v1 passes 81 % on notes, v0 8 %")
    assert (root / second.removeprefix("Written: ")).is_file()


def test_a_refusal_ends_with_one(root: Path, invoke: Invoke) -> None:
    """With the reason in the document, as it is recorded."""
    done = invoke("approval", "approve", root, "v2", "--over", "v1", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["decision"]) == (1, "refused")
    assert "That is not an improvement." in found["reason"]
    written = json.loads((root / found["path"]).read_bytes())
    assert written["fields"]["reason"] == found["reason"]


def test_decisions_are_listed_newest_first(root: Path, invoke: Invoke) -> None:
    """Refused, waived, withdrawn: each in a line, and in the document with its state."""
    invoke("approval", "approve", root, "v2", "--over", "v1")
    waiver = ("--owner", "Ana", "--reason", "Urgent.", "--until", FUTURE)
    invoke("approval", "waive", root, "v2", "--over", "v1", *waiver)
    lines = invoke("approval", "list", root).stdout.splitlines()
    assert len(lines) == 2
    assert "v2 has a waiver in place of v1 until" in lines[0]
    assert "v2 was refused in place of v1" in lines[1]
    invoke("approval", "withdraw", root, "v2", "--reason", "It broke.")
    found = json.loads(invoke("approval", "list", root, "--json").stdout)
    states = [(each["state"], each["current"], each["in_force"]) for each in found]
    assert states == [
        ("withdrawn", True, False),
        ("waived", False, False),
        ("refused", False, False),
    ]


def test_a_changed_version_is_listed_as_lapsed(root: Path, invoke: Invoke) -> None:
    """The line says what changed."""
    invoke("approval", "approve", root, "v1", "--over", "v0")
    skill = root / "release-notes-workspace/v1/skill/SKILL.md"
    skill.write_text(f"{skill.read_text()}\nMore.\n")
    (line,) = invoke("approval", "list", root).stdout.splitlines()
    assert "v1 was approved in place of v0, which has lapsed" in line
    assert line.endswith("The text of v1 was changed since.")


@pytest.mark.parametrize(
    ("command", "suites"),
    [
        (("approval", "list"), ["triage-agent:"]),
        (("benchmark", "list"), ["support-agent:", "triage-agent:"]),
        (("blind", "status"), []),
    ],
)
def test_what_is_listed_is_that_of_all_suites(
    invoke: Invoke, command: tuple[str, str], suites: list[str]
) -> None:
    """Below the name of each that has any; one is listed as it is."""
    done = invoke(*command, packaged())
    assert done.exit_code == 0
    assert [line for line in done.stdout.splitlines() if line.endswith("-agent:")] == suites
    one = invoke(*command, packaged(), "--suite", "triage-agent")
    assert "-agent:\n" not in one.stdout


def test_nothing_decided_says_what_to_do(root: Path, invoke: Invoke) -> None:
    """And ends with 0."""
    done = invoke("approval", "list", root)
    assert (done.exit_code, "evalcore approval approve" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("approve", "v1", "--over", "v1"), "cannot replace itself"),
        (("approve", "v9", "--over", "v1"), "v9"),
        (("withdraw", "v1", "--reason", "x"), "not approved"),
        (
            (
                "waive",
                "v2",
                "--over",
                "v1",
                "--owner",
                "A",
                "--reason",
                "x",
                "--until",
                "2001-01-01",
            ),
            "an end date in the future",
        ),
    ],
)
def test_what_cannot_be_decided_is_a_sentence(
    root: Path, invoke: Invoke, arguments: tuple[str, ...], why: str
) -> None:
    """It ends with 2, and nothing is recorded."""
    done = invoke("approval", arguments[0], root, *arguments[1:])
    assert done.exit_code == 2
    assert why in done.stderr
    assert not (root / "release-notes-workspace/reviews/approval").exists()
