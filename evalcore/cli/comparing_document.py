"""A comparison as one JSON document: complete, in full precision, null for missing values."""

from dataclasses import asdict
from typing import Any, Final

from evalcore.cli.answering import plain
from evalcore.comparing.model import Comparison, Slice
from evalcore.statistics.not_worse import NotWorse
from evalcore.validating.compared import JudgeError
from evalcore.views.verdict.judge_error import error_sentence
from evalcore.views.verdict.limits import break_sentence
from evalcore.views.verdict.method import how
from evalcore.views.verdict.sentence import cautions, sentence
from evalcore.views.verdict.sides import side_names

SCHEMA: Final = 1
"""Increased when a name of the document changes its meaning or is removed, not for new ones."""


def as_document(
    c: Comparison,
    sides: tuple[dict[str, object], dict[str, object]],
    drop: NotWorse | None = None,
    error: JudgeError | None = None,
) -> dict[str, Any]:
    """Return a comparison as a document.

    `sides` describes A and B, `drop` is what `--max-drop` asked, `error` what `--judge-error`.
    docs/ci.md explains every name.
    """
    names = side_names(c)
    return {
        "schema": SCHEMA,
        "a": {**sides[0], "name": names.a},
        "b": {**sides[1], "name": names.b},
        "family": c.family,
        "headline": c.headline,
        "scores": c.scores,
        "people": {"a": _fields(c.people_a), "b": _fields(c.people_b)},
        "comparable": c.comparability.level,
        "breaks": [
            asdict(found) | {"sentence": break_sentence(found, names.a, names.b)}
            for found in c.comparability.breaks
        ],
        "unknown": c.comparability.unknown,
        "lost": _fields(c.lost),
        "runs": _fields(c.runs),
        "same_outputs": _fields(c.same_outputs),
        "hidden": dict(zip("ab", c.hidden, strict=True)),
        "shared_criteria": _fields(c.criteria),
        "weighted": _fields(c.weighted),
        "clusters": _fields(c.clusters),
        "alike": c.alike,
        "not_worse": _fields(drop),
        "judge_error": None
        if error is None
        else plain(error) | {"sentence": error_sentence(error)},
        "verdict": None if c.verdict is None else asdict(c.verdict) | {"same": c.verdict.same},
        "sentence": sentence(c),
        "cautions": cautions(c),
        "how": how(c),
        "estimates": {"a": _fields(c.estimate_a), "b": _fields(c.estimate_b)},
        "cases": [asdict(pair) | {"difference": pair.difference} for pair in c.pairs],
        "left_out": [asdict(left) for left in c.left_out],
        "carrier": None if c.carrier is None else c.carrier.case_id,
        "criteria": [_slice(found) for found in c.slices if found.kind == "criterion"],
        "tags": [_slice(found) for found in c.slices if found.kind == "tag"],
        "outcomes": [_slice(found) for found in c.outcomes],
        "measures": [asdict(measure) for measure in c.measures],
        "gates": _fields(c.gates),
        "repeats": {"a": _fields(c.repeats_a), "b": _fields(c.repeats_b)},
    }


def _slice(found: Slice) -> dict[str, Any]:
    fields = asdict(found)
    del fields["kind"]
    return fields


def _fields(part: Any) -> dict[str, Any] | None:
    return None if part is None else asdict(part)
