"""A pair of outputs as a blind judge is shown it: nothing in it tells which version made which."""

from base64 import b64encode
from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import asdict

from evalcore.blind.judging import Opened
from evalcore.blind.masking import Mask, mask_of, names_author
from evalcore.blind.neutral import named_outputs, neutral_names
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.run_criteria import run_row
from evalcore.errors import UnknownName
from evalcore.families.reviews.models import BlindCriterion
from evalcore.judging.asking.asked import case_row
from evalcore.judging.asking.tasks import output_paths
from evalcore.judging.studies import Study
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import cut
from evalcore.views.files.file_types import image_type
from evalcore.views.files.outputs import load_output, load_text
from evalcore.views.files.portions import portion, portions
from evalcore.workspace.opened import Workspace

PROMPT: Final = 30_000
MAX_IMAGE: Final = 400_000
"""Bytes of an image that is sent inside the page; a file of its own would have an address."""


class Shown(NamedTuple):
    """A file under a neutral name: a portion of its masked text, or an image as a `data:` address.

    `note` says why there is neither. `masked` is how many passages were taken out of the text.
    """

    name: str
    text: str | None = None
    image: str | None = None
    note: str = ""
    part: int = 1
    parts: int = 1
    masked: int = 0
    names_author: bool = False


class BlindTask(NamedTuple):
    """All that a judge is shown of a pair; `left` and `right` are the files that are open.

    `files` are the neutral names of all files of both sides.
    """

    id: str
    prompt: str
    files: tuple[str, ...]
    left: Shown
    right: Shown
    criteria: tuple[BlindCriterion, ...]
    changed: bool


def blind_task(
    ws: Workspace, study: Study, opened: Opened, file: str | None = None, part: int = 1
) -> BlindTask:
    """Return a pair for its judge; `file` and `part` choose what is open on both sides.

    Raises:
        UnknownName: a run is no longer there.
    """
    mask, row = mask_of(ws.unmasked, study.suite), run_row(ws, opened.pair.run_a)
    case = case_row(ws, row)
    left, right = (named_outputs(ws, run) for run in (opened.left, opened.right))
    names = neutral_names(left, right)
    known = dict.fromkeys(names.values())
    name = next((each for each in known if each == file), next(iter(known), ""))
    prompt = mask(case.prompt or "").text if case is not None else ""
    sides = (_parts(ws, paths, names, name, mask) for paths in (left, right))
    first, second = (parts[min(max(part, 1), len(parts)) - 1] for parts in sides)
    return BlindTask(
        id=opened.task,
        prompt=cut(prompt, PROMPT),
        files=tuple(known),
        left=first,
        right=second,
        criteria=tuple(study.fields.criteria),
        changed=opened.changed,
    )


def whole_text(ws: Workspace, study: Study, run: str, name: str, opened: Opened) -> str:
    """Return the masked text of a file of one side; empty if it is not shown as text."""
    names = neutral_names(*(named_outputs(ws, each) for each in (opened.left, opened.right)))
    path = _path_of(named_outputs(ws, run), names, name)
    text = None if path is None else load_output(ws, path).text
    return "" if text is None else mask_of(ws.unmasked, study.suite)(text).text


def _path_of(paths: Mapping[str, str], names: Mapping[str, str], name: str) -> str | None:
    return next((path for own, path in paths.items() if names[own] == name), None)


def all_parts(
    ws: Workspace, study: Study, opened: Opened, name: str
) -> tuple[list[Shown], list[Shown]]:
    """Return all portions of a file of a pair, left and right."""
    mask = mask_of(ws.unmasked, study.suite)
    left, right = (named_outputs(ws, run) for run in (opened.left, opened.right))
    names = neutral_names(left, right)
    return _parts(ws, left, names, name, mask), _parts(ws, right, names, name, mask)


def _parts(
    ws: Workspace, paths: Mapping[str, str], names: Mapping[str, str], name: str, mask: Mask
) -> list[Shown]:
    """Return the portions of a file of one side; one that says so where there is nothing."""
    path = _path_of(paths, names, name)
    if path is None:
        return [Shown(name, note="There is no such file on this side." if name else "No output.")]
    output = load_output(ws, path)
    if output.data is not None:
        kind = image_type(output.data)
        if kind is None or len(output.data) > MAX_IMAGE:
            return [Shown(name, note="An image that is too large to be shown here.")]
        data = b64encode(output.data).decode()
        return [Shown(name, image=f"data:image/{kind.lower()};base64,{data}")]
    if output.text is None:
        return [Shown(name, note="This file cannot be shown as text.")]
    masked = mask(output.text)
    whole = Shown(
        name=name,
        note="This file is cut here." if output.note else "",
        parts=portions(masked.text),
        masked=masked.passages,
        names_author=names_author(output.text),
    )
    numbers = range(1, whole.parts + 1)
    return [whole._replace(part=at, text=portion(masked.text, at).text) for at in numbers]


def task_data(task: BlindTask) -> PanelData:
    """Return a task as the panel takes it."""
    return {
        "id": task.id,
        "prompt": task.prompt,
        "files": list(task.files),
        "left": task.left._asdict(),
        "right": task.right._asdict(),
        "criteria": [asdict(each) for each in task.criteria],
        "changed": task.changed,
    }


@memoize_per_workspace
def length_of(ws: Workspace, run: str) -> int | None:
    """Return the characters of all texts that a run made; None where the run is gone."""
    try:
        paths = output_paths(ws, run_row(ws, run))
    except UnknownName:
        return None
    return sum(len(load_text(ws, path) or "") for path in paths)
