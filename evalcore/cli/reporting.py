"""`evalcore report`: what the pages say of a suite as one file."""

from pathlib import Path
from typing import Any

from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_suite
from evalcore.cli.screen import progress
from evalcore.cli.writing import require_new, write_file
from evalcore.errors import CannotWrite
from evalcore.report.content import Asked, content
from evalcore.report.file import report_file


def write_report(
    path: Path,
    out: Path,
    asked: Asked,
    *,
    force: bool,
) -> Answer:
    """Write the report of a suite, the only one if none is named, to `out`; say how large it is.

    Raises:
        SuiteNotNamed, UnknownName: the folder has no such suite, or the suite no such side
            or metric.
        CannotCompare: the two sides cannot be compared.
        CannotWrite: the name does not end in .html, or the file exists without `force`.
    """
    if out.suffix.lower() != ".html":
        raise CannotWrite(out, "its name must end in .html")
    require_new(out, force=force)
    ws, name = open_suite(path, asked.suite or None)
    with progress("Writing the report"):
        found = content(ws, asked._replace(suite=name))
        data = report_file(found)
    write_file(out, data, force=force)

    def document() -> dict[str, Any]:
        return {"schema": 1, "file": str(out), "bytes": len(data), "suite": name}

    return Answer(document, [f"{out} written: {len(data) / 1000:,.0f} KB"])
