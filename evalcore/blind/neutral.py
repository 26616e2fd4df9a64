"""Two outputs of a case under neutral names and without what tells their version."""

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.blind.masking import Mask
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_files import read_text
from evalcore.judging.asking.names import short_names
from evalcore.judging.asking.tasks import output_paths
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 60
MAX_TEXT: Final = 400_000
"""Bytes of one file that are read for a model."""
MAX_ENDING: Final = 8
_HOW: Final = re.compile(
    r"(?:.*/)?(?:transcript[^/]*|metrics\.json|user[_-]notes\.(?:md|txt))", re.I
)


class Text(NamedTuple):
    """A produced file under a neutral name; `text` is None where it cannot be read as one.

    `raw` is the text as it is in the workspace, before anything was taken out.
    """

    name: str
    text: str | None
    raw: str = ""


def named_outputs(ws: Workspace, run: str) -> dict[str, str]:
    """Return the output files of a run by their names below their common folder."""
    paths = output_paths(ws, run_row(ws, run))[:MAX_FILES]
    return {name: path for path, name in short_names(paths).items()}


def neutral_names(left: Mapping[str, str], right: Mapping[str, str]) -> dict[str, str]:
    """Return a neutral name for each name of a file; the same on both sides, where both have it.

    A single file on each side is the same file, whatever its name.
    """
    if len(left) == len(right) == 1:
        both = (*left, *right)
        endings = {_ending(name) for name in both}
        return dict.fromkeys(both, f"output{endings.pop() if len(endings) == 1 else ''}")
    union = sorted({*left, *right})
    return {name: f"file {number}{_ending(name)}" for number, name in enumerate(union, 1)}


def neutral_texts(
    ws: Workspace, mask: Mask, runs: tuple[str, str]
) -> tuple[tuple[Text, ...], tuple[Text, ...]]:
    """Return the outputs of two runs as a judge without eyes for pictures can read them.

    What an executor noted of its own work is left out: it is no output, and may name the version.
    """
    first, second = (_produced(named_outputs(ws, run)) for run in runs)
    names = neutral_names(first, second)
    one, two = (
        tuple(_text(ws, mask, names[name], path) for name, path in side.items())
        for side in (first, second)
    )
    return one, two


def _produced(paths: dict[str, str]) -> dict[str, str]:
    """Return the files without those that say how they came about, unless there are no others."""
    return {name: path for name, path in paths.items() if not _HOW.fullmatch(name)} or paths


def _text(ws: Workspace, mask: Mask, name: str, path: str) -> Text:
    raw = read_text(ws, path, MAX_TEXT)
    return Text(name, None) if raw is None else Text(name, mask(raw).text, raw)


def _ending(name: str) -> str:
    _, dot, ending = name.rpartition(".")
    plain = ending.isascii() and ending.isalnum() and len(ending) <= MAX_ENDING
    return f".{ending.lower()}" if dot and plain else ""
