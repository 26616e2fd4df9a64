"""What is asked, as `iterations` defines it: evals.json and eval_metadata.json."""

from typing import Final

from evalcore.shapes import parts
from evalcore.shapes.fields import (
    RAW,
    TEXT,
    TEXTS,
    WHOLE,
    Field,
    ListOf,
    Shape,
)

EVAL: Final = Shape(
    "One eval; `files` are relative to the skill. Younger files say `assertions`.",
    Field("id", WHOLE, "cases.case_id", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("expected_output", TEXT, "cases.expected", parts.CASE),
    Field("files", TEXTS, "cases.files", parts.CASE, absent=True),
    Field("expectations", TEXTS, "criteria.description", parts.DEFINED, absent=True, null=True),
    Field("assertions", TEXTS, "criteria.description", parts.DEFINED, absent=True, null=True),
)

EVALS: Final = Shape(
    "The evals of a skill.",
    Field("skill_name", TEXT, RAW, parts.DOCUMENTS),
    Field("evals", ListOf(EVAL)),
)

EVAL_METADATA: Final = Shape(
    "One eval as it was asked in one iteration.",
    Field("eval_id", WHOLE, "cases.case_id", parts.GRID),
    Field("eval_name", TEXT, "cases.name", parts.GRID),
    Field("prompt", TEXT, "cases.prompt", parts.CASE),
    Field("assertions", TEXTS, "criteria.description", parts.DEFINED),
)
