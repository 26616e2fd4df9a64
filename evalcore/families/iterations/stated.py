"""Rows of what documents state of the runs of a version: numbers of their own, and remarks."""

from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.iterations.case import as_json
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import NoteRow

AS_OBJECT: Final = (
    "note-as-object",
    "Notes are objects; each was read as a text of its fields.",
    "Write each note as a text.",
)
"""Code, message and next step of a problem."""


def notes_of(node: Node, key: str) -> list[tuple[str, str, bool]]:
    """Return the notes in a field: the text and pointer of each, and whether it was a plain text.

    The field is a text, or a list or an object of texts, numbers and objects.
    """
    held, at = node.get(key), node.at + pointer(key)
    said = [(held, at)] if isinstance(held, (str, dict)) else []
    if isinstance(held, list):
        said = [(value, f"{at}/{index}") for index, value in enumerate(held)]
    elif held is not None and not said:
        node.child(key).type_problem("a list of texts")
    found = [(_text(value), place, isinstance(value, str)) for value, place in said]
    return [note for note in found if note[0]]


def _text(value: Any) -> str:
    """Return a note as a text: an object line by line, what is nested in it as JSON."""
    if isinstance(value, dict):
        named = ((key, _text(inner)) for key, inner in value.items())
        return "\n".join(f"{key}: {text}" for key, text in named if text)
    if isinstance(value, str):
        return value
    return "" if value is None else as_json(value)


class Stated:
    """Adds what documents state of one version of a suite."""

    def __init__(self, rows: Rows, suite: str, version: str | None) -> None:
        self.rows = rows
        self.suite = suite
        self.version = version
        self._numbers = rows.tables["benchmarks"]

    def number(
        self,
        node: Node,
        configuration: str | None,
        metric: str,
        mean: float | None,
        median: float | None = None,
        stddev: float | None = None,
        low: float | None = None,
        high: float | None = None,
        *,
        case_id: str | None = None,
    ) -> None:
        """Add the statistics of a metric, with the text where a number was written as one."""
        text = node.value if isinstance(node.value, str) else None
        # A plain tuple in the order of `BenchmarkRow`: by name it takes thrice the time.
        self._numbers.add(
            (self.suite, self.version, configuration, case_id, metric, mean, median, stddev, low,
             high, None, "stored", text, node.path, node.at)
        )  # fmt: skip

    def note(
        self,
        text: str | None,
        source: str,
        pointer: str,
        target: str | None = None,
        run_id: str | None = None,
        kind: str = "benchmark",
    ) -> None:
        """Add a remark on the version, on something in it, or on one run."""
        self.rows.add(
            NoteRow(
                suite=self.suite,
                run_id=run_id,
                version=self.version,
                kind=kind,
                target=target,
                text=text,
                source=source,
                pointer=pointer,
            )
        )
