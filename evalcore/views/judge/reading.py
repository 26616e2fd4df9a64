"""What judges read of a run, without any opinion on it."""

from typing import Final

from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Prompt
from evalcore.views.blocks.page import Say
from evalcore.views.files.outputs import load_text
from evalcore.views.run.evidence import evidence
from evalcore.views.run.grading import asked_blocks, no_output
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 8


def reading_blocks(ws: Workspace, run_id: str) -> list[Block]:
    """Describe the prompt of a run, what was expected, and its output.

    Raises:
        UnknownName: there is no such run.
    """
    found = evidence(ws, run_id, look_up_quotes=False)
    files = [file for file in found.files if file.role == "output"]
    blocks = asked_blocks(found)
    for file in files[:MAX_FILES]:
        text = load_text(ws, file.path)
        shown = (
            Prompt(file.name, text)
            if text
            else Say(f"{file.name}: no text; open the run.", quiet=True)
        )
        blocks.append(shown)
    if len(files) > MAX_FILES:
        blocks.append(
            Say(f"{len(files) - MAX_FILES:,} more files; open the run to see them.", quiet=True)
        )
    return blocks if files else [*blocks, Say(no_output(found.run), quiet=True)]
