"""`evalcore report`: what the pages say of a suite as one file."""

from pathlib import Path
from typing import Any

from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_suite
from evalcore.cli.screen import progress
from evalcore.cli.writing import require_new, write_file
from evalcore.counting.people import Scores
from evalcore.errors import CannotWrite
from evalcore.report.content import Asked, content
from evalcore.report.file import report_file


def write_report(
    path: Path,
    suite: str | None,
    out: Path,
    sides: tuple[str, str] | None,
    scores: Scores,
    *,
    force: bool,
) -> Answer:
    """Write the report of a suite to `out`, and say how large it is.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such side.
        CannotCompare: the two sides cannot be compared.
        CannotWrite: the name does not end in .html, or the file exists without `force`.
    """
    if out.suffix.lower() != ".html":
        raise CannotWrite(out, "its name must end in .html")
    require_new(out, force=force)
    ws, name = open_suite(path, suite)
    with progress("Writing the report"):
        found = content(ws, Asked(name, sides, scores))
        data = report_file(found)
    write_file(out, data, force=force)

    def document() -> dict[str, Any]:
        return {"schema": 1, "file": str(out), "bytes": len(data), "suite": name}

    return Answer(document, [f"{out} written: {len(data) / 1000:,.0f} KB"])
