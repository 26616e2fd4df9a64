"""Release notes: gradings, history, comparisons and their stories."""

import re
from collections import defaultdict
from statistics import mean

from tests.demo.faults import NOTES, WRONG_ON_PURPOSE
from tests.demo.reading import WORKSPACE, close, documents, load


def improve_cases() -> dict[str, dict[str, bool]]:
    """Criterion to required, by case."""
    cases = load("release-notes/evals/evals.json")["cases"]
    return {c["id"]: {e["criterion"]: e["required"] for e in c["expectations"]} for c in cases}


def test_improve_gradings_follow_from_their_scores() -> None:
    """passed, overall_score, required_score and overall are derived, but for the listed one."""
    required = improve_cases()
    wrong = set()
    for path, g in documents(f"{NOTES}/grading/*.json"):
        assert path.endswith(f"{g['case_id']}_v{g['version']}_run{g['run']}.json")
        needed = required[g["case_id"]]
        assert [r["criterion"] for r in g["results"]] == list(needed)
        assert all(r["passed"] == (r["score"] >= 3) for r in g["results"])
        must = [r for r in g["results"] if needed[r["criterion"]]]
        assert g["overall"] == ("pass" if all(r["passed"] for r in must) else "fail")
        if must:
            assert close(g["required_score"], mean(r["score"] for r in must), 1)
        else:
            assert g["required_score"] is None
        if not close(g["overall_score"], mean(r["score"] for r in g["results"]), 1):
            wrong.add(path)
    assert wrong == {p for p in WRONG_ON_PURPOSE if p.startswith(NOTES)}


def case_means(version: int) -> dict[str, float]:
    """Each case's mean score over its runs in one version."""
    runs: dict[str, list[float]] = defaultdict(list)
    for _, g in documents(f"{NOTES}/grading/*_v{version}_run*.json"):
        runs[g["case_id"]].append(mean(r["score"] for r in g["results"]))
    return {case: mean(scores) for case, scores in runs.items()}


def test_history_rises_falls_and_recovers() -> None:
    """Each average is that of its own gradings; v1 is better than v0, v2 worse, v3 best."""
    history = load(f"{NOTES}/history.json")
    averages = [v["average_score"] for v in history["versions"]]
    for version in history["versions"]:
        assert (WORKSPACE / NOTES / version["path"] / "SKILL.md").is_file()
        assert close(version["average_score"], mean(case_means(version["version"]).values()), 2)
    assert averages[0] < averages[2] < averages[1] < averages[3]
    assert history["current_version"] == 3


def test_v2_regressed_on_two_cases() -> None:
    """Two cases passed in v1 and failed in most runs of v2; v3 passes them again."""
    outcome: dict[tuple[str, int], list[bool]] = defaultdict(list)
    for _, g in documents(f"{NOTES}/grading/*.json"):
        outcome[g["case_id"], g["version"]].append(g["overall"] == "pass")
    for case in ("breaking-change", "security-fix"):
        assert all(outcome[case, 1]) and all(outcome[case, 3])
        assert mean(outcome[case, 2]) < 0.5
    flaky = {key for key, runs in outcome.items() if len(set(runs)) == 2}
    assert {case for case, _ in flaky} >= {"reverted-commit", "hebrew-hotfix", "security-fix"}
    assert {("reverted-commit", v) for v in (1, 2, 3)} <= flaky


def test_suggestions_name_texts_of_the_skill_and_some_were_applied() -> None:
    """`before` is a text of an earlier skill; `after` of some stands in the next one."""
    skills = [
        (WORKSPACE / NOTES / f"v{v}/skill/SKILL.md").read_text(encoding="utf-8") for v in range(4)
    ]
    applied = []
    for _, analysis in documents(f"{NOTES}/comparisons/analysis-*.json"):
        for change in analysis["suggestions"]:
            assert any(change["before"] in skill for skill in skills)
            applied.append(any(change["after"] in skill for skill in skills))
    assert applied.count(True) == 5 and applied.count(False) == 3


def test_improve_covers_other_scripts() -> None:
    """One case is written from right to left, another in Japanese."""
    cases = {c["id"]: c for c in load("release-notes/evals/evals.json")["cases"]}
    assert re.search("[\u0590-\u05ff]", cases["hebrew-hotfix"]["prompt"])
    assert re.search("[\u3040-\u30ff]", cases["japanese-release"]["prompt"])
    for case in cases.values():
        for file in case["files"]:
            assert (WORKSPACE / NOTES / file).is_file()
