"""A file of a record is parsed once, and again when its content has changed."""

import os
from pathlib import Path

import pytest

from evalcore.families.reviews.review import review_of
from evalcore.judging.storing import record_files
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews
from tests.reliability.writers import record


@pytest.fixture
def reviews(tmp_path: Path) -> ReviewFolder:
    """Return a folder of three records."""
    found = ReviewFolder(tmp_path, "reviews")
    for number in range(3):
        store(found, record(new_id(), number, "note"))
    return found


def file(reviews: ReviewFolder) -> Path:
    """Return the file of the first record."""
    return reviews.root / load_reviews(reviews)[0].path


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the paths of the files that are parsed from now on."""
    found: list[str] = []

    def noted(value: object, path: str) -> object:
        found.append(path)
        return review_of(value, path)

    monkeypatch.setattr(record_files, "review_of", noted)
    return found


def test_a_record_is_parsed_once(reviews: ReviewFolder, parsed: list[str]) -> None:
    """The same records are returned while nothing has changed, also where files were touched."""
    again = load_reviews(reviews)
    assert len(parsed) == 3
    for review in again:
        (reviews.root / review.path).touch()
    assert load_reviews(reviews) is again
    store(reviews, record(new_id(), 9, "note"))
    assert load_reviews(reviews)[:3] == again
    assert len(parsed) == 4


@pytest.mark.parametrize("seconds", [record_files.SETTLED_SECONDS, -1.0])
def test_a_record_that_changed_on_disk_is_read_again(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """Also with the size and time of before, whether or not its file changed just now."""
    monkeypatch.setattr(record_files, "SETTLED_SECONDS", seconds)
    path, before = file(reviews), load_reviews(reviews)
    about, text, author = path.stat(), path.read_text("utf-8"), before[0].created_by
    while path.stat().st_ctime_ns == about.st_ctime_ns:  # which a moment's resolution may hide
        path.write_text(text.replace(author, "eva".ljust(len(author))), "utf-8")
        os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (about.st_size, about.st_mtime_ns)
    after = load_reviews(reviews)
    assert after[0].created_by.strip() == "eva"
    assert after[1:] == before[1:]


def test_a_record_that_is_none_any_more_is_left_out_and_comes_back(reviews: ReviewFolder) -> None:
    """Without any name in its folder having changed."""
    path, before = file(reviews), load_reviews(reviews)
    text = path.read_text("utf-8")
    path.write_text("[]")
    assert load_reviews(reviews) == before[1:]
    path.write_text(text)
    assert load_reviews(reviews) == before


def test_a_settled_file_is_not_read_again(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its stat says that it is the same."""
    monkeypatch.setattr(record_files, "SETTLED_SECONDS", -1.0)
    load_reviews(reviews)
    monkeypatch.setattr(record_files, "_content", lambda *_: pytest.fail("it was read"))
    assert len(load_reviews(reviews)) == 3


def test_many_files_take_turns_to_be_compared(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look compares as few of them; no file is left out."""
    monkeypatch.setattr(record_files, "SETTLED_SECONDS", -1.0)
    monkeypatch.setattr(record_files, "COMPARED", 2)
    load_reviews(reviews)
    compared: list[str] = []
    real = record_files._stat

    def noted(handle: int, name: str) -> tuple[int, ...]:
        compared.append(name)
        return real(handle, name)

    monkeypatch.setattr(record_files, "_stat", noted)
    for look in range(1, 4):
        load_reviews(reviews)
        assert len(compared) == 2 * look
    assert len(set(compared)) == 3
