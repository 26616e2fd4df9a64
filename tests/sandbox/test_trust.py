"""A command of a workspace runs only while it is exactly what the user allowed."""

import json
import os
import shutil
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import CannotAllow
from evalcore.folders import state_dir
from evalcore.sandbox.trust import (
    MAX_TEXT,
    Command,
    allow,
    forget,
    is_allowed,
    note_shown,
    trust_id,
    was_shown,
)

TEXT = "python scripts/check.py outputs\n"
SCRIPT = bytes(range(256)) + b"print('ok')\n"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder in which evalcore remembers."""
    folder = tmp_path / "state"
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(folder))
    return folder


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Return a command with one script file."""
    home = tmp_path / "workspace"
    return Command(home / "evals.json", TEXT, {home / "scripts" / "check.py": SCRIPT})


def test_nothing_is_allowed_at_first(command: Command) -> None:
    """To look at a workspace allows none of its commands."""
    assert not is_allowed(command)


def test_what_was_shown_is_not_allowed_yet(command: Command, state: Path) -> None:
    """To look is no consent, and a look at one is none at another."""
    assert not was_shown(command)
    note_shown(command)
    assert was_shown(command)
    assert not is_allowed(command)
    assert not was_shown(command._replace(text=f"{TEXT} "))
    for place in (state / "shown").iterdir():
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
        place.chmod(0o666)
    assert not was_shown(command)


def test_what_was_allowed_is_allowed_until_forgotten(command: Command) -> None:
    """The user may change their mind."""
    assert allow(command) == trust_id(command)
    assert is_allowed(command)
    assert forget(command)
    assert not is_allowed(command)
    assert not forget(command)


@pytest.mark.parametrize("place", range(len(TEXT)))
def test_any_other_character_is_not_allowed(command: Command, place: int) -> None:
    """Each one changed, removed or doubled."""
    allow(command)
    for new in ("", TEXT[place] * 2, "\u202e", "x"):
        assert not is_allowed(command._replace(text=TEXT[:place] + new + TEXT[place + 1 :]))
    assert is_allowed(command)


@pytest.mark.parametrize("bit", range(8))
def test_any_other_byte_of_a_script_is_not_allowed(command: Command, bit: int) -> None:
    """One bit of one byte of any value is enough."""
    allow(command)
    [path] = command.files
    for place in range(len(SCRIPT)):
        other = bytearray(SCRIPT)
        other[place] ^= 1 << bit
        assert not is_allowed(command._replace(files={path: bytes(other)}))
    assert is_allowed(command)


def test_other_files_are_not_allowed(command: Command) -> None:
    """One more, one less, or the same bytes in another place."""
    allow(command)
    [path] = command.files
    for files in ({}, {path: SCRIPT, path.with_name("x.py"): b""}, {path.parent / "x": SCRIPT}):
        assert not is_allowed(command._replace(files=files))


def test_twins_do_not_allow_each_other(command: Command, tmp_path: Path) -> None:
    """A copy in another folder is another command, also when both are allowed and one is not."""
    allow(command)
    twin = command._replace(path=tmp_path / "copy" / "evals.json")
    assert not is_allowed(twin)
    allow(twin)
    forget(command)
    assert is_allowed(twin)
    assert not is_allowed(command)


def test_a_path_is_the_same_however_it_is_written(command: Command) -> None:
    """Only what it names counts."""
    allow(command)
    assert is_allowed(command._replace(path=command.path.parent / "x" / ".." / "evals.json"))


def test_a_link_to_an_allowed_document_is_another(command: Command, tmp_path: Path) -> None:
    """A link is not followed to find what is allowed."""
    command.path.parent.mkdir()
    command.path.write_text("{}")
    allow(command)
    link = tmp_path / "link.json"
    link.symlink_to(command.path)
    assert not is_allowed(command._replace(path=link))


def test_a_record_inside_the_workspace_allows_nothing(command: Command, state: Path) -> None:
    """Whoever wrote the workspace cannot allow its commands."""
    allow(command)
    for inside in ("trust", ".evalcore/trust", "state/trust"):
        shutil.copytree(state / "trust", command.path.parent / inside)
    shutil.rmtree(state)
    assert not is_allowed(command)


def test_a_record_of_another_command_does_not_count(command: Command, state: Path) -> None:
    """The name alone is not enough, nor is a file that is no record."""
    other = command._replace(text="other")
    allow(other)
    [file] = (state / "trust").iterdir()
    mine = file.with_name(f"{trust_id(command)}.json")
    file.rename(mine)
    assert not is_allowed(command)
    for content in ("", "[]", "null", "{}", '"x"'):
        mine.write_text(content)
        assert not is_allowed(command)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_record_that_others_may_write_does_not_count(
    command: Command, state: Path, what: str
) -> None:
    """Somebody else may have allowed it."""
    allow(command)
    place = state / "trust"
    if what == "file":
        [place] = place.iterdir()
    place.chmod(place.stat().st_mode | stat.S_IWOTH)
    assert not is_allowed(command)


def test_a_record_that_is_a_link_does_not_count(command: Command, state: Path) -> None:
    """It may lead into a workspace."""
    allow(command)
    [file] = (state / "trust").iterdir()
    moved = file.rename(state / "moved.json")
    file.symlink_to(moved)
    assert not is_allowed(command)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_record_of_another_user_does_not_count(command: Command, state: Path) -> None:
    """Only this user's own decision counts."""
    allow(command)
    [file] = (state / "trust").iterdir()
    os.chown(file, 65534, 65534)
    assert not is_allowed(command)


def test_the_record_is_private_and_says_what_was_allowed(command: Command, state: Path) -> None:
    """A person can read it; nobody else can, and hidden characters show."""
    known = allow(command._replace(text="echo \u202etxt"))
    file = state / "trust" / f"{known}.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    record = json.loads(file.read_text("utf-8"))
    assert record["trust_id"] == known
    assert record["path"] == str(command.path)
    assert record["text"] == "echo \\u202etxt"
    assert record["allowed_at"].endswith("+00:00")
    assert state_dir() == state


def test_what_nobody_reads_cannot_be_allowed(command: Command) -> None:
    """A very long text is refused, with its length."""
    with pytest.raises(CannotAllow, match="262,145 characters"):
        allow(command._replace(text="x" * (MAX_TEXT + 1)))


def test_any_text_of_json_can_be_allowed(command: Command) -> None:
    """Half a character and NUL are texts, too."""
    for text in ("\ud800", "a\0b", ""):
        allow(command._replace(text=text))
        assert is_allowed(command._replace(text=text))


paths = st.sampled_from([Path("/a"), Path("/a/b"), Path("/b")])
commands = st.builds(
    Command,
    paths,
    st.text("ab\0/"),
    st.dictionaries(paths, st.binary(max_size=4), max_size=2),
)


@given(commands, commands)
def test_two_commands_have_one_id_only_if_they_are_equal(one: Command, other: Command) -> None:
    """No text looks like the files of another command."""
    assert (trust_id(one) == trust_id(other)) == (one == other)


def test_a_text_that_imitates_a_file_is_told_from_it() -> None:
    """Parts cannot be moved from one field to the next."""
    one = Command(Path("/a"), "run", {Path("/b"): b"x"})
    for text in ("run\0/b\0x", "run/bx", "run\0/b\0"):
        assert trust_id(one) != trust_id(Command(Path("/a"), text, {}))
