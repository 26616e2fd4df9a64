"""Where a new record of a store lies, and the form that the store gives it."""

from typing import Any

from evalcore.families.records.shapes import AGENT_RUN, SHARDS

_ALL_IN_ONE = ".jsonl"
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
    if home.endswith(_ALL_IN_ONE):
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
