"""Which weights turn the order of two versions."""

import json
from pathlib import Path
from statistics import fmean

import pytest

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.demo import packaged
from evalcore.rubrics.cells import criterion_cells
from evalcore.rubrics.weights import Turn, Weighing, weighing
from evalcore.tables.rows import Row
from evalcore.workspace.opened import open_workspace
from tests import made
from tests.rubrics.rated import rated

Rated = dict[str, tuple[float, float]]
"""Criterion to its scores in v0 and v1."""


def judged(run: str, name: str, score: float, kind: str) -> Row:
    """Return one judgment on a scale from 1 to 5."""
    return made.judgment(
        name, None, run_id=run, kind=kind, score=score, fraction=score / 5, status="scored"
    )


def weighed(
    root: Path, *of_cases: Rated, weights: dict[str, float] | None = None
) -> Weighing | None:
    """Return the weighing of v0 and v1 over some cases."""
    return weighing(workspace(root, *of_cases, weights=weights), made.SUITE, 0, 1)


def workspace(root: Path, *of_cases: Rated, weights: dict[str, float] | None = None) -> Workspace:
    """Return a suite of two versions with a rubric of some dimensions, judged in each case."""
    rows: list[Row] = [
        made.criterion(name, "rubric", case_id=f"c{at}", weight=weight)
        for at in range(len(of_cases))
        for name, weight in (weights or {}).items()
        if name in of_cases[at]
    ]
    for at, scores in enumerate(of_cases):
        for version in (0, 1):
            run = f"v{version}-c{at}"
            rows.append(made.run(run_id=run, case_id=f"c{at}", version=f"v{version}"))
            rows += [judged(run, name, given[version], "rubric") for name, given in scores.items()]
    versions = [made.version("v0", 0), made.version("v1", 1)]
    return made.workspace(root, made.suite(), *versions, *rows)


def turn(found: Weighing | None, root: Path, *of_cases: Rated, name: str) -> Turn:
    """Return what is said of one criterion."""
    assert found is not None
    names = criterion_cells(workspace(root, *of_cases), made.SUITE).criteria
    (one,) = [each for each in found.turns if names[each.criterion].name == name]
    return one


def test_the_weight_that_turns_the_order_makes_both_equal(tmp_path: Path) -> None:
    """+1 at weight 3 against -.5 at weight 2: from weight 6 on, or 1 for the first."""
    case: Rated = {"form": (3, 4), "tone": (4, 3.5)}
    found = weighed(tmp_path, case, weights={"form": 3, "tone": 2})
    assert found is not None
    assert (found.a, found.b) == pytest.approx((17 / 25, 19 / 25))
    assert (found.given, found.fixed, found.equal, found.cases) == (True, False, False, 1)
    assert turn(found, tmp_path, case, name="tone").factor == pytest.approx(3)
    assert turn(found, tmp_path, case, name="form").factor == pytest.approx(1 / 3)
    turned = weighed(tmp_path, case, weights={"form": 3, "tone": 6})
    assert turned is not None
    assert turned.equal


def test_cases_with_other_criteria_are_means_of_their_own(tmp_path: Path) -> None:
    """The weighted mean is of each case; the turn solves the mean over cases."""
    first: Rated = {"form": (3, 4), "tone": (3, 3)}
    second: Rated = {"form": (3, 3), "sign": (5, 3)}
    weights = {"form": 1.0, "tone": 1.0, "sign": 0.2}
    found = weighed(tmp_path, first, second, weights=weights)
    one = turn(found, tmp_path, first, second, name="sign")
    assert one.factor is not None
    at = one.factor * 0.2
    assert pytest.approx(2 * at / (1 + at)) == (4 - 3) / 2
    equal = weighed(tmp_path, first, second, weights=weights | {"sign": at})
    assert equal is not None
    assert equal.equal


def test_no_weights_turn_what_is_nowhere_worse(tmp_path: Path) -> None:
    """Also where a criterion is equal: without the others both would be the same, not turned."""
    found = weighed(tmp_path, {"form": (3, 4), "tone": (4, 4)})
    assert found is not None
    assert found.fixed
    worse = weighed(tmp_path, {"form": (3, 4), "tone": (4, 3.9)})
    assert worse is not None
    assert not worse.fixed


def test_without_stated_weights_the_dimensions_weigh_the_same(tmp_path: Path) -> None:
    """Assertions without weights are not weighed at all: nothing adds them up by weights."""
    found = weighed(tmp_path, {"form": (3, 4), "tone": (4, 3.5)})
    assert found is not None
    assert (found.given, {each.weight for each in found.turns}) == (False, {1.0})
    more = (judged("v0-a-0", "x", 1, "expectation"), judged("v1-a-0", "x", 2, "expectation"))
    assertions = rated(tmp_path, {"v0": {"a": [3]}, "v1": {"a": [4]}}, *more)
    assert weighing(assertions, made.SUITE, 0, 1) is None


def test_one_criterion_has_nothing_to_weigh(tmp_path: Path) -> None:
    """Nor have two that were never judged in a case of both versions."""
    assert weighed(tmp_path, {"form": (3, 4)}) is None
    assert weighed(tmp_path) is None


def test_equal_means_have_no_order(tmp_path: Path) -> None:
    """Nothing turns."""
    found = weighed(tmp_path, {"form": (3, 4), "tone": (4, 3)})
    assert found is not None
    assert found.equal
    assert {each.factor for each in found.turns} == {None}


def test_a_weight_of_none_takes_a_criterion_out(tmp_path: Path) -> None:
    """It neither counts nor turns."""
    found = weighed(
        tmp_path,
        {"form": (3, 4), "tone": (4, 3.5), "off": (5, 1)},
        weights={"form": 1, "tone": 1, "off": 0},
    )
    assert found is not None
    assert len(found.turns) == 2
    assert found.b > found.a


def test_the_turn_is_that_of_the_documents_alone() -> None:
    """Weights from evals.json, scores from each grading.json, and nothing of ours in between."""
    root = packaged()
    (evals,) = root.glob("invoice-extractor/**/evals.json")
    defined = json.loads(evals.read_text("utf-8"))["evals"]
    weights = {
        str(case["id"]): {
            each["name"]: each.get("weight", 1.0) for each in case["quality_rubric"]["dimensions"]
        }
        for case in defined
    }

    def scores(version: str) -> dict[str, dict[str, float]]:
        found: dict[str, dict[str, list[float]]] = {}
        runs = root / "invoice-extractor-workspace" / version
        for path in runs.glob("eval-*/with_skill/**/grading.json"):
            rated = json.loads(path.read_text("utf-8")).get("rubric_scores") or {}
            case = path.relative_to(runs).parts[0].removeprefix("eval-")
            for name, each in rated.items():
                found.setdefault(case, {}).setdefault(name, []).append(each["score"])
        return {
            case: {name: fmean(given) / 5 for name, given in dimensions.items()}
            for case, dimensions in found.items()
        }

    before, after = scores("iteration-2"), scores("iteration-3")

    def mean(of: dict[str, dict[str, float]], factor: float) -> float:
        totals = []
        for case in before.keys() & after.keys():
            names = before[case].keys() & after[case].keys()
            used = {
                name: weights[case][name] * (factor if name == "chart_clarity" else 1)
                for name in names
            }
            totals.append(sum(used[n] * of[case][n] for n in names) / sum(used.values()))
        return fmean(totals)

    ws = open_workspace(root, cache=False)
    columns = criterion_cells(ws, "invoice-extractor").columns
    first, second = (columns.index(Column(f"iteration-{n}", "with_skill")) for n in (2, 3))
    found = weighing(ws, "invoice-extractor", first, second)
    assert found is not None
    assert (found.a, found.b) == pytest.approx((mean(before, 1), mean(after, 1)))
    factor = found.turns[0].factor
    assert factor is not None
    assert mean(before, factor) == pytest.approx(mean(after, factor))
    assert mean(before, factor - 0.01) < mean(after, factor - 0.01)
    assert mean(before, factor + 0.01) > mean(after, factor + 0.01)
