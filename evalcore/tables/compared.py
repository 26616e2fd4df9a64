"""What was compared, and what was found by it."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Time


class ComparisonRow(NamedTuple):
    """Two outputs or versions compared."""

    comparison_id: Code
    suite: Code
    case_id: Code = None
    version_a: Code = None
    version_b: Code = None
    winner: Code = None  # A, B, tie
    total_a: Float = None
    total_b: Float = None
    max_total: Float = None
    sample_size: Int = None
    judge: Code = None
    judge_type: Code = None
    blinded: Bool = None
    versions_from: Code = None  # document, analysis, record; null where A and B are not known
    confidence_level: Code = None
    compared_at: Time = None
    summary: Str = None
    source: Code = None
    pointer: Code = None
    benchmark: Code = None


class ComparisonScoreRow(NamedTuple):
    """One criterion of one comparison."""

    comparison_id: Code
    criterion: Code
    score_a: Float
    score_b: Float
    max_score: Float
    justification_a: Str = None
    justification_b: Str = None
    pointer: Code = None


class AnalysisRow(NamedTuple):
    """One finding about why a version won or what to change."""

    suite: Code
    comparison_id: Code = None
    winner_version: Code = None
    loser_version: Code = None
    kind: Code = None  # strength, weakness, suggestion, differentiator, finding
    area: Str = None
    before: Str = None
    after: Str = None
    reasoning: Str = None
    source: Code = None
    pointer: Code = None
