"""What changed in the criteria between versions, and the effect on the scores."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.rubrics.changes import CriteriaChange, criteria_changes
from evalcore.tables.rows import Row
from tests import made
from tests.rubrics.rated import judged

Judged = dict[str, dict[str, dict[str, float]]]
"""Version (or version@configuration) to case to criterion to score of 1 to 5."""


def workspace(root: Path, given: Judged, top: dict[str, float] | None = None) -> Workspace:
    """Return a suite that was judged so; `top` is the highest score by version."""
    rows: list[Row] = [made.suite()]
    names = list(dict.fromkeys(column.partition("@")[0] for column in given))
    rows += [made.version(name, at) for at, name in enumerate(names)]
    for column, cases in given.items():
        version, _, side = column.partition("@")
        for case, scores in cases.items():
            run = f"{column}-{case}"
            about = {"version": version, "configuration": side or "-"}
            rows.append(made.run(run_id=run, case_id=case, **about))
            most = (top or {}).get(version, 5)
            rows += [judged(run, name, score, 1, most) for name, score in scores.items()]
    return made.workspace(root, *rows)


def steps(
    root: Path, given: Judged, top: dict[str, float] | None = None
) -> tuple[CriteriaChange, ...]:
    """Return the steps at which criteria changed."""
    return criteria_changes(workspace(root, given, top), made.SUITE, None)


def test_a_new_criterion_is_named_with_what_it_did(tmp_path: Path) -> None:
    """By all criteria .8 fell to .7; by the one that both have .8 rose to 1."""
    (one,) = steps(
        tmp_path, {"v0": {"a": {"form": 4}}, "v1": {"a": {"form": 5, "cites a source": 2}}}
    )
    assert (one.earlier.version, one.later.version, one.cases, one.differing) == ("v0", "v1", 1, 1)
    assert [(each.a, each.b, each.why) for each in one.other] == [
        (None, "cites a source", "only in B")
    ]
    assert (one.before, one.after) == pytest.approx((0.8, 0.7))
    assert (one.before_shared, one.after_shared) == pytest.approx((0.8, 1.0))
    assert one.effect == pytest.approx(-0.1 - 0.2)


def test_a_dropped_criterion_counts_on_the_other_side(tmp_path: Path) -> None:
    """Dropping what was hard looks like an improvement."""
    (one,) = steps(
        tmp_path, {"v0": {"a": {"form": 4, "cites a source": 1}}, "v1": {"a": {"form": 4}}}
    )
    assert one.effect == pytest.approx(0.8 - 0.5)


def test_cases_that_did_not_change_count_in_the_means(tmp_path: Path) -> None:
    """The effect is over all cases of both versions."""
    same = {"form": 5.0}
    (one,) = steps(
        tmp_path,
        {
            "v0": {"a": {"form": 5}, "b": same},
            "v1": {"a": {"form": 5, "cites a source": 2.5}, "b": same},
        },
    )
    assert (one.cases, one.differing) == (2, 1)
    assert one.effect == pytest.approx(-0.125)


def test_without_a_common_criterion_there_is_no_effect(tmp_path: Path) -> None:
    """The means are said, what part the criteria have in their difference is not known."""
    (one,) = steps(tmp_path, {"v0": {"a": {"form": 4}}, "v1": {"a": {"cites a source": 2}}})
    assert (one.before_shared, one.after_shared, one.effect) == (None, None, None)


def test_another_scale_is_a_change_too(tmp_path: Path) -> None:
    """4 of 5 and 8 of 10 are not compared as one criterion."""
    (one,) = steps(
        tmp_path,
        {"v0": {"a": {"form": 4, "tone": 4}}, "v1": {"a": {"form": 8, "tone": 8}}},
        {"v1": 10},
    )
    assert [(each.before, each.after) for each in one.rescaled] == [((1, 5), (1, 10))] * 2
    assert one.effect is None


def test_equal_criteria_are_no_change(tmp_path: Path) -> None:
    """Nor are versions of another configuration, or without a common case."""
    form = {"form": 4.0}
    assert not steps(tmp_path, {"v0": {"a": form}, "v1": {"a": form}})
    assert not steps(tmp_path, {"v0@with_skill": {"a": form}, "v1@without_skill": {"a": {"x": 1}}})
    assert not steps(tmp_path, {"v0": {"a": form}, "v1": {"b": {"cites a source": 1}}})


def test_the_newest_step_comes_first(tmp_path: Path) -> None:
    """A version without judgments between two is passed over."""
    ws = workspace(
        tmp_path,
        {
            "v0": {"a": {"form": 4}},
            "v1": {"a": {"form": 4, "cites a source": 2}},
            "v2": {"a": {}},
            "v3": {"a": {"form": 4}},
        },
    )
    found = criteria_changes(ws, made.SUITE, None)
    assert [(one.earlier.version, one.later.version) for one in found] == [
        ("v1", "v3"),
        ("v0", "v1"),
    ]
