"""SQL helper: assertions, description versions, comparisons."""

import hashlib
from collections import defaultdict
from statistics import mean, median, stdev

from tests.demo.reading import WORKSPACE, close, documents, load


def test_descriptions_gradings_follow_from_their_assertions() -> None:
    """overall_score is the share of passing assertions, in the order of the definitions."""
    cases = load("sql-helper/eval/eval_metadata.json")["test_cases"]
    asked = {c["id"]: c["assertions"] for c in cases}
    for path, g in documents("sql-helper/eval/runs/*/grading/*.json"):
        assert path.endswith(f"{g['run_id']}/grading/{g['test_case_id']}.json")
        assert [a["assertion"] for a in g["assertions"]] == asked[g["test_case_id"]]
        share = mean(a["result"] == "pass" for a in g["assertions"])
        assert close(g["overall_score"], share, 4)


def test_description_benchmark_follows_from_its_runs() -> None:
    """Each entry equals one run, its statistics are right and its hash is that of the text."""
    runs: dict[str, set[tuple[str, float, float]]] = defaultdict(set)
    for _, g in documents("sql-helper/eval/runs/*/grading/*.json"):
        key = (g["test_case_id"], g["overall_score"], g["timing"]["duration_seconds"])
        runs[g["run_id"]].add(key)
    entries = load("sql-helper/eval/benchmark.json")["entries"]
    for e in entries:
        cases = {(c["test_case_id"], c["score"], c["duration_seconds"]) for c in e["per_test_case"]}
        assert [r for r, found in runs.items() if found == cases] != []
        scores = [c["score"] for c in e["per_test_case"]]
        assert close(e["scores"]["mean"], mean(scores), 3)
        assert close(e["scores"]["median"], median(scores), 3)
        assert close(e["scores"]["std_dev"], stdev(scores), 3)
        text = WORKSPACE / f"sql-helper/eval/descriptions/{e['description_version']}.txt"
        digest = hashlib.sha256(text.read_bytes().rstrip(b"\n")).hexdigest()
        assert e["description_hash"] == digest
    assert [e["description_version"] for e in entries] == [1, 2, 3, 3]
    newest = (WORKSPACE / "sql-helper/eval/descriptions/3.txt").read_text(encoding="utf-8").strip()
    assert newest in (WORKSPACE / "sql-helper/SKILL.md").read_text(encoding="utf-8")


def test_description_comparisons_add_up() -> None:
    """Totals are sums, the winner is the higher one, and one comparison is a tie."""
    winners = []
    for _, c in documents("sql-helper/eval/comparisons/*.json"):
        a, b = (sum(s[f"score_{side}"] for s in c["criteria_scores"]) for side in "ab")
        assert (c["total_score_a"], c["total_score_b"]) == (a, b)
        assert c["winner"] == ("tie" if a == b else "A" if a > b else "B")
        winners.append(c["winner"])
    assert set(winners) == {"A", "B", "tie"}
