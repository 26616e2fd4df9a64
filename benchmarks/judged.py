"""Write a workspace that people judged: `python -m benchmarks.judged RECORDS JUDGES KIND DIR`.

Of the kind `apart`, every record is about another judge, run or criterion; of the kind `chained`,
each replaces the one before, all by one judge of one criterion of one run.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks import generate
from benchmarks.generate import Written
from benchmarks.writers.common import Json, Plan, moment, slot
from benchmarks.writers.improve import SKILL, WORKSPACE, Case, case

KINDS = ("apart", "chained")
GRADINGS = 2_000
"""Gradings have at least three criteria: enough for so many thousands of records of each judge."""


def write(records: int, judges: int, kind: str, folder: Path) -> Written:
    """Write the workspace into an empty or absent folder.

    Raises:
        FileExistsError: `folder` holds something already.
    """
    base, plan = generate.generate("improve", GRADINGS, folder), Plan(GRADINGS, 1)
    found = _chained(plan) if kind == "chained" else _apart(plan, judges)
    reviews = folder / WORKSPACE / "reviews" / "eval-judgment"
    reviews.mkdir(parents=True)
    size = 0
    for record in islice(found, records):
        data = json.dumps(record, indent=2).encode()
        size += (reviews / f"{record['id']}.json").write_bytes(data)
    return base._replace(files=base.files + records, bytes=base.bytes + size)


def _apart(plan: Plan, judges: int) -> Iterator[Json]:
    at = 0
    for index in range(plan.gradings):
        for criterion in case(plan, slot(index).case).criteria:
            for judge in range(judges):
                yield _record(plan, at, index, criterion.label, judge)
                at += 1


def _chained(plan: Plan) -> Iterator[Json]:
    label = case(plan, slot(0).case).criteria[0].label
    at = 0
    while True:
        record = _record(plan, at, 0, label, 0)
        yield record if at == 0 else {**record, "supersedes": _id(at - 1)}
        at += 1


def _record(plan: Plan, at: int, index: int, criterion: str, judge: int) -> Json:
    place, prose = slot(index), plan.prose("record", at)
    asked: Case = case(plan, place.case)
    name, when = f"judge-{judge:04x}", moment(30, at)
    fields = {
        "testRunId": f"{SKILL}::{asked.id}@v{place.step}/-#{place.run}",
        "criterionId": f"expectation:{criterion}",
        "score": prose.rng.randint(1, 5),
        "minScore": 1,
        "maxScore": 5,
        "rationale": prose.reasoning(),
        "judgedBy": name,
        "judgedByType": "human",
        "judgedAt": when,
        "evidence": [prose.sentence()],
    }
    return {
        "id": _id(at),
        "type": "eval-judgment",
        "schema": 1,
        "fields": fields,
        "createdAt": when,
        "createdBy": name,
    }


def _id(at: int) -> str:
    return f"0195f3a0-7c1e-7000-8000-{at:012x}"


def main(arguments: list[str] | None = None) -> int:
    """Write one workspace and print its contents."""
    parser = argparse.ArgumentParser("python -m benchmarks.judged", description=__doc__)
    parser.add_argument("records", type=int)
    parser.add_argument("judges", type=int)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("folder", type=Path)
    asked = parser.parse_args(arguments)
    written = write(asked.records, asked.judges, asked.kind, asked.folder)
    sys.stdout.write(json.dumps(written._asdict()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
