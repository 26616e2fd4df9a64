"""What judges read of a run, without a word of what anybody said of it."""

from typing import Final

from evalcore.views.evidence import evidence
from evalcore.views.grade_panel import asked_blocks, no_output
from evalcore.views.outputs import load_text
from evalcore.views.panel import Block, prompt, say, within
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 8


def reading_blocks(ws: Workspace, run_id: str) -> list[Block]:
    """Describe the prompt of a run, what was expected, and what it left behind.

    Raises:
        UnknownName: there is no such run.
    """
    found = evidence(ws, run_id, look_up_quotes=False)
    files = [file for file in found.files if file.role == "output"]
    blocks = asked_blocks(found)
    for file in files[:MAX_FILES]:
        text = load_text(ws, file.path)
        shown = prompt(file.name, text) if text else say(f"{file.name}: no text; open the run.")
        blocks.append(shown)
    if len(files) > MAX_FILES:
        blocks.append(say(f"{len(files) - MAX_FILES:,} more files; open the run to see them."))
    return within(blocks if files else [*blocks, say(no_output(found.run))])
