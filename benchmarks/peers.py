"""Other tools that read the same gradings; these methods run in the peers' own environment."""
# ruff: noqa: PLC0415 - what a method imports is there only where it is asked for

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = Any
Work = Callable[[], Json]


def write_inspect_log(asked: Json) -> Work:
    """Write the gradings of an `improve` workspace as one Inspect AI log."""
    from inspect_ai import log as logs  # type: ignore[import-not-found, unused-ignore]
    from inspect_ai.scorer import Score  # type: ignore[import-not-found, unused-ignore]

    def sample(document: Json, number: int) -> Any:
        judged = {
            result["criterion"]: Score(value=result["score"], explanation=result["reasoning"])
            for result in document["results"]
        }
        about = {"version": document["version"], "run": document["run"]}
        return logs.EvalSample(
            id=number, epoch=1, input=document["case_id"], target="", scores=judged, metadata=about
        )

    def work() -> Json:
        paths = sorted(Path(asked["root"]).glob("*/grading/*.json"))
        samples = [sample(json.loads(path.read_bytes()), n) for n, path in enumerate(paths)]
        task = logs.EvalSpec(
            created="2026-01-05T08:00:00Z",
            task="improve",
            dataset=logs.EvalDataset(),
            model="mock/model",
            config=logs.EvalConfig(),
        )
        logs.write_eval_log(
            logs.EvalLog(status="success", eval=task, samples=samples), asked["file"]
        )
        return len(samples)

    return work


def read_inspect_log(asked: Json) -> Work:
    """Read an Inspect AI log with its own reader, and put its scores into a frame."""
    import pandas as pd
    from inspect_ai.log import read_eval_log  # type: ignore[import-not-found, unused-ignore]

    def work() -> Json:
        rows = [
            {"id": s.id, "criterion": name, "score": score.value, "text": score.explanation}
            for s in read_eval_log(asked["file"]).samples
            for name, score in s.scores.items()
        ]
        return len(pd.DataFrame(rows))

    return work


def aggregate_by_script(asked: Json) -> Work:
    """skill-creator's `aggregate_benchmark.py` on one iteration: a whole process."""
    return _whole([sys.executable, asked["script"], asked["folder"]], asked["folder"])


def aggregate(asked: Json) -> Work:
    """`evalcore aggregate PATH`: a whole process."""
    return _whole([sys.executable, "-m", "evalcore", "aggregate", asked["root"]], asked["folder"])


def _whole(command: list[str], folder: str) -> Work:
    # A lock for the document is kept with the index, not with what this user remembers.
    state = {**os.environ, "EVALCORE_STATE_DIR": os.environ.get("EVALCORE_CACHE_DIR", "")}

    def work() -> Json:
        done = subprocess.run(command, capture_output=True, check=False, env=state)
        if done.returncode:
            raise SystemExit(done.stderr.decode(errors="replace"))
        return lambda: _summary(Path(folder) / "benchmark.json")

    return work


def _summary(path: Path) -> Json:
    """Return how many runs a benchmark lists, and what it sums up."""
    document = json.loads(path.read_bytes())
    return {"runs": len(document["runs"]), "summary": document["run_summary"]}
