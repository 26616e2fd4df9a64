"""The records of a suite lie in one folder and are read as they are now, each once."""

import errno
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.disk.creating import MAX_BYTES
from evalcore.errors import UnknownName
from evalcore.judging.storing import record_files, stored_reviews
from evalcore.judging.storing.store import new_id, store
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews, review_folder
from tests.made import suite, workspace
from tests.reliability.writers import record

DEMO = Path("evalcore/demo/workspace").resolve()


@pytest.fixture
def reviews(tmp_path: Path) -> ReviewFolder:
    """Return the folder of a suite in an empty workspace."""
    return ReviewFolder(tmp_path, "reviews")


def stored(reviews: ReviewFolder, number: int = 1, kind: str = "eval-judgment") -> str:
    """Store a record and return its id."""
    return store(reviews, record(new_id(), number, kind)).id


@pytest.mark.parametrize(
    ("root", "folder"),
    [(None, "reviews"), (".", "reviews"), ("", "reviews"), ("a b/eval", "a b/eval/reviews")],
)
def test_reviews_lie_in_the_root_of_the_suite(
    tmp_path: Path, root: str | None, folder: str
) -> None:
    """Which may be that of the workspace."""
    ws = workspace(tmp_path, suite()._replace(root=root))
    assert review_folder(ws, "skills/pdf")[:2] == (tmp_path, folder)


def test_an_unknown_suite_is_said(tmp_path: Path) -> None:
    """With the nearest name."""
    with pytest.raises(UnknownName, match="Did you mean 'skills/pdf'"):
        review_folder(workspace(tmp_path, suite()), "skills/pdg")


def test_each_family_keeps_them_beside_its_runs() -> None:
    """Beside history.json, the iterations, in eval/, in the root of a store."""
    ws = open_workspace(DEMO)
    found = {name: review_folder(ws, name).path for name in ws.tables.suites["suite"]}
    assert found == {
        "commit-helper": "commit-helper-workspace/reviews",
        "error-messages": "error-messages-workspace/reviews",
        "invoice-extractor": "invoice-extractor-workspace/reviews",
        "logs/handbook_answers": "logs/reviews",
        "release-notes": "release-notes-workspace/reviews",
        "sql-helper": "sql-helper/eval/reviews",
        "support-agent": "support-agent/reviews",
        "triage-agent": "triage-agent/reviews",
    }


def test_records_of_all_types_stand_in_the_order_of_their_making(reviews: ReviewFolder) -> None:
    """With the path of each."""
    assert load_reviews(reviews) == ()
    made = [stored(reviews, 1), stored(reviews, 2, "note"), stored(reviews, 3, "skip")]
    found = load_reviews(reviews)
    assert [review.id for review in found] == made
    assert [review.type for review in found] == ["eval-judgment", "note", "skip"]
    assert found[1].path == f"reviews/note/{made[1]}.json"


def test_what_came_and_went_is_seen(reviews: ReviewFolder) -> None:
    """The next time one looks."""
    first, second = stored(reviews), stored(reviews)
    assert [review.id for review in load_reviews(reviews)] == [first, second]
    (reviews.root / f"reviews/eval-judgment/{first}.json").unlink()
    third = stored(reviews)
    assert [review.id for review in load_reviews(reviews)] == [second, third]


def test_few_new_records_come_in_their_places_as_many_do(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many are new at once."""
    names = [new_id() for _ in range(6)]
    for at in (4, 0, 5):
        store(reviews, record(names[at], at, "note"))
        assert [review.id for review in load_reviews(reviews)][-1] in names
    monkeypatch.setattr(stored_reviews, "FEW", 0)
    for at in (3, 1, 2):
        store(reviews, record(names[at], at, "note"))
    found = load_reviews(reviews)
    assert sorted(review.id for review in found) == names
    assert [review.order for review in found] == sorted(review.order for review in found)


def test_a_quiet_folder_is_not_even_listed(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own time says that no name came or went, until it does."""
    stored(reviews)
    folder = reviews.root / "reviews/eval-judgment"
    os.utime(folder, (1_000_000_000, 1_000_000_000))
    assert len(load_reviews(reviews)) == 1
    with monkeypatch.context() as patch:
        patch.setattr(record_files, "listed", lambda _: pytest.fail("it was listed"))
        assert len(load_reviews(reviews)) == 1
    stored(reviews)
    assert len(load_reviews(reviews)) == 2


Deed = Callable[[Path, dict[str, object]], object]
ODD: dict[str, Deed] = {
    "half": lambda path, value: path.write_text(json.dumps(value)[:-9]),
    "empty": lambda path, _: path.write_text(""),
    "zeros": lambda path, _: path.write_bytes(b"\0" * 400),
    "deep": lambda path, _: path.write_text("[" * 100_000),
    "another id": lambda path, value: path.write_text(json.dumps(value | {"id": new_id()})),
    "another type": lambda path, value: path.write_text(json.dumps(value | {"type": "note"})),
    "another schema": lambda path, value: path.write_text(json.dumps(value | {"schema": 2})),
    "too large": lambda path, value: path.write_text(json.dumps(value) + " " * MAX_BYTES),
    "pipe": lambda path, _: os.mkfifo(path),
    "folder": lambda path, _: path.mkdir(),
    "link": lambda path, _: path.symlink_to(path.parents[2] / "elsewhere.json"),
}


@pytest.mark.parametrize("name", ODD)
def test_what_is_no_record_of_ours_is_left_out(reviews: ReviewFolder, name: str) -> None:
    """The others are read; and it is read too once it is a record."""
    good, odd = stored(reviews), stored(reviews, 2)
    path = reviews.root / f"reviews/eval-judgment/{odd}.json"
    text = path.read_text("utf-8")
    path.unlink()
    (reviews.root / "elsewhere.json").write_text(text, "utf-8")
    ODD[name](path, json.loads(text))
    for _ in range(2):
        assert [review.id for review in load_reviews(reviews)] == [good]
    path.rmdir() if path.is_dir() else path.unlink()
    path.write_text(text, "utf-8")
    assert [review.id for review in load_reviews(reviews)] == [good, odd]


def test_a_folder_that_is_a_link_is_not_entered(reviews: ReviewFolder, tmp_path: Path) -> None:
    """Whatever lies behind it."""
    elsewhere = ReviewFolder(tmp_path, "elsewhere")
    stored(elsewhere)
    (tmp_path / "reviews").symlink_to(tmp_path / "elsewhere")
    assert load_reviews(reviews) == ()
    assert len(load_reviews(elsewhere)) == 1


def test_only_so_many_folders_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The least recently used folder is dropped."""
    monkeypatch.setattr(stored_reviews, "MAX_FOLDERS", 3)
    for number in range(6):
        load_reviews(ReviewFolder(tmp_path, f"{number}/reviews"))
    assert len(stored_reviews._folders) == 3


def test_a_folder_that_does_not_answer_takes_no_record_away(
    reviews: ReviewFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records never change: what was read stays until its folder says that it is gone."""
    one = stored(reviews)
    assert [review.id for review in load_reviews(reviews)] == [one]

    def stale(*_: object, **__: object) -> None:
        raise OSError(errno.ESTALE, "stale")

    with monkeypatch.context() as patch:
        patch.setattr(stored_reviews, "folder", stale)
        assert [review.id for review in load_reviews(reviews)] == [one]
    shutil.rmtree(reviews.root / "reviews")
    assert load_reviews(reviews) == ()
