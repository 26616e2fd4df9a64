"""The documents of the `iterations` and `rubric` families as their tests change them."""

from pathlib import Path
from typing import Any

from evalcore.families.iterations import FAMILY
from tests.families.build import Read, changed, write

Document = dict[str, Any]

EVALS: Document = {
    "skill_name": "pdf-forms",
    "evals": [
        {
            "id": 1,
            "name": "fill",
            "prompt": "Fill the form in form.pdf with these names",
            "expected_output": "A filled form",
            "files": ["form.pdf"],
            "expectations": ["Every field is filled", "The layout of the form is unchanged"],
        },
        {"id": 2, "name": "split", "prompt": "Split the scan into pages", "expectations": []},
    ],
}
RUBRIC_EVALS: Document = {
    "skill_name": "pdf-forms",
    "eval_config": {"runs_per_eval": 3, "structural_gate": True, "judge_model": "judge-1"},
    "evals": [
        {
            "id": 1,
            "prompt": "Fill the form",
            "structural_expectations": [
                {"id": "S1", "type": "file_exists", "path": "out.pdf", "description": "A file",
                 "critical": True},
                {"id": "S2", "type": "contains_text", "text": "x", "description": "Has x",
                 "critical": False},
            ],
            "quality_rubric": {
                "dimensions": [
                    {"name": "accuracy", "weight": 0.7, "description": "Right values",
                     "scoring": {"1": "wrong", "5": "right"}},
                    {"name": "clarity", "weight": 0.3, "description": "Readable"},
                ]
            },
        }
    ],
}  # fmt: skip
EVAL = "iteration-1/eval-1"


def item(wording: str, verdict: Any = True, /, **fields: Any) -> Document:
    """One judged expectation."""
    document = {"text": wording, "passed": verdict, "evidence": f"seen: {wording}"}
    return changed(document, **fields)


def grading(*passed: Any, **fields: Any) -> Document:
    """A grading of the two expectations of eval 1, with a summary that is right."""
    texts = EVALS["evals"][0]["expectations"]
    items = [
        item(text, verdict) for text, verdict in zip(texts, passed or (True, False), strict=True)
    ]
    good = sum(verdict is True for verdict in passed or (True, False))
    summary = {"passed": good, "failed": 2 - good, "total": 2, "pass_rate": good / 2}
    return changed({"expectations": items, "summary": summary}, **fields)


def structural(*checks: tuple[str, bool | None, bool], **fields: Any) -> Document:
    """Structural checks (id, passed, critical); None is one that was not run."""
    items = [
        {
            "id": name,
            "text": f"about {name}",
            "passed": bool(passed),
            "critical": critical,
            "evidence": f"on {name}",
            **({"status": "not_run"} if passed is None else {}),
        }
        for name, passed, critical in checks
    ]
    return changed({"expectations": items}, **fields)


def scores(**of: Any) -> Document:
    """A grading by rubric."""
    return {
        "expectations": [],
        "rubric_scores": {n: {"score": s, "evidence": f"on {n}"} for n, s in of.items()},
    }


def suite(root: Path, files: dict[str, Any], evals: Any = EVALS) -> Read:
    """A skill with test cases beside its workspace, which holds these files."""
    tree = {f"pdf-workspace/{path}": value for path, value in files.items()}
    if evals is not None:
        tree["pdf/evals/evals.json"] = evals
    return Read(FAMILY, write(root, tree))
