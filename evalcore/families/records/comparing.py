"""A blind study as a prompt-comparison of the `records` family."""

import uuid
from typing import Final

from evalcore.families.comparing import Compared, Comparing, Written, values_of
from evalcore.families.records.placing import envelope, place
from evalcore.families.records.shapes import SHARDS
from evalcore.families.running import Document

KIND: Final = "prompt-comparison"


def written(study: Compared) -> Written:
    """Return one record of the study, about a benchmark that was run with both versions."""
    found = _benchmark(study)
    if found is None:
        why = "it needs a benchmark that was run with both versions"
        return Written(left_out=(f"No prompt-comparison: {why}.",))
    benchmark, home = found
    share, a, b = round(study.share_b, 6), study.version_a, study.version_b
    fields = {
        "benchmarkId": benchmark,
        "promptVersionA": a,
        "promptVersionB": b,
        "scoreA": round(1 - share, 6),
        "scoreB": share,
        "winner": None if share == _EVEN else b if share > _EVEN else a,
        "sampleSize": study.cases,
        "comparedAt": study.ended_at,
        "notes": study.notes,
    }
    name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{study.id} {KIND}"))
    sharded = SHARDS in home.split("/")
    value = envelope(KIND, name, f"{a} and {b}", fields, study.ended_at, sharded=sharded)
    return Written((Document(place(home, KIND, name), value),))


_EVEN: Final = 0.5


def _benchmark(study: Compared) -> tuple[str, str] | None:
    """Return the newest benchmark that was run with both versions, and a record of such a run."""
    names = ("benchmark", "version", "ran_at", "source")
    rows = values_of(study.tables, "benchmark_runs", study.suite, *names)
    known = {(row[0], row[1]): row for row in sorted(rows, key=lambda row: str(row[2]))}
    both = [
        max(known[name, study.version_a], known[name, study.version_b], key=lambda row: str(row[2]))
        for name in {row[0] for row in rows if row[0] is not None}
        if (name, study.version_a) in known and (name, study.version_b) in known
    ]
    newest = max(both, key=lambda row: (str(row[2]), str(row[0])), default=None)
    return None if newest is None else (str(newest[0]), str(newest[3]))


COMPARING: Final = Comparing(written)
