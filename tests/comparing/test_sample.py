"""The runs that are compared, valued by the criteria that both sides were asked."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from evalcore.comparing.compare import compare
from evalcore.comparing.model import Comparison, Lost, SharedCriteria
from evalcore.comparing.sample import SHARED_HEADLINE
from evalcore.counting.rates import EFFICIENCY, SHARE
from evalcore.tables.rows import Row
from tests import made
from tests.comparing.sided import run_id, sides, versions

Answers = Mapping[str, bool | None]


def answered(version: str, case: str, *runs: Answers, **given: object) -> Iterable[Row]:
    """Return runs of a case with their judgments; all must pass for the run to pass."""
    for number, answers in enumerate(runs, 1):
        known = [answer for answer in answers.values() if answer is not None]
        yield made.run(
            run_id=run_id(case, version, number),
            case_id=case,
            version=version,
            run=str(number),
            **{
                "fraction": sum(known) / len(known) if known else None,
                "passed": all(known) if known else None,
                **given,
            },
        )
        for label, answer in answers.items():
            score = None if answer is None else float(answer)
            yield made.judgment(label, answer, run_id=run_id(case, version, number), fraction=score)


def told(
    root: Path, *runs: Iterable[Row], family: str = "iterations", headline: str = "pass_rate"
) -> Comparison:
    """Return the comparison of v1 with v0."""
    rows = [row for some in runs for row in some]
    return compare(*sides(versions(root, *rows, family=family, headline=headline)))


def values(found: Comparison) -> dict[str, tuple[float, float]]:
    """Return the value of each compared case on both sides."""
    return {pair.case_id: (pair.a, pair.b) for pair in found.pairs}


def test_a_pass_rate_is_that_of_the_shared_criteria(tmp_path: Path) -> None:
    """An added criterion that all fail does not lower B, nor one that all pass raise it."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True, "date": False}),
        answered("v1", "x", {"form": True, "date": False, "links": False, "tables": False}),
    )
    assert values(found) == {"x": (0.5, 0.5)}
    assert (found.headline, found.criteria) == ("pass_rate", SharedCriteria(2, 4))


def test_cases_that_were_asked_the_same_keep_their_value(tmp_path: Path) -> None:
    """Their stored score may weight its criteria; the other case has the mean of the shared."""
    found = told(
        tmp_path,
        answered("v0", "same", {"form": True, "date": False}, fraction=0.9),
        answered("v1", "same", {"form": True, "date": False}, fraction=0.8),
        answered("v0", "x", {"form": True}),
        answered("v1", "x", {"form": True, "links": False}),
    )
    assert values(found) == {"x": (1.0, 1.0), "same": (0.9, 0.8)}
    assert found.criteria == SharedCriteria(3, 4)


def test_where_runs_pass_or_fail_all_cases_have_the_mean_of_shared_criteria(
    tmp_path: Path,
) -> None:
    """No two measures are mixed in one mean, and the headline says what it is."""
    found = told(
        tmp_path,
        answered("v0", "same", {"form": True, "date": False}),
        answered("v1", "same", {"form": True, "date": True}),
        answered("v0", "x", {"form": True, "date": False}),
        answered("v1", "x", {"form": True, "date": False, "links": False}),
        family="improve",
        headline=SHARE,
    )
    assert found.headline == SHARED_HEADLINE
    assert values(found) == {"x": (0.5, 0.5), "same": (0.5, 1.0)}
    assert found.verdict is not None
    assert (found.verdict.up, found.verdict.down) == (1, 0)


def test_an_efficiency_becomes_the_mean_of_shared_criteria_too(tmp_path: Path) -> None:
    """It is made of structural checks and a weighted rubric, which no part of them is."""
    rows: list[Row] = []
    for version, rubric in (("v0", {"tone": 0.5}), ("v1", {"tone": 0.75, "depth": 0.0})):
        rows += answered(version, "x", {}, fraction=0.5)
        of = {"run_id": run_id("x", version)}
        rows.append(made.judgment("parses", True, kind="structural", **of, fraction=1.0))
        rows += [
            made.judgment(label, None, kind="rubric", **of, fraction=part, status="scored")
            for label, part in rubric.items()
        ]
    found = told(tmp_path, rows, family="rubric", headline=EFFICIENCY)
    assert found.headline == SHARED_HEADLINE
    assert values(found) == {"x": (0.75, 0.875)}
    assert found.criteria == SharedCriteria(2, 3)


def test_where_all_criteria_are_shared_the_headline_stays(tmp_path: Path) -> None:
    """Nothing is said of shared criteria."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True}),
        answered("v1", "x", {"form": False}),
        family="improve",
        headline=SHARE,
    )
    assert (found.headline, found.criteria) == (SHARE, None)


def test_a_shared_criterion_in_other_words_counts_on_both_sides(tmp_path: Path) -> None:
    """Each side's runs were judged by their own wording."""
    found = told(
        tmp_path,
        answered("v0", "x", {"Every field has a label.": False}),
        answered("v1", "x", {"every field has a label": True, "It has links.": False}),
    )
    assert values(found) == {"x": (0.0, 1.0)}


def test_repeats_are_valued_run_by_run(tmp_path: Path) -> None:
    """Each by its own answers to the shared criteria."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True}, {"form": False}),
        answered("v1", "x", *({"form": True, "links": False},) * 3),
    )
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.runs_a, pair.runs_b) == (0.5, 1.0, 2, 3)
    assert found.estimate_b is not None
    assert found.estimate_b.runs == 3


def test_a_run_without_a_score_for_any_shared_criterion_is_lost(tmp_path: Path) -> None:
    """It has one for the others, which do not count."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True}, {"form": True}),
        answered("v1", "x", {"form": True, "links": True}, {"form": None, "links": True}),
    )
    assert [pair.runs_b for pair in found.pairs] == [1]
    assert found.lost.b == (Lost("runs", "not scored", 1, 2),)


@pytest.mark.parametrize("status", ["timeout", "refused", "length_cut"])
def test_a_run_that_failed_before_anyone_could_judge_it_is_not_lost(
    tmp_path: Path, status: str
) -> None:
    """It counts 0, as it does where criteria are the same."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True}),
        answered("v1", "x", {"form": True, "links": True}),
        answered("v1", "y", {"form": True, "links": True}),
        answered("v0", "y", {}, passed=False, status=status),
        family="improve",
        headline=SHARE,
    )
    assert found.headline == SHARED_HEADLINE
    assert values(found)["y"] == (0.0, 1.0)
    assert "not scored" not in [one.why for one in found.lost.a]


def test_only_shared_criteria_are_counted_as_lost(tmp_path: Path) -> None:
    """One of the three of B has no score but is not compared."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True, "date": True}),
        answered("v1", "x", {"form": True, "date": None, "links": None}),
    )
    assert found.lost.b == (Lost("criteria", "not scored", 1, 2),)
    assert (found.lost.low, found.lost.high) == (-0.5, 0.0)


def test_criteria_that_are_not_shared_are_no_slices(tmp_path: Path) -> None:
    """At least 5 is not compared with at least 1, which stands beside it."""
    found = told(
        tmp_path,
        answered("v0", "x", {"form": True, "At least 5 sources": True}),
        answered("v1", "x", {"form": True, "At least 1 source": True}),
    )
    assert [one.name for one in found.slices] == ["form"]


def test_a_label_that_means_something_else_in_one_case_is_a_slice_of_the_others(
    tmp_path: Path,
) -> None:
    """It is compared over the cases where both sides mean the same by it."""
    runs = [
        *(answered("v0", case, {"form": True, "At least 5 sources": True}) for case in "xy"),
        answered("v1", "x", {"form": True, "At least 5 sources": True}),
        answered("v1", "y", {"form": True, "At least 1 source": True}),
    ]
    found = {one.name: one for one in told(tmp_path, *runs).slices}
    assert (found["form"].a.cases, found["At least 5 sources"].a.cases) == (2, 1)


@pytest.mark.parametrize("cases", [6, 5])
def test_the_verdict_is_that_of_the_shared_criteria(tmp_path: Path, cases: int) -> None:
    """B fails what it was asked more, and is better by what both were asked."""
    runs = [
        of
        for n in range(cases)
        for of in (
            answered("v0", f"c{n}", *({"form": False},) * 3),
            answered("v1", f"c{n}", *({"form": True, "links": False},) * 3),
        )
    ]
    found = told(tmp_path, *runs)
    assert found.verdict is not None
    assert found.verdict.word == ("better" if cases == 6 else "better on these cases")
