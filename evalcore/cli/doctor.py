"""`evalcore doctor`: show what is installed, stored and recognised."""

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from textwrap import indent
from typing import Final

from rich.console import Console
from rich.text import Text

from evalcore import __version__
from evalcore.charts.png import available
from evalcore.cli.checking import suite_counts, suite_table
from evalcore.cli.foreign import foreign
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
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
    out = console()
    works = _installed(out)
    works = _alone(out) and works
    works = _folders(out) and works
    if path is None:
        _next(out, "name your folder, `evalcore doctor PATH`, to see what is recognised in it")
    else:
        _workspace(out, path)
    return 0 if works else 1


def _installed(out: Console) -> bool:
    """Print the versions; return whether the dashboard is installed."""
    _title(out, f"evalcore {__version__}, Python {platform.python_version()}, {platform.system()}")
    shown = (*_LIBRARIES, "resvg-py")
    out.print("  " + ", ".join(f"{name} {_version(name)}" for name in shown), soft_wrap=True)
    if not available():
        out.print(f"  {PicturesMissing()}", soft_wrap=True)
    missing = [name for name in _LIBRARIES if _version(name) == "missing"]
    try:
        app_file()
    except CannotServe as error:
        out.print(f"  {error}", soft_wrap=True)
        return False
    return not missing


def _alone(out: Console) -> bool:
    """Print what another project called evalcore is in the way of; return whether none is."""
    found = list(foreign())
    if found:
        _title(out, "Another evalcore is in the way")
    for each in found:
        out.print(f"  {harmless(each)}.", soft_wrap=True)
    return not found


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _folders(out: Console) -> bool:
    """Print the folders of evalcore; return whether the state folder is writable."""
    _title(out, "Kept on this machine")
    state = _place(out, "state", state_dir(), "recent folders")
    _place(out, "cache", cache_dir(), "indexes; deleting them loses nothing but time")
    _place(out, "demo", demo_dir(), "your copy of the demo workspace")
    return state


def _place(out: Console, name: str, folder: Path, purpose: str) -> bool:
    """Print one folder; return whether it can be written, or created if missing."""
    nearest = folder
    while not nearest.exists() and nearest != nearest.parent:
        nearest = nearest.parent
    writable = nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)
    state = ("" if folder.exists() else ", not made yet") if writable else ", NOT WRITABLE"
    out.print(f"  {name}  {harmless(folder)}  ({purpose}{state})", soft_wrap=True)
    return writable


def _workspace(out: Console, path: Path) -> None:
    workspace = open_for_judge(path)
    _title(out, harmless(workspace.root))
    suites = suite_counts(workspace)
    if suites:
        out.print(suite_table(suites[:_SHOWN]))
    if len(suites) > _SHOWN:
        out.print(f"  and {count(len(suites) - _SHOWN, 'more suite')}")
    documents = count(len(workspace.tables.documents), "document")
    lost = count(len(workspace.unrecognised), "file")
    problems = count(len(grouped(workspace.problems)), "problem")
    out.print(f"  {documents} recognised, {lost} not placed, {problems} at opening", soft_wrap=True)
    index = _bytes_in(folder_of(workspace.root))
    out.print(f"  index of this folder: {size(index) if index else 'none'}", soft_wrap=True)
    name = harmless(path)
    if suites:
        _next(out, f"`evalcore open {name}` shows it, `evalcore check {name}` lists every problem")
    else:
        out.print(f"  {ENOUGH}", soft_wrap=True)
        out.print(indent(minimal_folder(), "    "), soft_wrap=True)
        _next(out, "compare your files with this and docs/families.md, or look at `evalcore demo`")


def _bytes_in(folder: Path) -> int:
    if not folder.is_dir():
        return 0
    return sum(entry.stat().st_size for entry in folder.iterdir() if entry.is_file())


def _title(out: Console, text: str) -> None:
    out.print(Text(text, "bold"), soft_wrap=True)


def _next(out: Console, step: str) -> None:
    out.print(f"Next: {step}.", soft_wrap=True)
