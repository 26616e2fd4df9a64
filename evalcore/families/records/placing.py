"""Where a new record of a store lies and the form it has, and a blind study as such a record."""

import uuid
from collections.abc import Sequence
from typing import Any, Final

from evalcore.families.comparing import Compared, Comparing, Written
from evalcore.families.records.shapes import AGENT_RUN, SHARDS
from evalcore.families.remembering import NewRecord
from evalcore.families.running import Document, values_of

_BESIDE = ("test-case", "test-run", "benchmark-run", AGENT_RUN)


def place(home: str, kind: str, name: str) -> str:
    """Return the path of a record of a type in the store of the record at `home`.

    Beside a file of many records it gets a folder of its type.
    """
    parts = home.split("/")
    if SHARDS in parts:
        top = parts[: parts.index(SHARDS) + 1]
        return "/".join([*top, name[:2], name[2:4], f"{name}.json"])
    folder = parts[:-1]
    if home.endswith(".jsonl"):
        folder.append(kind)
    elif folder and folder[-1] in _BESIDE:
        folder[-1] = kind
    return "/".join([*folder, f"{name}.json"])


def envelope(
    kind: str, name: str, about: str, fields: dict[str, Any], at: str, *, sharded: bool
) -> dict[str, Any]:
    """Return a record with its fields; `about` names what it is of, where records have titles."""
    times = {"createdAt": at, "updatedAt": at} if at else {}
    if sharded:
        head = {"id": name, "title": f"{kind} of {about}", "minionTypeId": kind}
    else:
        head = {"id": name, "type": kind}
    return {**head, "fields": fields, **times}


def placed(documents: Sequence[tuple[str, str]], new: NewRecord) -> tuple[str, dict[str, Any]]:
    """Return the place and form of a new record of a store, given its documents (path, kind).

    It lies beside records of its type; else, in a store of shards, in one; else in a folder of its
    type, where the store has folders of types or all its records in one file.
    """
    kind, shards = new.type, {path for path, _ in documents if SHARDS in path.split("/")}
    own = [path for path, of in documents if of == kind]
    if own:
        plain = [path for path in own if path not in shards]
        is_plain = 2 * len(plain) >= len(own)
        home = plain[0] if is_plain else next(filter(shards.__contains__, own))
    elif 2 * len(shards) > len(documents):
        home = min(shards)
    else:
        homes = [(path.rpartition("/")[0], of) for path, of in documents if path not in shards]
        for folder, of in homes:
            above, _, name = folder.rpartition("/")
            if name in (of, f"{of}s"):
                folders = [above, f"{kind}s" if name.endswith("s") else kind]
                break
        else:
            one_each = any(of not in ("records", "broken") for _, of in documents)
            above = homes[0][0] if homes else ""
            folders = [above] if one_each else [above, kind]
        home = "/".join([*filter(None, folders), "record.json"])
    sharded = SHARDS in home.split("/")
    value = envelope(new.type, new.id, new.about, new.fields, new.at, sharded=sharded)
    if new.type == "relation":
        value |= value.pop("fields")  # the ends of a relation stand beside its id
    value["createdBy"] = new.author
    if new.supersedes:
        old = list(new.supersedes)
        value["supersedes"] = old if len(old) > 1 else old[0]
    return place(home, new.type, new.id), value


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
