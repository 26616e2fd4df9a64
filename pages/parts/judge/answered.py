"""Write the grading of a new run as soon as people have judged it."""

from pathlib import Path

from evalcore.engine.finishing import finish_run
from evalcore.errors import EvalcoreError


def write_answered(root: Path, run: str) -> str:
    """Write the grading of a run that evalcore made, if people have judged it now; say so.

    The scores are stored whatever becomes of it: the next judgment writes it, or
    `evalcore runs --write`.
    """
    try:
        found = finish_run(root, run)
    except (EvalcoreError, OSError) as fault:
        return f"The scores are stored; the grading of the run is not written yet: {fault}"
    return "The grading of the run is written." if found.written else ""
