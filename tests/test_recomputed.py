"""Charts show what the JSON files say: ten of them, against a script that reads nothing else."""

from pathlib import Path

import pytest

import evalcore.demo
from evalcore import Workspace
from evalcore.trends.metrics import metric_named
from evalcore.views.series.chart import Request, drawn
from evalcore.workspace.opened import open_workspace
from tests.recomputed import Figures, benchmarks, improve, iterations, per_case, records, rubric

DEMO = Path(evalcore.demo.__file__).parent / "workspace"
COMMIT = iterations(DEMO / "commit-helper-workspace")
NOTES = improve(DEMO, "release-notes")
INVOICE = rubric(DEMO, "invoice-extractor")
REVERT = "Subject begins with revert:"


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo workspace, read from its files."""
    return open_workspace(DEMO, cache=False)


def figures(ws: Workspace, suite: str, metric: str) -> Figures:
    """Return the points of a chart by version and configuration."""
    found = drawn(ws, suite, Request(metric_named(ws, suite, metric)))
    assert found is not None
    assert (found.first, found.others) == (1, ())
    return {
        (spot.place.version, spot.place.configuration): spot.value or 0.0
        for _, spots in found.lines
        for spot in spots
    }


def of(found: Figures, criterion: str) -> Figures:
    """Return the figures of one criterion."""
    return {key[:2]: value for key, value in found.items() if key[2] == criterion}


def shares(found: Figures) -> Figures:
    """Return scores of 1 to 5 as lines have them: as shares of the highest score."""
    return {key: value / 5 for key, value in found.items()}


@pytest.mark.parametrize(
    ("suite", "metric", "expected"),
    [
        ("release-notes", "headline", NOTES["headline"]),
        ("release-notes", "score", shares(NOTES["score"])),
        ("commit-helper", REVERT, of(COMMIT["criteria"], REVERT)),
        ("commit-helper", "headline", COMMIT["headline"]),
        ("commit-helper", "tokens", COMMIT["tokens"]),
        ("commit-helper", "time", COMMIT["time"]),
        ("invoice-extractor", "headline", INVOICE["headline"]),
        ("invoice-extractor", "fidelity", shares(of(INVOICE["criteria"], "fidelity"))),
        ("support-agent", "headline", records(DEMO / "support-agent")["headline"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_trend_of_the_demo(demo: Workspace, suite: str, metric: str, expected: Figures) -> None:
    """Every point, and no other."""
    assert figures(demo, suite, metric) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("folder", "suite", "place"),
    [
        ("shoji9x9+skills", "tests/golden-dataset", "tests/golden-dataset"),
        ("shoji9x9+skills", "tests/replace-strategy", "tests/replace-strategy"),
        ("AfterRealm+roast-my-code", ".", "evals"),
    ],
)
def test_a_trend_of_real_workspaces(realworld: Path, folder: str, suite: str, place: str) -> None:
    """Six, eleven and eight iterations of other people's."""
    root = realworld / folder
    expected = (per_case if suite == "." else benchmarks)(root / place)["headline"]
    assert figures(open_workspace(root, cache=False), suite, "headline") == pytest.approx(expected)
