"""What is evaluated: suites, their cases and criteria, and their versions."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Time


class SuiteRow(NamedTuple):
    """A skill, prompt or benchmark store under evaluation."""

    suite: Code
    name: Str
    family: Code
    root: Str  # the folder that holds versions and runs
    skill_path: Str  # the folder of the skill itself, when it lies in the workspace
    headline: Code  # name of the headline metric
    runs_per_case: Int
    judge_model: Str


class CaseRow(NamedTuple):
    """What is asked."""

    suite: Code
    case_id: Code
    name: Str
    prompt: Str
    expected: Str
    tags: Str  # JSON list of strings
    weight: Float
    status: Code  # active, draft, deprecated
    files: Str  # JSON list of strings
    source: Code
    pointer: Code


class CriterionRow(NamedTuple):
    """What is checked in one case."""

    suite: Code
    case_id: Code
    kind: Code  # expectation, assertion, structural, rubric, convention
    criterion: Code
    description: Str
    required: Bool
    critical: Bool
    weight: Float
    min_score: Float
    max_score: Float
    pass_at: Float
    guide: Str  # JSON object score -> anchor text, or the judge's instructions as a JSON string
    position: Int
    source: Code
    pointer: Code


class VersionRow(NamedTuple):
    """A state of the skill or prompt, compared over time."""

    suite: Code
    version: Code
    position: Int
    description: Str
    created_at: Time
    git_hash: Str
    content_hash: Str
    path: Str
    is_current: Bool
    stored_score: Float
    source: Code
    pointer: Code
