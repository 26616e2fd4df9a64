"""Criterion, judge, tag and words: what is offered, and which cases each keeps."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace
from evalcore.tables.rows import Row
from evalcore.views.gradings.case_filter import CaseFilter, Chip, ScoreRange, narrowed, offers
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


def kept(ws: Workspace, focus: int | None = 1, **to: Any) -> list[str]:
    """Return the ids of the cases that are kept."""
    mask, _ = narrowed(ws, SUITE, CaseFilter(**to), focus)
    return [name for name, keep in zip("abc", mask, strict=True) if keep]


def test_offers_count_the_cases_that_they_keep(three: Workspace) -> None:
    """Failing criteria of the column in focus without conventions, judges, tags; most first."""
    found = offers(three, SUITE, 1)
    assert found.criterion == (("x", 2), ("y", 1))
    assert found.judge == (("new", 2), ("old", 1))
    assert found.tag == (("hard", 2), ("long", 1))
    assert found.score_of == (("x", 2), ("y", 1))
    for kind, pairs in found._replace(score_of=())._asdict().items():
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


def test_each_filter_says_how_many_cases_it_alone_keeps(three: Workspace) -> None:
    """In words, so that it can be read and taken away one by one."""
    to = CaseFilter("x", "old", "hard", "needle", ScoreRange(0, 50))
    keep, chips = narrowed(three, SUITE, to, 1)
    assert not keep.any()
    assert chips == [
        Chip("criterion", "fails x", 2),
        Chip("judge", "judged by old", 1),
        Chip("tag", "tag hard", 2),
        Chip("text", "has “needle”", 1),
        Chip("score", "score from 0 to 50 %", 0),
    ]


@pytest.fixture
def scored(tmp_path: Path) -> Workspace:
    """Three cases scored of 5, one of them twice, with a criterion of its own; one not scored."""
    rows: list[Row] = [suite(), version("v0", 0), *(case(case_id=name) for name in "abcd")]
    for name, number, score, tone in (
        ("a", "1", 2.0, 1),
        ("b", "1", 3.496, 5),
        ("b", "2", 3.496, 2),
        ("c", "1", 5.0, 4),
    ):
        rows.append(
            run(
                run_id=f"{name}{number}", case_id=name, run=number, score=score,
                max_score=5.0, fraction=score / 5,
            )
        )  # fmt: skip
        rows.append(
            judgment("tone", run_id=f"{name}{number}", score=tone, max_score=5, fraction=tone / 5)
        )
    return workspace(tmp_path, *rows)


@pytest.mark.parametrize(
    ("written", "of", "cases", "words"),
    [
        ("2..3.5", None, "ab", "score from 2 to 3.5"),
        ("2.01..", None, "bc", "score from 2.01"),
        ("..3.5", None, "ab", "score up to 3.5"),
        ("5..5", None, "c", "score from 5 to 5"),
        ("0..1.99", None, "", "score from 0 to 1.99"),
        ("3.5..4", "tone", "bc", "tone from 3.5 to 4"),
        ("..1", "tone", "a", "tone up to 1"),
        ("0..5", "gone", "", "gone from 0 to 5"),
    ],
)
def test_a_range_keeps_the_scores_as_they_are_shown(
    scored: Workspace, written: str, of: str | None, cases: str, words: str
) -> None:
    """Both ends are in it, the number is the mean that the grid rounds, nothing is never 0."""
    to = CaseFilter(score=ScoreRange.of(written), score_of=of)
    mask, (chip,) = narrowed(scored, SUITE, to, 0)
    assert "".join(name for name, keep in zip("abcd", mask, strict=True) if keep) == cases
    assert chip == Chip("score", words + (" %" if of == "gone" else ""), len(cases))


def test_a_range_without_a_scale_is_in_percent(tmp_path: Path) -> None:
    """As the cells of the grid are."""
    rows: list[Row] = [suite("iterations"), case(case_id="a"), case(case_id="b")]
    rows.append(run(run_id="a", case_id="a", fraction=2 / 3))
    rows.append(run(run_id="b", case_id="b", fraction=1.0))
    rows.append(judgment("x", passed=False, run_id="a", max_score=1.0, fraction=0.0))
    ws = workspace(tmp_path, *rows)
    asked = {("67..99", None): 1, ("..66", None): 0, ("0..0", "x"): 1, ("1..", "x"): 0}
    for (written, of), counted in asked.items():
        to = CaseFilter(score=ScoreRange.of(written), score_of=of)
        _, (chip,) = narrowed(ws, SUITE, to, 0)
        assert (chip.n, chip.words[-2:]) == (counted, " %")


@pytest.mark.parametrize(
    "text", ["", "..", "3..2", "a..b", "1", "-1..2", "1..2..3", "1e3..", "٣.."]
)
def test_what_is_no_range_narrows_nothing(text: str) -> None:
    """An address may say anything."""
    assert ScoreRange.of(text) is None
