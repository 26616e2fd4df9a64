"""Write a workspace with a long memory: `python -m benchmarks.history RECORDS DIR`.

Five benchmarks were run over and over: each run left a benchmark run, a trend and a benchmark that
replace the ones before, and now and then a failure, a task, a message, a lesson and a decision.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

from benchmarks import generate
from benchmarks.generate import Written
from benchmarks.writers.common import Json, Plan, moment, slot
from benchmarks.writers.improve import SKILL, WORKSPACE, case

GRADINGS = 2_000
BENCHMARKS = 5
CASES = 8
"""So many cases has each benchmark."""
SELDOM = 10
"""Each so many runs of a benchmark has a record of the other types."""


def write(records: int, folder: Path) -> Written:
    """Write the workspace into an empty or absent folder.

    Raises:
        FileExistsError: `folder` holds something already.
    """
    base, plan = generate.generate("improve", GRADINGS, folder), Plan(GRADINGS, 1)
    size = 0
    for record in islice(_history(plan), records):
        home = folder / WORKSPACE / "reviews" / str(record["type"])
        home.mkdir(parents=True, exist_ok=True)
        data = json.dumps(record, indent=2).encode()
        size += (home / f"{record['id']}.json").write_bytes(data)
    return base._replace(files=base.files + records, bytes=base.bytes + size)


def _history(plan: Plan) -> Iterator[Json]:
    """Yield records without end, the oldest first."""
    ids = (f"0195f3a0-7c1e-7000-8000-{at:012x}" for at in count())
    heads: dict[tuple[str, int], str] = {}
    failures: dict[str, str] = {}
    points: dict[int, list[Json]] = {of: [] for of in range(BENCHMARKS)}
    for at in count():
        of, turn = at % BENCHMARKS, at // BENCHMARKS
        if turn == 0:
            heads["benchmark", of] = name = next(ids)
            yield _record(name, "benchmark", _benchmark(plan, of, None, at), at)
        score, when = round(0.6 + 0.3 * ((at * 7) % 10) / 10, 3), moment(30, at)
        name = next(ids)
        run = {
            "benchmarkId": heads["benchmark", of],
            "testRunIds": [_run(plan, of, case_, turn) for case_ in range(CASES)],
            "overallScore": score,
            "passRate": score,
            "ranAt": when,
            "triggeredBy": "schedule:nightly",
            "notes": plan.prose("history", at).sentence(),
        }
        yield _record(name, "benchmark-run", run, at)
        points[of] = [*points[of], {"date": when, "score": score}][-50:]
        for kind, fields in (
            ("eval-trend", _trend(heads["benchmark", of], points[of], when)),
            ("benchmark", _benchmark(plan, of, score, at)),
        ):
            new = next(ids)
            old = heads.get((kind, of))
            yield _record(new, kind, fields, at, old)
            heads[kind, of] = new
        if turn % SELDOM == SELDOM - 1:
            for kind, fields in _seldom(plan, at, name):
                new, run_id = next(ids), str(fields.get("testRunId", ""))
                old = failures.get(run_id) if run_id else None
                yield _record(new, kind, fields, at, old)
                if run_id:
                    failures[run_id] = new


def _seldom(plan: Plan, at: int, name: str) -> Iterator[tuple[str, Json]]:
    prose, about = plan.prose("seldom", at), {"aboutType": "benchmark-run", "aboutId": name}
    run = _run(plan, at % BENCHMARKS, 0, at // BENCHMARKS)
    failure = {"testRunId": run, "failureType": "wrong-output", "affectedCriterionIds": []}
    yield "eval-failure", {**failure, "description": prose.sentence(), "severity": "critical"}
    yield "task", {"title": "Investigate benchmark regression", "description": prose.sentence(),
                   "status": "open", **about}  # fmt: skip
    yield "message", {"sender": "evalcore", "recipient": "orchestrator", "text": prose.sentence(),
                      "subject": "benchmark-regression", "payload": {}, **about}  # fmt: skip
    yield "memory-item", {"agentId": "agent-1", "lesson": prose.sentence(), "tags": [], **about}
    step = slot(at % plan.gradings).step
    yield "approval", {"version": f"v{step}", "decision": "refused", "reason": prose.sentence()}


def _benchmark(plan: Plan, of: int, score: float | None, at: int) -> Json:
    return {
        "name": f"benchmark {of}",
        "description": "",
        "testCaseIds": [case(plan, of * CASES + each).id for each in range(CASES)],
        "dimension": f"dimension {of}",
        "passingThreshold": 0.8,
        "ownerId": "owner-1",
        "lastRunAt": None if score is None else moment(30, at),
        "lastScore": score,
        "status": "active",
    }


def _trend(benchmark: str, points: list[Json], when: str) -> Json:
    return {
        "benchmarkId": benchmark,
        "dimension": "quality",
        "dataPoints": json.dumps(points),
        "direction": "stable",
        "lastComputedAt": when,
    }


def _run(plan: Plan, of: int, place: int, turn: int) -> str:
    """Return the id of a run of one of the cases of a benchmark, of one version each turn."""
    wanted = of * CASES + place
    own = [index for index in range(plan.gradings) if slot(index).case == wanted]
    found = slot(own[turn % len(own)])
    return f"{SKILL}::{case(plan, wanted).id}@v{found.step}/-#{found.run}"


def _record(name: str, kind: str, fields: Json, at: int, old: str | None = None) -> Json:
    when = moment(30, at)
    value: Json = {"id": name, "type": kind, "schema": 1, "fields": fields, "createdAt": when}
    more = {"createdBy": "evalcore", **({"supersedes": old} if old else {})}
    return {**value, **more}


def main(arguments: list[str] | None = None) -> int:
    """Write one workspace and print its contents."""
    parser = argparse.ArgumentParser("python -m benchmarks.history", description=__doc__)
    parser.add_argument("records", type=int)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    sys.stdout.write(json.dumps(write(asked.records, asked.folder)._asdict()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
