"""Which cases of two sides count, and why the others do not."""

from pathlib import Path

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Gates
from tests import made
from tests.comparing.sided import opened, run_id, sides, versions


def test_a_draft_that_ran_on_one_side_only_is_set_aside(tmp_path: Path) -> None:
    """Nobody misses it on the other side, so it is not told as a case that was not run there."""
    ws = versions(
        tmp_path,
        made.case(case_id="old", status="deprecated"),
        made.case(case_id="new", status="draft"),
        *(
            made.run(run_id=run_id(case, version), case_id=case, version=version, passed=True)
            for case, version in (("done", "v0"), ("done", "v1"), ("old", "v0"), ("new", "v1"))
        ),
    )
    found = compare(*sides(ws))
    assert found.comparability.level == "whole"
    assert {(left.case_id, left.reason) for left in found.left_out} == {
        ("old", "set aside"),
        ("new", "set aside"),
    }


def test_runs_that_the_gate_stopped_are_counted_beside_the_scores(tmp_path: Path) -> None:
    """Nobody scored them: a version that fails its gate more often must not look better for it."""
    values: dict[str, dict[str, float | None]]
    values = {"fine": {"v0": 0.6, "v1": 0.8}, "stopped": {"v0": 0.6, "v1": None}}
    ws = versions(
        tmp_path,
        *(
            made.run(
                run_id=run_id(case, version),
                case_id=case,
                version=version,
                fraction=value,
                status="completed" if value else "gate_failed",
            )
            for case, by_version in values.items()
            for version, value in by_version.items()
        ),
        family="rubric",
        headline="mean score",
    )
    found = compare(*sides(ws))
    assert [pair.case_id for pair in found.pairs] == ["fine"]
    assert [(left.case_id, left.reason) for left in found.left_out] == [
        ("stopped", "gate failed in B")
    ]
    assert found.gates == Gates(stopped_a=0, runs_a=2, stopped_b=1, runs_b=2)


def test_without_a_gate_there_is_nothing_to_count(tmp_path: Path) -> None:
    """Most suites have none."""
    assert compare(*sides(opened(tmp_path, {"x": [1]}, {"x": [1]}))).gates is None
