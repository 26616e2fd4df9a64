"""Runs with made-up transcripts, as an agent writes its events."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.families.build import write

Call = tuple[str, dict[str, Any], str] | tuple[str, dict[str, Any], str, bool]
"""A tool, its arguments, what it gave, and whether it failed."""


def events(*calls: Call, asked: str = "Go.", answer: str = "Done.", timed: bool = True) -> str:
    """Return a transcript in which a model is asked, uses tools one after the other, and answers.

    Each call takes a second and begins two seconds after the one before.
    """

    def at(second: int) -> dict[str, str]:
        return {"timestamp": f"2026-01-01T10:00:{second:02}Z"} if timed and second < 60 else {}

    lines: list[dict[str, Any]] = [
        {"type": "user", **at(0), "message": {"role": "user", "content": asked}}
    ]
    for number, (tool, arguments, gave, *failed) in enumerate(calls, 1):
        use = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": arguments}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": gave}
        about = {"id": f"m{number}", "usage": {"input_tokens": 10, "output_tokens": 2}}
        lines += [
            {
                "type": "assistant",
                **at(2 * number),
                "message": {"role": "assistant", **about, "content": [use]},
            },
            {
                "type": "user",
                **at(2 * number + 1),
                "message": {
                    "role": "user",
                    "content": [result | ({"is_error": True} if failed and failed[0] else {})],
                },
            },
        ]
    last = {"role": "assistant", "id": "end", "content": [{"type": "text", "text": answer}]}
    lines.append({"type": "assistant", **at(2 * len(calls) + 2), "message": last})
    return "".join(json.dumps(line) + "\n" for line in lines)


def workspace(
    root: Path, runs: Mapping[str, Mapping[str, str]], evidence: str = "b", **more: Any
) -> Path:
    """Write runs by `iteration/case`, each with its files by name beside its grading."""
    cases = dict.fromkeys(place.rpartition("/")[2] for place in runs)
    evals = [{"id": case, "name": case, "prompt": "Go.", "expectations": ["a"]} for case in cases]
    files: dict[str, Any] = {"s/evals/evals.json": {"skill_name": "s", "evals": evals}}
    for place, beside in runs.items():
        iteration, case = place.split("/")
        folder = f"s-workspace/{iteration}/eval-{case}"
        files[f"{folder}/eval_metadata.json"] = {"eval_id": case, "eval_name": case}
        run = f"{folder}/with_skill/run-1"
        passed = iteration == "iteration-1"
        files[f"{run}/grading.json"] = {
            "expectations": [{"text": "a", "passed": passed, "evidence": evidence}]
        }
        files |= {f"{run}/{name}": text for name, text in beside.items()}
    return write(root, files | more)


def run_id(case: str, iteration: str = "iteration-1") -> str:
    """Return the id of a run of such a workspace."""
    return f"s::{case}@{iteration}/with_skill#1"


def read(place: str) -> Call:
    """Return a call that reads a file."""
    return "Read", {"file_path": place}, f"What stands in {place}."


def bash(command: str, gave: str = "", *, failed: bool = False) -> Call:
    """Return a call that runs a command."""
    return "Bash", {"command": command}, gave, failed


CALLS: Sequence[Call] = (
    read("a.md"),
    bash("make", "No rule to make it.", failed=True),
    read("b.md"),
)
