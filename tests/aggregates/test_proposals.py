"""What is proposed is written only onto what was read."""

import shutil
from pathlib import Path

import pytest

from evalcore.errors import ChangedMeanwhile, UnknownName
from evalcore.proposals.proposal import merged, write
from tests.aggregates.layout import ITERATION, aggregated, dump, load, opened, proposed, run
from tests.conftest import ROOT

PATH = f"{ITERATION}/benchmark.json"
DEMO = ROOT / "evalcore/demo/workspace"
HISTORY = "release-notes-workspace/history.json"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder whose benchmark holds a wrong number."""
    run(tmp_path, "eval-1/with_skill/run-1", [True, False])
    aggregated(tmp_path)
    document = load(tmp_path, PATH)
    document["run_summary"]["with_skill"]["pass_rate"]["mean"] = 0.9
    dump(tmp_path, PATH, document)
    return tmp_path


def test_whoever_was_slower_is_told_what_the_other_changed(root: Path) -> None:
    """The fields are named, and the other's words stay."""
    mine = proposed(root)[PATH]
    document = load(root, PATH)
    dump(root, PATH, {**document, "notes": ["theirs"], "more": 1})
    with pytest.raises(ChangedMeanwhile, match=r"changed it meanwhile \(notes\.0, more\)"):
        write(root, mine)
    assert load(root, PATH)["notes"] == ["theirs"]


def test_a_benchmark_that_somebody_wrote_first_stays(root: Path) -> None:
    """A new document is only made where there is none."""
    (root / PATH).unlink()
    mine = proposed(root)[PATH]
    dump(root, PATH, {"theirs": 1})
    with pytest.raises(ChangedMeanwhile):
        write(root, mine)
    assert load(root, PATH) == {"theirs": 1}


def test_proposing_changes_nothing(root: Path) -> None:
    """Only writing writes."""
    before = (root / PATH).read_bytes()
    assert proposed(root)[PATH].state == "changed"
    assert (root / PATH).read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (0.83, 0.8333, 0.83),
        (0.8, 0.8333, 0.8),
        (0.5, 0.8333, 0.8333),
        (0, 0.04, 0.04),
        (0.0, None, 0.0),
        (0.9, None, None),
        (None, 0.5, 0.5),
        (2 / 3, 0.6667, 2 / 3),
        ({"a": 1, "x": 2}, {"a": 3}, {"a": 3, "x": 2}),
        ({"mean": 1}, {"mean": 1, "n": 2}, {"mean": 1}),
    ],
)
def test_a_number_that_says_the_same_stays(old: object, new: object, expected: object) -> None:
    """In fewer or more decimals; 0 stays where nothing can be told, else it is a claim."""
    assert merged(old, new) == expected


def test_records_have_nothing_to_write(tmp_path: Path) -> None:
    """They hold no aggregates of their own, and that is said."""
    shutil.copytree(ROOT / "evalcore/demo/workspace/support-agent", tmp_path / "w")
    (only,) = proposed(tmp_path / "w").values()
    assert (only.state, only.path) == ("left", None)
    assert "nothing to write" in only.messages[0]


def test_an_unknown_suite_is_said(root: Path) -> None:
    """The nearest one is offered."""
    with pytest.raises(UnknownName, match="Did you mean"):
        proposed(root, suite="pdg")
    assert opened(root).tables.suites["suite"].tolist() == ["pdf"]


def test_nothing_is_proposed_for_a_version_that_a_suite_has_not(root: Path) -> None:
    """Its documents are not even looked at; those of a version that it has are."""
    assert proposed(root, version="iteration-1").keys() == {PATH}
    assert proposed(root, version="iteration-9") == {}
    assert proposed(DEMO, suite="release-notes", version="v0").keys() == {HISTORY}
    assert proposed(DEMO, suite="release-notes", version="v99") == {}
