"""The log of the tools that an agent called, in the agent-run from which a test-run follows."""

from collections.abc import Iterator
from itertools import chain, islice
from typing import Any, Final

from evalcore.disk.reader import Json
from evalcore.errors import EvalcoreError
from evalcore.families.records.shapes import AGENT_RUN, type_of
from evalcore.families.running import KnownRun, Suite

LOG: Final = "toolCallsLog"
MAX_DOCUMENTS: Final = 2_000
"""So many documents are looked through for an agent-run, first those that have its id as a name."""
_HELD: Final = "/fields/actualOutput"


def tool_calls(suite: Suite, run: KnownRun) -> Json:
    """Return the log of a run; None where its agent-run is not in the store, or has none."""
    record = suite.raw(run.source or "", (run.pointer or "").removesuffix(_HELD))
    fields = _fields(record)
    if fields.get(LOG):
        return fields[LOG]
    name = fields.get("agentRunId")
    found = _agent_run(suite, name) if isinstance(name, str) and name else {}
    return found.get(LOG)


def _agent_run(suite: Suite, name: str) -> dict[str, Any]:
    for path in _likely(suite, name):
        try:
            value = suite.raw(path, "")
        except EvalcoreError:
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, dict) and each.get("id") == name and type_of(each) == AGENT_RUN:
                return _fields(each)
    return {}


def _likely(suite: Suite, name: str) -> Iterator[str]:
    """Yield the documents that may hold an agent-run, bounded in number."""
    one = suite.documents.get(AGENT_RUN, ())
    several = suite.documents.get("records", ())
    named = [path for path in one if name in path.rpartition("/")[2]]
    known = set(named)
    rest = (path for path in (*one, *several) if path not in known)
    yield from islice(chain(named, rest), MAX_DOCUMENTS)


def _fields(record: Json) -> dict[str, Any]:
    fields = record.get("fields") if isinstance(record, dict) else None
    return fields if isinstance(fields, dict) else {}
