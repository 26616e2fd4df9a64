"""What was held against each other, and what was found by it."""

from typing import NamedTuple

from evalcore.tables.kinds import Bool, Code, Float, Int, Str, Time


class ComparisonRow(NamedTuple):
    """Two outputs or versions held against each other."""

    comparison_id: Code
    suite: Code
    case_id: Code
    version_a: Code
    version_b: Code
    winner: Code  # A, B, tie
    total_a: Float
    total_b: Float
    max_total: Float
    sample_size: Int
    judge: Code
    judge_type: Code
    blinded: Bool
    versions_from: Code  # document, analysis, record; null where A and B are not known
    confidence_level: Code
    compared_at: Time
    summary: Str
    source: Code
    pointer: Code


class ComparisonScoreRow(NamedTuple):
    """One criterion of one comparison."""

    comparison_id: Code
    criterion: Code
    score_a: Float
    score_b: Float
    max_score: Float
    justification_a: Str
    justification_b: Str
    pointer: Code


class AnalysisRow(NamedTuple):
    """One finding about why a version won or what to change."""

    suite: Code
    comparison_id: Code
    winner_version: Code
    loser_version: Code
    kind: Code  # strength, weakness, suggestion, differentiator, finding
    area: Str
    before: Str
    after: Str
    reasoning: Str
    source: Code
    pointer: Code
