"""What a command answers, as a value; the one place that prints it, as JSON or as text."""

import math
import sys
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from evalcore.cli.terminal import complain, harmless

if TYPE_CHECKING:
    from rich.console import RenderableType


class Answer(NamedTuple):
    """What a command answers: its document for programs, its lines for people, its exit code.

    `document` is made only for `--json`, and `lines` are only read without it. A line that is no
    text is drawn (see `screen`). `complaints` are sentences for stderr, after the answer. `ascii`
    says that the JSON has no other characters, so that it is safe on any terminal.
    """

    document: Callable[[], Any]
    lines: "Iterable[RenderableType]"
    code: int = 0
    complaints: tuple[str, ...] = ()
    ascii: bool = True


def print_answer(answer: Answer, *, as_json: bool) -> int:
    """Print an answer; return its exit code."""
    if as_json:
        sys.stdout.write(json_text(answer.document(), ascii_only=answer.ascii))
    else:
        print_lines(answer.lines)
    for each in answer.complaints:
        complain(each)
    return answer.code


def print_lines(lines: "Iterable[RenderableType]") -> None:
    """Print lines for people, of which any part may come from a file."""
    for line in lines:
        if isinstance(line, str):
            sys.stdout.write(f"{harmless(line)}\n")
        else:
            from evalcore.cli.screen import draw  # noqa: PLC0415 - plain lines need no rich

            draw(line)


def json_text(value: Any, *, ascii_only: bool = True, indent: int | None = 2) -> str:
    """Return a document as JSON: in full precision, null for missing values, times in ISO form.

    numpy numbers become numbers, other than finite ones null.
    """
    import json  # noqa: PLC0415 - quick start

    text = json.dumps(_plain(value), indent=indent, allow_nan=False, ensure_ascii=ascii_only)
    return f"{text}\n"


def plain(value: Any) -> Any:
    """Return a value in which each named tuple is an object with its names."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain(each) for name, each in value._asdict().items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def fields(value: Any, *names: str) -> dict[str, Any]:
    """Return the named attributes of a value, for a document that calls them by the same names."""
    return {name: getattr(value, name) for name in names}


def _plain(value: Any) -> Any:
    match value:
        case Mapping():
            return {key: _plain(each) for key, each in value.items()}
        case list() | tuple():
            return [_plain(each) for each in value]
        case float():
            return float(value) if math.isfinite(value) else None
        case None | bool() | int() | str():
            return value
        case datetime():
            return value.isoformat()
        case Path():
            return str(value)
        case _:
            return _plain(value.item())
