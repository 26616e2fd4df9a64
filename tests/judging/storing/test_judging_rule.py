"""For which verdicts a suite requires a reason: chosen by compare-and-set, obeyed everywhere."""

import json
from itertools import product
from pathlib import Path

import pytest

from evalcore.blind.judging import Answer as Verdict
from evalcore.blind.judging import give_verdict
from evalcore.blind.packets import import_verdicts, load_verdicts
from evalcore.errors import CannotJudge, StaleTask
from evalcore.families.reviews.review import REASONS, Reasons, needs_reason
from evalcore.judging.answering.submitting import submit, undo
from evalcore.judging.model import Answer, Judge
from evalcore.judging.storing.judging_rule import JudgingRule, choose_rule, rule_of
from evalcore.judging.storing.store import new_id
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace, open_workspace
from tests.blind.packet_files import exported, saved, verdict
from tests.blind.study import created, now, opened
from tests.judging.copies import (
    ANA,
    BEN,
    INVOICES,
    NOTES,
    NOTES_RUN,
    copied,
    judged,
    records,
    reset,
    taken,
)

PASSES, FAILS = 3.0, 2.0
"""Scores of the release notes, whose criteria pass from 3 of 5 on."""


@pytest.fixture(scope="module")
def opened_copy(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A copy of the release notes and of the invoices, opened once."""
    return copied(tmp_path_factory.mktemp("rule"), NOTES, INVOICES)


@pytest.fixture
def ws(opened_copy: Workspace) -> Workspace:
    """The copy as it was opened."""
    return reset(opened_copy, NOTES, INVOICES)


def chosen(ws: Workspace, reasons: Reasons, suite: str = NOTES, judge: Judge = ANA) -> None:
    """Choose what a suite requires, in place of what stands."""
    choose_rule(review_folder(ws, suite), reasons, judge, rule_of(records(ws, suite)).id)


def silent(ws: Workspace, score: float) -> list[Answer]:
    """Return one answer without a reason."""
    return [Answer(taken(ws, NOTES_RUN).criteria[0].key, score, " ")]


def test_every_verdict_needs_a_reason_until_somebody_chooses(ws: Workspace) -> None:
    """Seed 001: a score without its reason gives nobody anything to work with."""
    assert rule_of(records(ws, NOTES)) == JudgingRule("required", "", "", None, None)


def test_the_last_choice_stands_with_who_made_it(ws: Workspace) -> None:
    """The records before it stay."""
    chosen(ws, "optional")
    chosen(ws, "for a fail", judge=BEN)
    rule = rule_of(records(ws, NOTES))
    assert (rule.reasons, rule.author) == ("for a fail", BEN.id)
    assert len(records(ws, NOTES)) == 2


def test_of_two_that_choose_at_once_one_is_told_what_the_other_chose(ws: Workspace) -> None:
    """Whether or not the second has read the first one's record."""
    folder = review_folder(ws, NOTES)
    choose_rule(folder, "optional", ANA, "")
    with pytest.raises(StaleTask, match="Ana has just chosen that a reason is optional"):
        choose_rule(folder, "for a fail", BEN, "")
    assert rule_of(records(ws, NOTES)).reasons == "optional"


def test_two_processes_that_both_read_nothing_lose_nothing(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file of a choice is named after what it replaces, and is created once."""
    folder = review_folder(ws, NOTES)
    choose_rule(folder, "optional", ANA, "")
    read = iter([(), records(ws, NOTES)])
    monkeypatch.setattr("evalcore.judging.storing.judging_rule.load_reviews", lambda _: next(read))
    with pytest.raises(StaleTask, match="Ana has just chosen"):
        choose_rule(folder, "for a fail", BEN, "")


NEEDED = {
    ("required", False): True, ("required", True): True,
    ("for a fail", False): False, ("for a fail", True): True,
    ("optional", False): False, ("optional", True): False,
    (None, False): True, ("never", True): True,
}  # fmt: skip


@pytest.mark.parametrize(("rule", "fails"), [*NEEDED])
def test_what_is_no_rule_requires_a_reason(rule: str | None, fails: bool) -> None:
    """A record that says something else, or was written before this could be chosen."""
    assert needs_reason(rule, fails) is NEEDED[rule, fails]


@pytest.mark.parametrize(("reasons", "score"), [*product(REASONS, (PASSES, FAILS))])
def test_a_score_without_a_reason_is_stored_only_where_the_suite_allows_it(
    ws: Workspace, reasons: Reasons, score: float
) -> None:
    """By the pass mark of its criterion; the record says what was required."""
    chosen(ws, reasons)
    of = taken(ws, NOTES_RUN)
    if NEEDED[reasons, score < PASSES]:
        with pytest.raises(CannotJudge, match="has no rationale"):
            submit(ws, of, silent(ws, score), ANA, partial=True)
        return
    (receipt,) = submit(ws, of, silent(ws, score), ANA, partial=True)
    stored = json.loads((ws.root / receipt.path).read_text("utf-8"))
    assert stored["fields"]["rationale"] == ""
    assert stored["evalcore"]["reasons"] == reasons
    rows = open_workspace(ws.root, cache=False).tables.judgments
    (row,) = rows[rows["source"] == receipt.path].itertuples()
    assert (row.status, row.score) == ("scored", score)


def test_a_score_without_a_reason_counts_only_with_the_rule_that_allowed_it(ws: Workspace) -> None:
    """The rule of today does not reach back, and the lowest score is a fail everywhere."""
    chosen(ws, "for a fail")
    (receipt,) = judged(ws, NOTES_RUN, given=None)[:1]
    file = ws.root / receipt.path
    value = json.loads(file.read_text("utf-8"))
    for reasons, score, status in (
        ("for a fail", 5, "scored"), ("for a fail", 1, "unscored"), ("required", 5, "unscored"),
        (None, 5, "unscored"), ("optional", 1, "scored"),
    ):  # fmt: skip
        value["fields"] |= {"rationale": "", "score": score}
        value["evalcore"]["reasons"] = reasons
        file.write_text(json.dumps(value), "utf-8")
        found = open_workspace(ws.root, cache=False).tables.judgments
        (row,) = found[found["source"] == receipt.path].itertuples()
        assert row.status == status, (reasons, score)


def test_a_restored_score_without_a_reason_counts_again(ws: Workspace) -> None:
    """Undoing a correction brings back the rule that the score was given by."""
    chosen(ws, "optional")
    of = taken(ws, NOTES_RUN)
    given = [Answer(each.key, 5.0, "") for each in of.criteria]
    judged(ws, NOTES_RUN, given=given)
    chosen(ws, "required")
    second = judged(ws, NOTES_RUN, given=[each._replace(rationale="So.") for each in given])
    undo(ws, NOTES_RUN, ANA, [receipt.id for receipt in second])
    again = open_workspace(ws.root, cache=False).tables.judgments
    mine = again[again["source"].str.contains("/reviews/") & (again["status"] != "superseded")]
    assert set(mine["status"]) == {"scored"}


def test_a_study_keeps_the_rule_that_it_was_made_under(ws: Workspace) -> None:
    """All its judges are asked alike; that both are bad is a fail."""
    chosen(ws, "for a fail", INVOICES)
    study = created(ws, ANA)
    chosen(ws, "required", INVOICES)
    give_verdict(ws, study, opened(ws, study), Verdict("left", {}, ""), ANA, new_id())
    with pytest.raises(CannotJudge, match="This verdict needs a reason"):
        give_verdict(
            ws, study, opened(ws, study, place=1), Verdict("both bad", {}, ""), ANA, new_id()
        )
    (stored,) = (ws.root).rglob("blind-verdict/*.json")
    assert json.loads(stored.read_text("utf-8"))["evalcore"]["reasons"] == "for a fail"


def test_a_packet_says_and_obeys_the_rule_of_its_study(ws: Workspace, tmp_path: Path) -> None:
    """What its window was told, the import checks."""
    chosen(ws, "for a fail", INVOICES)
    study = created(ws, ANA)
    _, data = exported(ws, study)
    assert data["reasons"] == "for a fail"
    bare = [
        verdict(data, 0, "tie") | {"rationale": ""},
        verdict(data, 1, "both bad") | {"rationale": ""},
    ]
    file = saved(tmp_path, data, *bare)
    found = import_verdicts(ws, now(ws, study.id), file, load_verdicts(file))
    assert (found.new, found.left_out) == (
        1, ("This verdict needs a reason. Give it in a few words.",),
    )  # fmt: skip
