"""The documents of a run exactly as the tools write them, decoded by type: what most files are."""

from typing import Annotated, Final, TypeVar

import msgspec

from evalcore.disk.files import Files
from evalcore.errors import PathOutside

MAX_STANDARD: Final = 1024 * 1024
"""A document of more bytes is not a usual one."""

_MOST: Final = 2**53
_Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
_Number = Annotated[int, msgspec.Meta(ge=-_MOST, le=_MOST)] | float
_Name = Annotated[str, msgspec.Meta(min_length=1)]


class _Strict(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An object with these fields and no others."""


class Item(_Strict):
    """One judged expectation."""

    text: str
    passed: bool
    evidence: str


class Check(_Strict):
    """One check by rule."""

    id: _Name
    text: str
    passed: bool
    evidence: str
    critical: bool
    type: str | None = None


class Summary(_Strict):
    """The sums of a list of items."""

    passed: _Count
    failed: _Count
    total: _Count
    pass_rate: float


class Scored(_Strict):
    """One scored dimension of a rubric."""

    score: Annotated[float, msgspec.Meta(ge=1, le=5)]
    evidence: str


class RubricSummary(_Strict):
    """What the scores of a rubric come to."""

    weighted_mean: _Number | None = None
    max_possible: _Number | None = None
    normalized: _Number | None = None


class Claim(_Strict):
    """Something the executor claimed."""

    claim: str
    type: str
    verified: bool
    evidence: str


class Suggestion(_Strict):
    """What the grader would change about an assertion."""

    reason: str
    assertion: str | None = None


class Feedback(_Strict):
    """What the grader says about the evals."""

    suggestions: list[Suggestion | str] = []
    overall: str = ""


class Metrics(_Strict):
    """What the executor counted, which no table holds."""

    tool_calls: dict[str, _Count] = {}
    total_tool_calls: _Count = 0
    total_steps: _Count = 0
    files_created: list[str] = []
    errors_encountered: _Count = 0
    output_chars: _Count = 0
    transcript_chars: _Count = 0


class Grading(_Strict):
    """A grading of one run, with every field in its own type."""

    expectations: Annotated[list[Item], msgspec.Meta(min_length=1)]
    summary: Summary | None = None
    rubric_scores: dict[str, Scored] | None = None
    rubric_summary: RubricSummary | None = None
    execution_metrics: Metrics | None = None
    timing: dict[str, _Number | str | None] | None = None
    claims: list[Claim] | None = None
    user_notes_summary: dict[str, list[str]] | str | None = None
    eval_feedback: Feedback | str | None = None


class Structural(_Strict):
    """The checks by rule of one run."""

    expectations: Annotated[list[Check], msgspec.Meta(min_length=1)]
    summary: Summary | None = None
    gate_passed: bool | None = None


class Timing(_Strict):
    """What a run took, measured."""

    total_tokens: Annotated[int, msgspec.Meta(gt=0, le=_MOST)]
    total_duration_seconds: Annotated[float, msgspec.Meta(gt=0, le=_MOST)]
    duration_ms: _Number | None = None
    executor_start: str | None = None
    executor_end: str | None = None
    executor_duration_seconds: _Number | None = None


_Document = TypeVar("_Document", bound=_Strict)

_grading: Final = msgspec.json.Decoder(Grading)
_structural: Final = msgspec.json.Decoder(Structural)
_timing: Final = msgspec.json.Decoder(Timing)


def grading(files: Files, path: str) -> Grading | None:
    """Return a grading whose every value has its type; None sends it to the tolerant reader."""
    return _decoded(_grading, files, path)


def structural(files: Files, path: str) -> Structural | None:
    """Return structural checks whose every value has its type; None for all others."""
    return _decoded(_structural, files, path)


def timing(files: Files, path: str) -> Timing | None:
    """Return a timing that was measured, in the usual form; None for all others."""
    return _decoded(_timing, files, path)


def _decoded(
    decoder: "msgspec.json.Decoder[_Document]", files: Files, path: str
) -> _Document | None:
    try:
        return decoder.decode(files.read(path, MAX_STANDARD))
    except (OSError, ValueError, RecursionError, PathOutside, msgspec.MsgspecError):
        return None
