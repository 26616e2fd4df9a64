"""A blind study as a prompt-comparison of the `records` family."""

import uuid
from typing import Final

from evalcore.families.comparing import Compared, Comparing, Written, values_of
from evalcore.families.records.placing import envelope, place
from evalcore.families.records.shapes import SHARDS
from evalcore.families.running import Document

KIND: Final = "prompt-comparison"
EVEN: Final = 0.5


def written(study: Compared) -> Written:
    """Return one record of the study, about the newest benchmark that was run with both versions.

    It lies where the record of such a run lies.
    """
    share, a, b = round(study.share_b, 6), study.version_a, study.version_b
    names = ("benchmark", "version", "ran_at", "source")
    rows = values_of(study.tables, "benchmark_runs", study.suite, *names)
    known = {(row[0], row[1]): row for row in sorted(rows, key=lambda row: str(row[2]))}
    both = [
        max(known[name, a], known[name, b], key=lambda row: str(row[2]))
        for name in {row[0] for row in rows if row[0] is not None}
        if (name, a) in known and (name, b) in known
    ]
    if not both:
        why = "it needs a benchmark that was run with both versions"
        return Written(left_out=(f"No prompt-comparison: {why}.",))
    newest = max(both, key=lambda row: (str(row[2]), str(row[0])))
    benchmark, home = str(newest[0]), str(newest[3])
    fields = {
        "benchmarkId": benchmark,
        "promptVersionA": a,
        "promptVersionB": b,
        "scoreA": round(1 - share, 6),
        "scoreB": share,
        "winner": None if share == EVEN else b if share > EVEN else a,
        "sampleSize": study.cases,
        "comparedAt": study.ended_at,
        "notes": study.notes,
    }
    name = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{study.id} {KIND}"))
    sharded = SHARDS in home.split("/")
    value = envelope(KIND, name, f"{a} and {b}", fields, study.ended_at, sharded=sharded)
    return Written((Document(place(home, KIND, name), value),))


COMPARING: Final = Comparing(written)
