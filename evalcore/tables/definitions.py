"""What is evaluated: suites, their cases and criteria, and their versions."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Time


class SuiteRow(NamedTuple):
    """A skill, prompt or benchmark store under evaluation."""

    suite: Code  # path of the skill or store, relative to the workspace; `.` for the root
    name: Str  # the skill's or store's name
    family: Code  # dialect of its documents
    root: Str  # folder that holds versions and runs
    skill_path: Str  # folder of the skill itself, when it lies in the workspace
    headline: Code  # name of the headline metric
    runs_per_case: Int = None  # planned runs of each case; missing where the suite plans none
    judge_model: Str = None  # the model that is to judge


class CaseRow(NamedTuple):
    """What is asked."""

    suite: Code
    case_id: Code
    name: Str = None  # a name for people
    prompt: Str = None  # what is asked
    expected: Str = None  # what the answer should be, in words
    tags: Str = None  # JSON list of strings
    weight: Float = None  # its weight in weighted means
    status: Code = None  # active, draft, deprecated: the last two are in no rate
    files: Str = None  # JSON list of paths
    source: Code = None
    pointer: Code = None


class CriterionRow(NamedTuple):
    """What is checked in one case."""

    suite: Code
    case_id: Code
    kind: Code  # expectation, assertion, structural, rubric, convention
    criterion: Code  # its label, one of its kind in a case
    description: Str  # what is checked
    required: Bool = None  # a run that fails it has not passed
    critical: Bool = None  # a run that fails it is stopped by the gate
    weight: Float = None  # its weight in the run's score
    min_score: Float = None  # lowest score of its scale
    max_score: Float = None  # highest score of its scale
    pass_at: Float = None  # passed from this score on
    guide: Str = None  # JSON: score -> anchor text, or the judge's instructions as a string
    position: Int = None  # its place in the document
    source: Code = None
    pointer: Code = None


class VersionRow(NamedTuple):
    """A state of the skill or prompt, compared over time."""

    suite: Code
    version: Code  # its label
    position: Int  # its place in the order of versions
    description: Str = None  # what changed
    created_at: Time = None  # when it was made
    git_hash: Str = None  # the commit that it is of
    content_hash: Str = None  # SHA-256 of its content, or the start of it
    path: Str = None  # its folder, relative to the workspace
    is_current: Bool = None  # whether the suite's documents say that it is the current one
    stored_score: Float = None  # the average that a document states, unchanged
    source: Code = None
    pointer: Code = None
    runs_per_case: Int = None  # as its own documents plan them; suites has those of all versions
