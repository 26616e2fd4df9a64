"""Small logs of Inspect in the form that its documentation gives, as `.eval` or as JSON."""

import json
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

NAN = float("nan")
HEADER: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {
        "eval_id": "e1",
        "run_id": "r1",
        "created": "2026-01-02T03:04:05+00:00",
        "task": "sums",
        "task_id": "t1",
        "dataset": {"name": "sums"},
        "model": "acme/large",
        "config": {},
        "packages": {"inspect_ai": "0.3.285"},
    },
    "plan": {},
    "results": {},
    "stats": {},
}


def header(**told: Any) -> dict[str, Any]:
    """A header whose `eval` differs in some fields; `status` and `version` are the log's own."""
    names = ("status", "version", "invalidated", "log_updates")
    own: dict[str, Any] = {name: told.pop(name) for name in names if name in told}
    return {**HEADER, **own, "eval": {**HEADER["eval"], **told}}


def sample(id: Any = "a", epoch: Any = 1, **told: Any) -> dict[str, Any]:  # noqa: A002 - its name
    """A sample that was scored C, unless `told` says otherwise; a field of None is left out."""
    answer = {"role": "assistant", "content": f"answer {id}"}
    found = {
        "id": id,
        "epoch": epoch,
        "input": f"What is {id}?",
        "target": "x",
        "messages": [{"role": "user", "content": f"What is {id}?"}, answer],
        "output": {"choices": [{"message": answer}], "completion": f"answer {id}"},
        "scores": {"match": {"value": "C", "explanation": "It is."}},
        "model_usage": {"acme/large": {"total_tokens": 12}},
        "total_time": 1.5,
        **told,
    }
    return {name: value for name, value in found.items() if value is not None}


def summary(of: dict[str, Any]) -> dict[str, Any]:
    """What the list of summaries has of a sample: of a score that was edited, what it is now."""
    without = ("messages", "output", "invalidation")
    kept = {name: value for name, value in of.items() if name not in without}
    if isinstance(of.get("scores"), dict):
        kept["scores"] = {
            name: {key: value for key, value in score.items() if key != "history"}
            if isinstance(score, dict)
            else score
            for name, score in of["scores"].items()
        }
    return {**kept, "completed": True}


def entries(*samples: dict[str, Any], **told: Any) -> dict[str, Any]:
    """The entries of a finished log."""
    own = {f"samples/{each['id']}_epoch_{each['epoch']}.json": each for each in samples}
    told = header(**told)
    start = {name: told[name] for name in ("version", "eval", "plan")}
    listed = [summary(each) for each in samples]
    return {"_journal/start.json": start, **own, "summaries.json": listed, "header.json": told}


def write_eval(path: Path, held: dict[str, Any]) -> Path:
    """Write a log as a zip; a value that is no bytes is written as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with ZipFile(path, "w", ZIP_DEFLATED) as written:
        for name, value in held.items():
            data = value if isinstance(value, bytes) else json.dumps(value).encode()
            written.writestr(name, data)
    return path


def write_json(path: Path, *samples: dict[str, Any], **told: Any) -> Path:
    """Write a log as one JSON document."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**header(**told), "samples": samples}), encoding="utf-8")
    return path
