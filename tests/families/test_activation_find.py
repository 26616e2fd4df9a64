"""Which files of queries are one suite, and what it is called."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore.families.activation import FAMILY
from evalcore.tables.rows import CaseRow, RunRow, SuiteRow, VersionRow
from tests.families.activation_documents import (
    AFTER,
    ALWAYS,
    BEFORE,
    NEVER,
    SHOULD,
    SHOULD_NOT,
    of,
    results,
    trigger_set,
)
from tests.families.build import Read, changed, write

OTHER = trigger_set(["Plot the sales.", "Sum column C."], ["Sing."])


def opened(root: Path, files: dict[str, Any]) -> Read:
    """Write files and read them."""
    return Read(FAMILY, write(root, files))


def suites(read: Read) -> dict[str, list[str]]:
    """Return the suites with their files."""
    return {plan.suite: [path for path, _ in plan.files] for plan in read.plans}


@pytest.mark.parametrize(
    ("path", "suite", "skill"),
    [
        ("skills/pdf/evals/trigger-eval.json", "skills/pdf (triggers)", "skills/pdf"),
        ("skills/pdf/tests/deep/set.json", "skills/pdf (triggers)", "skills/pdf"),
        ("skills/pdf-workspace/a/set.json", "skills/pdf (triggers)", "skills/pdf"),
        ("evals/set.json", "triggers", ""),
        ("evals/per-skill/okr.json", "evals/per-skill/okr", None),
        ("somewhere/set.json", "somewhere/set", None),
        ("set.json", "set", None),
    ],
)
def test_the_place_of_a_set_tells_its_skill(
    tmp_path: Path, path: str, suite: str, skill: str | None
) -> None:
    """Else the suite has the name of its file."""
    read = opened(tmp_path, {path: trigger_set()})
    assert [(plan.suite, plan.skill_path) for plan in read.plans] == [(suite, skill)]


def test_a_skill_that_a_document_names_is_looked_for(tmp_path: Path) -> None:
    """Where one folder alone has the name."""
    (tmp_path / "skills/pdf").mkdir(parents=True)
    read = opened(tmp_path, {"out/results.json": results(NEVER)})
    assert read.one(SuiteRow).skill_path == "skills/pdf"
    (tmp_path / "old/pdf").mkdir(parents=True)
    read = opened(tmp_path, {"out/results.json": results(NEVER)})
    assert (read.one(SuiteRow).suite, read.one(SuiteRow).skill_path) == ("out/results", None)
    assert read.one(SuiteRow).name == "pdf (triggers)"


def test_two_sets_of_one_skill_are_two_suites(tmp_path: Path) -> None:
    """Each is called by its file then; results belong to the one whose queries they ask."""
    files = {"pdf/evals/a.json": trigger_set(), "pdf/evals/b.json": OTHER,
             "pdf/evals/r.json": results(NEVER)}  # fmt: skip
    assert suites(opened(tmp_path, files)) == {
        "pdf/evals/a": ["pdf/evals/a.json", "pdf/evals/r.json"],
        "pdf/evals/b": ["pdf/evals/b.json"],
    }


def test_a_set_that_grew_is_one_suite(tmp_path: Path) -> None:
    """The larger one holds the smaller."""
    files = {"pdf/evals/a.json": trigger_set(SHOULD[:2]), "pdf/evals/b.json": trigger_set()}
    read = opened(tmp_path, files)
    assert suites(read) == {"pdf (triggers)": ["pdf/evals/b.json", "pdf/evals/a.json"]}
    assert len(read.all(CaseRow)) == 5


def test_another_expectation_makes_another_set(tmp_path: Path) -> None:
    """The queries of one skill are often what another should leave alone."""
    files = {"a.json": trigger_set(), "b.json": trigger_set(SHOULD_NOT, SHOULD)}
    assert list(suites(opened(tmp_path, files))) == ["a", "b"]


def test_a_template_in_two_skills_is_two_suites(tmp_path: Path) -> None:
    """Their places name them; copies of one skill are one."""
    files = {f"{place}/evals/set.json": trigger_set() for place in ("a/pdf", "b/pdf", "a/csv")}
    assert suites(opened(tmp_path, files)) == {
        "a/csv (triggers)": ["a/csv/evals/set.json"],
        "a/pdf (triggers)": ["a/pdf/evals/set.json", "b/pdf/evals/set.json"],
    }


def test_results_that_ask_half_of_a_set_belong_to_it(tmp_path: Path) -> None:
    """Queries change between a run and the next; below one half, they are another set's."""
    known = dict.fromkeys(SHOULD[:2], (1, 1))
    for new, expected in ((2, 1), (3, 2)):
        counts = known | {f"New {n}": (1, 1) for n in range(new)}
        files = {"a/set.json": trigger_set(), "b/results.json": changed(results(counts))}
        read = opened(tmp_path / str(new), files)
        assert len(read.plans) == expected
        assert len(read.all(RunRow)) == len(counts)


def test_results_go_to_the_nearest_of_equal_sets(tmp_path: Path) -> None:
    """Where nothing else tells two sets with the same queries apart."""
    one, two = trigger_set(SHOULD), trigger_set(SHOULD, ["Dance."])
    two[0]["should_trigger"] = False
    files = {"a/set.json": one, "b/set.json": two, "b/results.json": results(of(NEVER, *SHOULD))}
    assert suites(opened(tmp_path, files))["a/set"] == ["a/set.json", "b/results.json"]
    two[0]["should_trigger"] = True
    files["a/set.json"] = [*one, *OTHER]
    assert suites(opened(tmp_path / "x", files))["b/set"] == ["b/set.json", "b/results.json"]


def test_sets_of_several_skills_are_one_suite(tmp_path: Path) -> None:
    """A query has its skill as a tag; files with the queries of one of them belong to it."""
    groups = [{"skill": "pdf", "queries": trigger_set()}, {"skill": "csv", "queries": OTHER}]
    files = {"evals/all.json": groups, "evals/per-skill/pdf.json": trigger_set(),
             "evals/per-skill/csv.json": OTHER}  # fmt: skip
    read = opened(tmp_path, files)
    assert list(suites(read)) == ["evals/all"]
    tags = {row.prompt: json.loads(row.tags or "") for row in read.all(CaseRow)}
    assert (len(tags), tags[SHOULD[0]]) == (8, ["should trigger", "pdf"])
    assert tags["Sing."] == ["should not trigger", "csv"]


def test_queries_of_another_skill_are_another_set(tmp_path: Path) -> None:
    """A set that names one of several skills asks for that one."""
    groups = [{"skill": "pdf", "queries": trigger_set()}, {"skill": "csv", "queries": OTHER}]
    files = {"evals/all.json": groups, "evals/x/a.json": {"skill": "csv", "queries": OTHER},
             "evals/x/b.json": {"skill": "pdf", "queries": OTHER}}  # fmt: skip
    assert suites(opened(tmp_path, files)) == {
        "evals/all": ["evals/all.json", "evals/x/a.json"],
        "evals/x/b": ["evals/x/b.json"],
    }


def test_one_query_of_two_skills_is_two_cases(tmp_path: Path) -> None:
    """One should answer it, the other should not."""
    groups = [{"skill": "pdf", "queries": trigger_set(SHOULD)},
              {"skill": "csv", "queries": trigger_set([], SHOULD)}]  # fmt: skip
    read = opened(tmp_path, {"evals/all.json": groups})
    assert len(read.all(CaseRow)) == 2 * len(SHOULD) + len(SHOULD_NOT)


def test_results_of_several_skills_are_one_version(tmp_path: Path) -> None:
    """They were measured together: the descriptions of all skills are its text."""
    skills = [
        {"skill": name, "description": text, "results": results(counts)["results"]}
        for name, text, counts in (
            ("pdf", BEFORE, of(NEVER, *SHOULD)),
            ("csv", AFTER, of(NEVER, *SHOULD_NOT)),
        )
    ]
    read = opened(tmp_path, {"evals/baseline.json": {"skills": skills}})
    version = read.one(VersionRow)
    assert (version.version, version.description) == ("baseline", f"pdf: {BEFORE}\n\ncsv: {AFTER}")
    assert len(read.all(RunRow)) == 15


def test_queries_without_expectation_make_no_suite(tmp_path: Path) -> None:
    """Many documents hold lists of queries or prompts."""
    files = {"a.json": [{"query": "Who?"}], "b.json": {"prompt": "Sing.", "should_trigger": True}}
    read = opened(tmp_path, files)
    assert (read.plans, read.problems) == ([], [])


def test_trials_elsewhere_are_left_alone(tmp_path: Path) -> None:
    """Only beside or below the documents of a suite do bare decisions belong to it."""
    trial = {"results": [{"query": SHOULD[0], "decision": True}]}
    files = {"pdf/evals/set.json": trigger_set(), "elsewhere/trial-1.json": trial}
    assert suites(opened(tmp_path, files)) == {"pdf (triggers)": ["pdf/evals/set.json"]}


def test_queries_with_the_name_of_a_skill_are_named(tmp_path: Path) -> None:
    """Which of several skills answers is another question; nothing is passed over in silence."""
    items = [{"query": SHOULD[0], "should_trigger": "pdf"}]
    read = opened(tmp_path, {"evals/routing.json": {"evals": items}})
    problem = read.problem("trigger-set-unread")
    assert (problem.path, problem.pointer, read.plans) == ("evals/routing.json", "/evals", [])


def test_deep_and_wide_values_are_looked_into_so_far(tmp_path: Path) -> None:
    """A file of thousands of objects is another one; so is a set behind seven levels."""
    wide: dict[str, Any] = {f"key {n}": [{}] for n in range(3000)} | {"queries": trigger_set()}
    deep: Any = trigger_set()
    for _ in range(7):
        deep = {"in": deep}
    assert opened(tmp_path, {"wide.json": wide, "deep.json": deep}).plans == []
    near: Any = trigger_set()
    for _ in range(6):
        near = {"in": near}
    assert len(opened(tmp_path / "near", {"near.json": near}).plans) == 1


@pytest.mark.parametrize("name", ["should_trigger", "should_not_trigger"])
def test_one_list_of_bare_texts_is_a_set(tmp_path: Path, name: str) -> None:
    """The other kind may stand elsewhere, or nowhere."""
    assert len(opened(tmp_path, {"a.json": {"triggers": {name: ["Sing."]}}}).all(CaseRow)) == 1


def test_files_may_stand_in_any_order(tmp_path: Path) -> None:
    """The set is found first although its name is last."""
    files = {"pdf/evals/a.json": results(ALWAYS), "pdf/evals/z.json": trigger_set()}
    assert suites(opened(tmp_path, files)) == {
        "pdf (triggers)": ["pdf/evals/z.json", "pdf/evals/a.json"]
    }
