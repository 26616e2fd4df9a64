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
    runs_per_case: Int = None
    judge_model: Str = None


class CaseRow(NamedTuple):
    """What is asked."""

    suite: Code
    case_id: Code
    name: Str = None
    prompt: Str = None
    expected: Str = None
    tags: Str = None  # JSON list of strings
    weight: Float = None
    status: Code = None  # active, draft, deprecated
    files: Str = None  # JSON list of strings
    source: Code = None
    pointer: Code = None


class CriterionRow(NamedTuple):
    """What is checked in one case."""

    suite: Code
    case_id: Code
    kind: Code  # expectation, assertion, structural, rubric, convention
    criterion: Code
    description: Str
    required: Bool = None
    critical: Bool = None
    weight: Float = None
    min_score: Float = None
    max_score: Float = None
    pass_at: Float = None
    guide: Str = (
        None  # JSON object score -> anchor text, or the judge's instructions as a JSON string
    )
    position: Int = None
    source: Code = None
    pointer: Code = None


class VersionRow(NamedTuple):
    """A state of the skill or prompt, compared over time."""

    suite: Code
    version: Code
    position: Int
    description: Str = None
    created_at: Time = None
    git_hash: Str = None
    content_hash: Str = None
    path: Str = None
    is_current: Bool = None
    stored_score: Float = None
    source: Code = None
    pointer: Code = None
    runs_per_case: Int = None  # as its own documents plan them; suites has those of all versions
