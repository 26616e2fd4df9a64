"""What was compared, and what was found by it."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Time


class ComparisonRow(NamedTuple):
    """Two outputs or versions compared."""

    comparison_id: Code  # its id
    suite: Code
    case_id: Code = None
    version_a: Code = None  # what A was
    version_b: Code = None  # what B was
    winner: Code = None  # A, B, tie
    total_a: Float = None  # sum of A's scores
    total_b: Float = None  # sum of B's scores
    max_total: Float = None  # the highest possible sum
    sample_size: Int = None  # how many runs or cases it rests on
    judge: Code = None
    judge_type: Code = None
    blinded: Bool = None  # whether the judge did not know the versions
    versions_from: Code = None  # document, analysis, record; null where A and B are not known
    confidence_level: Code = None
    compared_at: Time = None  # when it was compared
    summary: Str = None  # why, in words
    source: Code = None
    pointer: Code = None
    benchmark: Code = None


class ComparisonScoreRow(NamedTuple):
    """One criterion of one comparison."""

    comparison_id: Code
    criterion: Code
    score_a: Float  # A's score
    score_b: Float  # B's score
    max_score: Float  # the highest possible score
    justification_a: Str = None  # why A has it
    justification_b: Str = None  # why B has it
    pointer: Code = None


class AnalysisRow(NamedTuple):
    """One finding about why a version won or what to change."""

    suite: Code
    comparison_id: Code = None
    winner_version: Code = None  # the version that won
    loser_version: Code = None  # the version that lost
    kind: Code = None  # strength, weakness, suggestion, differentiator, finding
    area: Str = None  # the part of the skill or output it is about
    before: Str = None  # the text to be replaced
    after: Str = None  # the text to replace it with
    reasoning: Str = None  # the finding, or why to change it
    source: Code = None
    pointer: Code = None
