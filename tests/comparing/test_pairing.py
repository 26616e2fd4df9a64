"""Which cases of two sides count, and why the others do not."""

from pathlib import Path

from evalcore.comparing.compare import compare
from tests import made
from tests.comparing.sided import run_id, sides


def test_a_draft_that_ran_on_one_side_only_is_set_aside(tmp_path: Path) -> None:
    """Nobody misses it on the other side, so it is not told as a case that was not run there."""
    ws = made.workspace(
        tmp_path,
        made.suite()._replace(headline="share of runs passed"),
        made.version("v0", 0),
        made.version("v1", 1),
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
