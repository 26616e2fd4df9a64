"""The order of versions, and which of them is a baseline."""

from datetime import UTC, datetime

import pytest

from evalcore.layouts.order import in_order, is_baseline_version

NONE: frozenset[str] = frozenset()


def day(number: int) -> datetime:
    """A day in May."""
    return datetime(2026, 5, number, tzinfo=UTC)


@pytest.mark.parametrize(
    "name",
    ["baseline", "iteration-master", "main", "Baseline-Master", "v1-baseline", "iter_main"],
)
def test_a_branch_or_baseline_by_name_is_a_baseline(name: str) -> None:
    """The name of the main branch, or the word itself, alone or behind `iteration`."""
    assert is_baseline_version(name)


@pytest.mark.parametrize(
    "name", ["iteration-1", "v0", "maintenance", "iteration-after-main", "current", "", "-"]
)
def test_another_name_is_no_baseline(name: str) -> None:
    """A word that only begins like one, or stands behind others, says nothing."""
    assert not is_baseline_version(name)


def test_a_stated_purpose_makes_a_baseline_only_where_it_begins_with_the_word() -> None:
    """`Compared to the baseline` is what a later version says of itself."""
    assert is_baseline_version("iteration-3", "Baseline without the new rules")
    assert not is_baseline_version("iteration-3", "Compared to the baseline")
    assert not is_baseline_version("iteration-3", "baseline pass rate 0.5")


def test_numbers_order_versions_and_a_rerun_follows_its_own() -> None:
    """iteration-10 is later than iteration-9, and 7-rerun lies between 7 and 8."""
    names = ["iteration-10", "iteration-7-rerun", "iteration-8", "iteration-7", "iteration-9"]
    assert in_order(dict.fromkeys(names), NONE) == [
        "iteration-7", "iteration-7-rerun", "iteration-8", "iteration-9", "iteration-10",
    ]  # fmt: skip


def test_a_baseline_is_older_than_all_numbers() -> None:
    """Whatever its date: it may have been measured last."""
    versions = {"iteration-1": day(1), "iteration-2": day(2), "iteration-master": day(9)}
    assert in_order(versions, frozenset({"iteration-master"}))[0] == "iteration-master"


def test_a_name_without_number_or_date_comes_before_the_numbers() -> None:
    """What files do not say is not guessed as newest."""
    assert in_order({"iteration-1": day(1), "iteration-draft": None}, NONE)[0] == "iteration-draft"


def test_a_date_puts_a_name_between_numbers() -> None:
    """Behind the last number that is not younger."""
    versions = {"iteration-1": day(1), "iteration-2": day(5), "iteration-hotfix": day(5)}
    assert in_order(versions, NONE)[-1] == "iteration-hotfix"
    versions["iteration-hotfix"] = day(4)
    assert in_order(versions, NONE) == ["iteration-1", "iteration-hotfix", "iteration-2"]
    versions["iteration-hotfix"] = datetime(2026, 4, 30, tzinfo=UTC)
    assert in_order(versions, NONE)[0] == "iteration-hotfix"


def test_final_and_latest_are_last_without_a_date() -> None:
    """The name says when."""
    assert in_order({"iteration-final": None, "iteration-3": day(1)}, NONE)[-1] == "iteration-final"
