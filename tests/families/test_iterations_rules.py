"""The rules of evals with expectations."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.workspace.opened import open_workspace
from tests.families.rules_workspaces import evals, found, grading, problems, write
from tests.reviewing import Reviews

EVALS = "letters/evals/evals.json"
RUNS = "letters-workspace"


def test_an_eval_without_expectations_is_named(tmp_path: Path) -> None:
    """Nothing could be graded in its runs."""
    files = {EVALS: evals({"expectations": ["The letter names the sender."]}, {"expectations": []})}
    assert found(tmp_path, files, "no-expectations") == [(EVALS, "/evals/1")]


def test_vague_expectations_are_named(tmp_path: Path) -> None:
    """In either spelling of the list, and as text or as an object."""
    files = {
        EVALS: evals(
            {"expectations": ["The letter is good"]},
            {"assertions": [{"id": "a", "text": "The tone is nice"}]},
        )
    }
    places = ["/evals/0/expectations/0", "/evals/1/assertions/0"]
    assert found(tmp_path, files, "vague-criterion") == [(EVALS, place) for place in places]


def test_a_repeated_expectation_is_named(tmp_path: Path) -> None:
    """Letter case and spaces make no other expectation, nor does another eval; quotes do."""
    files = {
        EVALS: evals(
            {"expectations": ["It ends with a name", "It has a date", "it ends  with a name"]},
            {"expectations": ["It has a date", 'contains "Tea"', 'contains "tea"']},
        )
    }
    place = "/evals/0/expectations/2"
    assert found(tmp_path, files, "duplicate-criterion") == [(EVALS, place)]


def test_repeated_assertions_of_eval_metadata_are_named(tmp_path: Path) -> None:
    """A run's own definition is held to the same rule."""
    folder = f"{RUNS}/iteration-1/eval-0"
    metadata = {"eval_id": 0, "eval_name": "x", "prompt": "Write.", "assertions": ["A b", "a B"]}
    files = {
        f"{folder}/eval_metadata.json": metadata,
        f"{folder}/with_skill/grading.json": grading(True),
    }
    place = (f"{folder}/eval_metadata.json", "/assertions/1")
    assert found(tmp_path, files, "duplicate-criterion") == [place]


def compared(*verdicts: bool, version: str = "iteration-1") -> dict[str, Any]:
    """Return gradings of one expectation: with the skill first, then without."""
    text = ("It has a date",)
    folder = f"{RUNS}/{version}/case-0"
    return {
        f"{folder}/{configuration}/grading.json": grading(verdict, texts=text)
        for configuration, verdict in zip(("with_skill", "without_skill"), verdicts, strict=False)
    }


def test_an_expectation_that_everything_meets_does_not_discriminate(tmp_path: Path) -> None:
    """It passes with and without the skill; that is worth a note, not a warning."""
    files = {EVALS: evals({"expectations": ["It has a date"]}), **compared(True, True)}
    noted = [p for p in problems(tmp_path, files) if p.code == "does-not-discriminate"]
    assert [(p.path, p.pointer, p.severity) for p in noted] == [
        (EVALS, "/evals/0/expectations/0", "info")
    ]


def test_an_expectation_that_one_run_fails_discriminates(tmp_path: Path) -> None:
    """One failure is enough; so is having nothing to compare with."""
    defined = {EVALS: evals({"expectations": ["It has a date"]})}
    code = "does-not-discriminate"
    assert found(tmp_path / "one", {**defined, **compared(True, False)}, code) == []
    assert found(tmp_path / "two", {**defined, **compared(True)}, code) == []


def test_only_the_last_comparison_counts(tmp_path: Path) -> None:
    """What did not discriminate in an old iteration may do so now."""
    files = {
        EVALS: evals({"expectations": ["It has a date"]}),
        **compared(True, True),
        **compared(True, False, version="iteration-2"),
    }
    assert found(tmp_path, files, "does-not-discriminate") == []


def test_a_second_judgment_beside_gradings_changes_no_rule(tmp_path: Path) -> None:
    """It is not what was recorded: it neither fails an expectation nor fills an empty grading."""
    empty = f"{RUNS}/iteration-1/case-1/with_skill/grading.json"
    files = {
        EVALS: evals({"expectations": ["It has a date"]}, {"expectations": ["It has a name"]}),
        **compared(True, True),
        empty: {"expectations": []},
    }
    codes = {"does-not-discriminate", "nothing-judged"}
    before = [p for p in problems(tmp_path, files) if p.code in codes]
    assert {p.code for p in before} == codes
    ws = open_workspace(tmp_path, cache=False)
    (root,) = ws.tables.suites["root"]
    for run in ws.tables.runs["run_id"].astype(str):
        for text in ("It has a date", "It has a name"):
            Reviews(tmp_path, root).judge(run, f"expectation:{text}", 0, "rule", kind="heuristic")
    assert [p for p in problems(tmp_path, {}) if p.code in codes] == before


def test_a_grading_without_items_is_named(tmp_path: Path) -> None:
    """Its run would else stand there without a score and without a reason."""
    path = f"{RUNS}/iteration-1/case-0/with_skill/grading.json"
    files = {EVALS: evals({"expectations": ["It has a date"]}), path: {"expectations": []}}
    assert found(tmp_path, files, "nothing-judged") == [(path, "")]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            {
                f"{RUNS}/iteration-1/benchmark.json": {
                    "runs": [
                        {"eval_id": 0, "configuration": "with_skill", "result": {"pass_rate": 0.5}}
                    ]
                }
            },
            id="a benchmark holds the pass rate only",
        ),
        pytest.param(
            {
                f"{RUNS}/iteration-1/case-0/with_skill/grading.json": "{",
                f"{RUNS}/iteration-1/case-0/with_skill/outputs/letter.md": "Dear Ana,",
            },
            id="its grading is still being written",
        ),
    ],
)
def test_a_run_without_items_for_another_reason_is_not_named(
    tmp_path: Path, files: dict[str, Any]
) -> None:
    """Nobody has to add items to a document that is no complete grading."""
    ws = open_workspace(write(tmp_path, files), cache=False)
    assert (len(ws.tables.runs), len(ws.tables.judgments)) == (1, 0)
    assert found(tmp_path, {}, "nothing-judged") == []


def test_a_file_that_is_one_eval_need_not_look_like_many(tmp_path: Path) -> None:
    """A case.json is not told that it lacks the fields of an evals.json."""
    case = {"id": "one", "prompt": "Write.", "grading": {"expectations": ["It has a date"]}}
    assert found(tmp_path, {"evals/one/case.json": case}, "not-as-documented") == []


def standard(**of_delta: Any) -> dict[str, Any]:
    """Two graded configurations as the guide of the open standard (agentskills.io) writes them."""
    text, folder = "It has a date", f"{RUNS}/iteration-1/case-0"
    sides = {"with_skill": True, "without_skill": False}
    files: dict[str, Any] = {
        f"{folder}/{side}/grading.json": {
            "assertion_results": [{"text": text, "passed": passed, "evidence": "seen"}],
            "summary": {
                "passed": int(passed),
                "failed": int(not passed),
                "total": 1,
                "pass_rate": float(passed),
            },
        }
        for side, passed in sides.items()
    }
    means = {side: {"pass_rate": {"mean": float(passed)}} for side, passed in sides.items()}
    return {
        EVALS: evals({"expectations": [text]}),
        f"{RUNS}/iteration-1/benchmark.json": {"run_summary": {**means, "delta": of_delta}},
        f"{RUNS}/iteration-1/feedback.json": {"case-0": "The date is in the wrong place."},
        **files,
    }


def test_forms_of_the_open_standard_are_no_deviations(tmp_path: Path) -> None:
    """Its name of the list, differences as numbers, no deviation of one run, feedback by eval."""
    assert problems(tmp_path, standard(pass_rate=1.0, time_seconds=13.0, tokens=1700)) == []


def test_a_difference_that_is_a_number_is_held_against_its_sides(tmp_path: Path) -> None:
    """As one that is written as text is."""
    for at, stated in enumerate((-1.0, "-1.00")):
        said = [each.code for each in problems(tmp_path / str(at), standard(pass_rate=stated))]
        assert said == ["delta-inverted"]


def test_a_difference_is_a_number_or_a_text(tmp_path: Path) -> None:
    """Anything else is noted with both."""
    files = standard(pass_rate=True)
    (said,) = (p.message for p in problems(tmp_path, files) if p.code == "not-as-documented")
    assert said == '"pass_rate" must be text or a number, but is true.'


def test_names_that_differ_in_spelling_only_are_named(tmp_path: Path) -> None:
    """Folders of two machines: versions, configurations and cases that are not joined."""
    files: dict[str, Any] = {EVALS: evals({"expectations": ["It has a date"]})}
    for folder in ("iteration-1/case-0/with_skill", "Iteration-1/case-0/With_Skill"):
        files[f"{RUNS}/{folder}/grading.json"] = grading(True)
    said = [each.message for each in problems(tmp_path, files) if each.code == "names-alike"]
    assert [text.rpartition(" ")[2] for text in said] == ["versions.", "configurations."]
    assert all("differ only in case or Unicode form" in text for text in said)


def test_paths_of_windows_are_paths(tmp_path: Path) -> None:
    """The files of a case, a summary and a review name what they mean with \\ too."""
    folder = f"{RUNS}/iteration-1/case-0/with_skill"
    files = {
        EVALS: evals({"expectations": ["It has a date"], "files": ["evals\\files\\a.csv"]}),
        f"{folder}/grading.json": grading(True),
        f"{RUNS}/iteration-1/feedback.json": {
            "reviews": [{"run_id": "case-0\\with_skill", "feedback": "good", "timestamp": ""}],
            "status": "complete",
        },
    }
    ws = open_workspace(write(tmp_path, files), cache=False)
    assert ws.tables.cases["files"].tolist() == ['["evals/files/a.csv"]']
    assert ws.tables.feedback["run_id"].tolist() == ws.tables.runs["run_id"].tolist()
