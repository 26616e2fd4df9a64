"""Criterion, judge, tag and words: what is offered, and which cases each keeps."""

from pathlib import Path

import pytest

from evalcore import Workspace
from evalcore.views.gradings.case_filter import CaseFilter, narrowed, offers
from tests.made import SUITE, case, judgment, run, suite, version, workspace


@pytest.fixture
def three(tmp_path: Path) -> Workspace:
    """Three cases in two versions, two judges, tags on two of them."""
    return workspace(
        tmp_path,
        suite(),
        version("v0", 0),
        version("v1", 1),
        case(case_id="a", tags='["long", "hard"]', prompt="Größe der Datei"),
        case(case_id="b", tags='["hard"]'),
        case(case_id="c", tags="[]"),
        run(run_id="a0", case_id="a"),
        judgment("x", passed=False, run_id="a0", judge="old"),
        run(run_id="a1", case_id="a", version="v1"),
        judgment("x", passed=False, run_id="a1", judge="new"),
        judgment("y", passed=False, run_id="a1", judge="new"),
        judgment("z", passed=False, run_id="a1", judge="new", kind="convention"),
        run(run_id="b1", case_id="b", version="v1"),
        judgment("x", passed=False, run_id="b1", judge="new", evidence="A Needle in it"),
    )


def kept(ws: Workspace, focus: int | None = 1, **to: str) -> list[str]:
    """Return the ids of the cases that are kept."""
    mask = narrowed(ws, SUITE, CaseFilter(**to), focus)
    return [name for name, keep in zip("abc", mask, strict=True) if keep]


def test_offers_count_the_cases_that_they_keep(three: Workspace) -> None:
    """Failing criteria of the column in focus without conventions, judges, tags; most first."""
    found = offers(three, SUITE, 1)
    assert found.criterion == (("x", 2), ("y", 1))
    assert found.judge == (("new", 2), ("old", 1))
    assert found.tag == (("hard", 2), ("long", 1))
    for kind, pairs in found._asdict().items():
        assert all(len(kept(three, **{kind: word})) == n for word, n in pairs)


def test_a_criterion_keeps_the_cases_that_fail_it_in_focus(three: Workspace) -> None:
    """What fails in another version only is not kept."""
    assert kept(three, criterion="x") == ["a", "b"]
    assert kept(three, focus=0, criterion="x") == ["a"]
    assert kept(three, focus=None, criterion="x") == []


@pytest.mark.parametrize(
    ("words", "cases"),
    [
        ("needle", ["b"]),
        ("größe", ["a"]),
        ("GRÖßE", ["a"]),
        ("make a form", ["b", "c"]),
        ("  ", ["a", "b", "c"]),
        ("zebra", []),
        ("(", []),
    ],
)
def test_words_are_looked_for_in_any_case(three: Workspace, words: str, cases: list[str]) -> None:
    """In prompts, names, rationales and evidence; signs of patterns are plain signs."""
    assert kept(three, text=words) == cases


def test_filters_work_together(three: Workspace) -> None:
    """A case is kept when all of them keep it."""
    assert kept(three, tag="hard", judge="old") == ["a"]
    assert kept(three, tag="gone") == []
