"""The names that other programs may import from evalcore."""

import subprocess
import sys

import pytest

import evalcore


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


def test_something_that_is_no_path_is_refused_with_what_is_wanted() -> None:
    """The message names what to give."""
    with pytest.raises(TypeError, match=r"needs the path of the folder .* not as int"):
        evalcore.open_workspace(42)  # type: ignore[arg-type]
