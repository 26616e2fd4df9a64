"""Which column is looked at, which one it is compared with, and what changed between them."""

from pathlib import Path

import pytest

from evalcore.counting.focus import baselines_of, earlier_of, focus_of, focused
from evalcore.counting.outcomes import Column
from evalcore.tables.rows import Row
from tests.made import SUITE, case, run, suite, version, workspace

COLUMNS = (
    Column("v1", "without_skill"), Column("v1", "with_skill"),
    Column("v2", "without_skill"), Column("v2", "with_skill"),
    Column("unassigned", "-"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("version_", "configuration", "expected"),
    [
        (None, None, (3, 1)),
        ("v1", None, (1, 0)),
        (None, "without_skill", (2, 0)),
        ("v1", "without_skill", (0, None)),
        ("v9", None, (None, None)),
        ("unassigned", None, (4, None)),
    ],
)
def test_the_newest_version_under_test_is_in_focus(
    version_: str | None, configuration: str | None, expected: tuple[int | None, int | None]
) -> None:
    """It is compared with the version before, else against the other side of its own version."""
    assert focus_of(COLUMNS, version_, configuration) == expected


def test_a_change_is_better_or_worse_by_the_share_of_passed_runs(tmp_path: Path) -> None:
    """Improved, regressed, the same, and new cases each; only the first two are changes."""
    rows: list[Row] = []
    for name, before, now in (("a", False, True), ("b", True, False), ("c", True, True)):
        rows.append(case(case_id=name))
        for label, passed in (("v1", before), ("v2", now)):
            rows.append(run(run_id=f"{name}{label}", case_id=name, version=label, passed=passed))
    rows += [case(case_id="new"), run(run_id="n", case_id="new", version="v2", passed=False)]
    ws = workspace(tmp_path, suite(), version("v1", 0), version("v2", 1), *rows)
    found = focused(ws, SUITE, 1, 0)
    assert found.change.tolist() == [1, -1, 0, 0]
    assert found.masks["changed"].tolist() == [True, True, False, False]
    assert found.masks["failing"].tolist() == [False, True, False, True]


@pytest.mark.parametrize(("family", "change"), [("descriptions", 1), ("improve", 0)])
def test_a_score_that_moves_within_a_verdict_is_no_change(
    tmp_path: Path, family: str, change: int
) -> None:
    """Where runs have a verdict it alone counts; where they have none the score does."""
    passed = True if family == "improve" else None
    rows = [
        run(run_id=label, version=label, passed=passed, fraction=fraction)
        for label, fraction in (("v1", 0.6), ("v2", 0.8))
    ]
    ws = workspace(tmp_path, suite(family), case(), version("v1", 0), version("v2", 1), *rows)
    assert focused(ws, SUITE, 1, 0).change.tolist() == [change]


def test_a_case_without_a_run_in_focus_opens_its_newest_elsewhere(tmp_path: Path) -> None:
    """A case that was not run in focus is not what is called not scored."""
    rows = [case(case_id="old"), case(case_id="never"), case(case_id="here")]
    runs = [
        run(run_id="o1", case_id="old", version="v1"),
        run(run_id="o2", case_id="old"),
        run(run_id="h", case_id="here", version="v2", passed=True),
    ]
    versions = [version(label, place) for place, label in enumerate(("v0", "v1", "v2"))]
    ws = workspace(tmp_path, suite(), *versions, *rows, *runs)
    found = focused(ws, SUITE, 2, 1)
    assert found.opens.tolist() == [0, -1, 2]
    assert not found.masks["unscored"].any()


@pytest.mark.parametrize(
    ("columns", "focus", "before"),
    [
        # The newest version's tested side, against the same side of the version before.
        (["1@without_skill", "1@with_skill", "2@without_skill", "2@with_skill"], 3, 1),
        # Not the last column, but the one that an earlier version has too.
        (["1@ours", "2@ours", "2@theirs"], 1, 0),
        # Where none is known from before, the last one that is no baseline.
        (["1@ours", "1@theirs", "1@without_skill"], 1, 2),
        # Runs whose version is not known stand last, and are not the newest.
        (["1@-", "2@-", "unassigned@-"], 1, 0),
        # A version of another prompt is no earlier one.
        (["reply@1@-", "summary@1@-"], 1, None),
        (["1@-"], 0, None),
    ],
)
def test_the_tested_side_is_the_one_that_other_versions_have_too(
    columns: list[str], focus: int, before: int | None
) -> None:
    """It is compared with the same side before it, else with a baseline of its version."""
    named = tuple(Column(*column.rsplit("@", 1)) for column in columns)
    assert focus_of(named, None, None) == (focus, before)


def test_without_columns_nothing_is_in_focus() -> None:
    """Nor where none has the name that was asked for."""
    assert focus_of((), None, None) == (None, None)
    assert focus_of((Column("1", "-"),), "2", None) == (None, None)


def test_earlier_versions_and_baselines_of_a_column_are_listed_in_their_order() -> None:
    """Oldest first; neither is of another configuration or prompt."""
    columns = tuple(
        Column(version, side) for version in "123" for side in ("without_skill", "with_skill")
    )
    assert earlier_of(columns, 5) == [1, 3]
    assert baselines_of(columns, 5) == [4]
    assert (earlier_of(columns, 0), baselines_of(columns, 4)) == ([], [])
