"""Small workspaces of the iterations layout, written file by file."""

import json
from pathlib import Path
from typing import Any

from evalcore import Problem, open_workspace
from evalcore.lint import check

DIMENSION = {
    "id": "Q1",
    "name": "tone",
    "description": "How it sounds to a customer.",
    "weight": 1.0,
    "scoring": {"1": "rude", "3": "neutral", "5": "kind"},
}
CHECK = {
    "id": "S1",
    "type": "file_contains",
    "description": "The letter greets.",
    "pattern": "*.md",
    "match_regex": "^Dear .+",
    "critical": True,
}


def write(root: Path, files: dict[str, Any]) -> Path:
    """Write files below `root`: texts and bytes as they are, everything else as JSON."""
    for path, value in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(value, bytes):
            target.write_bytes(value)
        else:
            text = value if isinstance(value, str) else json.dumps(value)
            target.write_text(text, encoding="utf-8")
    return root


def problems(root: Path, files: dict[str, Any]) -> list[Problem]:
    """Return what the check says of a workspace of these files."""
    return check(open_workspace(write(root, files), cache=False))


def found(root: Path, files: dict[str, Any], code: str) -> list[tuple[str, str]]:
    """Return (path, pointer) of the problems of one code, in order."""
    return [(p.path, p.pointer) for p in problems(root, files) if p.code == code]


def evals(*cases: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return an evals.json whose cases have what is needed unless they say otherwise."""
    plain = [
        {
            "id": index,
            "name": f"case-{index}",
            "prompt": "Write a letter.",
            "expected_output": "A letter.",
            **case,
        }
        for index, case in enumerate(cases)
    ]
    return {"skill_name": "letters", "evals": plain, **more}


def rubric_case(**changes: Any) -> dict[str, Any]:
    """Return an eval with one structural check and one dimension, changed as asked."""
    return {
        "structural_expectations": [CHECK],
        "quality_rubric": {"dimensions": [DIMENSION]},
        **changes,
    }


def grading(*passed: bool, texts: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return a grading.json with one item for each verdict."""
    names = texts or tuple(f"The letter has part {index}." for index in range(len(passed)))
    done = sum(passed)
    return {
        "expectations": [
            {"text": text, "passed": verdict, "evidence": "line 1"}
            for text, verdict in zip(names, passed, strict=True)
        ],
        "summary": {
            "passed": done,
            "failed": len(passed) - done,
            "total": len(passed),
            "pass_rate": done / len(passed) if passed else 0,
        },
    }
