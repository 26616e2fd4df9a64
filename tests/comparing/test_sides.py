"""Which two sides are meant: by name, and unasked."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evalcore.comparing.sides import columns_of, default_sides, side_of, sides_of_version
from evalcore.errors import CannotCompare, UnknownName
from evalcore.tables.rows import ExclusionRow
from evalcore.workspace.opened import Workspace
from tests import made
from tests.comparing.judged import judged

Ran = Mapping[tuple[str, str], tuple[str, ...]]


def opened(root: Path, ran: Ran) -> Workspace:
    """Return a workspace whose versions and configurations ran these cases."""
    versions = list(dict.fromkeys(version for version, _ in ran))
    return made.workspace(
        root,
        made.suite("iterations"),
        *(made.version(version, place) for place, version in enumerate(versions)),
        *(
            made.run(
                run_id=f"{case}@{version}/{side}",
                case_id=case,
                version=version,
                configuration=side,
                fraction=1.0,
            )
            for (version, side), cases in ran.items()
            for case in cases
        ),
    )


def keys(ws: Workspace, **chosen: str) -> tuple[str, ...] | None:
    """Return the names of the two sides that are compared unasked."""
    found = default_sides(ws, made.SUITE, **chosen)
    return None if found is None else tuple(side.column.key for side in found)


def test_the_newest_is_held_against_the_version_before(tmp_path: Path) -> None:
    """Of the same configuration."""
    ws = opened(
        tmp_path,
        {
            ("v1", "without_skill"): ("x",),
            ("v1", "with_skill"): ("x",),
            ("v2", "without_skill"): ("x",),
            ("v2", "with_skill"): ("x",),
        },
    )
    assert keys(ws) == ("v1@with_skill", "v2@with_skill")
    assert keys(ws, configuration="without_skill") == ("v1@without_skill", "v2@without_skill")


def test_a_side_with_cases_in_common_goes_before_one_without(tmp_path: Path) -> None:
    """The version before ran other cases, so the baseline of the newest one is taken."""
    ws = opened(
        tmp_path,
        {
            ("v1", "with_skill"): ("x",),
            ("v2", "without_skill"): ("y",),
            ("v2", "with_skill"): ("y",),
        },
    )
    assert keys(ws) == ("v2@without_skill", "v2@with_skill")


@pytest.mark.parametrize(
    ("newest_earlier", "other"),
    [
        (("a", "b"), "v2@with_skill"),
        (("a", "x", "y"), "v1@with_skill"),
        ((), "v1@with_skill"),
    ],
)
def test_the_newest_earlier_version_needs_half_of_the_cases_that_any_earlier_one_shares(
    tmp_path: Path, newest_earlier: tuple[str, ...], other: str
) -> None:
    """Two of four are enough, one is not: then the version before it says more."""
    ran: dict[tuple[str, str], tuple[str, ...]] = {
        ("v1", "with_skill"): ("a", "b", "c", "d"),
        ("v2", "with_skill"): newest_earlier,
        ("v3", "without_skill"): ("a", "b", "c", "d"),
        ("v3", "with_skill"): ("a", "b", "c", "d"),
    }
    ws = opened(tmp_path, {side: cases for side, cases in ran.items() if cases})
    assert keys(ws) == (other, "v3@with_skill")


def test_an_earlier_version_of_another_configuration_is_not_the_one_before(tmp_path: Path) -> None:
    """The baseline of the same version goes before it."""
    ws = opened(
        tmp_path,
        {
            ("v1", "without_skill"): ("x",),
            ("v2", "without_skill"): ("x",),
            ("v2", "with_skill"): ("x",),
        },
    )
    assert keys(ws) == ("v2@without_skill", "v2@with_skill")


def test_a_baseline_without_a_common_case_is_not_taken(tmp_path: Path) -> None:
    """There is something to compare with another version."""
    ws = opened(
        tmp_path,
        {
            ("v1", "other"): ("x",),
            ("v2", "without_skill"): ("y",),
            ("v2", "with_skill"): ("x",),
        },
    )
    assert keys(ws) == ("v1@other", "v2@with_skill")


def criteria_of(version: str, configuration: str = "with_skill") -> dict[str, list[str]]:
    """Return what was asked of two cases in a version of the tests below."""
    asked = {
        "v1": ["The form has a title."],
        "v2": ["Nothing is lost on return."],
        "v3": ["The form has a title."],
        "v4": ["A page loads within a second."],
    }
    words = asked[version] if configuration == "with_skill" else asked["v4"]
    return {"x": words, "y": words}


def asked(root: Path, *columns: tuple[str, str]) -> tuple[str, ...] | None:
    """Return the default sides of columns that were asked what `criteria_of` says."""
    versions = list(dict.fromkeys(version for version, _ in columns))
    rows = [row for one in columns for row in judged(one[0], criteria_of(*one), one[1])]
    return keys(
        made.workspace(
            root,
            made.suite("iterations"),
            *(made.version(version, place) for place, version in enumerate(versions)),
            *(made.case(case_id=case) for case in "xy"),
            *rows,
        )
    )


def test_an_earlier_version_that_shares_no_criterion_is_passed_over(tmp_path: Path) -> None:
    """The one before it can be compared."""
    columns = [(version, "with_skill") for version in ("v1", "v2", "v3")]
    assert asked(tmp_path, *columns) == ("v1@with_skill", "v3@with_skill")


def test_a_baseline_goes_before_earlier_versions_that_share_no_criterion(tmp_path: Path) -> None:
    """It was asked the same."""
    columns = [("v1", "with_skill"), ("v4", "without_skill"), ("v4", "with_skill")]
    assert asked(tmp_path, *columns) == ("v4@without_skill", "v4@with_skill")


def test_where_nothing_is_comparable_the_newest_earlier_version_is_named(tmp_path: Path) -> None:
    """The sentence then says what differs, and the next step."""
    columns = [(version, "with_skill") for version in ("v1", "v2", "v4")]
    assert asked(tmp_path, *columns) == ("v2@with_skill", "v4@with_skill")


def nearest(root: Path, *sides: tuple[str, str, str, tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return the default sides of a suite whose sides have a version, name, model and cases."""
    versions = list(dict.fromkeys(version for version, *_ in sides))
    return keys(
        made.workspace(
            root,
            made.suite("iterations"),
            *(made.version(version, place) for place, version in enumerate(versions)),
            *(
                made.run(
                    run_id=f"{case}@{version}/{name}",
                    case_id=case,
                    version=version,
                    configuration=name,
                    model=model,
                    fraction=1.0,
                )
                for version, name, model, cases in sides
                for case in cases
            ),
        )
    )


def test_without_an_earlier_one_or_a_baseline_the_same_model_is_nearest(tmp_path: Path) -> None:
    """Not the last column, which is another model's."""
    assert nearest(
        tmp_path,
        ("v1", "ours", "opus-5", ("x", "y")),
        ("v1", "theirs", "sonnet-4", ("x", "y")),
        ("v2", "mine", "opus-5", ("x", "y")),
    ) == ("v1@ours", "v2@mine")


def test_a_side_with_common_cases_is_nearer_than_one_of_the_same_model(tmp_path: Path) -> None:
    """Without them nothing can be compared."""
    assert nearest(
        tmp_path,
        ("v1", "ours", "opus-5", ("a",)),
        ("v1", "theirs", "sonnet-4", ("x",)),
        ("v2", "mine", "opus-5", ("x",)),
    ) == ("v1@theirs", "v2@mine")


def test_of_sides_as_near_the_one_with_most_common_cases_is_taken(tmp_path: Path) -> None:
    """Of the same model both."""
    assert nearest(
        tmp_path,
        ("v1", "ours", "opus-5", ("x", "y")),
        ("v1", "theirs", "opus-5", ("x",)),
        ("v2", "mine", "opus-5", ("x", "y")),
    ) == ("v1@ours", "v2@mine")


def test_where_no_side_shares_a_case_two_are_still_named(tmp_path: Path) -> None:
    """The comparison then says what is missing."""
    assert nearest(
        tmp_path,
        ("v1", "-", "opus-5", ("x",)),
        ("v2", "-", "opus-5", ("y",)),
    ) == ("v1", "v2")


def test_the_older_of_two_versions_is_always_a(tmp_path: Path) -> None:
    """Also where the oldest is the chosen one."""
    ws = opened(tmp_path, {("v1", "-"): ("x",), ("v2", "-"): ("x",)})
    assert keys(ws, version="v1") == ("v1", "v2")


def test_one_side_is_compared_with_nothing(tmp_path: Path) -> None:
    """There is no default then."""
    assert keys(opened(tmp_path, {("v1", "-"): ("x",)})) is None


def test_a_version_alone_names_its_side_under_test(tmp_path: Path) -> None:
    """The baseline has to be named."""
    ws = opened(tmp_path, {("v1", "without_skill"): ("x",), ("v1", "with_skill"): ("x",)})
    assert side_of(ws, made.SUITE, "v1").column.key == "v1@with_skill"
    assert side_of(ws, made.SUITE, "v1@without_skill").column.key == "v1@without_skill"


def test_a_version_may_have_an_at_sign(tmp_path: Path) -> None:
    """Prompts do: `prompt@1.0.0`."""
    ws = opened(tmp_path, {("reply@1.0.0", "-"): ("x",), ("reply@1.1.0", "-"): ("x",)})
    assert side_of(ws, made.SUITE, "reply@1.1.0").column.key == "reply@1.1.0"


def test_an_unknown_side_is_named_with_those_there_are(tmp_path: Path) -> None:
    """The sentence says which one."""
    ws = opened(tmp_path, {("v1", "-"): ("x",), ("v2", "-"): ("x",)})
    with pytest.raises(UnknownName, match="no version 'v3'"):
        side_of(ws, made.SUITE, "v3")


def test_a_side_whose_runs_were_all_left_out_says_so(tmp_path: Path) -> None:
    """It is there, but there is nothing to compare."""
    gone = [
        made.row(ExclusionRow, suite=made.SUITE, run_id=name, reason="Broken.", author="ana-3f2a")
        for name in ("a", "b")
    ]
    ws = made.workspace(
        tmp_path,
        made.suite("iterations"),
        made.version("v1", 0),
        made.run(run_id="a", case_id="x", version="v1", fraction=1.0),
        made.run(run_id="b", case_id="y", version="v1", fraction=1.0),
        *gone,
    )
    with pytest.raises(CannotCompare, match="No run of v1 counts"):
        side_of(ws, made.SUITE, "v1")


def test_an_unknown_suite_is_named(tmp_path: Path) -> None:
    """It is the caller's fault, so an exception."""
    with pytest.raises(UnknownName, match="no suite 'other'"):
        columns_of(opened(tmp_path, {("v1", "-"): ("x",)}), "other")


def test_a_version_with_both_configurations_has_a_pair_of_its_own(tmp_path: Path) -> None:
    """Baseline first."""
    ws = opened(tmp_path, {("v1", "without_skill"): ("x",), ("v1", "with_skill"): ("x",)})
    found = sides_of_version(ws, made.SUITE, "v1")
    assert found is not None
    assert [side.column.configuration for side in found] == ["without_skill", "with_skill"]
    assert sides_of_version(ws, made.SUITE, "v2") is None
