"""What people judge in a bundle comes back once, and changes nothing that is there."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalcore.bundles.making import About, write_bundle
from evalcore.bundles.replies import reply_content, take
from evalcore.bundles.unpacking import unpack
from evalcore.errors import BundleRefused, CannotBundle
from evalcore.judging.answering.notes import add_note
from evalcore.judging.storing.judging_rule import choose_rule
from evalcore.judging.storing.stored_reviews import review_folder
from evalcore.workspace.opened import Workspace, open_workspace
from tests.bundles.made import HOME, NAME, bundled, forged
from tests.judging.copies import ANA, BEN, NOTES, NOTES_RUN, copied, judged, records, taken

REVIEWS = "release-notes-workspace/reviews"
ID = "01a20cbe-cb9a-7265-a956-2fad9e96e991"


@pytest.fixture
def mine(tmp_path: Path) -> Workspace:
    """The folder that a bundle was made of."""
    return copied(tmp_path / "mine", NOTES)


def replied(sent: Path, out: Path) -> Path:
    """Write what was judged in a bundle."""
    unpacked = unpack(sent)
    about = About("reply", "evalcore 1", NAME, of=unpacked.digest)
    with out.open("w+b") as file:
        write_bundle(file, unpacked.root, reply_content(unpacked), about, {})
    return out


def files(ws: Workspace) -> dict[str, bytes]:
    """Return the records in a folder."""
    found = (ws.root / REVIEWS).glob("*/*.json")
    return {path.relative_to(ws.root).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def reply(mine: Workspace, tmp_path: Path) -> Path:
    """A reply in which Ana judged a run."""
    sent = bundled(mine, tmp_path / "x.zip")
    judged(open_workspace(unpack(sent).root), NOTES_RUN)
    return replied(sent, tmp_path / "r.zip")


def test_a_judgment_comes_back_and_counts(mine: Workspace, reply: Path) -> None:
    """It is not stale: its output is the one that was sent."""
    found = take(mine, reply)
    assert (found.known, found.unattached, found.refused) == (0, 0, ())
    assert found.new == found.authors[ANA.id] == len(taken(mine, NOTES_RUN).mine) > 1
    assert {each.stale for each in taken(open_workspace(mine.root), NOTES_RUN).mine.values()} == {
        None
    }
    human = open_workspace(mine.root, cache=False).tables.judgments.query("judge_type == 'human'")
    assert set(human["status"].astype(str)) == {"scored"}


def test_taking_it_again_changes_nothing(mine: Workspace, reply: Path) -> None:
    """Same name, same bytes."""
    first = take(mine, reply)
    before = files(mine)
    again = take(mine, reply)
    assert (again.new, again.known) == (0, first.new)
    assert files(mine) == before


def test_another_record_of_that_name_stays_and_is_named(mine: Workspace, reply: Path) -> None:
    """The rest is stored."""
    first = take(mine, reply)
    path = next(iter(files(mine)))
    (mine.root / path).write_text(json.dumps({"mine": 1}))
    found = take(mine, reply)
    assert (found.new, found.known) == (0, first.new - 1)
    assert [path in each for each in found.refused] == [True]
    assert json.loads((mine.root / path).read_text()) == {"mine": 1}


def test_replies_of_several_people_are_put_together(mine: Workspace, tmp_path: Path) -> None:
    """In any order, and what was judged here meanwhile stays."""
    sent = bundled(mine, tmp_path / "x.zip")
    replies = []
    for judge in (ANA, BEN):
        root = unpack(sent).root
        judged(open_workspace(root), NOTES_RUN, judge)
        replies.append(replied(sent, tmp_path / f"{judge.id}.zip"))
    own = judged(mine, NOTES_RUN.replace("v0", "v1"))
    take(mine, replies[1])
    take(mine, replies[0])
    by = [each.created_by for each in records(mine, NOTES)]
    assert by.count(ANA.id) - len(own) == by.count(BEN.id) > 0


def test_only_what_was_made_in_the_bundle_is_in_a_reply(mine: Workspace, tmp_path: Path) -> None:
    """Records that were sent do not travel back; neither does what is no judgment."""
    judged(mine, NOTES_RUN, BEN)
    sent = bundled(open_workspace(mine.root), tmp_path / "x.zip")
    there = open_workspace(unpack(sent).root)
    add_note(there, NOTES, NOTES_RUN, "Too long.", ANA)
    choose_rule(review_folder(there, NOTES), "optional", ANA, "")
    found = reply_content(unpack(sent))
    assert [path.split("/")[-2] for path in found.paths] == ["note"]
    assert found.left_out == ("Left out: 1 of the type judging-rule, which replies do not carry.",)


def test_nothing_judged_is_no_reply(sent: Path) -> None:
    """It says where to judge."""
    with pytest.raises(CannotBundle, match="Nothing was judged in"):
        reply_content(unpack(sent))


def test_a_record_of_a_run_that_is_gone_is_stored_and_said(mine: Workspace, reply: Path) -> None:
    """It counts once the run is there again."""
    for path in mine.root.rglob("breaking-change_v0_run1.json"):
        path.unlink()
    shutil.rmtree(mine.root / "release-notes-workspace/v0/runs/breaking-change/run-1")
    found = take(open_workspace(mine.root, cache=False), reply)
    assert found.new == found.unattached > 0
    assert len(files(mine)) == found.new


def record(**changed: Any) -> dict[str, Any]:
    """Return a note as evalcore writes it, with something changed."""
    fields = {"testRunId": NOTES_RUN, "text": "Too long.", "author": ANA.id}
    plain = {"id": ID, "type": "note", "schema": 1, "fields": fields,
             "createdAt": "2026-03-01T10:00:00Z", "createdBy": ANA.id}  # fmt: skip
    return plain | changed


NOTE = f"{REVIEWS}/note/{ID}.json"


def test_the_record_of_these_tests_is_taken(mine: Workspace, tmp_path: Path) -> None:
    """The control of what is refused below."""
    data = json.dumps(record()).encode()
    found = take(mine, forged(tmp_path / "r.zip", {f"{HOME}/{NOTE}": data}, kind="reply"))
    assert (found.new, found.refused) == (1, ())


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (NOTE, record(type="approval")),
        (NOTE, record(id=ID.replace("01a", "01b"))),
        (NOTE, record(schema=2)),
        (NOTE, record(fields={})),
        (NOTE, record(fields=7)),
        (NOTE, [record()]),
        (NOTE.replace("note", "notes"), record()),
        (NOTE.replace("/note/", "/approval/"), record(type="approval")),
        (NOTE.replace("/note/", "/blind-key/"), record(type="blind-key")),
        (NOTE.replace("/note/", "/blind-verdict/"), record(type="blind-verdict")),
        (NOTE.replace("/note/", "/judging-rule/"), record(type="judging-rule")),
        (f"{REVIEWS}/note/x.json", record(id="x")),
        (f"other/reviews/note/{ID}.json", record()),
        (f"release-notes/evals/note/{ID}.json", record()),
        ("release-notes/evals/evals.json", {"cases": []}),
        ("release-notes-workspace/grading/breaking-change_v0_run1.json", {}),
        ("SKILL.md", {}),
    ],
)
def test_what_is_no_judgment_of_this_folder_is_not_stored(
    mine: Workspace, tmp_path: Path, path: str, value: object
) -> None:
    """Nor what stands beside it in the reply: all is looked at before the first is stored."""
    given = {
        f"{HOME}/{REVIEWS}/note/01a00000-0000-7000-8000-000000000000.json": json.dumps(
            record(id="01a00000-0000-7000-8000-000000000000")
        ).encode(),
        f"{HOME}/{path}": json.dumps(value).encode(),
    }
    before = files(mine)
    with pytest.raises(BundleRefused) as error:
        take(mine, forged(tmp_path / "r.zip", given, kind="reply"))
    assert path in str(error.value)
    assert files(mine) == before


def test_a_bundle_is_no_reply(mine: Workspace, sent: Path) -> None:
    """It would bring more than judgments."""
    with pytest.raises(BundleRefused, match="it is no reply to a bundle"):
        take(mine, sent)


def test_a_link_in_place_of_the_records_is_not_followed(
    mine: Workspace, reply: Path, tmp_path: Path
) -> None:
    """Nothing is written where it leads."""
    away = tmp_path / "away"
    away.mkdir()
    (mine.root / REVIEWS).symlink_to(away)
    with pytest.raises(Exception, match="a link leads there"):
        take(mine, reply)
    assert [*away.iterdir()] == []
