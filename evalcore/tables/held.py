"""Where a run's own record is, and what the run produced, if a document holds both."""

from typing import Final, Protocol

_OF_RECORD: Final = "/fields/actualOutput"


class Held(Protocol):
    """What is known of a run whose output may stand in a document."""

    @property
    def origin(self) -> str | None:
        """What states the run."""

    @property
    def outputs(self) -> str | None:
        """The place of what it produced."""

    @property
    def source(self) -> str | None:
        """Its document."""

    @property
    def pointer(self) -> str | None:
        """Its place in the document."""


def record_pointer(run: Held) -> str:
    """Return the pointer of a run's own record in its document."""
    return (run.pointer or "").removesuffix(_OF_RECORD)


def output_pointer(run: Held) -> str | None:
    """Return the pointer of the output in the document of a run; None if it has output files."""
    if run.origin == "record" and run.outputs in (None, run.source):
        return record_pointer(run) + _OF_RECORD
    inside = f"{run.source}#/"
    held = run.outputs is not None and run.source is not None and run.outputs.startswith(inside)
    return run.outputs[len(inside) - 1 :] if held and run.outputs else None


def output_at(source: str, pointer: str) -> str:
    """Return the `outputs` of a run whose output is at a pointer of its document."""
    return f"{source}#{pointer}"
