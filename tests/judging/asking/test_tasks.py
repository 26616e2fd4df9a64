"""One run as a judge sees it."""

import json
from pathlib import Path

import pytest

from evalcore.families.reviews.basis import PROMPT, Part
from evalcore.judging.answering.submitting import submit, take_back
from evalcore.judging.asking.tasks import (
    CHANGED,
    NOT_ASKED,
    TWICE,
    own_judgments,
    task,
)
from evalcore.judging.model import Answer
from evalcore.judging.storing.store import new_id
from evalcore.workspace.opened import Workspace, open_workspace, reopened
from tests.judging.copies import (
    ANA,
    BEN,
    INVOICE_RUN,
    INVOICES,
    NOTES,
    NOTES_RUN,
    SUPPORT,
    answers,
    copied,
    judged,
    records,
    taken,
)

SECRET = "Nobody may read this before they judged."


def output(ws: Workspace) -> Path:
    """Return an output file of the run that is judged."""
    return ws.root / next(iter(taken(ws, NOTES_RUN).files))


def test_a_task_shows_what_was_asked_and_what_came_out(ws: Workspace) -> None:
    """Prompt, expectations in words, and the output files that are there."""
    found = taken(ws, NOTES_RUN)
    assert (found.suite, found.case_id) == (NOTES, "breaking-change")
    assert found.prompt
    assert found.files
    assert all((ws.root / path).is_file() for path in found.files)
    assert found.mine == {}


def test_a_task_shows_nothing_of_anybody_else(ws: Workspace) -> None:
    """Neither another person's words and scores nor the recorded judge's are in it."""
    before = taken(ws, NOTES_RUN, BEN)
    judged(ws, NOTES_RUN, ANA, answers(before, 2.0, SECRET))
    found = taken(reopened(ws), NOTES_RUN, BEN)
    assert found.basis[:3] == before.basis[:3]
    assert found._replace(ids={}, basis=before.basis) == before._replace(ids={})
    texts = ws.tables.text("judgments")["rationale"].dropna()
    said = json.dumps(found, default=str)
    assert SECRET not in said
    assert ANA.id not in said
    assert not [text for text in texts if text and text in said]


def test_no_grading_is_among_the_files(tmp_path: Path) -> None:
    """A document of scores that lies in the folder of outputs is not shown."""
    ws = copied(tmp_path, INVOICES)
    files = taken(ws, INVOICE_RUN).files
    folder = (ws.root / files[0]).parent
    (folder / "grading.json").write_text("{}", "utf-8")
    assert taken(ws, INVOICE_RUN).files == files


def test_the_output_of_a_record_is_named_by_its_fields(tmp_path: Path) -> None:
    """The rest of the document holds the score, and is not named."""
    ws = copied(tmp_path, SUPPORT)
    run = ws.tables.runs["run_id"].iloc[0]
    files = taken(ws, run).files
    assert files
    assert all("#/fields/actualOutput/" in path for path in files)


def test_a_draft_keeps_its_submission_ids(ws: Workspace) -> None:
    """So that what was typed before a reload is stored once, however often it is sent."""
    first = taken(ws, NOTES_RUN)
    again = task(ws, NOTES_RUN, ANA, (), first.ids)
    assert again.ids == first.ids
    assert len(set(first.ids.values())) == len(first.criteria)


def test_an_id_that_was_used_is_not_used_again(ws: Workspace) -> None:
    """What comes after it is a new record."""
    first = taken(ws, NOTES_RUN)
    submit(ws, first, answers(first)[:1], ANA, partial=True)
    again = task(ws, NOTES_RUN, ANA, records(ws, NOTES), first.ids)
    same = {key for key in first.ids if again.ids[key] == first.ids[key]}
    assert same == {each.key for each in first.criteria[1:]}


def test_what_i_said_is_in_my_task(ws: Workspace) -> None:
    """With score, rationale, evidence and how sure I was; not in anybody else's."""
    of = taken(ws, NOTES_RUN)
    given = [Answer(each.key, 4.0, "Good.", ("a line",), "medium") for each in of.criteria]
    receipts = submit(ws, of, given, ANA)
    found = taken(ws, NOTES_RUN).mine
    assert [each.id for each in found.values()] == [receipt.id for receipt in receipts]
    assert {(m.score, m.rationale, m.evidence, m.level, m.stale) for m in found.values()} == {
        (4, "Good.", ("a line",), "medium", None)
    }
    assert taken(ws, NOTES_RUN, BEN).mine == {}


def test_records_are_found_whichever_folder_was_opened(tmp_path: Path) -> None:
    """The id of a suite depends on it, so only the rest of a run's id is compared."""
    ws = copied(tmp_path / "all" / "deep", NOTES)
    judged(ws, NOTES_RUN)
    above = open_workspace(tmp_path / "all", cache=False)
    run = f"deep/{NOTES_RUN}"
    found = task(above, run, ANA, records(above, f"deep/{NOTES}"))
    assert found.judged


def test_what_the_opened_folder_does_not_show_has_not_changed(tmp_path: Path) -> None:
    """Below the cases there are neither prompts nor wordings; the page says what the tables do."""
    judged(copied(tmp_path, NOTES), NOTES_RUN)
    below = open_workspace(tmp_path / f"{NOTES}-workspace", cache=False)
    found = task(below, f".::{NOTES_RUN.partition('::')[2]}", ANA, records(below, "."))
    assert found.prompt is None
    assert {each.stale for each in found.mine.values()} == {None}
    rows = below.tables.judgments.set_index("judge").loc[[ANA.id], "status"]
    assert set(rows) == {"scored"}


@pytest.mark.parametrize("parts", [("output",), ("prompt",), ("output", "prompt")])
def test_a_score_goes_stale_by_what_it_rests_on(parts: tuple[Part, ...], ws: Workspace) -> None:
    """It is kept, and says what changed."""
    judged(ws, NOTES_RUN)
    now = taken(ws, NOTES_RUN).basis
    if "output" in parts:
        now = now._replace(output="another")
    if "prompt" in parts:
        other = now.wordings[PROMPT]._replace(sha256="another")
        now = now._replace(wordings={**now.wordings, PROMPT: other})
    found = own_judgments(records(ws, NOTES), NOTES_RUN, ANA, now)
    assert {each.stale for each in found.values()} == {", ".join(CHANGED[part] for part in parts)}


def test_only_the_criterion_that_was_reworded_goes_stale(ws: Workspace) -> None:
    """And one that is not asked any more."""
    judged(ws, NOTES_RUN)
    now = taken(ws, NOTES_RUN).basis
    first, second, *others = now.criteria
    left = {key: now.criteria[key] for key in (first, *others)}
    reworded = {**now.wordings, first: now.wordings[first]._replace(sha256="another")}
    now = now._replace(criteria=left, wordings=reworded)
    found = own_judgments(records(ws, NOTES), NOTES_RUN, ANA, now)
    assert found[first].stale == CHANGED["criterion"]
    assert found[second].stale == NOT_ASKED
    assert {found[key].stale for key in others} == {None}


def test_a_changed_output_is_noticed_on_the_disk(ws: Workspace) -> None:
    """Without opening the workspace again."""
    judged(ws, NOTES_RUN)
    output(ws).write_text("Something else", "utf-8")
    found = taken(ws, NOTES_RUN)
    assert {each.stale for each in found.mine.values()} == {CHANGED["output"]}
    assert not found.judged


def test_what_was_taken_back_is_not_judged(ws: Workspace) -> None:
    """It is kept with no score, and the run is not whole any more."""
    judged(ws, NOTES_RUN)
    take_back(ws, NOTES_RUN, ANA, taken(ws, NOTES_RUN).criteria[0].key)
    found = taken(ws, NOTES_RUN)
    assert [each.score for each in found.mine.values()].count(None) == 1
    assert not found.judged


def test_two_scores_of_one_moment_are_mine_to_settle(ws: Workspace) -> None:
    """Two tabs of two servers: the later one counts, and says that there is another."""
    of = taken(ws, NOTES_RUN)
    submit(ws, of, answers(of, 5.0), ANA)
    path = next((ws.root / f"{NOTES}-workspace/reviews/eval-judgment").iterdir())
    value = json.loads(path.read_text("utf-8"))
    value |= {"id": new_id()}
    value["fields"] |= {"score": 1}
    path.with_name(f"{value['id']}.json").write_text(json.dumps(value), "utf-8")
    found = taken(ws, NOTES_RUN)
    assert [each.stale for each in found.mine.values()].count(TWICE) == 1
    judged(ws, NOTES_RUN, ANA, answers(found, 4.0))
    assert {each.stale for each in taken(ws, NOTES_RUN).mine.values()} == {None}
