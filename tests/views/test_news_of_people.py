"""What is told of records that people stored meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.judging.answering.excluding import exclude
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.sending import send
from evalcore.judging.model import Judge, Receipt
from evalcore.views.news import News, Stored, news, sentence, stored_sentence
from evalcore.workspace.opened import Workspace
from tests.judging.notes_and_exclusions import ANA, BEN, OTHER, RUN, SUITE, small

Act = Callable[[Workspace], Receipt | tuple[Receipt, ...]]
Said = Callable[..., tuple[News, str]]
ODD = "\N{REPLACEMENT CHARACTER}"


@pytest.fixture
def said(tmp_path: Path) -> Said:
    """Return a function that stores something and says what is new to Ana."""
    root = tmp_path / "skills"

    def stored(act: Act, known: bool = True) -> News:
        before = small(root)
        found = act(before)
        receipts = (found,) if isinstance(found, Receipt) else found
        paths = frozenset(each.path for each in receipts)
        after = open_workspace(root, cache=False)
        return news(before, after, paths if known else None, ANA.id)

    def words(act: Act, known: bool = True) -> tuple[News, str]:
        found = stored(act, known)
        return found, sentence(found, SUITE, RUN)

    return words


def test_what_another_stored_is_counted(said: Said) -> None:
    """Who it was and how much, never what it says."""
    found, words = said(lambda ws: add_note(ws, SUITE, RUN, "Secret.", BEN))
    assert words == "Ben stored 1 note"
    assert found
    assert "Secret" not in repr(found)


def test_ones_own_records_are_no_news(said: Said) -> None:
    """The page may move on to them quietly."""
    found, words = said(lambda ws: exclude(ws, RUN, "broken", ANA))
    assert (bool(found), words) == (False, "")


def test_news_without_known_files_are_the_same(said: Said) -> None:
    """Where it is not known which files changed, all are looked at."""
    _, words = said(lambda ws: send(ws, [RUN, OTHER], "", BEN).receipts, known=False)
    assert words.endswith("Ben stored 2 runs sent to judging")


def test_both_are_told_apart(said: Said) -> None:
    """Another's record is told although there is one of one's own beside it."""

    def act(ws: Workspace) -> tuple[Receipt, ...]:
        return add_note(ws, SUITE, RUN, "a", ANA), add_note(ws, SUITE, RUN, "b", BEN)

    _, words = said(act)
    assert words == "Ben stored 1 note"


@pytest.mark.parametrize(
    ("stored", "words"),
    [
        ([("eval-judgment", "a")] * 4, "a stored 4 judgments"),
        ([("eval-judgment", "a")] * 3 + [("note", "a")], "a stored 3 judgments and 1 note"),
        ([("note", "a"), ("note", "b")], "2 notes stored"),
        ([("note", "")], "1 note stored"),
        ([("approval-request", "a")], "a stored 1 run sent to judging"),
        ([("approval-request", "evalcore")] * 9, "9 runs are ready to judge"),
        ([("note", "x" * 60)], f"{'x' * 39}… stored 1 note"),
        ([("note", "a\n\u202eb")], f"a{ODD}{ODD}b stored 1 note"),
    ],
)
def test_the_words(stored: list[tuple[str, str]], words: str) -> None:
    """One author is named, of several there is the sum; a name stays one line."""
    assert stored_sentence(Stored(*each) for each in stored) == words


def test_a_name_in_a_record_is_not_trusted(said: Said) -> None:
    """Whoever wrote the record may have named themselves anything."""
    odd = Judge("<b>ana</b>\n# news", "odd")
    words = said(lambda ws: add_note(ws, SUITE, RUN, "x", odd))[1]
    assert words == f"<b>ana</b>{ODD}# news stored 1 note"
