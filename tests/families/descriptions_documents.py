"""The documents of the `descriptions` family as its tests change them."""

from pathlib import Path
from typing import Any

from evalcore.families.descriptions import FAMILY
from tests.families.build import Read, changed, write

SEEDS = Path(__file__).resolve().parent.parent / "data" / "seeds" / "descriptions"

Document = dict[str, Any]

METADATA: Document = {
    "skill_name": "release-notes",
    "version": "1.0.0",
    "test_cases": [
        {
            "id": "merged",
            "prompt": "Write notes",
            "assertions": ["Names all three", "Has a heading"],
            "tags": ["core"],
            "weight": 3,
        },
        {"id": "nothing", "prompt": "Nothing merged", "assertions": ["Says so"]},
    ],
}


def assertion(text: str, outcome: Any = "pass", **fields: Any) -> Document:
    """One judged assertion."""
    return changed(
        {"assertion": text, "result": outcome, "confidence": "high", "evidence": f"on {text}"},
        **fields,
    )


def grading(
    case: str = "merged",
    run: str = "r1",
    second: str = "fail",
    seconds: float = 12.0,
    **fields: Any,
) -> Document:
    """A grading whose derived values are right; of `merged` the second assertion may fail."""
    judged = [assertion("Says so")]
    if case == "merged":
        judged = [assertion("Names all three"), assertion("Has a heading", second)]
    passed = sum(item["result"] == "pass" for item in judged)
    document = {
        "test_case_id": case,
        "run_id": run,
        "timestamp": "2026-03-01T09:01:00Z",
        "assertions": judged,
        "overall_score": passed / len(judged),
        "factual_issues": [],
        "eval_critique": {
            "vague_assertions": [],
            "missing_coverage": [],
            "suggested_assertions": [],
        },
        "timing": {
            "start": "2026-03-01T09:00:00Z",
            "end": f"2026-03-01T09:00:{int(seconds):02}Z",
            "duration_seconds": seconds,
        },
    }
    return changed(document, **fields)


def entry(version: int = 1, merged: float = 0.5, nothing: float = 1.0, **fields: Any) -> Document:
    """A benchmark entry whose statistics are right."""
    mean = (merged + nothing) / 2
    spread = round(abs(merged - nothing) / 2**0.5, 4)
    document = {
        "description_version": version,
        "description_hash": f"{version:064x}",
        "timestamp": f"2026-03-0{version}T10:00:00Z",
        "scores": {
            "mean": mean,
            "median": mean,
            "std_dev": spread,
            "min": min(merged, nothing),
            "max": max(merged, nothing),
        },
        "per_test_case": [
            {"test_case_id": "merged", "score": merged, "duration_seconds": 12.0},
            {"test_case_id": "nothing", "score": nothing, "duration_seconds": 4.0},
        ],
        "total_duration_seconds": 16.0,
        "num_test_cases": 2,
    }
    return changed(document, **fields)


def benchmark(*entries: Document, current: int = 1) -> Document:
    """A benchmark of these entries."""
    return {
        "skill_name": "release-notes",
        "description_version": current,
        "created_at": "2026-03-01T09:00:00Z",
        "entries": list(entries),
    }


COMPARISON: Document = {
    "comparison_id": "c1",
    "timestamp": "2026-03-08T10:00:00Z",
    "version_a": 1,
    "version_b": 2,
    "test_case_id": "merged",
    "criteria_scores": [
        {"criterion": "completeness", "score_a": 3, "score_b": 5, "justification_a": "One missing",
         "justification_b": "All there"},
        {"criterion": "clarity", "score_a": 4, "score_b": 4, "justification_a": "Short",
         "justification_b": "Short"},
    ],
    "total_score_a": 7,
    "total_score_b": 9,
    "winner": "B",
    "key_differentiators": ["B names the fix"],
    "summary": "B is complete",
}  # fmt: skip


def opened(root: Path, *gradings: Document, **files: Any) -> Read:
    """A skill with these gradings (one of each case when none); files of `eval` by name."""
    tree: dict[str, Any] = {"notes/eval/eval_metadata.json": METADATA}
    for document in gradings or (grading(), grading("nothing", seconds=4.0)):
        run, case = document.get("run_id", "r1"), document.get("test_case_id", "merged")
        tree[f"notes/eval/runs/{run}/grading/{case}.json"] = document
    for name, value in files.items():
        tree[f"notes/eval/{name.replace('__', '/')}.json"] = value
    return Read(FAMILY, write(root, {path: value for path, value in tree.items() if value != ...}))
