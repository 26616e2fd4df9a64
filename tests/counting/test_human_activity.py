"""Which runs people looked at, and how many people they were."""

from pathlib import Path

import numpy as np

from evalcore.counting.human_activity import people_of
from evalcore.families.reviews.review import ADJUDICATED
from tests import made
from tests.counting.peopled import of, opened


def test_who_judged_a_part_or_decided_is_not_counted_as_having_judged_a_run(
    tmp_path: Path,
) -> None:
    """One of two runs was judged whole by two people, who are named; a third scored a part."""
    ws = opened(
        tmp_path,
        made.case(),
        made.run(),
        made.run(run_id="r2"),
        of("r1", "a", 5.0, 5.0),
        of("r1", "b", 3.0, 5.0),
        of("r1", "c", None, 5.0, judged=1, expected=2),
        of("r1", ADJUDICATED, 4.0, 5.0),
    )
    assert people_of(ws, np.arange(2)) == (1, ("a", "b"))
