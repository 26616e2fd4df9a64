"""No command tells a blind judge of the runs that they have still to compare.

Every command of the program is called on twins: folders in which what the judge has to compare was
made by the other version. What it prints and writes must be the same.
"""

import ast
import re
import shlex
import shutil
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.testing import CliRunner, Result

import evalcore.cli.main
from evalcore.cli import opening
from evalcore.cli.app import app
from evalcore.workspace.opened import open_workspace
from tests.chance import Twin, differences
from tests.twin_folders import DRAWN, LETTERS, SIDES, files, twin

SIDES_OF_LETTERS = " ".join(SIDES[LETTERS])
FIRST = next(iter(DRAWN))
CALLS: Final = f"""
check W
check W --json
tables W --out OUT --format json
tables W --out OUT --format csv
steps W --run "letters::5@iteration-1/without_skill#1"
steps W --run "letters::0@iteration-1/with_skill#1" --json
steps W --suite letters --case 1 --version iteration-2
compare W --suite letters --how
compare W --suite letters {SIDES_OF_LETTERS} --json
compare W --suite letters {SIDES_OF_LETTERS} --scores human-first
compare W --suite letters iteration-1@with_skill iteration-1@without_skill --json
compare W --suite notes v0 v1 --json
compare W --suite notes --how
trends W --suite letters
trends W --suite letters --json
trends W --suite letters --metric score --json
trends W --suite letters --metric time --json
trends W --suite letters --metric tokens --json
trends W --suite letters --metric "is kind"
trends W --suite letters --over benchmark-runs
trends W --suite letters --out OUT/x.csv
trends W --suite notes --json
rubric W --suite letters
rubric W --suite letters --version iteration-1
rubric W --suite letters --json
rubric W --suite notes --json
trust W --suite letters
trust W --suite letters --json
aggregate W --dry-run
aggregate W --dry-run --json
rows W/letters/evals/evals.json
export W --suite letters --to rows --out OUT/rows
export W --suite notes --to rows --out OUT/rows --json
aggregate W --replace --dry-run --json
aggregate W
feedback W
feedback W --json
feedback W --write
feedback W --suite letters --json
doctor W
run W --suite letters --cases failing --executor stored --dry-run
run W --suite letters --cases failing --executor stored --again --dry-run
run W --suite letters --cases all --executor stored --again --dry-run --json
run W --suite notes --cases failing --executor stored --again --dry-run
run W --suite notes --cases all --executor stored --again --dry-run --json
judge W --suite letters --dry-run
judge W --suite notes --dry-run --json
runs W
runs W --json
runs W --write
executors
models
allow W
allow W --json
failures W
failures W --json
failures W --open
failures W --record
failures W --record --json
failures W --suite letters --analyze --all-open --dry-run --model m
improve W --suite notes --dry-run
improve W --suite notes --dry-run --json
improve W --suite notes --compare-only --version v1 --against v0 --dry-run --model m
messages W
messages W --json
views W
views W --json
report W --suite letters --out OUT/r.html
report W --suite letters --out OUT/r.html --judging --with-outputs --json
report W --suite notes --out OUT/r.html --with-outputs
bundle W --out OUT/x.evc.zip
bundle W --out OUT/x.evc.zip --with-outputs --json
bundle W --suite letters --out OUT/x.evc.zip
bundle --reply W --out OUT/x.evc.zip
bundle W --take W/letters/evals/evals.json
messages W --done x --text y
init W/notes
snapshot W --suite notes --force
snapshot W --suite notes --force --json
approval list W --suite letters
approval list W --suite letters --json
approval approve W iteration-2 --over iteration-1 --suite letters
approval waive W iteration-2 --over iteration-1 --owner Bo --reason x --until 2031-01-31 --suite letters
approval withdraw W iteration-2 --reason x --suite letters
benchmark list W --suite letters
benchmark list W --suite letters --json
benchmark show W q --suite letters
benchmark show W q --suite letters --json
benchmark create W p --dimension r --suite letters
benchmark retire W q --suite letters
benchmark run W q --version iteration-1@with_skill --suite letters
benchmark run W q --version iteration-2@with_skill --suite letters --json
benchmark follow-up W x --suite letters
benchmark compare W --suite letters
benchmark compare W q {SIDES_OF_LETTERS} --suite letters
benchmark compare W q {SIDES_OF_LETTERS} --suite letters --take --json
blind create W {SIDES_OF_LETTERS} --suite letters --dry-run
blind create W iteration-2@with_skill iteration-2@without_skill --suite letters --dry-run --json
blind create W {SIDES_OF_LETTERS} --suite letters --json
blind create W iteration-1@with_skill v9 --suite letters
blind status W --suite letters
blind status W --suite letters --json
blind reveal W --suite letters --study {FIRST} --judge Ana
blind reveal W --suite letters --study {FIRST} --judge ben-77c0
blind close W --suite letters --study {FIRST}
blind close W --suite letters --study {FIRST} --json
blind rank W --suite letters
blind rank W --suite letters --json
blind export W --suite letters --study {FIRST} --out OUT/packet.html
blind import W W/letters/evals/evals.json --suite letters
"""  # noqa: E501 - a table of commands
"""W stands for the folder, OUT for a place to write to; two studies of the letters are open."""
SERVE: Final = {"demo", "mcp", "open"}
"""They only start the dashboard, whose pages are walked in `tests/dashboard/test_twin_pages.py`, or
what answers agents, whose tools are asked in `tests/cli/test_agent_tools.py`."""
WRITE_ALL: Final = {"aggregate", "snapshot", "blind close", "blind create", "blind export"}
"""What they write is made of all runs, ends a study, names its outputs, or has sides of its own."""


def names(group: Any, *above: str) -> Iterator[str]:
    """Yield every command of the program, those of groups by both names."""
    for name, each in group.commands.items():
        inside = hasattr(each, "commands")
        yield from names(each, *above, name) if inside else (" ".join((*above, name)),)


Told = dict[str, list[str]]
"""What was said and written, line by line, by call."""
COMMANDS: Final = (*names(typer.main.get_command(app)),)
SEEN: Final = (
    "aggregate W --dry-run --json",
    "check W --json",
    "feedback W --json",
    "run W --suite letters --cases failing --executor stored --again --dry-run",
)
"""These told of hidden runs, each in its own way."""


def calls(command: str, table: Sequence[str] = tuple(CALLS.splitlines())) -> list[list[str]]:
    """Return the calls of a command in a table, without its name."""
    lines = (line for line in table if f"{line} ".startswith(f"{command} "))
    return [shlex.split(line.removeprefix(command)) for line in lines]


class Folder:
    """A folder, and a machine that knows Ana alone; both are as before after each call."""

    def __init__(self, home: Path, *, swapped: bool, seed: int) -> None:
        self.home, self._kept = home, home / "kept"
        self._places = {name: home / name for name in ("w", "state")}
        twin(home / "w", home / "state", swapped=swapped, seed=seed)
        self._invoke("benchmark create", shlex.split("W q --dimension d --suite letters"))
        for name, place in self._places.items():
            shutil.copytree(place, self._kept / name)
        self._before = self._now()

    def _now(self) -> set[str]:
        return {each for place in self._places.values() for each in files(place)}

    def _invoke(self, command: str, call: Sequence[str]) -> Result:
        named = [re.sub(r"^(W|OUT)\b", lambda at: f"{self.home}/{at[0].lower()}", each)
                 for each in call]  # fmt: skip
        done = CliRunner().invoke(app, [*command.split(), *named])
        assert not done.exception or isinstance(done.exception, SystemExit), done.exception
        return done

    def told(self, command: str, asked: Sequence[Sequence[str]]) -> Told:
        """Return what calls of a command print and write, line by line."""
        told = {}
        for call in asked:
            (self.home / "out").mkdir()
            done = self._invoke(command, call)
            out, now = [done.stdout, done.stderr, str(done.exit_code)], self._now()
            if command not in WRITE_ALL:
                out += [*files(self.home / "out"), *sorted(now - self._before)]
            told[" ".join(call)] = [line for text in out for line in text.splitlines()]
            shutil.rmtree(self.home / "out")
            if now != self._before:
                for name, place in self._places.items():
                    shutil.rmtree(place)
                    shutil.copytree(self._kept / name, place)
        return told


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Twin, Twin]]:
    """What all commands tell of both twins at one path, with other secrets the second time.

    Those of `SEEN` stand there a second time, called by a program that hides nothing. A call that
    told the same of both at once is not repeated: there is no difference that may be chance.
    """
    home, found = tmp_path_factory.mktemp("twins"), dict[tuple[bool, int], dict[str, Told]]()
    asked = {each: calls(each) for each in COMMANDS}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALCORE_STATE_DIR", str(home / "state"))
        patch.setenv("EVALCORE_CACHE_DIR", str(home / "cache"))
        patch.setenv("NO_COLOR", "1")
        for seed, swapped in product((1, 2), (False, True)):
            folder = Folder(home, swapped=swapped, seed=seed)
            told = {each: folder.told(each, some) for each, some in asked.items()}
            with pytest.MonkeyPatch.context() as shown:
                shown.setattr(opening, "_opened", open_workspace)
                for each in SEEN:
                    command = each.split()[0]
                    told[each] = folder.told(command, calls(command, [each]))
            found[swapped, seed] = told
            for place in home.iterdir():
                shutil.rmtree(place)
            if seed == 1 and swapped:
                asked = {
                    each: [call for call in some if differ(found, each, call)]
                    for each, some in asked.items()
                }
    return {
        name: (
            Twin(found[False, 1][name], found[False, 1][name] | found[False, 2][name]),
            Twin(found[True, 1][name], found[True, 1][name] | found[True, 2][name]),
        )
        for name in found[False, 1]
    }


def differ(
    found: dict[tuple[bool, int], dict[str, Told]], command: str, call: Sequence[str]
) -> bool:
    """Return whether a call told two things of the twins when it was first made."""
    one, other = (found[swapped, 1][command][" ".join(call)] for swapped in (False, True))
    return one != other


def test_every_command_is_called() -> None:
    """A new command has to be, or to say why not."""
    assert {command for command in COMMANDS if not calls(command)} == SERVE


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_tells_the_same_of_twins(
    twins: dict[str, tuple[Twin, Twin]], command: str
) -> None:
    """On both streams, in the exit code, and in what it writes."""
    assert differences(*twins[command]) == []


@pytest.mark.parametrize("call", SEEN)
def test_the_walk_sees_a_command_that_opens_the_folder_whole(
    twins: dict[str, tuple[Twin, Twin]], call: str
) -> None:
    """The control: where nothing is hidden, each of these tells which twin it is."""
    assert differences(*twins[call])


def test_commands_open_folders_in_one_place() -> None:
    """In `cli.opening`, so that a new command cannot forget what is hidden."""
    places = []
    for path in Path(evalcore.cli.__file__).parent.glob("*.py"):
        called = {getattr(each, "name", "") for node in ast.walk(ast.parse(path.read_text()))
                  if isinstance(node, ast.ImportFrom) for each in node.names}  # fmt: skip
        places += [path.name] if called & {"open_workspace", "reopened"} else []
    assert places == ["opening.py"]
