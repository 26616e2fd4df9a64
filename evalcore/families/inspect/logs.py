"""Find the logs of Inspect by their names and content, and yield the samples of one."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from evalcore.disk.archives import ARCHIVES, Archive, ArchiveFault, archive, is_archive
from evalcore.disk.files import MAX_BYTES
from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.errors import PathOutside
from evalcore.families.base import Loose, Plan
from evalcore.layouts.order import natural
from evalcore.problems import pointer, quoted

HEADER: Final = "header.json"
START: Final = "_journal/start.json"
SUMMARIES: Final = "summaries.json"
JOURNAL: Final = "_journal/summaries/"
SAMPLES: Final = "samples/"
MAX_READ: Final = 8 * 1024 * 1024
"""Of a finished log whose samples have so many bytes at most, they are read, not only summaries."""
MAX_SAMPLES: Final = 100_000
"""So many samples of one log are read at most."""
KNOWN: Final = (2, 3)
NEXT: Final = "Copy the log again, or write it again with `inspect log convert`."


class Log(NamedTuple):
    """A log: its header, the entry of a zip that holds it, and the values of a JSON log."""

    path: str
    header: dict[str, Any]
    entry: str | None

    @property
    def eval(self) -> dict[str, Any]:
        """What was started."""
        found: dict[str, Any] = self.header["eval"]
        return found

    @property
    def at(self) -> str:
        """The pointer of the header."""
        return "" if self.entry is None else pointer(self.entry)


class Sample(NamedTuple):
    """A sample: itself, or its summary, and the pointer to its own record, if it is there."""

    node: Node
    record: str | None

    @property
    def case_id(self) -> str:
        """Its id as text."""
        return str(self.node.get("id"))

    @property
    def at(self) -> str:
        """The pointer of its own record, else of its summary."""
        return self.node.at if self.record is None else self.record


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan for each task that has logs; a log that is there twice is read once."""
    found: list[Log] = []
    for path in reader.listing.paths:
        log = _zipped(reader, path) if path.endswith(ARCHIVES) else None
        if log is None and path in loose and is_header(loose[path].fields):
            log = Log(path, loose[path].fields, None)
        if log is not None:
            found.append(log)
    # Python writes NaN into JSON where nothing was scored: of these files that is no fault.
    reader.forget({log.path for log in found if log.entry is None})
    tasks: dict[str, list[Log]] = defaultdict(list)
    for log in sorted(found, key=lambda log: (str(log.eval.get("created")), natural(log.path))):
        tasks[str(log.eval["task"])].append(log)
    plans = []
    for task, logs in tasks.items():
        root = os.path.commonpath([log.path.rpartition("/")[0] for log in logs])
        suite = f"{root}/{task}" if root else task
        firsts: dict[str, Log] = {}
        for log in logs:
            names = ("eval_id", "run_id", "task_id", "created", "model")
            own = log.eval.get("eval_id") or [log.eval.get(name) for name in names]
            first = firsts.setdefault(json.dumps(own), log)
            if first is not log:
                said = f"This is the same log as {first.path}, so its runs count once."
                hint = "Keep one of them."
                reader.problem(log.path, "", "info", "log-repeated", said, hint, suite)
        files = tuple((log.path, "log") for log in logs)
        kept = {log.path: log for log in firsts.values()}
        plans.append(Plan(suite, "inspect", root, None, files, kept))
    return sorted(plans, key=lambda plan: plan.suite)


def is_header(value: Any) -> bool:
    """Return whether an object is a log, or its header: it says what was evaluated."""
    told = value.get("eval") if isinstance(value, dict) and "version" in value else None
    texts = [told.get(name) for name in ("task", "model")] if isinstance(told, dict) else [None]
    return all(isinstance(each, str) and each for each in texts)


def _zipped(reader: Reader, path: str) -> Log | None:
    """Return the log in a zip; None for what is none, after noting why one cannot be read."""
    try:
        if not is_archive(reader.files, path):
            return None
        with archive(reader.files, path) as zipped:
            entry = next((name for name in (HEADER, START) if name in zipped.entries), None)
            if entry is None:
                return None
            value, fault = zipped.json(entry)
    except (OSError, PathOutside) as error:
        why = str(error) if isinstance(error, ArchiveFault) else "it cannot be opened"
        said = f"This log could not be read: {why}."
        reader.problem(path, "", "error", "log-unreadable", said, NEXT)
        return None
    if is_header(value):
        return Log(path, value, entry)
    why = "names no task and model" if fault is None else "is no JSON"
    said = f"This log could not be read: its header {why}."
    reader.problem(path, pointer(entry), "error", "log-unreadable", said, NEXT)
    return None


def samples(log: Log, reader: Reader, suite: str) -> list[Sample]:
    """Return the samples of a log in their order; what cannot be read is noted."""
    if log.header.get("version") not in KNOWN:
        said = f"This log is of version {log.header.get('version')!r}, and was read as version 3."
        reader.problem(log.path, log.at, "info", "log-version", said, "See if anything is missing.")
    found = []
    if log.entry is None:
        listed = Node(reader, log.path, log.header, "", suite).child("samples")
        found = [Sample(node, node.at) for node in _distinct(listed.items())]
    else:
        try:
            with archive(reader.files, log.path) as zipped:
                nodes = list(_distinct(_summaries(zipped, log, reader, suite)))
                found = list(_recorded(zipped, log, reader, nodes))
                for name in dict.fromkeys(zipped.repeated):
                    said = (
                        f"The log has the entry {quoted(name)} more than once; the last one counts."
                    )
                    reader.problem(log.path, pointer(name), "info", "repeated-entry", said)
        except (OSError, PathOutside) as error:
            why = str(error) if isinstance(error, ArchiveFault) else "it cannot be opened"
            said = f"The samples of this log could not be read: {why}."
            reader.problem(log.path, "", "error", "log-unreadable", said, NEXT)
    code, hint = "samples-invalidated", "Exclude these runs, with the reason."
    invalidated = [sample.node for sample in found if sample.node.has("invalidation")]
    for node in invalidated:
        said = "This sample was invalidated, and counts here all the same."
        node.note("warning", code, said, hint, "invalidation")
    if log.header.get("invalidated") is True and not invalidated:
        said = "Samples of this log were invalidated, and count here all the same."
        reader.problem(log.path, log.at, "warning", code, said, hint)
    return found


def _recorded(zipped: Archive, log: Log, reader: Reader, summaries: list[Node]) -> Iterator[Sample]:
    """Yield the samples of summaries by their own records, of a large log with the place of these.

    Summaries have no history of edits. Of a large log it is said if there are signs of any.
    """
    entries = zipped.entries
    size = sum(entries[name].file_size for name in entries if name.startswith(SAMPLES))
    is_whole = SUMMARIES in entries and size <= MAX_READ
    if not is_whole and (log.header.get("invalidated") or log.header.get("log_updates")):
        said = (
            f"Somebody changed this log after it ended. Its samples have {size:,} bytes; up to "
            f"{MAX_READ:,} they are read, and else only their summaries: a score that a person "
            "edited then counts as the scorer's."
        )
        hint = "Write it as JSON, of which edits are read: `inspect log convert LOG --to json`."
        reader.problem(log.path, log.at, "info", "edits-not-read", said, hint)
    for node in summaries:
        name = f"{SAMPLES}{node.get('id')}_epoch_{node.get('epoch')}.json"
        record = pointer(name) if name in entries else None
        is_read = record is not None and is_whole
        yield Sample(_record(zipped, name, node) if is_read else node, record)


def _record(zipped: Archive, name: str, summary: Node) -> Node:
    """Return the record of a sample; one that cannot be read is noted, and its summary counts."""
    try:
        value, fault = zipped.json(name)
        why = "it is no JSON" if fault is not None else "it is another sample"
    except ArchiveFault as error:
        value, why = MISSING, str(error)
    node = Node(summary.reader, summary.path, value, pointer(name), summary.suite)
    if all(node.get(key) == summary.get(key) for key in ("id", "epoch")):
        return node
    said = f"This sample could not be read: {why}. What its summary says counts."
    node.note("warning", "sample-unreadable", said, NEXT)
    return summary


def _summaries(zipped: Archive, log: Log, reader: Reader, suite: str) -> Iterator[Node]:
    """Yield the summaries of a zip: all in one entry, else those that its journal has so far."""
    names = [SUMMARIES]
    if SUMMARIES not in zipped.entries:
        names = sorted((name for name in zipped.entries if name.startswith(JOURNAL)), key=natural)
        said = "This log is not finished: it holds the samples that were done until now."
        hint = "Wait until it is, or see `inspect log recover` if it was stopped."
        reader.problem(log.path, "", "info", "log-unfinished", said, hint)
    left = MAX_BYTES
    for name in names:
        left -= zipped.entries[name].file_size
        if left < 0:
            said = f"The summaries have more than the {MAX_BYTES:,} bytes that are read of one log."
            reader.problem(log.path, pointer(name), "error", "too-large", said, "Split the log.")
            return
        value, fault = zipped.json(name)
        if fault is not None:
            said = fault.message.replace("The file", "This entry", 1)
            reader.problem(log.path, pointer(name), "error", fault.code, said, NEXT)
        if value is not MISSING:
            yield from Node(reader, log.path, value, pointer(name), suite).items()


def _distinct(found: Iterator[Node]) -> Iterator[Node]:
    """Yield the samples with an id and an epoch, of several of one the last, up to a number."""
    kept: dict[tuple[str, int], Node] = {}
    for node in found:
        known = node.text("id"), node.whole("epoch")
        if known[0] is None or known[1] is None:
            node.note("error", "sample-unnamed", "This sample has no id or no epoch.", NEXT)
            continue
        if len(kept) >= MAX_SAMPLES:
            said = f"The log has more than the {MAX_SAMPLES:,} samples that are read of one."
            node.note("error", "too-many-samples", said, "Split the log.")
            break
        kept[known[0], known[1]] = node
    yield from kept.values()
