"""The words of failures on screen, and what their forms begin with."""

from typing import Final

from evalcore.counting.guides import is_opaque
from evalcore.counting.outcomes import outcomes
from evalcore.failures.detail import Failure
from evalcore.failures.rules import NOT_CLASSIFIED
from evalcore.judging.answering.classifying import Classified
from evalcore.judging.limits import LIMITS
from evalcore.memory.failures import unrecorded
from evalcore.views.gradings.grid import case_name
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

TYPE_WORDS: Final = {
    "wrong-output": "wrong output",
    "hallucination": "hallucination",
    "format-error": "format error",
    "timeout": "timeout",
    "refusal": "refusal",
    NOT_CLASSIFIED: "not classified",
}
ORIGIN_WORDS: Final = {
    "guess": "guess",
    "recorded": "recorded",
    "person": "by a person",
    "model": "by a model",
    "rule": "recorded by a rule",
}
GRADE_WORDS: Final = {
    "critical": "critical",
    "major": "major",
    "minor": "minor",
    "not-said": "severity not said",
}
RECORD_WORDS: Final = (
    "Writes one record for each failure, with the type that the rules guess, so that other "
    "tools see it. People and models can replace it."
)
_UNCOUNTED: Final = frozenset({"wrong-output", NOT_CLASSIFIED})


def type_words(found: Failure) -> str:
    """Return the type of a failure in words."""
    return TYPE_WORDS[found.type or NOT_CLASSIFIED]


def counted(kind: str, n: int) -> str:
    """Return a number of failures of a type: `9 wrong output`, `3 timeouts`."""
    words = TYPE_WORDS[kind]
    return f"{n:,} {words}" if kind in _UNCOUNTED else wording.count(n, words)


def state_words(found: Failure) -> str:
    """Return whether a failure is resolved, and when."""
    if found.resolved_at is None:
        return "open"
    return f"resolved {wording.moment(found.resolved_at)}"


def place_words(found: Failure) -> str:
    """Return the version, configuration and number of a failure's run; no name that is an id."""
    if found.run_id is None:
        return "run is missing"
    side = found.configuration if (found.configuration or "-") != "-" else None
    name = None if is_opaque(found.run or "") else found.run
    run = f"run {name}" if name is not None and name.isdecimal() else name
    return " · ".join(filter(None, (found.version, side, run)))


def case_words(ws: Workspace, found: Failure) -> str:
    """Return what a failure is called in a list: its case, else the run that its record names."""
    about = outcomes(ws, found.suite)
    at = about.positions.get(found.case_id or "")
    if at is not None:
        return case_name(about.cases.iloc[at].to_dict())
    return found.case_id or found.named_run or found.failure_id or "no run"


def key_of(found: Failure) -> str:
    """Return the name of a failure in addresses: the id of its record, else of its run."""
    return found.failure_id or found.run_id or ""


def as_said(found: Failure) -> Classified:
    """Return a failure as a person's record would say it without a change.

    Without a severity, as in some stores, it is minor.
    """
    resolved = found.resolved_at
    return Classified(
        run_id=found.run_id or found.named_run or "",
        failure_type=found.type,
        severity=found.severity or "minor",
        description=found.description[: LIMITS.failure],
        criteria=found.criteria,
        root_cause=found.root_cause or "",
        resolution=None if resolved is None else found.resolution_notes or "",
        resolved_at=None if resolved is None else resolved.isoformat(timespec="milliseconds"),
    )


def criteria_to_choose(found: Failure) -> list[str]:
    """Return the criteria that a failure may affect: those stated, and those that failed."""
    return list(dict.fromkeys((*found.stated, *(each.key for each in found.failed))))


def to_record(ws: Workspace, suite: str) -> str:
    """Return what the button says that records failures: `Record 9 failures`; empty for none."""
    n = len(unrecorded(ws, suite))
    return f"Record {wording.count(n, 'failure')}" if n else ""


def stored_words(found: Failure) -> str:
    """Return what resolving a guess stores beside the resolution."""
    kind = type_words(found)
    return f"It is stored as {kind}, {found.severity}; classify it first if that is wrong."
