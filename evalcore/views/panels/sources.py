"""Read the scripts and styles of panels."""

from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def lean(file: Path) -> str:
    """Return a script or style without indentation and comments, which no browser needs."""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def as_panel(code: str) -> str:
    """Return the script of a panel with the function that draws it as `panel`, not exported."""
    return code.replace("export default function", "const panel = function", 1)
