"""Read the scripts and styles of panels."""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


def lean(file: Path) -> str:
    """Return a script or style without indentation and comments, which no browser needs."""
    lines = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return "".join(f"{line}\n" for line in lines if line and not line.startswith("//"))


def own_only(script: str, style: str) -> str:
    """Return the policy of a file that runs one script, has one style, and fetches nothing."""
    allowed = (
        f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in (script, style)
    )
    return (
        f"default-src 'none'; script-src {next(allowed)}; style-src {next(allowed)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def as_panel(code: str) -> str:
    """Return the script of a panel with the function that draws it as `panel`, not exported."""
    return code.replace("export default function", "const panel = function", 1)
