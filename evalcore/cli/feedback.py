"""`evalcore feedback`: write people's notes where skill-creator's loop reads them."""

from pathlib import Path
from typing import Final

from evalcore.aggregates.propose import reads_notes
from evalcore.cli.aggregating import told_proposals, written
from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_for_judge
from evalcore.errors import EvalcoreError
from evalcore.families import registry
from evalcore.views.gradings.notes import feedback_proposals, loops

NO_LOOP: Final = (
    "{} reads no feedback.json: only the loops of the families {} do. "
    "The notes stay where they are, in the folder reviews."
)

NOT_YET: Final = "feedback.json is about all runs, and some are hidden. Judge them, then write it."


def feedback(path: Path, suite: str | None, version: str | None, *, write: bool) -> Answer:
    """Say what `feedback.json` would hold, or write it.

    Raises:
        EvalcoreError: no suite is of a family that has one, or a run is still hidden.
    """
    root = path.expanduser().absolute()
    workspace = open_for_judge(root)
    if not loops(workspace, suite):
        if loops(workspace.unmasked, suite):
            raise EvalcoreError(NOT_YET)
        known = [each.name for each in registry.FAMILIES if reads_notes(each.name)]
        whose = f"The loop of {suite}" if suite else "No suite here"
        raise EvalcoreError(NO_LOOP.format(whose, " and ".join(known)))
    found = feedback_proposals(workspace, suite, version)
    failed = written(root, found) if write else {}
    changes = any(each.data is not None for each in found)
    more = () if write or not changes else ("Add --write to write this.",)
    return told_proposals(root, found, failed, *more, dry=not write)
