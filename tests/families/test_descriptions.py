"""The `descriptions` family: each assertion passes or fails, and nothing is guessed."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.families.descriptions import FAMILY
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    DocumentRow,
    FeedbackRow,
    JudgmentRow,
    NoteRow,
    RunRow,
    RunScoreRow,
    SuiteRow,
    VersionRow,
)
from tests.families.build import Read, changed, write
from tests.families.descriptions_documents import (
    COMPARISON,
    METADATA,
    SEEDS,
    Document,
    assertion,
    benchmark,
    entry,
    grading,
    opened,
)


def test_a_skill_with_an_eval_folder_is_a_suite(tmp_path: Path) -> None:
    """The suite is the skill's path; its name is the one it gives itself."""
    read = opened(tmp_path)
    suite = read.one(SuiteRow)
    assert (suite.suite, suite.name, suite.root, suite.skill_path) == (
        "notes",
        "release-notes",
        "notes/eval",
        "notes",
    )


def test_the_eval_folder_itself_may_be_opened(tmp_path: Path) -> None:
    """Opened as the root, the folder is the suite `.`."""
    opened(tmp_path)
    read = Read(FAMILY, tmp_path / "notes/eval")
    assert (read.one(SuiteRow).suite, len(read.all(RunRow))) == (".", 2)


def test_documents_of_other_dialects_are_left_alone(tmp_path: Path) -> None:
    """eval_metadata.json and benchmark.json of other shapes belong to other families."""
    tree: Document = {
        "eval/eval_metadata.json": {"eval_id": 1, "assertions": []},
        "eval/benchmark.json": {"runs": []},
        "comparison.json": COMPARISON,
    }
    assert Read(FAMILY, write(tmp_path, tree)).plans == []


def test_cases_and_assertions_become_rows(tmp_path: Path) -> None:
    """An assertion's text is the criterion; a weight that is not written is 1."""
    read = opened(tmp_path)
    merged, nothing = read.all(CaseRow)
    assert (merged.case_id, merged.tags, merged.weight) == ("merged", '["core"]', 3)
    assert (nothing.tags, nothing.weight) == (None, 1.0)
    row = read.one(CriterionRow, criterion="Has a heading")
    assert (row.kind, row.max_score, row.position, row.pointer) == (
        "assertion",
        1,
        1,
        "/test_cases/0/assertions/1",
    )


def test_a_repeated_assertion_is_numbered(tmp_path: Path) -> None:
    """The same text twice is two criteria, in the definition and in the grading."""
    twice = {"id": "merged", "prompt": "p", "assertions": ["Same", "Same"]}
    judged = [assertion("Same"), assertion("Same", "fail")]
    read = opened(
        tmp_path, grading(assertions=judged), eval_metadata=changed(METADATA, test_cases=[twice])
    )
    assert [row.criterion for row in read.all(CriterionRow)] == ["Same", "Same#2"]
    assert [row.passed for row in read.all(JudgmentRow)] == [True, False]


def test_a_run_counts_passing_assertions(tmp_path: Path) -> None:
    """Score is the passing assertions out of all; no run passes or fails as a whole."""
    run = opened(tmp_path, grading(), runs__r1__merged={"output": "x"}).one(RunRow)
    assert (run.run, run.score, run.max_score, run.fraction, run.passed) == ("r1", 1, 2, 0.5, None)
    assert (run.duration_s, run.outputs) == (12.0, "notes/eval/runs/r1/merged.json")
    assert run.started_at is not None


def test_confidence_words_stay_words(tmp_path: Path) -> None:
    """high, medium and low are ordinal; nothing turns them into numbers."""
    judged = [assertion("Names all three", confidence="low"), assertion("Has a heading", "fail")]
    read = opened(tmp_path, grading(assertions=judged))
    row = read.one(JudgmentRow, criterion="Names all three")
    assert (row.confidence_level, row.confidence, row.evidence) == (
        "low",
        None,
        "on Names all three",
    )


def test_a_note_explains_its_judgment(tmp_path: Path) -> None:
    """The optional note is the judgment's rationale, and a note of the run."""
    judged = [
        assertion("Names all three", notes="Two of them twice"),
        assertion("Has a heading", "fail"),
    ]
    read = opened(tmp_path, grading(assertions=judged))
    assert read.one(JudgmentRow, criterion="Names all three").rationale == "Two of them twice"
    note = read.one(NoteRow)
    assert (note.kind, note.target, note.pointer) == (
        "assertion",
        "Names all three",
        "/assertions/0/notes",
    )


@pytest.mark.parametrize("outcome", [None, "maybe", 1, {}])
def test_an_unknown_result_is_unscored(tmp_path: Path, outcome: Any) -> None:
    """What is neither pass nor fail is left out of the fraction."""
    judged = [assertion("Names all three"), assertion("Has a heading", outcome)]
    read = opened(tmp_path, grading(assertions=judged, overall_score=1.0))
    assert read.one(JudgmentRow, criterion="Has a heading").status == "unscored"
    assert (read.one(RunRow).fraction, read.codes()) == (1.0, ["unknown-result"])


def test_an_assertion_without_result_is_unscored_and_said(tmp_path: Path) -> None:
    """One that the metadata has and the grading has not is not counted as failed."""
    read = opened(tmp_path, grading(assertions=[assertion("Names all three")], overall_score=1.0))
    assert read.one(JudgmentRow, criterion="Has a heading").status == "unscored"
    score = read.one(RunScoreRow)
    assert (score.score, score.max_score, score.judged, score.expected) == (1, 1, 1, 2)
    assert read.codes() == ["incomplete"]


def test_an_assertion_that_only_a_grading_has_is_kept(tmp_path: Path) -> None:
    """It becomes a criterion, with a warning."""
    judged = [assertion("Names all three"), assertion("Has a heading", "fail"), assertion("New")]
    read = opened(tmp_path, grading(assertions=judged, overall_score=0.67))
    row = read.one(CriterionRow, criterion="New")
    place = "notes/eval/runs/r1/grading/merged.json", "/assertions/2"
    assert (row.source, row.pointer) == place
    assert read.codes() == ["unknown-criterion"]


def test_an_assertion_after_one_without_words_keeps_its_place(tmp_path: Path) -> None:
    """Its pointer is that of its own item."""
    judged = [{"result": "pass"}, assertion("Names all three"), assertion("New")]
    read = opened(tmp_path, grading(assertions=judged))
    assert read.one(CriterionRow, criterion="New").pointer == "/assertions/2"


@pytest.mark.parametrize(
    ("fields", "pointer", "numbers"),
    [
        ({"overall_score": 0.9}, "/overall_score", ("0.9", "0.5")),
        (
            {
                "timing": {
                    "start": "2026-03-01T09:00:00Z",
                    "end": "2026-03-01T09:00:12Z",
                    "duration_seconds": 30,
                }
            },
            "/timing/duration_seconds",
            ("30", "12"),
        ),
    ],
)
def test_derived_values_are_recomputed(
    tmp_path: Path, fields: Document, pointer: str, numbers: tuple[str, str]
) -> None:
    """Where a grading disagrees with itself, one warning names both numbers."""
    problem = opened(tmp_path, grading(**fields)).problem("derived-mismatch")
    assert problem.pointer == pointer
    assert all(number in problem.message for number in numbers)


def test_zero_seconds_were_not_measured(tmp_path: Path) -> None:
    """A duration of 0 is null, never free."""
    read = opened(tmp_path, grading(timing={"start": None, "end": None, "duration_seconds": 0}))
    assert read.one(RunRow).duration_s is None


def test_critique_and_issues_have_rows(tmp_path: Path) -> None:
    """Vague, missing and suggested are feedback; factual issues are notes."""
    critique = {
        "vague_assertions": ["Has a heading"],
        "missing_coverage": ["dates"],
        "suggested_assertions": ["Names a date"],
    }
    read = opened(tmp_path, grading(eval_critique=critique, factual_issues=["Invented"]))
    assert [(row.kind, row.target, row.text) for row in read.all(FeedbackRow)] == [
        ("vague", "Has a heading", "Has a heading"),
        ("missing", None, "dates"),
        ("suggested", None, "Names a date"),
    ]
    assert (read.one(NoteRow).kind, read.one(NoteRow).text) == ("factual_issue", "Invented")


def test_content_wins_over_path(tmp_path: Path) -> None:
    """A grading in another run's folder is placed by what it says, with a warning."""
    read = opened(tmp_path, runs__other__grading__merged=grading())
    assert {row.run for row in read.all(RunRow)} == {"r1"}
    assert sorted(read.codes()) == ["duplicate-run", "name-mismatch"]


def test_the_seed_documents_are_read_whole() -> None:
    """The golden folder gives two versions with their runs, and nothing to complain about."""
    if not SEEDS.is_dir():
        pytest.skip("the golden documents are not there")
    read = Read(FAMILY, SEEDS)
    assert [row.version for row in read.all(VersionRow)] == ["d1", "d2"]
    assert {row.version for row in read.all(RunRow)} == {"d1", "d2"}
    assert read.codes() == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "test_case_id",
                    "run_id",
                    "assertion",
                    "result",
                    "confidence",
                    "id",
                    "scores",
                    "mean",
                    "score_a",
                    "score",
                    "weight",
                    "start",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
FILES: Document = {
    "s/eval/eval_metadata.json": METADATA,
    "s/eval/runs/r1/grading/merged.json": grading(),
    "s/eval/runs/r1/grading/nothing.json": grading("nothing", seconds=4.0),
    "s/eval/benchmark.json": benchmark(entry(1)),
    "s/eval/comparisons/c1.json": COMPARISON,
}


@settings(max_examples=30)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_anything_is_read_without_a_crash(
    tmp_path_factory: pytest.TempPathFactory, place: str, data: st.DataObject
) -> None:
    """Whatever stands in one field or document, the others are read and no score is invented."""
    key = data.draw(st.sampled_from([None, *sorted(FILES[place])]))
    value = data.draw(JSON)
    document = value if key is None else changed(FILES[place], **{key: value})
    root = tmp_path_factory.mktemp("any")
    read = Read(FAMILY, write(root, FILES | {place: json.dumps(document)}))
    kept = {row.path for row in read.all(DocumentRow)} - {place}
    assert kept == set(FILES) - {place}
    assert all((row.score is None) == (row.status == "unscored") for row in read.all(JudgmentRow))
