"""The documents of the `improve` family as its tests change them."""

from pathlib import Path
from typing import Any

from evalcore.families.improve import FAMILY
from tests.families.build import Read, changed, write

SEEDS = Path(__file__).resolve().parent.parent / "data" / "seeds" / "improve"

Document = dict[str, Any]

EVALS: Document = {
    "version": "1.0",
    "skill": "/somewhere/else/deploy",
    "cases": [
        {
            "id": "case-01",
            "prompt": "Deploy it",
            "files": ["input.txt"],
            "expectations": [
                {"criterion": "valid", "description": "Parses as YAML", "required": True},
                {"criterion": "short", "description": "Under 500 lines", "required": False},
            ],
        }
    ],
}
CONVENTIONS: Document = {
    key: {"passed": True, "details": f"about {key}"}
    for key in (
        "frontmatter",
        "description_field",
        "token_efficiency",
        "progressive_disclosure",
        "type_alignment",
    )
}


def result(criterion: str, score: Any, **fields: Any) -> Document:
    """One result whose `passed` follows from its score."""
    passed = isinstance(score, int) and score >= 3
    return changed(
        {"criterion": criterion, "score": score, "passed": passed, "reasoning": f"on {criterion}"},
        **fields,
    )


def grading(valid: int = 4, short: int = 5, **fields: Any) -> Document:
    """A grading of case-01, version 0, run 1 whose derived values are right."""
    document = {
        "case_id": "case-01",
        "version": 0,
        "run": 1,
        "overall_score": (valid + short) / 2,
        "required_score": float(valid),
        "results": [result("valid", valid), result("short", short)],
        "overall": "pass" if valid >= 3 else "fail",
        "convention_compliance": CONVENTIONS,
        "claims": [],
        "user_notes_summary": "",
        "eval_feedback": "",
        "execution_metrics": {},
    }
    return changed(document, **fields)


def history(*averages: float | None, current: int = 0) -> Document:
    """A history with one version for each average."""
    return {
        "versions": [
            {
                "version": number,
                "timestamp": "2026-02-22T20:00:00Z",
                "description": f"step {number}",
                "git_hash": None,
                "path": f"v{number}/skill",
                "average_score": average,
            }
            for number, average in enumerate(averages)
        ],
        "current_version": current,
    }


COMPARISON: Document = {
    "eval_prompt": "Deploy it",
    "winner": "B",
    "reasoning": "B is clearer",
    "scores": {"description_quality": {"A": 6, "B": 8}, "content_value": {"A": 7, "B": 7}},
}
ANALYSIS: Document = {
    "winner_version": "v1",
    "loser_version": "v0",
    "strengths": ["Clearer"],
    "weaknesses": ["Vague"],
    "suggestions": [{"area": "description", "before": "x", "after": "y", "reasoning": "z"}],
}
TWO_VERSIONS = history(None, None)


def workspace(root: Path, grade: Any = None, **files: Any) -> Read:
    """A skill beside its workspace with one grading; further files by name, `/` written as `__`."""
    tree: dict[str, Any] = {
        "deploy/evals/evals.json": EVALS,
        "deploy-workspace/history.json": history(None),
        "deploy-workspace/v0/skill/SKILL.md": "---\nname: deploy\n---\n",
        "deploy-workspace/grading/case-01_v0_run1.json": grade or grading(),
    }
    tree.update(
        (f"deploy-workspace/{name.replace('__', '/')}.json", v) for name, v in files.items()
    )
    return Read(FAMILY, write(root, tree))
