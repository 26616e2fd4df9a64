"""Versions, their averages, and comparisons whose sides are never guessed."""

from pathlib import Path

import pytest

from evalcore.families.improve import FAMILY
from evalcore.tables.rows import (
    AnalysisRow,
    BenchmarkRow,
    ComparisonRow,
    ComparisonScoreRow,
    VersionRow,
)
from tests.families.build import Read, changed, write
from tests.families.improve_documents import (
    ANALYSIS,
    COMPARISON,
    EVALS,
    TWO_VERSIONS,
    grading,
    history,
    workspace,
)


def test_versions_come_from_the_history(tmp_path: Path) -> None:
    """Labels are v0, v1 and so on; current_version is an index."""
    read = workspace(tmp_path, history=history(None, None, current=1))
    first, second = read.all(VersionRow)
    assert (first.version, first.position, first.is_current, second.is_current) == (
        "v0",
        0,
        False,
        True,
    )
    assert (first.description, first.path) == ("step 0", "deploy-workspace/v0/skill")
    assert len(first.content_hash or "") == 64
    assert second.content_hash is None


def test_a_version_seen_only_in_gradings_is_listed(tmp_path: Path) -> None:
    """Versions that history.json does not name stand behind the others."""
    read = workspace(tmp_path, **{"grading__case-01_v7_run1": grading(version=7)})
    assert [row.version for row in read.all(VersionRow)] == ["v0", "v7"]
    assert read.codes() == ["version-not-in-history"]


def test_the_average_is_the_mean_of_case_means(tmp_path: Path) -> None:
    """Runs of one case are averaged first: many runs of it do not outweigh another case."""
    runs = {f"grading__case-01_v0_run{n}": grading(5, 5, run=n) for n in (1, 2, 3)}
    read = workspace(
        tmp_path,
        None,
        **runs,
        history=history(3.0),
        **{"grading__case-02_v0_run1": grading(1, 1, case_id="case-02")},
    )
    stored, computed = (read.one(BenchmarkRow, origin=name) for name in ("stored", "computed"))
    assert (stored.mean, computed.mean, computed.n, stored.metric) == (3.0, 3.0, 2, "average_score")
    assert "derived-mismatch" not in read.codes()


def test_an_average_written_one_entry_too_late_is_recognised(tmp_path: Path) -> None:
    """Version 0's average in the entry of version 1 is named as such."""
    read = workspace(
        tmp_path,
        history=history(None, 4.5),
        **{"grading__case-01_v1_run1": grading(2, 2, version=1)},
    )
    problem = read.problem("derived-mismatch")
    assert problem.pointer == "/versions/1/average_score"
    assert "4.5 is the average of v0" in problem.message


def test_a_wrong_average_names_both_numbers(tmp_path: Path) -> None:
    """A stored average that no version has is compared with the computed one."""
    message = workspace(tmp_path, history=history(1.5)).problem("derived-mismatch").message
    assert "1.5" in message
    assert "4.50" in message


@pytest.mark.parametrize("path", ["../../elsewhere", "/etc"])
def test_a_version_outside_the_workspace_is_not_opened(tmp_path: Path, path: str) -> None:
    """A path that leaves the workspace gives no folder and no hash."""
    entry = changed(history(None)["versions"][0], path=path)
    read = workspace(tmp_path, history={"versions": [entry], "current_version": 0})
    assert (read.one(VersionRow).path, read.one(VersionRow).content_hash) == (None, None)
    assert read.codes() == ["path-outside"]


def test_the_only_analysis_unblinds_the_only_comparison(tmp_path: Path) -> None:
    """Winner and loser of the analysis tell which version was A and which B."""
    read = workspace(tmp_path, history=TWO_VERSIONS, comparison=COMPARISON, analysis=ANALYSIS)
    row = read.one(ComparisonRow)
    assert (row.case_id, row.version_a, row.version_b, row.winner, row.versions_from) == (
        "case-01",
        "v0",
        "v1",
        "B",
        "analysis",
    )
    assert (row.total_a, row.total_b, row.max_total, row.blinded) == (13, 15, 20, True)
    assert len(read.all(ComparisonScoreRow)) == 2
    assert [(found.kind, found.comparison_id) for found in read.all(AnalysisRow)] == [
        (kind, row.comparison_id) for kind in ("strength", "weakness", "suggestion")
    ]


def test_several_pair_by_suffix(tmp_path: Path) -> None:
    """comparison-2 and analysis-2 belong together; one without partner stays A and B."""
    read = workspace(
        tmp_path,
        history=TWO_VERSIONS,
        comparisons__comparison=COMPARISON,
        **{"comparisons__comparison-2": COMPARISON, "comparisons__analysis-2": ANALYSIS},
    )
    told = {row.comparison_id: row.version_a for row in read.all(ComparisonRow)}
    assert told == {
        "deploy::comparisons/comparison": None,
        "deploy::comparisons/comparison-2": "v0",
    }


def test_without_analysis_only_a_and_b_are_known(tmp_path: Path) -> None:
    """Labels are randomised, so nothing is guessed from them."""
    row = workspace(tmp_path, grading__comparison=COMPARISON).one(ComparisonRow)
    assert (row.version_a, row.version_b, row.versions_from) == (None, None, None)


def test_a_prompt_of_two_cases_joins_neither(tmp_path: Path) -> None:
    """Two cases with the compared prompt are a problem, not a guess."""
    cases = [EVALS["cases"][0], changed(EVALS["cases"][0], id="case-02")]
    write(tmp_path, {"deploy-workspace/history.json": history(None)})
    write(tmp_path, {"deploy-workspace/comparison.json": COMPARISON})
    read = Read(FAMILY, write(tmp_path, {"deploy/evals/evals.json": {"cases": cases}}))
    assert (read.one(ComparisonRow).case_id, read.codes()) == (None, ["ambiguous-prompt"])


def test_a_winner_with_the_lower_scores_is_said(tmp_path: Path) -> None:
    """Winner and scores are both shown; a contradiction is a warning."""
    read = workspace(tmp_path, comparison=changed(COMPARISON, winner="a"))
    assert (read.one(ComparisonRow).winner, read.codes()) == ("A", ["winner-contradicts-scores"])
