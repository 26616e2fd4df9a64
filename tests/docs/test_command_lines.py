"""Every command line of the README and of docs/ is one, and is run on a copy of the demo."""

import re
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import typer
from typer.testing import CliRunner

import evalcore.cli.main  # noqa: F401 - registers the commands
from evalcore.cli.app import app
from evalcore.demo import packaged

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = {
    path.stem: path.read_text("utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
}
FENCED: Final = re.compile(r"^```(?:sh|bash)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INLINE: Final = re.compile(r"`(evalcore [a-z][^`]*)`")
BEFORE: Final = re.compile(r"^(?:[A-Z_]+=\S+ |docker run .*? |\S*/bin/)?(?=evalcore )")
"""What may stand before the name of the program: a variable, a container, its folder."""

NAMES: Final = {
    "S": "release-notes",
    "A": "v2",
    "B": "v3",
    "V": "v3",
    "ONE": "minor-release",
    "NAME": "claude",
    "RUN": "release-notes::breaking-change@v0/-#1",
}
"""What the capital letters of a page stand for in the demo."""
OF_PAGE: Final = {
    "scale": {"FOLDER": "FOLDER/sql-helper"},
    "steps": {
        "RUN_ID": "commit-helper::5@iteration-3/with_skill#1",
        "S": "commit-helper",
        "C": "2",
        "V": "iteration-1",
    },
}
PLANNED: Final = ("failures", "improve", "judge", "run")
"""They would call a model or an agent: what they would do is printed instead (`--dry-run`)."""
NOT_RUN: Final = {
    r"open\b|demo\b": "it starts the dashboard, which tests/dashboard starts and opens",
    r"doctor --model": "it asks a model, as tests/cli/test_doctor.py and tests/cli/test_models.py",
    r"run --(cancel|resume)": "its run was never started; tests/cli/test_running.py has some",
    r"blind (import|reveal)": "somebody must have judged before; tests/cli/test_blind.py does",
    r"bundle\b": "tests/cli/test_bundling.py runs these lines, in their order and with a key",
    r'(check|compare) "\$EVALS"': "tests/docs/test_ci.py runs this recipe in a shell",
    r"check /folder": "the folder is one of a container; `check FOLDER` is run by many tests",
}
"""Fenced lines that are only parsed, and why; an expression that no line needs is a fault."""


def fenced() -> dict[str, list[str]]:
    """Return the command lines that stand in blocks of a page, without comments."""
    found = {
        page: [
            BEFORE.sub("", line.partition(" #")[0].strip()).removeprefix("evalcore ")
            for block in FENCED.findall(text)
            for line in block.splitlines()
            if BEFORE.match(line)
        ]
        for page, text in PAGES.items()
    }
    return {page: lines for page, lines in found.items() if lines}


def not_run(line: str) -> bool:
    """Return whether a line is only parsed."""
    return any(re.match(each, line) for each in NOT_RUN)


def command_of(words: Sequence[str]) -> tuple[Any, list[str]]:
    """Return the command that words begin with, and what is left of them."""
    command, rest = typer.main.get_command(app), list(words)
    while rest and rest[0] in (inside := getattr(command, "commands", {})):
        command = inside[rest.pop(0)]
    return command, rest


def unknown(text: str) -> Iterator[str]:
    """Yield what a command that is named in a sentence does not have."""
    command, rest = command_of(text.split()[1:])
    if hasattr(command, "commands"):
        yield f"no command {text}"
    options = {option for each in command.params for option in each.opts}
    yield from (
        f"no option {word} of {text}"
        for word in (each.strip("[]").partition("=")[0] for each in rest)
        if word.startswith("--") and word not in options
    )


@pytest.mark.parametrize(
    ("page", "line"), [(p, each) for p, some in fenced().items() for each in some]
)
def test_every_fenced_line_is_a_command(page: str, line: str) -> None:
    """With the options that it has, and as many arguments as it takes."""
    assert page
    command, rest = command_of(shlex.split(line.partition(" > ")[0]))
    command.make_context(command.name, [word for word in rest if word != "$SIDES"])


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        ("evalcore comapre FOLDER", "no command"),
        ("evalcore benchmark view FOLDER", "no command"),
        ("evalcore compare FOLDER [--marckdown]", "no option --marckdown"),
    ],
)
def test_what_is_misspelt_is_found(said: str, fault: str) -> None:
    """The control."""
    (found,) = unknown(said)
    assert found.startswith(fault)


@pytest.mark.parametrize("page", PAGES)
def test_every_command_in_a_sentence_is_one(page: str) -> None:
    """Its name, and each option that is written with it."""
    named = INLINE.findall(PAGES[page])
    assert [each for text in named for each in unknown(text)] == []


def test_every_reason_is_needed() -> None:
    """Each expression of the lines that are not run is that of a line."""
    lines = [line for some in fenced().values() for line in some]
    assert [each for each in NOT_RUN if not any(re.match(each, line) for line in lines)] == []


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a folder with a copy of the demo, and a machine that has the models of the pages."""
    home = tmp_path_factory.mktemp("lines")
    shutil.copytree(packaged(), home / "FOLDER")
    (home / "results.csv").write_text("id,question,answer,correct\n1,2+2?,4,yes\n2,3+3?,5,no\n")
    models = "\n".join(
        f'[models.{name}]\nendpoint = "local"\nmodel = "m"' for name in ("small", "large", "gemma")
    )
    endpoint = '[endpoints.local]\nbase_url = "http://127.0.0.1:9/v1"'
    (home / "config").mkdir()
    (home / "config" / "models.toml").write_text(f'judge = "small"\n{endpoint}\n{models}\n')
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "CACHE"):
            patch.setenv(f"EVALCORE_{name}_DIR", str(home / name.lower()))
        patch.setenv("NO_COLOR", "1")
        patch.chdir(home)
        yield home


def filled(line: str, page: str, more: Mapping[str, str]) -> list[str]:
    """Return the words of a line, with what the capital letters of its page stand for."""
    named = {**NAMES, **OF_PAGE.get(page, {}), **more}
    words = [named.get(word, word) for word in shlex.split(line)]
    return [*words, "--dry-run"] if words[0] in PLANNED and "--dry-run" not in words else words


@pytest.mark.parametrize("page", [p for p, some in fenced().items() if not all(map(not_run, some))])
def test_the_lines_of_a_page_run_on_the_demo(place: Path, page: str) -> None:
    """In their order; what is shown below a line of the README is what it prints."""
    for line in fenced()[page]:
        if not_run(line):
            continue
        studies = [file.stem for file in place.rglob("reviews/blind-study/*.json")]
        words = filled(line, page, {"ID": studies[0]} if studies else {})
        done = CliRunner().invoke(app, words)
        assert done.exit_code == 0, f"{page}: {line}\n{done.output}"
        shown = re.search(
            rf"^evalcore {re.escape(line)}\n```\n\n```\n(.+?)^```$", PAGES[page], re.M | re.S
        )
        if shown:
            assert done.stdout.startswith(shown[1]), f"{page}: {line}"
