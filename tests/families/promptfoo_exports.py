"""Small exports in the forms that promptfoo's documentation gives: version 3, 2, and lines."""

import json
from pathlib import Path
from typing import Any

PROMPT = {"raw": "Name the capital of {{land}}.", "label": "Name the capital of {{land}}."}
AT = "2026-03-02T09:30:00.000Z"


def component(kind: str = "contains", passed: bool = True, **told: Any) -> dict[str, Any]:
    """What came of one assertion; a field of `assertion` may be told by its name."""
    names = ("value", "metric", "weight", "threshold", "provider", "metricOnly")
    own = {name: told.pop(name) for name in names if name in told}
    said = {"pass": passed, "score": float(passed), "reason": "Checked."}
    return {**said, "assertion": {"type": kind, **own}, **told}


def grading(*components: Any, passed: bool = True, **told: Any) -> dict[str, Any]:
    """The grade of an output, made of components."""
    held = {"pass": passed, "score": float(passed), "reason": "All", **told}
    return {**held, "componentResults": list(components)}


def result(test: int = 0, prompt: int = 0, land: str = "Peru", **told: Any) -> dict[str, Any]:
    """One output that passed, unless `told` says otherwise; a field of None is left out."""
    case = {"vars": {"land": land}, **told.pop("testCase", {})}
    found = {
        "id": f"{test}-{prompt}",
        "testIdx": test,
        "promptIdx": prompt,
        "testCase": case,
        "vars": case["vars"],
        "provider": {"id": "acme:large", "label": ""},
        "prompt": {**PROMPT, "raw": f"Name the capital of {land}."},
        "response": {"output": f"The capital of {land}", "tokenUsage": {"total": 12}},
        "success": True,
        "score": 1,
        "failureReason": 0,
        "latencyMs": 1500,
        "cost": 0.25,
        "namedScores": {},
        "gradingResult": grading(component(value=land)),
        **told,
    }
    return {name: value for name, value in found.items() if value is not None}


def export(*results: Any, **told: Any) -> dict[str, Any]:
    """An evaluation of version 3; `description`, `at`, `prompts` and `stats` may be told."""
    about = {"description": told.pop("description", "Capitals")}
    made = told.pop("at", AT)
    prompts = told.pop("prompts", [{**PROMPT, "provider": "acme:large"}])
    summary = {"version": 3, "timestamp": made, "prompts": prompts, "results": list(results)}
    summary["stats"] = told.pop("stats", {})
    return {
        "evalId": f"eval-{made}",
        "results": summary,
        "config": about,
        "metadata": {"evaluationCreatedAt": made, "exportedAt": made},
        **told,
    }


def table(*lines: tuple[str, list[dict[str, Any]]], **told: Any) -> dict[str, Any]:
    """An evaluation of version 2, with the outputs of each land in a line."""
    body = []
    for land, results in lines:
        outputs = []
        for each in results:
            moved = ("success", "response", "testCase", "vars", "prompt", "provider")
            cell = {name: value for name, value in each.items() if name not in moved}
            text = each["response"]["output"]
            outputs.append({**cell, "pass": each["success"], "text": text, "tokenUsage": {}})
        body.append({"vars": [land], "outputs": outputs, "test": {}})
    value = export(**told)
    heads = value["results"].pop("prompts")
    held = {"head": {"prompts": heads, "vars": ["land"]}, "body": body}
    value["results"] |= {"version": 2, "results": [], "table": held}
    return value


def write(path: Path, value: Any) -> Path:
    """Write an export, a list of results as lines of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = value if path.suffix == ".jsonl" else [value]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path
