"""Who judges here: a name, and four digits that this machine keeps."""

import errno
import json
import re
import threading
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.disk import private
from evalcore.errors import CannotJudge, CannotWrite
from evalcore.judging.limits import LIMITS
from evalcore.judging.model import Judge
from evalcore.judging.storing import judges
from evalcore.judging.storing.judges import (
    clean_name,
    current_judge,
    known_judges,
    only_known_judge,
    remember_judge,
)

ONE, TWO = "cookie of one browser", "cookie of another"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a state folder of our own."""
    folder = tmp_path / "state"
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(folder))
    return folder


def test_at_first_nobody_is_known() -> None:
    """And to ask writes nothing."""
    assert current_judge(ONE) is None
    assert current_judge(None) is None


def test_a_judge_is_a_name_and_a_short_suffix() -> None:
    """The slug of the name and four hexadecimal digits."""
    judge = remember_judge("Ada Lovelace", ONE)
    assert judge.name == "Ada Lovelace"
    assert re.fullmatch(r"ada-lovelace-[0-9a-f]{4}", judge.id)


def test_a_new_browser_is_nobody_before_it_says_so() -> None:
    """It may be a second person's; the name of the only judge is offered, no more."""
    ada = remember_judge("Ada", ONE)
    assert (current_judge(ONE), current_judge(TWO)) == (ada, None)
    assert only_known_judge() == ada == current_judge(None)
    remember_judge("Bob", TWO)
    assert only_known_judge() is None


def test_each_browser_keeps_its_judge() -> None:
    """Of several, a browser that chose nobody has nobody."""
    ada, bob = remember_judge("Ada", ONE), remember_judge("Bob", TWO)
    assert (current_judge(ONE), current_judge(TWO)) == (ada, bob)
    assert current_judge("a third") is None
    assert current_judge(None) is None
    assert remember_judge("Bob", ONE) == current_judge(ONE) == bob


def test_the_same_name_is_the_same_judge() -> None:
    """However it is capitalised, composed or spaced."""
    jose = remember_judge("José  Pérez", ONE)
    assert remember_judge("jose\u0301 pe\u0301rez ", TWO) == jose
    assert remember_judge("JOSÉ PÉREZ", None) == jose


@pytest.mark.parametrize(
    ("name", "shown", "slug"),
    [
        ("王小明", "王小明", "王小明"),
        ("Jörg Ünal", "Jörg Ünal", "jorg-unal"),
        ("", "judge", "judge"),
        ("\u202e\x00\ud800", "judge", "judge"),
        ("a\tb\nc\x1b[31m", "a b c[31m", "a-b-c-31m"),
        ("../../etc/passwd", "../../etc/passwd", "etc-passwd"),
        ("a" * LIMITS.name, "a" * LIMITS.name, "a" * 24),
    ],
)
def test_names_are_made_harmless(name: str, shown: str, slug: str) -> None:
    """One line without anything unseen, and a slug of letters, plain ones where it has any."""
    judge = remember_judge(name, ONE)
    assert judge.name == shown
    assert judge.id.rpartition("-")[0] == slug


def test_a_name_that_is_too_long_is_refused() -> None:
    """Not cut: two people could then have one name."""
    with pytest.raises(CannotJudge, match="The name has 81 characters, at most 80 are stored"):
        remember_judge("a" * (LIMITS.name + 1), ONE)
    assert current_judge(ONE) is None


@given(st.text(st.characters(), max_size=200))
def test_any_name_is_one_line_that_can_be_written(name: str) -> None:
    """And cleaning it twice changes nothing."""
    shown = clean_name(name)
    assert 0 < len(shown) <= LIMITS.name
    assert clean_name(shown) == shown
    assert not any(unicodedata.category(each) in {"Cc", "Cs"} for each in shown)


def test_only_this_user_reads_it_and_no_cookie_is_in_it(state: Path) -> None:
    """A browser is kept as the beginning of a sha256."""
    remember_judge("Ada", ONE)
    file = state / "judges.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert ONE not in file.read_text("utf-8")


@pytest.mark.parametrize("text", ["", "{", "[1]", "3", '"a"', "\0" * 50])
def test_a_broken_file_is_kept_aside(state: Path, text: str) -> None:
    """Nobody is known then, and nothing of it is lost."""
    remember_judge("Ada", ONE)
    (state / "judges.json").write_text(text)
    assert current_judge(ONE) is None
    remember_judge("Bob", ONE)
    aside = [path.read_text() for path in state.glob("judges.json.*.broken")]
    assert aside == [text]


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"judges": 3, "browsers": []},
        {"judges": [3, {"id": 1, "name": "x"}, {}]},
        {"judges": [], "browsers": {"a": 3}},
    ],
)
def test_what_makes_no_sense_is_left_out(state: Path, value: object) -> None:
    """Whoever edited the file."""
    state.mkdir()
    (state / "judges.json").write_text(json.dumps(value))
    assert current_judge(ONE) is None
    assert current_judge(ONE) != remember_judge("Ada", ONE) == current_judge(ONE)


def test_of_many_at_once_none_is_forgotten() -> None:
    """Ten people begin at the same moment."""
    found: dict[int, Judge] = {}

    def begin(number: int) -> None:
        found[number] = remember_judge(f"Judge {number}", f"browser {number}")

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {number: current_judge(f"browser {number}") for number in range(10)} == found


def test_only_so_many_browsers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that chose longest ago is forgotten; its judge is not."""
    monkeypatch.setattr(judges, "MAX_BROWSERS", 2)
    ada = remember_judge("Ada", ONE)
    for number in range(3):
        remember_judge("Bob", f"browser {number}")
    assert current_judge(ONE) is None
    assert remember_judge("Ada", ONE) == ada


def test_a_state_folder_that_cannot_be_made_is_said(state: Path) -> None:
    """With the reason."""
    state.write_text("in the way")
    assert current_judge(ONE) is None
    with pytest.raises(CannotWrite):
        remember_judge("Ada", ONE)


def test_judges_that_cannot_be_read_now_are_not_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the state folder does not answer for a moment, the list is not written anew."""
    ana = remember_judge("Ana", ONE)

    def refused(*_: object) -> None:
        raise OSError(errno.EIO, "lost")

    with monkeypatch.context() as patch:
        patch.setattr(private, "content", refused)
        with pytest.raises(CannotWrite, match="the disk reported an error"):
            remember_judge("Ben", TWO)
    assert current_judge(ONE) == ana


def test_the_names_are_read_once_until_the_file_is_another(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page asks for many of them; what is written meanwhile is read."""
    read, reads = judges._read, []

    def counted(*load: Any) -> Any:
        reads.append(load)
        return read(*load)

    monkeypatch.setattr(judges, "_read", counted)
    remember_judge("Ana", ONE)
    assert [[each.name for each in known_judges()] for _ in range(3)] == [["Ana"]] * 3
    assert reads.count(()) == 1
    remember_judge("Ben", TWO)
    assert {each.name for each in known_judges()} == {"Ana", "Ben"}
    assert reads.count(()) == 2
