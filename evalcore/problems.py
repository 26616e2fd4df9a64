"""A fault found in a file, as a value that is part of the workspace."""

from typing import Literal, NamedTuple

Severity = Literal["error", "warning", "info"]


class Problem(NamedTuple):
    """One fault in one file: where it is, what it is, and how to fix it.

    `pointer` is a JSON pointer (RFC 6901) into the file; `""` means the whole file.
    `error`: something could not be read. `warning`: read, but contradictory or against a rule.
    `info`: read by tolerance.
    """

    path: str
    pointer: str
    severity: Severity
    code: str
    message: str
    hint: str = ""
    suite: str | None = None


def pointer(*parts: str | int) -> str:
    """Join `parts` to a JSON pointer (RFC 6901), escaping `~` and `/`."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)
