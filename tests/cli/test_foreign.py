"""Another project owns the name `evalcore` on the public index: `doctor` tells when it is found."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke

HEADING = "Another evalcore is in the way"


def program(folder: Path, module: str) -> Path:
    """Write a command `evalcore` as installers do, that starts `module`."""
    folder.mkdir()
    file = folder / "evalcore"
    file.write_text(f"#!/usr/bin/python3\nfrom {module} import main\nmain()\n")
    file.chmod(0o755)
    return file


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let our own program be the first on the path."""
    ours = program(tmp_path / "ours", "evalcore.__main__").parent
    monkeypatch.setenv("PATH", f"{ours}{os.pathsep}{os.environ['PATH']}")


def told(invoke: Invoke) -> str:
    """Return what `doctor` says below the heading, having ended with 1 for it."""
    done = invoke("doctor")
    assert done.exit_code == 1
    return done.stdout.partition(HEADING)[2]


@pytest.mark.usefixtures("alone")
def test_where_there_is_no_other_nothing_is_said(invoke: Invoke) -> None:
    """The development environment itself holds one evalcore."""
    done = invoke("doctor")
    assert done.exit_code == 0
    assert HEADING not in done.stdout


@pytest.mark.usefixtures("alone")
def test_a_distribution_of_the_name_is_told(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its files have the names of ours: it is to be uninstalled, and ours installed again."""
    metadata = tmp_path / "site" / "evalcore-2.6.1.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text("Metadata-Version: 2.1\nName: evalcore\nVersion: 2.6.1\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    said = told(invoke)
    assert f"evalcore 2.6.1 in {tmp_path / 'site'} is another project" in said
    assert "pip uninstall evalcore" in said
    assert "--no-deps evalcore-workspace" in said


@pytest.mark.usefixtures("alone")
def test_a_package_that_python_finds_first_is_told(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process imports counts, and none of its code is executed for it."""
    package = tmp_path / "site" / "evalcore" / "__init__.py"
    package.parent.mkdir(parents=True)
    package.write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    assert f"`import evalcore` loads {package}" in told(invoke)
    assert not (tmp_path / "executed").exists()


def test_a_command_of_the_name_is_told(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one on the path starts another module than ours."""
    file = program(tmp_path / "theirs", "evalcore.cli")
    monkeypatch.setenv("PATH", f"{file.parent}{os.pathsep}{os.environ['PATH']}")
    assert f"the command `evalcore` is {file}" in told(invoke)
