"""The first screen of a folder without suites: what was looked for, where, and one next step."""

import os
import shlex
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal, NamedTuple

from evalcore.demo import minimal_folder
from evalcore.disk.listing import is_empty
from evalcore.families.registry import looked_for, mapped_by
from evalcore.views.blocks.base import Link
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

OPEN: Final = "evalcore open FOLDER"
BEGIN: Final = "Name the folder of a skill: this writes its first test cases, and keeps it as v0."
ENOUGH: Final = "This is enough to begin with:"
DEMO: Final = "To see first what it looks like with evaluations, run: evalcore demo"
_NAMED: Final = 3
LOOKED_AT: Final = 1_000
"""So many names in a folder are looked at for tables."""

State = Literal["done", "next", "later"]


class Step(NamedTuple):
    """One step: what to do, a link with its label, and a command; what there is none of is empty.

    `text` and `command` quote names of the folder: they are shown as text only.
    """

    text: str
    state: State
    link: Link | None = None
    label: str = ""
    command: str = ""


@dataclass(frozen=True)
class FirstScreen:
    """What is said of a folder, and the one step that leads on: a command, a link, or an example.

    `said` and `command` quote the folder: they are shown as text only. `link` leads to the problems
    of the kind `code` on Data; `example` is the smallest folder that has a suite. `steps` lead from
    a skill to its first comparison.
    """

    said: tuple[str, ...]
    step: str = ""
    command: str = ""
    link: str = ""
    code: str = ""
    example: str = ""
    steps: tuple[Step, ...] = ()


def first_screen(ws: Workspace) -> FirstScreen:
    """Return what a page says of a workspace in which no suite was found."""
    closed = {each.path: each.message for each in ws.problems if each.code == "unreadable"}
    if "" in closed:
        return closed_screen(ws.root, closed[""].removeprefix("This "))
    if lost := ws.unrecognised:
        what, it = "1 file looks like an evaluation, but is not read", "it"
        if len(lost) > 1:
            what, it = f"{len(lost):,} files look like evaluations, but are not read", "each"
        return FirstScreen(
            (f"{what} in {ws.root}: {_some(lost)}.",),
            link=f"See on Data why, and what {it} needs",
            code="unrecognised",
        )
    if closed:
        places = count(len(closed), "place")
        said = f"No evaluation was found in {ws.root}, but {places} in it could not be read:"
        return FirstScreen((f"{said} {_some(closed)}.",), link="See why on Data", code="unreadable")
    if is_empty(ws.root):
        step = "Or open the folder that holds your evaluations:"
        return FirstScreen(
            (f"{ws.root} is empty.", DEMO),
            step,
            OPEN,
            example=minimal_folder(),
            steps=steps_from_nothing(str(ws.root)),
        )
    files, why = len(ws.opened.listing.paths), "it has no JSON file"
    if files:
        why = f"its {count(files, 'JSON file')} {'is' if files == 1 else 'are'} something else"
    said = f"No evaluation was found in {ws.root}: {why}."
    tables: list[str] = []
    steps = steps_from_nothing(str(ws.root))
    with suppress(OSError), os.scandir(ws.root) as entries:
        found = (each.name for each in islice(entries, LOOKED_AT) if mapped_by(each.name))
        names = sorted(name for name in found if not name.endswith(".json"))  # may be anything
        if names:
            tables.append(f"It holds tables: {_some(names)}.")
            command = f"evalcore rows {shlex.quote(str(ws.root / names[0]))}"
            read = Step(
                "If their rows are runs, see how they would be read.", "next", None, "", command
            )
            steps = (read, *(each._replace(state="later") for each in steps))
    return FirstScreen(
        (said, *tables, looked_for(), DEMO),
        example=minimal_folder(),
        steps=steps,
    )


def steps_from_nothing(place: str) -> tuple[Step, ...]:
    """Return the steps for a folder in which nothing is evaluated yet; `place` is its path."""
    quoted = shlex.quote(place)
    return (
        Step(BEGIN, "next", command="evalcore init SKILL"),
        Step("Run its cases.", "later", command=f"evalcore run {quoted} --executor NAME"),
        Step(
            "Change the skill, keep it as its next version, then run again and compare.",
            "later",
            command=f"evalcore snapshot {quoted}",
        ),
    )


def closed_screen(root: Path, why: str) -> FirstScreen:
    """Return what is said of a folder that cannot be read; `why` begins with "could not"."""
    return FirstScreen(
        (f"{root} {why}",),
        "See who may read it, change that, then load this page again:",
        f"ls -ld {shlex.quote(str(root))}",
    )


def _some(names: Collection[str]) -> str:
    """Return the first names, and how many more there are."""
    first, more = sorted(names)[:_NAMED], len(names) - _NAMED
    return ", ".join(first) + (f" and {more:,} more" if more > 0 else "")
