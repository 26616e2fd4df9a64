"""What a judge is asked of a run."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from evalcore.errors import UnknownName
from evalcore.families import improve
from evalcore.families.reviews.basis import criterion_sha256, sha256_of
from evalcore.judging.asking.asked import asked, basis
from evalcore.judging.asking.keys import keys
from evalcore.judging.model import Asked
from evalcore.tables.rows import Row
from evalcore.workspace.opened import Workspace, open_workspace
from tests import made
from tests.judging.copies import DEMO, INVOICE_RUN, NOTES_RUN


@pytest.fixture(scope="module")
def demo() -> Workspace:
    """The demo workspace, which nothing here writes into."""
    return open_workspace(DEMO, cache=False)


def one(root: Path, *rows: Row, family: str = "improve") -> Asked:
    """Return the only criterion that run `r1` is asked."""
    ws = made.workspace(root, made.suite(family), made.case(), made.run(), *rows)
    (found,) = asked(ws, "r1")
    return found


def rule(guide: object = None, kind: str = "rubric", **given: object) -> Row:
    """Return a criterion with a guide."""
    text = None if guide is None else json.dumps(guide)
    base: Mapping[str, object] = {"min_score": 0.0, "max_score": 1.0, "guide": text}
    return made.criterion("tone", kind, **{**base, **given})


def test_criteria_are_asked_in_the_order_of_their_case(demo: Workspace) -> None:
    """Expectations of the improve family, on their scale from 1 to 5 with its words."""
    found = asked(demo, NOTES_RUN)
    names = ["breaking-first", "migration-steps", "upgrade-path", "length"]
    assert [each.name for each in found] == names
    assert {each.key for each in found} == {f"expectation:{name}" for name in names}
    assert {each.choices for each in found} == {(1.0, 2.0, 3.0, 4.0, 5.0)}
    assert [at for at, _ in found[0].anchors] == [1, 2, 3, 4, 5]
    assert (found[0].required, found[3].required) == (True, False)


def test_neither_structure_nor_conventions_are_asked(demo: Workspace) -> None:
    """Checks answer those, for every run of every family."""
    kinds = {each.kind for run in demo.tables.runs["run_id"] for each in asked(demo, run)}
    assert kinds == {"expectation", "assertion", "rubric"}


def test_a_rubric_has_its_anchors(demo: Workspace) -> None:
    """At 1, 3 and 5, as the evaluation words them; between them a key scores all the same."""
    found = next(each for each in asked(demo, INVOICE_RUN) if each.name == "fidelity")
    assert [at for at, _ in found.anchors] == [1.0, 3.0, 5.0]
    assert found.choices == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert (found.weight, found.pass_fail, found.fine) == (3.0, False, False)


def test_a_record_is_named_by_its_words(demo: Workspace) -> None:
    """Not by its id; what it means stands apart."""
    run = demo.tables.runs["run_id"][demo.tables.runs["suite"] == "support-agent"].iloc[0]
    first = asked(demo, run)[0]
    assert (first.name, first.description) == (
        "Queue",
        "The ticket lands in the queue that can solve it",
    )


def test_an_assertion_passes_or_fails(tmp_path: Path) -> None:
    """There is nothing between 0 and 1."""
    found = one(tmp_path, rule(kind="assertion"), family="descriptions")
    assert (found.pass_fail, found.choices, found.fine) == (True, (0.0, 1.0), False)


@pytest.mark.parametrize(
    "guide",
    [None, "Judge the tone.", "1 when equal, 0.5 when one step off, otherwise 0.", "0, half or 1"],
)
def test_a_rubric_from_0_to_1_is_finer_than_pass_and_fail(
    guide: str | None, tmp_path: Path
) -> None:
    """Keys give its quarters, and any number may be typed."""
    found = one(tmp_path, rule(guide), family="records")
    assert (found.pass_fail, found.choices, found.fine) == (
        False,
        (0.0, 0.25, 0.5, 0.75, 1.0),
        True,
    )
    assert found.guide == guide


@pytest.mark.parametrize(
    "guide",
    [
        "1 when the queue is right, otherwise 0.",
        "Score 0 or 1",
        "pass/fail: is it polite?",
        "Binary",
    ],
)
def test_a_guide_may_say_that_there_is_nothing_between(guide: str, tmp_path: Path) -> None:
    """Then it is pass or fail."""
    assert one(tmp_path, rule(guide), family="records").choices == (0.0, 1.0)


@pytest.mark.parametrize(
    ("low", "high", "choices"),
    [
        (0.0, 5.0, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)),
        (0.0, 10.0, tuple(map(float, range(11)))),
        (0.0, 11.0, None),
        (0.0, 100.0, None),
        (0.0, 2.5, None),
    ],
)
def test_keys_give_whole_numbers_of_a_short_scale(
    low: float, high: float, choices: tuple[float, ...] | None, tmp_path: Path
) -> None:
    """At most 11 of them; on any other scale a number is typed."""
    found = one(tmp_path, rule(min_score=low, max_score=high), family="records")
    assert (found.low, found.high, found.choices) == (low, high, choices)


def test_a_scale_that_is_none_gives_way_to_that_of_the_judgment(tmp_path: Path) -> None:
    """And that to the family's own."""
    broken = rule(min_score=5.0, max_score=5.0)
    assert one(tmp_path, broken, family="rubric").choices == (1.0, 2.0, 3.0, 4.0, 5.0)
    judgment = made.judgment("tone", kind="rubric", min_score=0.0, max_score=4.0)
    assert one(tmp_path, broken, judgment, family="records").high == 4.0


def test_scores_without_a_guide_have_short_words(tmp_path: Path) -> None:
    """Where the family improve says nothing of its own."""
    bare = made.criterion("tone", min_score=1.0, max_score=5.0)
    assert one(tmp_path, bare).anchors == improve.FAMILY.scoring.meanings


def test_where_a_case_defines_nothing_its_grading_does(tmp_path: Path) -> None:
    """In the order of the judgments; conventions and what people wrote are left out."""
    ws = made.workspace(
        tmp_path,
        made.suite(),
        made.run(),
        made.judgment("b"),
        made.judgment("a"),
        made.judgment("style", kind="convention"),
        made.judgment("mine", judge_type="human", source="pdf/reviews/eval-judgment/x.json"),
    )
    found = asked(ws, "r1")
    assert [each.key for each in found] == ["expectation:b", "expectation:a"]
    assert found[0].sha256 == criterion_sha256("expectation", "b", None, 1.0, 5.0, None)


def test_what_only_another_run_was_asked_is_not_asked(tmp_path: Path) -> None:
    """A grading that words its own criteria defines them for itself."""
    run = {"case_id": "case-1", "source": "grading/r2.json", "run_id": "r2"}
    ws = made.workspace(
        tmp_path,
        made.suite("iterations"),
        made.case(),
        made.run(),
        made.run(**run),
        made.criterion("mine", source="grading/r1.json"),
        made.judgment("mine"),
        made.criterion("other", source="grading/r2.json"),
        made.judgment("other", run_id="r2", source="grading/r2.json"),
    )
    assert [each.name for each in asked(ws, "r1")] == ["mine"]
    assert [each.name for each in asked(ws, "r2")] == ["other"]


def test_a_basis_names_all_that_a_judgment_rests_on(demo: Workspace) -> None:
    """Output, prompt, and each criterion by its key."""
    found = basis(demo, NOTES_RUN)
    assert found.output is not None
    assert found.prompt is not None
    assert found.criteria == {each.key: each.sha256 for each in asked(demo, NOTES_RUN)}


def test_the_output_of_a_record_is_its_json(demo: Workspace) -> None:
    """Whatever else its document says."""
    runs = demo.tables.runs
    row = runs[runs["suite"] == "support-agent"].iloc[0]
    held = demo.raw(row["source"], "/fields/actualOutput")
    assert basis(demo, row["run_id"]).output == sha256_of(held)


def test_the_keys_of_many_runs_are_those_of_each(demo: Workspace) -> None:
    """The quick way and the thorough one agree on every run of the demo workspace."""
    runs = demo.tables.runs
    for at, (suite, run) in enumerate(zip(runs["suite"], runs["run_id"], strict=True)):
        quick = keys(demo, suite).of(demo, at)
        assert quick == {each.key for each in asked(demo, run)}, run


def test_an_unknown_run_is_named(demo: Workspace) -> None:
    """It may be gone."""
    with pytest.raises(UnknownName, match="run"):
        asked(demo, "nothing::here@v0/-#1")
