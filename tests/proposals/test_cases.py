"""Cases are edited in places: what the writer does not understand stays as it is."""

import json
from pathlib import Path

import pytest

from evalcore.disk.files import Files
from evalcore.errors import CannotWrite, ChangedMeanwhile
from evalcore.proposals.cases import CaseText, Place, case_text, changed_case, new_case, place_of
from evalcore.proposals.proposal import Proposal, Stored, Target, stored, write

PATH = "evals.json"
TARGET = Target("a", None, PATH)
ODD = """{
  "skill_name": "a",   "ours": {"kept":  [1,2]},
  "evals": [
    {"id": 4, "prompt": "Go", "expected_output": "Gone", "files": [], "weight": 2,
     "expectations": ["is short", {"text": "is true", "weight": 3}, {"rule": 7}]}
  ]
}
"""
NAMED = {
    "version": "1.0",
    "cases": [
        {
            "id": "one",
            "prompt": "Go",
            "files": [],
            "expectations": [{"criterion": "short", "description": "Is short", "required": False}],
        }
    ],
}
FIRST = Place("evals", 0)


def read(root: Path, text: str) -> Stored:
    """Write a document and read it as the form does."""
    (root / PATH).write_text(text, encoding="utf-8")
    found = stored(Files(root), PATH)
    assert found is not None
    return found


def value_of(proposal: Proposal) -> dict[str, object]:
    """Return the document that a proposal would write."""
    assert proposal.data is not None
    found: dict[str, object] = json.loads(proposal.data)
    return found


def test_only_what_was_edited_changes_in_the_text(tmp_path: Path) -> None:
    """Also where the document has an odd layout and things that nobody knows."""
    found = read(tmp_path, ODD)
    assert case_text(found, FIRST) == CaseText("Go", "Gone", ("is short", "is true"))
    edited = CaseText("Go on", "Gone", ("is short", "is really true"))
    proposal = changed_case(TARGET, found, FIRST, edited, ["is kind"])
    write(tmp_path, proposal)
    text = (tmp_path / PATH).read_text("utf-8")
    assert text == ODD.replace('"Go"', '"Go on"').replace('"is true"', '"is really true"').replace(
        '{"rule": 7}]', '{"rule": 7}, "is kind"]'
    )


def test_what_is_the_same_is_not_written(tmp_path: Path) -> None:
    """A form that was only looked at proposes nothing."""
    found = read(tmp_path, ODD)
    text = case_text(found, FIRST)
    assert text is not None
    proposal = changed_case(TARGET, found, FIRST, text)
    assert (proposal.state, proposal.data) == ("same", None)


def test_a_new_criterion_has_the_form_of_the_others(tmp_path: Path) -> None:
    """With an id of its own where the others have one."""
    found = read(tmp_path, json.dumps(NAMED))
    place = Place("cases", 0)
    text = case_text(found, place)
    assert text == CaseText("Go", None, ("Is short",))
    proposal = changed_case(TARGET, found, place, text, ["Is short!", "Short"])
    assert value_of(proposal)["cases"][0]["expectations"][1:] == [  # type: ignore[index]
        {"criterion": "is-short", "description": "Is short!", "required": True},
        {"criterion": "short-2", "description": "Short", "required": True},
    ]


@pytest.mark.parametrize(
    ("document", "name", "made"),
    [
        (
            ODD,
            "evals",
            {"id": 5, "prompt": "Now?", "expected_output": "Yes", "files": []}
            | {"expectations": ["is kind"]},
        ),
        (
            json.dumps(NAMED),
            "cases",
            {"id": "now", "prompt": "Now?", "expected_output": "Yes", "files": []}
            | {
                "expectations": [
                    {"criterion": "is-kind", "description": "is kind", "required": True}
                ]
            },
        ),
    ],
)
def test_a_new_case_has_an_id_that_no_other_has(
    tmp_path: Path, document: str, name: str, made: dict[str, object]
) -> None:
    """The next number, or the first words of its prompt, as the others have it."""
    found = read(tmp_path, document)
    value = value_of(new_case(TARGET, found, name, CaseText("Now?", "Yes", ("is kind",))))
    assert value[name][-1] == made  # type: ignore[index]
    assert value[name][:-1] == json.loads(document)[name]  # type: ignore[index]


def test_who_wrote_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    """Of two windows the second one is told which fields the first one changed."""
    found = read(tmp_path, ODD)
    first = changed_case(TARGET, found, FIRST, CaseText("First", "Gone", ("is short", "is true")))
    second = changed_case(TARGET, found, FIRST, CaseText("Second", "Gone", ("is short", "is true")))
    write(tmp_path, first)
    with pytest.raises(ChangedMeanwhile, match=r"evals\.0\.prompt"):
        write(tmp_path, second)
    assert json.loads((tmp_path / PATH).read_text())["evals"][0]["prompt"] == "First"


def test_a_file_that_is_read_only_stays(tmp_path: Path) -> None:
    """It is said, and nothing is written."""
    found = read(tmp_path, ODD)
    (tmp_path / PATH).chmod(0o444)
    proposal = changed_case(TARGET, found, FIRST, CaseText("X", "Gone", ("is short", "is true")))
    with pytest.raises(CannotWrite, match="read-only"):
        write(tmp_path, proposal)
    assert (tmp_path / PATH).read_text() == ODD


@pytest.mark.parametrize(
    ("text", "why"), [("half \ud83d", "half a character"), ("x" * 100_001, "100,001 characters")]
)
def test_a_text_that_no_document_can_hold_is_refused(tmp_path: Path, text: str, why: str) -> None:
    """Before anything is written, with the reason."""
    found = read(tmp_path, ODD)
    proposal = changed_case(TARGET, found, FIRST, CaseText(text, "Gone", ("is short", "is true")))
    assert proposal.state == "left"
    assert why in proposal.messages[0]


@pytest.mark.parametrize(
    "hostile", ['"], "evals": []', "</script><b>x", "\x00\x1b[31m\u202e", "a\r\nb"]
)
def test_a_hostile_text_is_a_text(tmp_path: Path, hostile: str) -> None:
    """It comes back as it was typed, and everything else stays."""
    found = read(tmp_path, ODD)
    edited = CaseText(hostile, hostile, ("is short", hostile))
    value = value_of(changed_case(TARGET, found, FIRST, edited, [hostile]))
    case = value["evals"][0]  # type: ignore[index]
    assert (case["prompt"], case["expected_output"]) == (hostile, hostile)
    assert case["expectations"] == [
        "is short", {"text": hostile, "weight": 3}, {"rule": 7}, hostile,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "item", [7, {}, {"prompt": 7}, {"prompt": "Go", "expectations": "none"},
             {"prompt": "Go", "expected_output": ["a"]}]
)  # fmt: skip
def test_a_case_of_another_form_is_not_edited(tmp_path: Path, item: object) -> None:
    """What the form could not show whole is changed in the file."""
    assert case_text(read(tmp_path, json.dumps({"evals": [item]})), FIRST) is None


@pytest.mark.parametrize(
    ("pointer", "place"),
    [("/cases/0", Place("cases", 0)), ("/evals/12", Place("evals", 12)), ("", None),
     ("/runs/0", None), ("/cases/x", None), ("/a/cases/0", None)],
)  # fmt: skip
def test_a_case_is_found_by_its_pointer(pointer: str, place: Place | None) -> None:
    """Only in a list of cases at the top of its document."""
    assert place_of(pointer) == place
