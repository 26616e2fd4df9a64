"""A command that somebody typed is tried as executor, and kept as their own once it worked."""

import sys
from pathlib import Path

import pytest

from evalcore.engine.own_commands import keep, typed_executor
from evalcore.engine.plan import Executor
from evalcore.engine.templates import config_path, executors, why_missing
from evalcore.errors import CannotRun, CannotWrite


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration folder of its own."""
    monkeypatch.setenv("EVALCORE_CONFIG_DIR", str(tmp_path / "config"))
    return tmp_path / "config"


def typed(text: str) -> Executor:
    """Return the executor of a command."""
    return typed_executor(text, executors())


def own() -> dict[str, tuple[str, ...]]:
    """Return the user's own executors as they are read again."""
    return {
        name: each.template.command
        for name, each in executors().items()
        if each.origin == "yours" and each.template is not None
    }


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (f"{sys.executable} -c pass", Path(sys.executable).stem.replace(".", "-")),
        (f'{sys.executable} "/some/my agent.py" --quiet', "my-agent"),
        (f"{sys.executable} /some/claude.py", "claude-2"),
    ],
)
def test_a_command_is_called_as_its_program_or_script(text: str, name: str) -> None:
    """And otherwise where another executor has that name."""
    assert (typed(text).name, typed(text).origin) == (name, "typed")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "Type the command"),
        ('sh -c "half', "inside a quotation"),
        ("no-such-program-at-all --quiet", "not installed, or not on the PATH"),
    ],
)
def test_what_is_no_command_is_refused_before_the_start(text: str, why: str) -> None:
    """With the one line that helps."""
    with pytest.raises(CannotRun, match=why):
        typed(text)


def test_a_command_is_kept_once_beside_what_the_file_says(config: Path) -> None:
    """The second time it is the executor of that name."""
    config.mkdir()
    there = '# mine\n[other]\ncommand = ["other"]'
    config_path().write_text(there)
    assert keep(typed("sh -c 'echo \"1\"'")) == "sh"
    assert keep(typed("sh -c 'echo \"1\"'")) == "sh"
    assert config_path().read_text().startswith(f"{there}\n[sh]\n")
    assert own() == {"other": ("other",), "sh": ("sh", "-c", 'echo "1"')}
    assert keep(typed("sh -e")) == "sh-2"


def test_a_command_that_toml_cannot_hold_is_not_kept() -> None:
    """The file stays as it was, and can be read."""
    with pytest.raises(CannotWrite, match="TOML"):
        keep(typed("sh -c '\x7f'"))
    assert not config_path().exists()


def test_a_file_that_cannot_be_read_is_left_alone(config: Path) -> None:
    """Nothing is added to what may be half a file."""
    config.mkdir()
    known = executors()
    config_path().write_text("[half")
    with pytest.raises(CannotRun, match="cannot be read"):
        keep(typed_executor("sh -e", known))
    assert config_path().read_text() == "[half"


def test_what_is_not_installed_is_known_before_it_is_started() -> None:
    """Of ready templates; stored outputs and models need no program."""
    known = executors()
    assert why_missing(known["stored"]) == why_missing(known["openai"]) == ""
    gone = typed("sh").template
    assert gone is not None
    missing = Executor("x", "command", type(gone)(command=("no-such-program-at-all",)))
    assert why_missing(missing) == "no-such-program-at-all is not installed, or not on the PATH."
