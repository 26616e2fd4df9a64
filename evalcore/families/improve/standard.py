"""The grading exactly as the tool writes it, decoded by type: what most files are."""

from typing import Annotated, Any, Final

import msgspec

from evalcore.disk.files import Files
from evalcore.errors import PathOutside
from evalcore.families.improve.definitions import CONVENTIONS, MAX_SCORE

_NAMES: Final = tuple(CONVENTIONS)


class _Strict(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """An object with these fields and no others."""


class Result(_Strict):
    """One scored criterion."""

    criterion: str
    score: Annotated[int, msgspec.Meta(ge=1, le=MAX_SCORE)]
    passed: bool
    reasoning: str


class Kept(_Strict):
    """Whether one convention is kept."""

    passed: bool
    details: str


class Claim(_Strict):
    """Something the executor claimed."""

    claim: str
    verified: bool
    evidence: str


class Standard(_Strict):
    """A grading with every field in its own type, so that nothing needs a second look."""

    case_id: str
    version: int
    run: int
    results: list[Result]
    convention_compliance: dict[str, Kept]
    overall_score: int | float | None = None
    required_score: int | float | None = None
    overall: str | None = None
    claims: list[Claim] = []
    user_notes_summary: str = ""
    eval_feedback: str = ""
    execution_metrics: dict[str, Any] = {}


MAX_STANDARD: Final = 1024 * 1024
"""A grading of more bytes is not a usual one."""

_decode: Final = msgspec.json.Decoder(Standard).decode


def decode(files: Files, path: str) -> Standard | None:
    """Return a grading whose every value has its type; None sends it to the tolerant reader.

    Scores are whole, from 1 to 5, and the five conventions stand in order.
    """
    try:
        found = _decode(files.read(path, MAX_STANDARD))
    except (OSError, ValueError, RecursionError, PathOutside, msgspec.MsgspecError):
        return None
    usual = found.results and tuple(found.convention_compliance) == _NAMES
    return found if usual else None
