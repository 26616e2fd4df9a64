"""A judge's answers become records, and nothing that was said is lost."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.counting.run_criteria import run_row
from evalcore.errors import CannotJudge, CannotWrite, MayBeWritten, NotAllStored, StaleTask
from evalcore.judging.answering import writing
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import (
    finish_request,
    read_back,
    skip,
    submit,
    take_back,
    undo,
    unskip,
)
from evalcore.judging.model import Answer, Judge, Receipt, Task
from evalcore.judging.storing.run_reviews import reviews_of_run, score_of
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder, review_folder
from evalcore.workspace.opened import Workspace
from tests.judging.copies import (
    ANA,
    BEN,
    NOTES,
    NOTES_RUN,
    SUPPORT,
    answers,
    copied,
    judged,
    records,
    reset,
    taken,
)


@pytest.fixture
def of(ws: Workspace) -> Task:
    """The task that Ana judges."""
    return taken(ws, NOTES_RUN)


def written(ws: Workspace, receipt: Receipt) -> Any:
    """Return the JSON of a record."""
    return json.loads((ws.root / receipt.path).read_text("utf-8"))


def scores(ws: Workspace, judge: Judge = ANA) -> dict[str, float | None]:
    """Return what stands of a judge."""
    return {key: each.score for key, each in taken(ws, NOTES_RUN, judge).mine.items()}


def test_each_criterion_becomes_a_record(ws: Workspace, of: Task) -> None:
    """With what was asked, said and rested on."""
    first = of.criteria[0]
    given = [Answer(each.key, 4.0, "It is.", ("## Breaking",), "high") for each in of.criteria]
    receipts = submit(ws, of, given, ANA)
    assert [receipt.id for receipt in receipts] == list(of.ids.values())
    assert all(receipt.new for receipt in receipts)
    value = written(ws, receipts[0])
    at = value["createdAt"]
    assert value["fields"] == {
        "testRunId": NOTES_RUN,
        "criterionId": first.key,
        "score": 4,
        "minScore": 1,
        "maxScore": 5,
        "rationale": "It is.",
        "judgedBy": ANA.id,
        "judgedByType": "human",
        "judgedAt": at,
        "confidence": 1.0,
        "confidenceLevel": "high",
        "evidence": ["## Breaking"],
    }
    assert value["evalcore"] == {
        "outputSha256": of.basis.output,
        "promptSha256": of.basis.prompt,
        "promptSource": "../../release-notes/evals/evals.json",
        "criterionSha256": first.sha256,
        "criterionSource": "../../release-notes/evals/evals.json",
        "run": {
            "place": "grading/breaking-change_v0_run1.json",
            "caseId": "breaking-change",
            "caseNames": [],
            "version": "v0",
            "configuration": "-",
            "run": "1",
        },
        "reasons": "required",
    }
    assert "supersedes" not in value


def test_to_submit_twice_is_to_submit_once(ws: Workspace, of: Task) -> None:
    """A double click, or the same request again: the same receipts, no further record."""
    first = submit(ws, of, answers(of), ANA)
    again = submit(ws, of, answers(of), ANA)
    assert [receipt._replace(new=True) for receipt in again] == list(first)
    assert len(records(ws, NOTES)) == len(of.criteria)


def test_an_unchanged_answer_is_not_written_again(ws: Workspace, of: Task) -> None:
    """A correction of one criterion is one record, which names the one it replaces."""
    first = submit(ws, of, answers(of), ANA)
    later = taken(ws, NOTES_RUN)
    given = answers(later)
    given[1] = given[1]._replace(score=2.0, rationale="On second thought.")
    second = submit(ws, later, given, ANA)
    assert [receipt.new for receipt in second] == [False, True, False, False]
    assert [receipt.sha256 for receipt in second[:1]] == [first[0].sha256]
    assert written(ws, second[1])["supersedes"] == first[1].id


def test_a_stale_score_is_written_again_with_the_same_words(ws: Workspace, of: Task) -> None:
    """It was right of another output; that it still is has to be said."""
    submit(ws, of, answers(of), ANA)
    (ws.root / of.files[0]).write_text("Something else", "utf-8")
    later = taken(ws, NOTES_RUN)
    assert all(receipt.new for receipt in submit(ws, later, answers(later), ANA))
    assert {each.stale for each in taken(ws, NOTES_RUN).mine.values()} == {None}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"score": 6.0}, "6 is not a valid score of breaking-first. Choose one of 1, 2, 3, 4, 5."),
        ({"score": 2.5}, "2.5 is not a valid score"),
        ({"score": float("nan")}, "no numeric score"),
        ({"score": True}, "no numeric score"),
        ({"rationale": " \n"}, "no rationale"),
        ({"rationale": "a" * 20_001}, "20,001 characters"),
        ({"rationale": "half \ud800"}, "half of a character"),
        ({"evidence": ("a" * 4_001,)}, "4,001 characters"),
        ({"evidence": ("a",) * 21}, "at most 20 passages"),
        ({"evidence": (" ",)}, "blank"),
        ({"evidence": (b"bytes",)}, "not text"),
        ({"level": "very"}, "'very'"),
        ({"key": "structural:S1"}, "not a criterion"),
    ],
)
def test_an_answer_that_nobody_can_give_is_refused(
    wrong: dict[str, Any], words: str, ws: Workspace, of: Task
) -> None:
    """Before anything is stored, and the message says what would do."""
    first, *others = answers(of)
    with pytest.raises(CannotJudge, match=words):
        submit(ws, of, [first._replace(**wrong), *others], ANA)
    assert records(ws, NOTES) == ()


def test_a_number_between_the_keys_will_do_on_a_fine_scale(tmp_path: Path) -> None:
    """A record from 0 to 1 is scored 0.6 where 0.6 is meant."""
    ws = copied(tmp_path, SUPPORT)
    run = ws.tables.runs["run_id"].iloc[0]
    of = taken(ws, run)
    fine = next(each for each in of.criteria if each.fine)
    (receipt,) = submit(ws, of, [Answer(fine.key, 0.6, "Nearly.")], ANA, partial=True)
    assert written(ws, receipt)["fields"]["score"] == 0.6


def test_every_criterion_is_answered_unless_some_are_left_open(ws: Workspace, of: Task) -> None:
    """A part may be stored when that is what is meant, but not nothing."""
    part = answers(of)[:2]
    with pytest.raises(CannotJudge, match="upgrade-path and 1 more have no score"):
        submit(ws, of, part, ANA)
    with pytest.raises(CannotJudge):
        submit(ws, of, [], ANA, partial=True)
    with pytest.raises(CannotJudge, match="two answers"):
        submit(ws, of, [*part, part[0]], ANA, partial=True)
    assert len(submit(ws, of, part, ANA, partial=True)) == 2


def test_another_output_is_refused_with_the_time(ws: Workspace, of: Task) -> None:
    """Nothing is stored, so what was typed can be looked at again."""
    (ws.root / of.files[0]).write_text("Something else", "utf-8")
    with pytest.raises(
        StaleTask, match=r"The output changed at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"
    ):
        submit(ws, of, answers(of), ANA)
    assert records(ws, NOTES) == ()


def test_another_prompt_or_criterion_is_refused(ws: Workspace, of: Task) -> None:
    """Read from the disk, also where the workspace was opened before."""
    path = ws.root / NOTES / "evals/evals.json"
    value = json.loads(path.read_text("utf-8"))
    (case,) = (case for case in value["cases"] if case["id"] == of.case_id)
    case["prompt"] += " Now."
    case["expectations"][0]["description"] += ", in bold"
    path.write_text(json.dumps(value), "utf-8")
    with pytest.raises(StaleTask) as caught:
        submit(ws, of, answers(of), ANA)
    said = str(caught.value)
    assert "The prompt changed at" in said
    assert "breaking-first was reworded at" in said
    assert records(ws, NOTES) == ()


def test_a_run_that_is_gone_is_refused(ws: Workspace, of: Task) -> None:
    """Its grading and what it produced were removed meanwhile."""
    run = run_row(ws, NOTES_RUN)
    (ws.root / str(run.source)).unlink()
    shutil.rmtree(ws.root / str(run.outputs))
    with pytest.raises(StaleTask, match="no longer exists"):
        submit(ws, of, answers(of), ANA)


def test_a_tab_that_was_left_open_is_refused(ws: Workspace, of: Task) -> None:
    """What was scored in another one stands, and is named."""
    judged(ws, NOTES_RUN, ANA)
    with pytest.raises(StaleTask, match="You scored breaking-first in another tab or window at"):
        submit(ws, of, answers(of, 1.0), ANA)
    assert set(scores(ws).values()) == {5}


def test_the_same_ids_with_other_words_are_refused(ws: Workspace, of: Task) -> None:
    """Two tabs of one draft: the second one does not replace what it never saw."""
    submit(ws, of, answers(of), ANA)
    with pytest.raises(StaleTask, match="in another tab"):
        submit(ws, of, answers(of, 1.0), ANA)
    assert set(scores(ws).values()) == {5}


def test_others_do_not_make_my_tab_stale(ws: Workspace, of: Task) -> None:
    """Two people judge the same run at once."""
    judged(ws, NOTES_RUN, BEN, answers(of, 1.0))
    submit(ws, of, answers(of), ANA)
    assert (set(scores(ws).values()), set(scores(ws, BEN).values())) == ({5}, {1})


def test_what_may_be_stored_is_told_from_what_is_not(
    ws: Workspace, of: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is refused does not hide another that may be there."""
    faults = iter([CannotWrite, MayBeWritten])

    def failing(reviews: ReviewFolder, record: Any) -> Receipt:
        raise next(faults, CannotWrite)(Path("x"), "the disk reported an error")

    monkeypatch.setattr(writing, "store", failing)
    with pytest.raises(NotAllStored, match=r"not known whether.*0 of 4 scores are known to be"):
        submit(ws, of, answers(of), ANA)


def test_a_failure_in_the_middle_is_completed_by_a_retry(
    ws: Workspace, of: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are attempted, those that were stored are acknowledged, and none is stored twice."""
    real, calls = store, iter([False, True, False, True])

    def failing(reviews: ReviewFolder, record: Any) -> Receipt:
        if next(calls, False):
            raise CannotWrite(Path("x"), "the disk is full")
        return real(reviews, record)

    monkeypatch.setattr(writing, "store", failing)
    with pytest.raises(NotAllStored, match=r"disk is full.*2 of 4 scores are stored") as caught:
        submit(ws, of, answers(of), ANA)
    ids = list(of.ids.values())
    assert [receipt.id for receipt in caught.value.receipts] == [ids[0], ids[2]]
    receipts = submit(ws, of, answers(of), ANA)
    assert [receipt.new for receipt in receipts] == [False, True, False, True]
    assert len(records(ws, NOTES)) == 4
    undo(ws, NOTES_RUN, ANA)
    assert set(scores(ws).values()) == {None}, "both parts are one submission"


def test_a_receipt_shows_what_was_stored(ws: Workspace, of: Task) -> None:
    """Read from the disk; bytes that are not those of the receipt are not shown."""
    receipts = submit(ws, of, answers(of, 3.0, "So so."), ANA)
    reviews = review_folder(ws, NOTES)
    found = read_back(reviews, receipts)
    assert {(each.score, each.rationale, each.intact) for each in found} == {(3, "So so.", True)}
    assert [each.key for each in found] == list(of.ids)
    path = ws.root / receipts[0].path
    path.write_bytes(path.read_bytes().replace(b"So so.", b"Great."))
    (ws.root / receipts[1].path).unlink()
    changed, gone, *_ = read_back(reviews, receipts)
    assert (changed.intact, changed.score, changed.rationale) == (False, None, "")
    assert not gone.intact


def test_to_take_back_is_a_record(ws: Workspace, of: Task) -> None:
    """With no score; to do it twice is to do it once."""
    first = submit(ws, of, answers(of), ANA)
    (receipt,) = take_back(ws, NOTES_RUN, ANA, of.criteria[0].key)
    value = written(ws, receipt)
    assert (value["fields"]["score"], value["supersedes"]) == (None, first[0].id)
    assert len(take_back(ws, NOTES_RUN, ANA)) == 3
    assert take_back(ws, NOTES_RUN, ANA) == ()
    assert set(scores(ws).values()) == {None}
    assert len(records(ws, NOTES)) == 8


def test_undo_restores_what_stood_before(ws: Workspace, of: Task) -> None:
    """Only what the last submission changed; and to undo that is to have it again."""
    submit(ws, of, answers(of, 4.0), ANA)
    later = taken(ws, NOTES_RUN)
    changed = [later.criteria[0].key, later.criteria[1].key]
    receipts = submit(ws, later, answers(later, 2.0)[:2], ANA, partial=True)
    done = undo(ws, NOTES_RUN, ANA, [receipt.id for receipt in receipts])
    assert set(scores(ws).values()) == {4}
    assert undo(ws, NOTES_RUN, ANA, [receipt.id for receipt in receipts]) == (), "a second click"
    undo(ws, NOTES_RUN, ANA, [receipt.id for receipt in done])
    assert [key for key, score in scores(ws).items() if score == 2] == changed


def test_undo_of_the_first_submission_leaves_no_score(ws: Workspace, of: Task) -> None:
    """Nothing was said before it. Another person's scores stay."""
    judged(ws, NOTES_RUN, BEN)
    submit(ws, of, answers(of), ANA)
    undo(ws, NOTES_RUN, ANA)
    assert (set(scores(ws).values()), set(scores(ws, BEN).values())) == ({None}, {5})
    assert undo(ws, NOTES_RUN, Judge("new-0000", "New")) == ()


def test_what_undo_restores_rests_on_what_it_rested_on(ws: Workspace, of: Task) -> None:
    """A score of an older output is stale again."""
    submit(ws, of, answers(of, 4.0), ANA)
    (ws.root / of.files[0]).write_text("Something else", "utf-8")
    judged(ws, NOTES_RUN, ANA, answers(of, 1.0))
    undo(ws, NOTES_RUN, ANA)
    found = taken(ws, NOTES_RUN).mine.values()
    assert {(each.score, each.stale) for each in found} == {(4, "the output changed since")}


def test_a_run_is_passed_over_until_its_judge_comes_back(ws: Workspace) -> None:
    """Each is a record of that judge, written once."""
    first = skip(ws, NOTES_RUN, ANA, " Too long. ")
    assert skip(ws, NOTES_RUN, ANA)._replace(new=True) == first
    assert written(ws, first)["fields"]["reason"] == "Too long."
    assert unskip(ws, NOTES_RUN, BEN) is None
    assert unskip(ws, NOTES_RUN, ANA) is not None
    assert unskip(ws, NOTES_RUN, ANA) is None
    assert reviews_of_run(records(ws, NOTES), NOTES_RUN).skips == {}


def test_a_request_ends_when_all_is_judged(ws: Workspace, of: Task) -> None:
    """A part does not end it."""
    send(ws, [NOTES_RUN], "Please look.", BEN)
    submit(ws, of, answers(of)[:1], ANA, partial=True)
    assert reviews_of_run(records(ws, NOTES), NOTES_RUN).requests
    later = taken(ws, NOTES_RUN)
    submit(ws, later, answers(later), ANA)
    assert reviews_of_run(records(ws, NOTES), NOTES_RUN).requests == []


def test_a_correction_does_not_end_my_own_request_for_others(ws: Workspace) -> None:
    """Who judged and asks for a second opinion still waits for one."""
    judged(ws, NOTES_RUN, ANA)
    send(ws, [NOTES_RUN], "A second opinion, please.", ANA)
    judged(ws, NOTES_RUN, ANA, answers(taken(ws, NOTES_RUN), 3.0))
    assert reviews_of_run(records(ws, NOTES), NOTES_RUN).requests
    judged(ws, NOTES_RUN, BEN)
    assert reviews_of_run(records(ws, NOTES), NOTES_RUN).requests == []


def test_a_request_can_be_ended_by_hand(ws: Workspace) -> None:
    """Once; then there is nothing to end."""
    send(ws, [NOTES_RUN], "", BEN)
    assert len(finish_request(ws, NOTES_RUN, ANA)) == 1
    assert finish_request(ws, NOTES_RUN, ANA) == ()


Step = tuple[str, int, float | None, int]
"""What is done, by which judge, with which score, to how many criteria."""

STEPS: st.SearchStrategy[list[Step]] = st.lists(
    st.tuples(
        st.sampled_from(["submit", "submit", "undo", "back", "twice"]),
        st.integers(0, 1),
        st.sampled_from([1.0, 2.0, 3.0, 4.0, 5.0]),
        st.integers(1, 4),
    ),
    max_size=7,
)


class Model:
    """What a plain list of states per judge says."""

    def __init__(self) -> None:
        self.now: list[dict[str, float | None]] = [{}, {}]
        self.before: list[dict[str, float | None]] = [{}, {}]
        self.records = 0

    def said(self, who: int, new: dict[str, float | None]) -> None:
        """Take in what a judge says from now on of some criteria."""
        old = self.now[who]
        changed = {key: score for key, score in new.items() if key not in old or old[key] != score}
        if changed:
            self.before[who] = {key: old.get(key) for key in changed}
            self.now[who] = old | changed
            self.records += len(changed)


@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(STEPS)
def test_in_any_order_what_stands_is_what_a_plain_model_says(
    opened: Workspace, steps: list[Step]
) -> None:
    """Two judges submit, undo and take back: every record stays, the heads are the model's."""
    ws, judges, model = reset(opened, NOTES), (ANA, BEN), Model()
    for what, who, score, many in steps:
        judge, of = judges[who], taken(ws, NOTES_RUN, judges[who])
        keys = [each.key for each in of.criteria][:many]
        if what in ("submit", "twice"):
            given = answers(of, score)[:many]
            for _ in range(2 if what == "twice" else 1):
                submit(ws, of, given, judge, partial=True)
            model.said(who, dict.fromkeys(keys, score))
        elif what == "back":
            take_back(ws, NOTES_RUN, judge, keys[-1])
            if model.now[who].get(keys[-1]) is not None:
                model.said(who, {keys[-1]: None})
        else:
            undo(ws, NOTES_RUN, judge)
            model.said(who, dict(model.before[who]))
    stored = records(ws, NOTES)
    said = reviews_of_run(stored, NOTES_RUN).judges
    for judge, state in zip(judges, model.now, strict=True):
        heads = {key: score_of(chain.head) for key, chain in said.get(judge.id, {}).items()}
        assert heads == state
        assert not any(chain.rivals for chain in said.get(judge.id, {}).values())
    assert len(stored) == model.records
