"""One row type a table; its annotations are the table's columns, of the kinds of `kinds`."""

from collections.abc import Mapping
from typing import get_args, get_type_hints

from evalcore.tables.aggregated import BenchmarkRow, BenchmarkRunRow, FailureRow, TrendPointRow
from evalcore.tables.compared import AnalysisRow, ComparisonRow, ComparisonScoreRow
from evalcore.tables.definitions import CaseRow, CriterionRow, SuiteRow, VersionRow
from evalcore.tables.files import DocumentRow, ProblemRow, RelationRow
from evalcore.tables.judged import (
    ClaimRow,
    ExclusionRow,
    FeedbackRow,
    FingerprintRow,
    JudgmentRow,
    NoteRow,
    RequestRow,
    RunRow,
    RunScoreRow,
    StepRow,
)
from evalcore.tables.kinds import Kind
from evalcore.tables.remembered import ApprovalRow, BenchmarkDefinitionRow, MessageRow

__all__ = [
    "ALL_TABLES",
    "TABLES",
    "AnalysisRow",
    "ApprovalRow",
    "BenchmarkDefinitionRow",
    "BenchmarkRow",
    "BenchmarkRunRow",
    "CaseRow",
    "ClaimRow",
    "ComparisonRow",
    "ComparisonScoreRow",
    "CriterionRow",
    "DocumentRow",
    "ExclusionRow",
    "FailureRow",
    "FeedbackRow",
    "FingerprintRow",
    "JudgmentRow",
    "Kind",
    "MessageRow",
    "NoteRow",
    "ProblemRow",
    "RelationRow",
    "RequestRow",
    "Row",
    "RunRow",
    "RunScoreRow",
    "StepRow",
    "SuiteRow",
    "TrendPointRow",
    "VersionRow",
    "columns",
]

Row = (
    SuiteRow
    | CaseRow
    | CriterionRow
    | VersionRow
    | RunRow
    | JudgmentRow
    | RunScoreRow
    | StepRow
    | ClaimRow
    | FeedbackRow
    | NoteRow
    | ExclusionRow
    | RequestRow
    | FingerprintRow
    | ComparisonRow
    | ComparisonScoreRow
    | AnalysisRow
    | BenchmarkDefinitionRow
    | BenchmarkRow
    | BenchmarkRunRow
    | TrendPointRow
    | FailureRow
    | ApprovalRow
    | MessageRow
    | RelationRow
    | ProblemRow
    | DocumentRow
)

TABLES: dict[str, type[Row]] = {
    "suites": SuiteRow,
    "cases": CaseRow,
    "criteria": CriterionRow,
    "versions": VersionRow,
    "runs": RunRow,
    "judgments": JudgmentRow,
    "run_scores": RunScoreRow,
    "claims": ClaimRow,
    "feedback": FeedbackRow,
    "notes": NoteRow,
    "exclusions": ExclusionRow,
    "requests": RequestRow,
    "fingerprints": FingerprintRow,
    "comparisons": ComparisonRow,
    "comparison_scores": ComparisonScoreRow,
    "analyses": AnalysisRow,
    "benchmarks": BenchmarkRow,
    "benchmark_definitions": BenchmarkDefinitionRow,
    "benchmark_runs": BenchmarkRunRow,
    "trend_points": TrendPointRow,
    "failures": FailureRow,
    "approvals": ApprovalRow,
    "messages": MessageRow,
    "relations": RelationRow,
    "problems": ProblemRow,
    "documents": DocumentRow,
}

ALL_TABLES: dict[str, type[Row]] = TABLES | {"steps": StepRow}
"""Those of a snapshot, and that of the steps, which is read from the files when it is asked for."""

_COLUMNS: dict[str, Mapping[str, Kind]] = {}


def columns(row_type: type[Row]) -> Mapping[str, Kind]:
    """Return the columns of a row type in order, each with its kind."""
    name = row_type.__name__
    if name not in _COLUMNS:
        hints = get_type_hints(row_type, include_extras=True)
        _COLUMNS[name] = {column: get_args(hint)[1] for column, hint in hints.items()}
    return _COLUMNS[name]
