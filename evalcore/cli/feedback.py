"""`evalcore feedback`: write people's notes where skill-creator's loop reads them."""

import sys
from pathlib import Path
from typing import Final

from evalcore.aggregates.propose import reads_notes
from evalcore.cli.aggregating import document_of, lines_of, written
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.terminal import complain
from evalcore.families import registry
from evalcore.views.gradings.notes import feedback_proposals, loops

WRONG: Final = 2
NO_LOOP: Final = (
    "{} reads no feedback.json: only the loops of the families {} do. "
    "The notes stay where they are, in the folder reviews."
)

NOT_YET: Final = "feedback.json is about all runs, and some are hidden. Judge them, then write it."


def feedback(
    path: Path, suite: str | None, version: str | None, *, write: bool, as_json: bool
) -> int:
    """Print the proposed content of `feedback.json`, or write it.

    Returns 1 if a file could not be written, 2 if no suite is of a family that has one.
    """
    root = path.expanduser().absolute()
    workspace = open_for_judge(root)
    readers = loops(workspace, suite)
    found = feedback_proposals(workspace, suite, version) if readers else []
    if not readers and loops(workspace.unmasked, suite):
        complain(NOT_YET)
        return WRONG
    if not readers:
        known = [each.name for each in registry.FAMILIES if reads_notes(each.name)]
        whose = f"The loop of {suite}" if suite else "No suite here"
        complain(NO_LOOP.format(whose, " and ".join(known)))
        return WRONG
    failed = written(root, found) if write else {}
    if as_json:
        sys.stdout.write(document_of(root, found, failed, dry=not write))
    else:
        sys.stdout.write("".join(f"{line}\n" for line in lines_of(found, failed, dry=not write)))
        if not write and any(each.data is not None for each in found):
            sys.stdout.write("Add --write to write this.\n")
    return 1 if failed else 0
