"""Which folders are one suite: skills in dated folders, and one skill at several places."""

from pathlib import Path
from typing import Any

from evalcore.families.iterations import FAMILY
from evalcore.tables.rows import CaseRow, DocumentRow, RunRow, SuiteRow, VersionRow
from tests.families.build import Read, write
from tests.families.iterations_documents import grading

STAMPS = ("run_20260316_202259", "run_20260317_002827")


def read(root: Path, files: dict[str, Any]) -> Read:
    """What is found in a workspace of these files."""
    return Read(FAMILY, write(root, files))


def evals(skill: str, *prompts: str, start: int = 1) -> dict[str, Any]:
    """An evals.json of a skill, with ids from `start`."""
    items = [{"id": number, "prompt": text} for number, text in enumerate(prompts, start)]
    return {"skill_name": skill, "evals": items}


def names(found: Read) -> list[tuple[str | None, str | None]]:
    """Id and name of each suite."""
    return [(row.suite, row.name) for row in found.all(SuiteRow)]


def ran(*ids: int, **fields: Any) -> dict[str, Any]:
    """A benchmark with a run of each of these evals."""
    result = {"pass_rate": 1.0, "passed": 1, "failed": 0, "total": 1}
    runs = [{"eval_id": each, "configuration": "with_skill", "result": result} for each in ids]
    return {"metadata": fields, "runs": runs}


def test_the_time_stamp_of_a_runner_is_a_version_not_a_suite(tmp_path: Path) -> None:
    """One suite a skill, whose versions are the stamps; their benchmarks belong to them."""
    files: dict[str, Any] = {}
    for stamp in STAMPS:
        for skill in ("planner", "scanner"):
            files[f"results/{stamp}/{skill}/eval-real-1/grading.json"] = grading()
            files[f"results/{stamp}/{skill}/benchmark.json"] = {"run_summary": {}}
    found = read(tmp_path, files)
    assert names(found) == [("results/planner", "planner"), ("results/scanner", "scanner")]
    versions = [row.version for row in found.all(VersionRow) if row.suite == "results/planner"]
    assert versions == list(STAMPS)
    assert len(found.all(RunRow)) == 4
    assert len([row for row in found.all(DocumentRow) if row.kind == "benchmark"]) == 4


def dated(second: str) -> dict[str, Any]:
    """Two dated folders whose evals name a skill each."""
    files: dict[str, Any] = {}
    for date, skill in (("2026-04-11-v1.13.0", "adapter"), ("2026-04-12-v1.14.0", second)):
        files[f"ab/{date}/evals.json"] = evals(skill, f"Ask the {skill}")
        files[f"ab/{date}/eval-1-first/with_skill/grading.json"] = grading()
    return files


def test_dated_folders_with_different_skills_are_different_suites(tmp_path: Path) -> None:
    """Each with the cases of its own evals.json; none is left as a suite without runs."""
    found = read(tmp_path, dated("scanner"))
    assert names(found) == [("ab/adapter", "adapter"), ("ab/scanner", "scanner")]
    assert [row.case_id for row in found.all(RunRow)] == ["1", "1"]
    assert [row.prompt for row in found.all(CaseRow)] == ["Ask the adapter", "Ask the scanner"]


def test_dated_folders_with_one_skill_are_versions_of_one_suite(tmp_path: Path) -> None:
    """As their evals name the same."""
    found = read(tmp_path, dated("adapter"))
    assert names(found) == [("ab", "adapter")]
    assert len(found.all(VersionRow)) == 2


def test_what_names_no_skill_stays_apart_from_what_names_another(tmp_path: Path) -> None:
    """It is not guessed to be one of them; a benchmark may name the skill, too."""
    files = dated("scanner")
    files["ab/2026-04-13/eval-1/with_skill/grading.json"] = grading()
    files["ab/2026-04-14/eval-1/with_skill/grading.json"] = grading()
    files["ab/2026-04-14/benchmark.json"] = {"skill_name": "scanner", "run_summary": {}}
    found = read(tmp_path, files)
    assert [(row.suite, row.version) for row in found.all(VersionRow)] == [
        ("ab/adapter", "2026-04-11-v1.13.0"),
        ("ab/scanner", "2026-04-12-v1.14.0"),
        ("ab/scanner", "2026-04-14"),
        ("ab", "2026-04-13"),
    ]


def test_an_id_used_anew_in_another_versions_evals_is_another_case(tmp_path: Path) -> None:
    """The run of that version is of its own version's case."""
    files = dated("adapter")
    files["ab/2026-04-12-v1.14.0/evals.json"] = evals("adapter", "Count all remotes and compare")
    found = read(tmp_path, files)
    assert [(row.version, row.case_id) for row in found.all(RunRow)] == [
        ("2026-04-11-v1.13.0", "1"),
        ("2026-04-12-v1.14.0", "1 (2026-04-12-v1.14.0)"),
    ]


PLACES = {
    "skills/tabs/evals/evals.json": evals("tabs", "Draw tabs", "Close tabs"),
    "tests/tabs/iteration-1/benchmark.json": ran(1, 2, skill_name="tabs"),
}


def test_runs_and_evals_of_one_skill_are_one_suite_wherever_they_lie(tmp_path: Path) -> None:
    """Named by the folder of the runs, as before; the cases are those of the evals."""
    found = read(tmp_path, PLACES)
    assert names(found) == [("tests/tabs", "tabs")]
    suite = found.one(SuiteRow)
    assert (suite.root, suite.skill_path) == ("tests/tabs", "skills/tabs")
    assert [(row.case_id, row.prompt) for row in found.all(CaseRow)] == [
        ("1", "Draw tabs"), ("2", "Close tabs"),
    ]  # fmt: skip
    assert [row.case_id for row in found.all(RunRow)] == ["1", "2"]


def test_a_copy_of_the_evals_for_an_agent_is_no_suite(tmp_path: Path) -> None:
    """The skill is that of the place that is not hidden; the copy is a document of its suite."""
    copy = {".agents/skills/tabs/evals/evals.json": PLACES["skills/tabs/evals/evals.json"]}
    found = read(tmp_path / "a", {**PLACES, **copy})
    assert found.one(SuiteRow).skill_path == "skills/tabs"
    assert len([row for row in found.all(DocumentRow) if row.kind == "evals"]) == 2
    assert found.codes() == []
    only = {path: value for path, value in PLACES.items() if path.startswith("skills")}
    assert names(read(tmp_path / "b", {**only, **copy})) == [("skills/tabs", "tabs")]


def test_another_name_or_other_ids_are_another_suite(tmp_path: Path) -> None:
    """Two skills may have an eval 1, and one name may stand for two skills."""
    runs = PLACES["tests/tabs/iteration-1/benchmark.json"]
    other = {"skills/tables/evals/evals.json": evals("tables", "Draw tabs", "Close tabs")}
    found = read(tmp_path / "a", {"tests/tabs/iteration-1/benchmark.json": runs, **other})
    assert len(names(found)) == 2
    ids = {"skills/tabs/evals/evals.json": evals("tabs", "Draw", "Close", start=7)}
    found = read(tmp_path / "b", {"tests/tabs/iteration-1/benchmark.json": runs, **ids})
    assert len(names(found)) == 2


def test_half_of_the_evals_in_common_is_not_enough(tmp_path: Path) -> None:
    """Two of three are."""
    runs = {"tests/tabs/iteration-1/benchmark.json": ran(1, 2, 3)}
    for folder, ids, suites in (("half", (1, 9), 2), ("most", (1, 2, 9), 1)):
        items = [{"id": number, "prompt": f"Draw tab {number}"} for number in ids]
        files = {"skills/tabs/evals/evals.json": {"skill_name": "tabs", "evals": items}}
        assert len(names(read(tmp_path / folder, {**runs, **files}))) == suites


def test_evals_with_another_prompt_for_an_id_are_another_suite(tmp_path: Path) -> None:
    """Ids agree by chance where what is asked does not."""
    files = {
        "skills/tabs/evals/evals.json": evals("tabs", "Draw three tabs", "Close every tab"),
        "old/tabs/evals/evals.json": evals("tabs", "Write a haiku", "Sum this column"),
    }
    assert len(names(read(tmp_path, files))) == 2


def test_an_eval_that_a_copy_asks_otherwise_is_named(tmp_path: Path) -> None:
    """The first place counts."""
    first = evals("tabs", "Draw three tabs", "Close every tab", "Move the last tab")
    second = evals("tabs", "Draw three tabs", "Close every tab", "Sum up this column")
    files = {"skills/tabs/evals/evals.json": first, "z/tabs/evals/evals.json": second}
    found = read(tmp_path, files)
    assert [row.prompt for row in found.all(CaseRow)][-1] == "Move the last tab"
    problem = found.problem("evals-differ")
    assert (problem.path, problem.pointer) == ("z/tabs/evals/evals.json", "/evals/2")


def test_an_empty_benchmark_splits_no_suite(tmp_path: Path) -> None:
    """It lies beside the skill's evals; the runs are below them."""
    files = {
        "tabs/evals/evals.json": evals("tabs", "Draw tabs"),
        "tabs/benchmark.json": {"metadata": {"skill_name": "tabs"}, "runs": [], "run_summary": {}},
        "tabs/evals/workspace/iteration-1/eval-1/with_skill/grading.json": grading(),
    }
    found = read(tmp_path, files)
    assert names(found) == [("tabs", "tabs")]
    assert [row.version for row in found.all(VersionRow)] == ["iteration-1"]
    assert [row.case_id for row in found.all(RunRow)] == ["1"]


def test_evals_with_what_people_wrote_beside_them_stay_a_suite(tmp_path: Path) -> None:
    """Their records lie in its `reviews` folder, which another suite does not read."""
    record: dict[str, Any] = {"skills/tabs/reviews/note/x.json": {}}
    assert len(names(read(tmp_path, {**PLACES, **record}))) == 2
