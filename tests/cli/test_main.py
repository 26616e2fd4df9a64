"""The contract of every command: exit codes, sentences, quick starts."""

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import evalcore as package
from evalcore.demo import packaged
from tests.cli.command import SEEDS, environment, evalcore
from tests.cli.conftest import Invoke


def test_help_names_every_command_and_no_other(invoke: Invoke) -> None:
    """What is listed is what there is."""
    said = invoke("--help").stdout
    listed = re.findall(r"^  (\w+) ", said.partition("Commands:")[2], re.MULTILINE)
    reading = ["demo", "open", "check", "tables", "rows", "export", "steps", "compare", "trends"]
    reading += ["report"]
    more = ["rubric", "trust", "aggregate", "feedback", "views", "doctor", "mcp"]
    running = ["run", "judge", "runs", "executors", "models", "allow"]
    running += ["failures", "improve", "messages", "init", "snapshot"]
    assert listed == [*reading, *more, "bundle", *running, "approval", "benchmark", "blind"]


@pytest.mark.parametrize("group", [(), ("approval",), ("benchmark",), ("blind",)])
def test_what_a_command_does_fits_into_its_line(invoke: Invoke, group: tuple[str, ...]) -> None:
    """The list of commands cuts no sentence off."""
    listed = invoke(*group, "--help").stdout.partition("Commands:")[2]
    assert listed.strip()
    assert "..." not in listed


def test_version_is_the_packages(tmp_path: Path) -> None:
    """`evalcore --version` prints name and number."""
    done = evalcore("--version", home=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"evalcore {package.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("foo",),
        ("check",),
        ("check", ".", "--jsom"),
        ("tables", "."),
        ("tables", ".", "--out", "x", "--format", "xls"),
        ("open", ".", "--port", "many"),
        ("compare",),
        ("compare", ".", "--scores", "all"),
    ],
)
def test_wrong_usage_ends_with_two(invoke: Invoke, arguments: tuple[str, ...]) -> None:
    """The answer says what is wrong and where help is; nothing goes to stdout."""
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert "Error: " in done.stderr
    assert "--help" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "gone"),
        ("compare", "gone"),
        ("open", "gone"),
        ("doctor", "gone"),
        ("tables", "gone", "--out", "x"),
    ],
)
def test_a_folder_that_is_not_there_is_one_sentence(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]
) -> None:
    """It names the folder and the next step, and nothing is made."""
    monkeypatch.chdir(tmp_path)
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert re.fullmatch(
        r"evalcore: \S+/gone does not exist\. .+\.\n|evalcore: gone .+\.\n", done.stderr
    )
    assert not (tmp_path / "x").exists()


def test_a_file_in_place_of_a_folder_is_one_sentence(tmp_path: Path) -> None:
    """As a folder that is not there."""
    (tmp_path / "file.json").write_text("{}")
    done = evalcore("check", "file.json", home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not a folder" in done.stderr


def test_a_port_in_use_is_one_sentence(invoke: Invoke, tmp_path: Path) -> None:
    """The dashboard is not started, and the message says how to get one that is free."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = invoke("open", tmp_path, "--port", port, "--no-browser")
    assert done.exit_code == 2
    assert re.fullmatch(rf"evalcore: Port {port} .+\.\n", done.stderr)


def test_an_unknown_page_is_one_sentence(invoke: Invoke, tmp_path: Path) -> None:
    """The dashboard is not started, and the message names the pages that a view can begin with."""
    done = invoke("open", tmp_path, "--view", "grading?suite=a", "--no-browser")
    assert done.exit_code == 2
    assert re.fullmatch(r"evalcore: There is no page 'grading'\. .+ gradings, .+\.\n", done.stderr)


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    """An error of the file system is said as one."""
    (tmp_path / "locked").mkdir(mode=0o500)
    done = evalcore("tables", SEEDS / "improve", "--out", "locked/out", home=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


def test_a_target_that_is_a_file_is_one_sentence(invoke: Invoke, tmp_path: Path) -> None:
    """An error of the file system is said as one, with the path."""
    (tmp_path / "out").write_text("")
    done = invoke("tables", SEEDS / "improve", "--out", tmp_path / "out")
    assert done.exit_code == 2
    assert re.fullmatch(r"evalcore: \S*out.*\. .+\.\n", done.stderr)


def test_a_reader_that_leaves_early_is_no_failure_to_tell_of(tmp_path: Path) -> None:
    """`evalcore check … | head` ends without a word on stderr."""
    # More output than any pipe holds, so that the writer meets the closed end.
    for number in range(400):
        (tmp_path / f"a{number}").mkdir()
        (tmp_path / f"a{number}" / "grading.json").write_text("{")
    command = f"'{sys.executable}' -m evalcore check . --json | head -c 10"
    done = subprocess.run(
        ["sh", "-c", command],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.startswith("{")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["--help"], set()),
        (["check", str(SEEDS / "rubric")], set()),
        (["check", str(packaged())], set()),
        (["compare", str(packaged()), "--suite", "release-notes"], {"pandas", "scipy"}),
    ],
    ids=["help", "check", "check the demo", "compare"],
)
def test_heavy_libraries_are_left_alone(
    tmp_path: Path, arguments: list[str], needed: set[str]
) -> None:
    """No command imports charts or the dashboard; compare takes the light parts of scipy only."""
    code = (
        "import sys\n"
        f"sys.argv = ['evalcore', *{arguments!r}]\n"
        "from evalcore.cli.main import run\n"
        "try:\n    run()\nexcept SystemExit:\n    pass\n"
        "sys.stderr.write(' '.join(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = set(done.stderr.split())
    assert "evalcore.cli.main" in loaded
    heavy = {"duckdb", "matplotlib", "openai", "pandas", "plotly", "scipy", "streamlit"}
    assert loaded & (heavy | {"scipy.stats", "scipy.optimize", "statsmodels"}) == needed


def test_a_short_command_never_looks_at_all_objects(tmp_path: Path) -> None:
    """No full collection of garbage while modules load: there is none to collect."""
    code = (
        "import gc, sys\n"
        "full = []\n"
        "gc.callbacks.append(lambda phase, info: info['generation'] == 2 and full.append(phase))\n"
        "from evalcore.cli.main import run\n"
        f"sys.argv = ['evalcore', 'check', {str(packaged())!r}]\n"
        "try:\n"
        "    run()\n"
        "finally:\n"
        "    sys.stderr.write(str(len(full)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == "0"
