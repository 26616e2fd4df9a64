"""The names that other programs may import from evalcore."""

import pydoc
import subprocess
import sys

import pytest

import evalcore
from evalcore.demo import packaged


def test_every_public_name_can_be_imported() -> None:
    """Each name of `__all__` is there, and the list is sorted."""
    assert list(evalcore.__all__) == sorted(evalcore.__all__)
    assert all(getattr(evalcore, name) is not None for name in evalcore.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    """A name that evalcore does not have is refused as Python does it."""
    assert not hasattr(evalcore, "no_such_name")


def test_importing_the_package_loads_no_data_frames() -> None:
    """`import evalcore` alone stays light: pandas comes with the first workspace."""
    code = "import sys, evalcore; sys.exit('pandas' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("first", ["evalcore.cli.checking", "evalcore.tables.snapshot"])
def test_what_check_needs_loads_neither_statistics_nor_charts(first: str) -> None:
    """Nor does counting the judged items of a folder: scipy alone takes most of a second."""
    code = (
        f"import sys, pathlib, {first}, evalcore.cli.checking as checking\n"
        f"checking.check_folder(pathlib.Path({str(packaged())!r}))\n"
        "sys.exit(len({'scipy', 'plotly', 'streamlit'} & sys.modules.keys()))"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_help_begins_with_what_suffices() -> None:
    """Ten lines that run, and every public name."""
    text = pydoc.plain(pydoc.render_doc(evalcore))
    assert set(evalcore.__all__) <= set(dir(evalcore))
    assert text.index("open_workspace(") < text.index("PACKAGE CONTENTS")
    assert all(name in text for name in evalcore.__all__)
    code = [line for line in (evalcore.__doc__ or "").splitlines() if line.startswith("    ")]
    assert len(code) < 10
    typed = "\n".join(line.strip() for line in code)
    typed = typed.replace('"FOLDER"', repr(str(packaged()))).replace("SUITE", "release-notes")
    exec(compile(typed, "help", "exec"), {})


def test_something_that_is_no_path_is_refused_with_what_is_wanted() -> None:
    """The message names what to give."""
    with pytest.raises(TypeError, match=r"needs the path of the folder .* not as int"):
        evalcore.open_workspace(42)  # type: ignore[arg-type]
