"""A record of a person is stored once, whole, with a receipt."""

import hashlib
import json
import os
import threading
import uuid
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from evalcore.errors import AlreadyStored, CannotWrite
from evalcore.families.reviews.models import BY_TYPE, NoteFields, ReviewRecord
from evalcore.judging.model import Receipt
from evalcore.judging.storing.store import new_id, store, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from evalcore.shapes.models import as_json
from tests.reliability.writers import FIELDS, record, record_of

TIME = "2026-11-22T10:00:00Z"


@pytest.fixture
def reviews(tmp_path: Path) -> ReviewFolder:
    """Return the folder of a suite in an empty workspace."""
    return ReviewFolder(tmp_path, "skills/pdf/reviews")


def note(text: str, name: str | None = None, time: str = TIME) -> ReviewRecord:
    """Return a remark."""
    return ReviewRecord(
        id=name or new_id(),
        type="note",
        fields=NoteFields(text=text).written(),
        created_at=time,
        created_by="ada-3f2a",
    )


def records(reviews: ReviewFolder) -> list[str]:
    """Return the paths of all records."""
    folder = reviews.root / reviews.path
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json"))


@pytest.mark.parametrize("kind", FIELDS)
def test_the_receipt_is_of_what_lies_there(reviews: ReviewFolder, kind: str) -> None:
    """Id, sha256 of the bytes and path; the file holds the record in the folder of its type."""
    one = record(new_id(), 1, kind)
    receipt = store(reviews, one)
    data = (reviews.root / receipt.path).read_bytes()
    assert receipt == Receipt(
        one.id, hashlib.sha256(data).hexdigest(), f"{reviews.path}/{kind}/{one.id}.json", True
    )
    assert json.loads(data) == as_json(one)


def test_every_type_can_be_stored() -> None:
    """The types above are all there are."""
    assert FIELDS.keys() == BY_TYPE.keys()


def test_stored_again_it_is_the_same_record(reviews: ReviewFolder) -> None:
    """A retry has other times: the receipt is that of what is stored, and no file is added."""
    name = new_id()
    first = store(reviews, record(name, 1))
    again = store(reviews, record(name, 1))
    assert again == first._replace(new=False)
    assert len(records(reviews)) == 1


def test_another_content_under_its_id_is_refused(reviews: ReviewFolder) -> None:
    """What is stored stays."""
    name = new_id()
    receipt = store(reviews, note("mine", name))
    with pytest.raises(AlreadyStored, match="something else is stored"):
        store(reviews, note("yours", name))
    assert hashlib.sha256((reviews.root / receipt.path).read_bytes()).hexdigest() == receipt.sha256


def test_an_invalid_record_is_refused_before_anything_is_written(reviews: ReviewFolder) -> None:
    """The message names the field."""
    wrong = record(new_id(), 1)
    wrong.fields["judgedByType"] = "parrot"
    with pytest.raises(CannotWrite, match="/fields/judgedByType"):
        store(reviews, wrong)
    assert not (reviews.root / "skills").exists()


@pytest.mark.parametrize(
    ("field", "value"),
    [("id", "../../../../etc/passwd"), ("id", "A" * 36), ("id", ""), ("type", "../note")],
)
def test_id_and_type_never_become_paths(reviews: ReviewFolder, field: str, value: str) -> None:
    """Whoever made the record."""
    wrong = replace(note("a"), **{field: value})
    with pytest.raises(CannotWrite, match="not a record"):
        store(reviews, wrong)
    assert not (reviews.root / "skills").exists()


@given(text=st.text(st.characters()), extra=st.text(st.characters()))
def test_any_text_is_stored_as_it_is_or_refused(
    tmp_path_factory: pytest.TempPathFactory, text: str, extra: str
) -> None:
    """Half characters, which UTF-8 has no form for, are refused; nothing is left behind then."""
    reviews = ReviewFolder(tmp_path_factory.mktemp("any"), "reviews")
    one = replace(note(text), created_by=extra)
    try:
        receipt = store(reviews, one)
    except CannotWrite:
        assert any("\ud800" <= each <= "\udfff" for each in text + extra)
        assert records(reviews) == []
        return
    read = json.loads((reviews.root / receipt.path).read_bytes())
    assert record_of(read) == one
    assert [review.fields["text"] for review in load_reviews(reviews)] == [text]


def test_a_half_character_is_refused(reviews: ReviewFolder) -> None:
    """With what to do about it."""
    with pytest.raises(CannotWrite, match=r"half of a character|valid Unicode"):
        store(reviews, note("a \ud800"))
    assert not (reviews.root / "skills").exists()


def test_ids_are_uuids_of_version_7_and_grow() -> None:
    """In the order they are made, also within a millisecond; each holds its time."""
    made = [new_id() for _ in range(5_000)]
    assert made == sorted(set(made))
    about = [uuid.UUID(each) for each in made]
    assert {(each.version, each.variant) for each in about} == {(7, uuid.RFC_4122)}
    assert about[-1].int >> 80 >= about[0].int >> 80 > 1_700_000_000_000


def test_ids_of_threads_never_meet() -> None:
    """However many make them at once."""
    found: list[list[str]] = [[] for _ in range(4)]

    def make(mine: list[str]) -> None:
        mine.extend(new_id() for _ in range(2_000))

    threads = [threading.Thread(target=make, args=(mine,)) for mine in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(mine == sorted(mine) for mine in found)
    assert len({each for mine in found for each in mine}) == 8_000


def test_many_threads_store_at_once(reviews: ReviewFolder) -> None:
    """500 judgments of ten people: 500 records, 500 receipts."""
    receipts: list[Receipt] = []

    def judge() -> None:
        receipts.extend(store(reviews, note(f"{each}")) for each in range(50))

    threads = [threading.Thread(target=judge) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({receipt.id for receipt in receipts}) == len(records(reviews)) == 500
    assert all(receipt.new for receipt in receipts)


def test_where_one_can_write_nothing_is_said_and_nothing_made(reviews: ReviewFolder) -> None:
    """Also where the folder is still missing."""
    assert unwritable(reviews) is None
    assert list(reviews.root.iterdir()) == []
    store(reviews, note("a"))
    assert unwritable(reviews) is None


@pytest.mark.parametrize("name", ["skills/pdf/reviews", "skills/pdf/reviews/note"])
def test_what_is_no_folder_is_said(reviews: ReviewFolder, tmp_path: Path, name: str) -> None:
    """A file or a link where a folder belongs."""
    path = tmp_path / name
    path.parent.mkdir(parents=True)
    path.write_text("")
    assert f"{path} is not a folder" in str(unwritable(reviews))
    path.unlink()
    path.symlink_to(tmp_path)
    assert "links are not followed" in str(unwritable(reviews))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_missing_permission_is_said(reviews: ReviewFolder, tmp_path: Path) -> None:
    """Before anybody typed anything."""
    tmp_path.chmod(0o555)
    assert "no permission to write in" in str(unwritable(reviews))
    tmp_path.chmod(0o755)
