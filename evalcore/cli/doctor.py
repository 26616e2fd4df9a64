"""`evalcore doctor`: show what is installed, stored and recognised."""

import os
import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import indent
from typing import Final

from rich.console import RenderableType

from evalcore import __version__
from evalcore.charts.png import available
from evalcore.cli.answering import print_lines
from evalcore.cli.checking import suite_counts, suite_table
from evalcore.cli.foreign import foreign
from evalcore.cli.opening import open_for_judge
from evalcore.cli.screen import styled
from evalcore.demo import demo_dir, minimal_folder
from evalcore.errors import CannotServe, PicturesMissing
from evalcore.folders import cache_dir, state_dir
from evalcore.problems import grouped
from evalcore.server import app_file
from evalcore.views.first_screen import ENOUGH
from evalcore.views.words.wording import count, size
from evalcore.workspace.index import folder_of

_LIBRARIES: Final = ("streamlit", "pandas", "pyarrow", "numpy", "scipy", "statsmodels", "duckdb",
                     "plotly", "pydantic", "dulwich")  # fmt: skip
_SHOWN: Final = 12
"""How many suites fit on the screen."""


def examine(path: Path | None) -> int:
    """Print diagnostics for when something does not work as expected.

    Returns 1 if evalcore cannot work here: a part of it is missing, another project of its name
    is in the way, or nothing can be stored.
    """
    versions = {name: _version(name) for name in (*_LIBRARIES, "resvg-py")}
    works = "missing" not in [versions[name] for name in _LIBRARIES]
    about = f"evalcore {__version__}, Python {platform.python_version()}, {platform.system()}"
    lines: list[RenderableType] = [
        styled(about, "bold"),
        "  " + ", ".join(f"{name} {found}" for name, found in versions.items()),
    ]
    if not available():
        lines.append(f"  {PicturesMissing()}")
    try:
        app_file()
    except CannotServe as error:
        works = False
        lines.append(f"  {error}")
    others = list(foreign())
    if others:
        works = False
        lines.append(styled("Another evalcore is in the way", "bold"))
        lines += [f"  {each}." for each in others]
    works = _is_writable(state_dir()) and works
    lines += [
        styled("Kept on this machine", "bold"),
        _place("state", state_dir(), "recent folders"),
        _place("cache", cache_dir(), "indexes; deleting them loses nothing but time"),
        _place("demo", demo_dir(), "your copy of the demo workspace"),
    ]
    print_lines(lines)
    if path is not None:
        print_lines(_workspace(path))
    else:
        step = "name your folder, `evalcore doctor PATH`, to see what is recognised in it"
        print_lines([f"Next: {step}."])
    return 0 if works else 1


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _is_writable(folder: Path) -> bool:
    """Return whether a folder can be written, or created if missing."""
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    return nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)


def _place(name: str, folder: Path, purpose: str) -> str:
    """Return the line of one folder of evalcore."""
    made = "" if folder.exists() else ", not made yet"
    state = made if _is_writable(folder) else ", NOT WRITABLE"
    return f"  {name}  {folder}  ({purpose}{state})"


def _workspace(path: Path) -> Iterator[RenderableType]:
    """Yield what is recognised in a folder, and the next step."""
    workspace = open_for_judge(path)
    yield styled(workspace.root, "bold")
    suites = suite_counts(workspace)
    if suites:
        yield suite_table(suites[:_SHOWN])
    if len(suites) > _SHOWN:
        yield f"  and {count(len(suites) - _SHOWN, 'more suite')}"
    documents = count(len(workspace.tables.documents), "document")
    lost = count(len(workspace.unrecognised), "file")
    problems = count(len(grouped(workspace.problems)), "problem")
    yield f"  {documents} recognised, {lost} not placed, {problems} at opening"
    folder = folder_of(workspace.root)
    files = (each for each in folder.iterdir() if each.is_file()) if folder.is_dir() else ()
    index = sum(each.stat().st_size for each in files)
    yield f"  index of this folder: {size(index) if index else 'none'}"
    if suites:
        yield (
            f"Next: `evalcore open {path}` shows it, `evalcore check {path}` lists every problem."
        )
    else:
        yield f"  {ENOUGH}"
        yield from indent(minimal_folder(), "    ").split("\n")
        yield (
            "Next: compare your files with this and docs/families.md, or look at `evalcore demo`."
        )
