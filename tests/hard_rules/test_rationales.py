"""Every score says why it was given."""

import json
from pathlib import Path

import pytest

from evalcore.lint import check
from evalcore.workspace.opened import open_workspace
from tests.families.records_store import basic, judgment, write
from tests.hard_rules.found import counts, described, found, problems
from tests.made import case, run, suite, workspace
from tests.made import judgment as made_judgment
from tests.reviewing import Reviews

CODE = "no-rationale"


def test_a_rationale_or_evidence_is_a_reason(tmp_path: Path) -> None:
    """Families name it differently; one of both is enough."""
    ws = workspace(
        tmp_path,
        suite(),
        case(),
        run(),
        made_judgment("one", rationale="It says so."),
        made_judgment("two", evidence="line 4"),
    )

    assert counts(ws, "skills/pdf", "rationales") == (2, 0, 0)
    assert found(ws, "skills/pdf", "rationales").standing == "kept"


@pytest.mark.parametrize("blank", [None, "", " \n\t", "\u2003"])
def test_a_score_without_a_reason_breaks_the_rule(tmp_path: Path, blank: str | None) -> None:
    """Blanks of any script are none."""
    ws = workspace(
        tmp_path,
        suite(),
        case(),
        run(),
        made_judgment("one", rationale="It says so."),
        made_judgment("two", rationale=blank),
    )

    assert counts(ws, "skills/pdf", "rationales") == (1, 1, 0)
    (note,) = problems(ws, CODE)
    assert (note.severity, note.pointer) == ("info", "/results/two")
    assert note.message.startswith("1 score has neither")


def test_many_scores_without_a_reason_are_one_note(tmp_path: Path) -> None:
    """It says how many there are, and the section lists each."""
    several = [made_judgment(str(at)) for at in range(3)]
    ws = workspace(tmp_path, suite(), case(), run(), *several)

    (note,) = problems(ws, CODE)
    assert note.message.startswith("3 scores have neither")
    assert len(described(ws, "skills/pdf", "rationales")) == 3


def test_what_has_no_score_needs_no_reason(tmp_path: Path) -> None:
    """A criterion that nobody scored is not invalid, nor one that was scored again since."""
    ws = workspace(
        tmp_path,
        suite(),
        case(),
        run(),
        made_judgment("one", None),
        made_judgment("two", status="superseded"),
    )

    assert counts(ws, "skills/pdf", "rationales") == (0, 0, 0)
    assert found(ws, "skills/pdf", "rationales").standing == "nothing to check"


@pytest.mark.parametrize("passed", [True, False])
def test_passed_or_not_is_a_score(tmp_path: Path, passed: bool) -> None:
    """Somebody who fails a run has to say why, as who passes it."""
    ws = workspace(tmp_path, suite(), case(), run(), made_judgment("one", passed, score=None))

    assert counts(ws, "skills/pdf", "rationales") == (0, 1, 0)


def test_a_measurement_is_its_own_reason(tmp_path: Path) -> None:
    """What a rule scored without words follows from what it looks at."""
    by_rule = made_judgment("one", judge_type="heuristic")
    ws = workspace(tmp_path, suite(), case(), run(), by_rule)

    assert counts(ws, "skills/pdf", "rationales") == (1, 0, 0)


def test_a_score_that_a_store_does_not_count_for_it_breaks_the_rule(tmp_path: Path) -> None:
    """It has no score in the tables any more; reading it has said why, and that once."""
    write(tmp_path, basic(j1=judgment("j1", "run", "relevance", 5, rationale="")))
    ws = open_workspace(tmp_path, cache=False)

    assert counts(ws, ".", "rationales") == (1, 1, 0)
    (broken,) = described(ws, ".", "rationales")
    assert json.loads((tmp_path / broken.places[0].path).read_text())["id"] == "j1"
    assert [each.severity for each in check(ws) if each.code == CODE] == ["warning"]


def test_a_score_of_a_person_without_a_reason_breaks_the_rule(tmp_path: Path) -> None:
    """Review records are held to it in every family."""
    write(tmp_path, basic())
    name = open_workspace(tmp_path, cache=False).tables.runs["run_id"].iloc[0]
    Reviews(tmp_path).judge(name, "rubric:tone", 4, scale=(1, 5), rationale=" ")
    ws = open_workspace(tmp_path, cache=False)

    assert counts(ws, ".", "rationales") == (2, 1, 0)
    assert [each.severity for each in check(ws) if each.code == CODE] == ["warning"]
