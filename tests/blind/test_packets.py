"""Packets: only what this study's packet showed is taken, each verdict once."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.blind.closing import close, reveal_to, revealed
from evalcore.blind.packets import (
    OLDER,
    Imported,
    import_verdicts,
    load_verdicts,
    new_packet,
    packet_tasks,
)
from evalcore.errors import CannotImport, CannotJudge
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace
from tests.blind.packet_files import exported, saved, verdict
from tests.blind.study import created, now, said
from tests.judging.copies import ANA, BEN


def brought(ws: Workspace, study: Study, file: Path) -> Imported:
    """Import a file into a study as it is now."""
    return import_verdicts(ws, now(ws, study.id), file, load_verdicts(file))


def winners(ws: Workspace, study: Study) -> list[str]:
    """Return what the verdicts of a study say that stand."""
    return sorted(str(each.fields.winner) for each in now(ws, study.id).verdicts)


@pytest.fixture
def study(ws: Workspace) -> Study:
    """A study in which Ana judges, and nobody else is named."""
    return created(ws, ANA)


def test_a_packet_takes_part_without_a_name(ws: Workspace, study: Study) -> None:
    """Also where others are named; its judge is known by chance signs only."""
    judge, data = exported(ws, study)
    assert now(ws, study.id).parts == {judge.id: "joined"}
    assert judge.id.startswith("packet-")
    assert len(data["tasks"]) == 4


def test_a_packet_that_was_never_saved_leaves_no_judge(ws: Workspace, study: Study) -> None:
    """Whoever closed the window, or named a place that cannot be written."""
    assert len(packet_tasks(ws, study, new_packet())) == 4
    assert now(ws, study.id).parts == {}


def test_its_verdicts_are_stored_and_read_with_their_sides(
    ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """By the same rule as those given on the page, with the time at which they were given."""
    judge, data = exported(ws, study)
    file = saved(tmp_path, data, *(verdict(data, at) for at in range(4)))
    assert brought(ws, study, file) == Imported(judge.id, 4, 0, 0, 4, 4, ())
    (first, *_) = now(ws, study.id).verdicts
    assert (first.judge, first.fields.judged_at) == (judge.id, "2026-11-24T10:00:00.000Z")
    close(ws, now(ws, study.id), BEN)
    told = revealed(now(ws, study.id)).verdicts
    assert sorted(each.won for each in told) == ["a", "a", "b", "b"]


def test_a_second_import_stores_nothing(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """Also after the study is closed."""
    judge, data = exported(ws, study)
    file = saved(tmp_path, data, verdict(data))
    brought(ws, study, file)
    assert brought(ws, study, file) == Imported(judge.id, 0, 0, 1, 1, 4, ())
    close(ws, now(ws, study.id), BEN)
    assert brought(ws, study, file) == Imported(judge.id, 0, 0, 1, 1, 4, ())


def test_a_packet_takes_part_though_nothing_says_that_it_was_saved(
    ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """Its seals tell whose it is; a server may end between sending it and storing that."""
    judge, data = exported(ws, study)
    joined = review_folder(ws, study.suite)
    for file in (joined.root / joined.path / "blind-judge").iterdir():
        file.unlink()
    assert now(ws, study.id).parts == {}
    assert brought(ws, study, saved(tmp_path, data, verdict(data))).new == 1
    assert now(ws, study.id).parts == {judge.id: "joined"}


def test_a_later_file_brings_what_is_new(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """A correction replaces its verdict, and one that was taken back is open again."""
    judge, data = exported(ws, study)
    one, two = verdict(data, 0), verdict(data, 1)
    brought(ws, study, saved(tmp_path, data, one, two))
    later = verdict(data, 0, "tie"), verdict(data, 1, None), verdict(data, 2, "both bad")
    file = saved(tmp_path, data, one, two, *later)
    assert brought(ws, study, file) == Imported(judge.id, 2, 1, 0, 2, 4, ())
    assert winners(ws, study) == ["both bad", "tie"]
    assert brought(ws, study, file) == Imported(judge.id, 0, 0, 2, 2, 4, ())


def test_an_older_file_says_that_it_stores_nothing(
    ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """What it says was taken back since; it is there, and stands no more."""
    judge, data = exported(ws, study)
    one = verdict(data)
    older = saved(tmp_path, data, one)
    brought(ws, study, older)
    brought(ws, study, saved(tmp_path, data, one, verdict(data, 0, None)))
    assert brought(ws, study, older) == Imported(judge.id, 0, 0, 0, 0, 4, (OLDER,))
    assert winners(ws, study) == []


def test_a_verdict_from_the_future_is_left_out(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """Clocks may differ by a day."""
    _, data = exported(ws, study)
    file = saved(tmp_path, data, {**verdict(data), "judged_at": "2999-01-01T00:00:00Z"})
    assert brought(ws, study, file).left_out == (
        "A verdict is dated 2999-01-01T00:00:00Z, after now. Correct its judged_at.",
    )


def test_what_was_taken_back_before_the_first_import_is_not_stored(
    ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """Nor said to be left out."""
    judge, data = exported(ws, study)
    file = saved(tmp_path, data, verdict(data), verdict(data, 0, None))
    assert brought(ws, study, file) == Imported(judge.id, 0, 0, 0, 0, 4, ())
    assert winners(ws, study) == []


def test_two_judges_cannot_share_a_packet(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """The second one's file lacks the verdicts of the first."""
    _, data = exported(ws, study)
    brought(ws, study, saved(tmp_path, data, verdict(data)))
    with pytest.raises(CannotImport, match="one judge in one browser"):
        brought(ws, study, saved(tmp_path, data, verdict(data, 1)))
    assert winners(ws, study) == ["left"]


def changed(data: dict[str, Any], **fields: object) -> dict[str, Any]:
    """Return a verdict with other fields."""
    return {**verdict(data, 1), **fields}


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"shown": "0" * 64}, "shown for pair 2 is not what the packet had"),
        ({"seal": "0" * 64}, "shown for pair 2 is not what the packet had"),
        ({"task": "0" * 32}, "judges a pair that is not in packet-"),
        ({"winner": "a"}, r"Invalid enum value 'a' - at `\$.verdicts\[0\].winner`"),
        ({"id": "../../x"}, r"at `\$.verdicts\[0\].id`"),
        ({"task": "0" * 32 + "\n"}, r"at `\$.verdicts\[0\].task`"),
        ({"judged_at": "yesterday"}, r"judged_at must be an ISO 8601 .* - at `\$.verdicts\[0\]`"),
        ({"more": 1}, r"unknown field `more` - at `\$.verdicts\[0\]`"),
    ],
)
def test_a_changed_file_is_refused_whole(
    ws: Workspace, study: Study, tmp_path: Path, fields: dict[str, object], why: str
) -> None:
    """With the reason; the sound verdict beside it is not stored either."""
    _, data = exported(ws, study)
    file = saved(tmp_path, data, changed(data, **fields), verdict(data, 0))
    with pytest.raises(CannotImport, match=why):
        brought(ws, study, file)
    assert winners(ws, study) == []


def test_a_changed_packet_is_refused(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """What the window shows is hashed there, so that another text has another hash."""
    _, data = exported(ws, study)
    data["tasks"][0]["text"] = data["tasks"][0]["text"].replace('"prompt":"', '"prompt":"Also')
    with pytest.raises(CannotImport, match="shown for pair 1"):
        brought(ws, study, saved(tmp_path, data, verdict(data)))


def test_a_task_is_not_taken_for_another(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """The seal is of one task of one packet."""
    _, data = exported(ws, study)
    _, other = exported(ws, study)
    mixed = {**verdict(data, 0), "task": verdict(data, 1)["task"]}
    foreign = {**verdict(data, 0), "seal": verdict(other, 0)["seal"]}
    for each in (mixed, foreign):
        with pytest.raises(CannotImport, match="is not what the packet had"):
            brought(ws, study, saved(tmp_path, data, each))


@pytest.mark.parametrize(
    ("other", "why"),
    [
        ({"study": "another"}, "of the study another, not of"),
        ({"packet": "packet-0123456789abcdef"}, "judges a pair that is not in packet-0123"),
        ({"packet": "ana-3f2a"}, r"at `\$.packet`"),
        ({"format": "other"}, "not a file of verdicts"),
        ({"version": 2}, r"Invalid enum value 2 - at `\$.version`"),
    ],
)
def test_a_foreign_file_is_refused(
    ws: Workspace, study: Study, tmp_path: Path, other: dict[str, object], why: str
) -> None:
    """One of another study, of no packet, or of another form."""
    _, data = exported(ws, study)
    with pytest.raises(CannotImport, match=why):
        brought(ws, study, saved(tmp_path, data, verdict(data), **other))


def test_what_is_no_file_of_verdicts_is_refused(tmp_path: Path) -> None:
    """With the reason."""
    (tmp_path / "x.json").write_text("[1]", "utf-8")
    with pytest.raises(CannotImport, match="not a file of verdicts"):
        load_verdicts(tmp_path / "x.json")
    with pytest.raises(CannotImport, match="cannot be read"):
        load_verdicts(tmp_path / "none.json")


def test_a_closed_study_takes_nothing_new(ws: Workspace, study: Study, tmp_path: Path) -> None:
    """And gives no packet."""
    _, data = exported(ws, study)
    close(ws, study, BEN)
    with pytest.raises(CannotJudge, match="closed"):
        brought(ws, study, saved(tmp_path, data, verdict(data)))
    with pytest.raises(CannotJudge, match="closed"):
        exported(ws, now(ws, study.id))


def test_a_packet_that_was_told_its_sides_is_over(
    ws: Workspace, study: Study, tmp_path: Path
) -> None:
    """As for everybody who was told."""
    judge, data = exported(ws, study)
    given = [verdict(data, at) for at in range(4)]
    brought(ws, study, saved(tmp_path, data, *given))
    reveal_to(ws, now(ws, study.id), judge)
    with pytest.raises(CannotJudge, match="have finished it"):
        brought(ws, study, saved(tmp_path, data, *given, verdict(data, 0, "right")))


def test_without_the_secret_nothing_leaves_or_comes(
    ws: Workspace, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a machine that did not create the study."""
    _, data = exported(ws, study)
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(tmp_path / "elsewhere"))
    with pytest.raises(CannotJudge, match="not on this machine"):
        brought(ws, study, saved(tmp_path, data, verdict(data)))
    with pytest.raises(CannotJudge, match="not on this machine"):
        exported(ws, study)


def test_pairs_that_others_finished_meanwhile_are_left_out(ws: Workspace, tmp_path: Path) -> None:
    """With the reason; the rest is stored."""
    study = created(ws, ANA, BEN, per_task=1)
    judge, data = exported(ws, study)
    said(ws, now(ws, study.id), "left", place=0)
    found = brought(ws, study, saved(tmp_path, data, *(verdict(data, at) for at in range(4))))
    assert (found.new, len(found.left_out)) == (3, 1)
    assert "Enough judges" in found.left_out[0]
    assert judge.id in {each.judge for each in now(ws, study.id).verdicts}


def test_scores_are_checked_as_on_the_page(ws: Workspace, tmp_path: Path) -> None:
    """One that is missing or off its scale is not stored, and said."""
    study = created(ws, criteria="description")
    _, data = exported(ws, study)
    full = {"accuracy": [1, 5], "completeness": [2, 2], "clarity": [3, 4]}
    file = saved(
        tmp_path,
        data,
        {**verdict(data, 0), "scores": full},
        {**verdict(data, 1), "scores": {**full, "clarity": [None, 4]}},
        {**verdict(data, 2), "scores": {**full, "clarity": [3, 6]}},
    )
    found = brought(ws, study, file)
    assert found.new == 1
    assert found.left_out == (
        "clarity has no score on one side. Score both.", "clarity is scored from 1 to 5.",
    )  # fmt: skip


def test_where_no_pair_is_left_there_is_no_packet(ws: Workspace, tmp_path: Path) -> None:
    """And nobody takes part in vain."""
    study = created(ws, per_task=1)
    first, data = exported(ws, study)
    brought(ws, study, saved(tmp_path, data, *(verdict(data, at) for at in range(4))))
    with pytest.raises(CannotJudge, match="No pair is left for another judge"):
        exported(ws, now(ws, study.id))
    assert now(ws, study.id).parts == {first.id: "joined"}
