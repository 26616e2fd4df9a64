"""The measured methods, each in a process of its own: `python -m benchmarks.methods NAME JSON`.

A method imports what it needs, prepares, and returns the work that is timed. One line of JSON comes
out: wall and CPU seconds of the work (children included), seconds of imports, the work's answer. An
answer that is a function is asked when the time has been taken.
"""
# ruff: noqa: PLC0415 - a method imports what it needs itself, so that no other pays for it

import contextlib
import io
import json
import mmap
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks import aggregates, handing_out, peers, pictures, running

Json = Any
Work = Callable[[], Json]
Method = Callable[[Json], Work]

CHUNK = 32 * 1024


def tracked(folder: str) -> "Iterator[os.DirEntry[str]]":
    """Yield the JSON files below a folder."""
    pending = [folder]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(entry.path)
                elif entry.name.endswith((".json", ".jsonl")):
                    yield entry


def read(path: str) -> bytes:
    """Return the bytes of a file, with no call more than it takes."""
    handle = os.open(path, os.O_RDONLY)
    try:
        data = os.read(handle, CHUNK)
        if len(data) == CHUNK:
            while more := os.read(handle, 1 << 20):
                data += more
        return data
    finally:
        os.close(handle)


def read_and_parse(asked: Json) -> Work:
    """R: read every file and `orjson.loads` it, keep nothing."""
    import orjson

    def work() -> Json:
        count = 0
        for entry in tracked(asked["root"]):
            data = read(entry.path)
            with contextlib.suppress(orjson.JSONDecodeError):  # people's files may be broken
                for text in data.splitlines() if entry.name.endswith(".jsonl") else (data,):
                    orjson.loads(text)
            count += 1
        return count

    return work


def walk(asked: Json) -> Work:
    """W: `os.scandir` and stat of every file."""

    def work() -> Json:
        return sum(entry.stat().st_size for entry in tracked(asked["root"]))

    return work


def naive(asked: Json) -> Work:
    """N: glob, `json.load`, a list of dicts, a DataFrame."""
    import pandas as pd

    def work() -> Json:
        rows = []
        for path in Path(asked["root"]).rglob("*.json"):
            with path.open(encoding="utf-8") as file:
                document = json.load(file)
            for key in ("results", "expectations", "assertions"):
                for item in document.get(key, ()):
                    about = item if isinstance(item, dict) else {}
                    rows.append({"path": str(path), "case": document.get("case_id"), **about})
        return len(pd.DataFrame(rows))

    return work


def first_open(asked: Json) -> Work:
    """Open a folder that was never opened; with `cache`, an index for the next time is written.

    With `text`, the rationales are searched for it when the time has been taken.
    """
    return _opening(asked, cache=asked.get("cache", True))


def first_opens(asked: Json) -> Work:
    """Open each folder of a folder as a workspace of its own, none of them opened before."""
    folders = sorted(path for path in Path(asked["root"]).iterdir() if path.is_dir())
    opens = [_opening({"root": str(folder)}, cache=True) for folder in folders]

    def work() -> Json:
        return [one() for one in opens]

    return work


def reopen(asked: Json) -> Work:
    """Open a folder whose index is there."""
    return _opening(asked, cache=True)


def _opening(asked: Json, *, cache: bool) -> Work:
    from evalcore import open_workspace
    from evalcore.views.gradings.search import rows_with_text

    def work() -> Json:
        ws = open_workspace(asked["root"], cache=cache)
        answer = {**touch(ws), "from_index": ws.from_index}
        if not (text := asked.get("text")):
            return answer
        return lambda: {**answer, "found": len(rows_with_text(ws, "judgments", text))}

    return work


def first_task(asked: Json) -> Work:
    """Open a workspace and ask for the first run to judge, as the Judge page does."""
    from evalcore import open_workspace
    from evalcore.judging.asking.tasks import task
    from evalcore.judging.model import Judge
    from evalcore.judging.queueing.queue import queue
    from evalcore.judging.storing.stored_reviews import load_reviews, review_folder

    workspace = open_workspace(asked["root"])
    (suite,), judge = workspace.tables.suites["suite"].astype(str), Judge("judge-0000", "judge")

    def work() -> Json:
        records = load_reviews(review_folder(workspace, suite))
        first = queue(workspace, suite, judge, records).entries[0].run_id
        return len(task(workspace, first, judge, records).criteria)

    return work


def touch(workspace: Any) -> Json:
    """Sum every numeric column of every table, so that nothing is left for later."""
    from evalcore.tables.rows import TABLES, columns

    sums: dict[str, Any] = {}
    for name, row_type in TABLES.items():
        table = getattr(workspace.tables, name)
        for column, kind in columns(row_type).items():
            if kind == "code":
                sums[f"{name}.{column}"] = int(table[column].cat.codes.sum())
            elif kind in ("float", "int", "bool"):
                sums[f"{name}.{column}"] = round(float(table[column].sum()), 6)
            elif kind == "time":
                sums[f"{name}.{column}"] = str(table[column].max())
    return {"judgments": len(workspace.tables.judgments), "sums": sums}


def change_shown(asked: Json) -> Work:
    """Return the new tables after one file of an open workspace changed.

    With `named`, the path of that file is known, as a watcher knows it.
    """
    from evalcore import open_workspace
    from evalcore.workspace.opened import reopened

    workspace = open_workspace(asked["root"])
    before = touch(workspace)
    changed = Path(asked["change"])
    change_one(changed)
    known = [changed.relative_to(asked["root"]).as_posix()] if asked["named"] else None

    def work() -> Json:
        after = touch(reopened(workspace, known))
        if after == before:
            raise SystemExit("The change was not seen.")
        return after

    return work


def change_one(path: Path) -> None:
    """Rewrite one score of an `improve` grading; the size of the file stays."""
    text = path.read_text(encoding="utf-8")
    place = text.index('"score": ') + len('"score": ')
    other = "4" if text[place] != "4" else "5"
    path.write_text(text[:place] + other + text[place + 1 :], encoding="utf-8")


def search_rationales(asked: Json) -> Work:
    """Count the judgments that hold a text, in any case, in a workspace that is open."""
    from evalcore import open_workspace
    from evalcore.views.gradings import search

    workspace = open_workspace(asked["root"])

    def work() -> Json:
        return len(search.rows_with_text(workspace, "judgments", asked["text"]))

    return work


def find_in_file(asked: Json) -> Work:
    """Find every place of a text in a file with `mmap.find`."""
    wanted = asked["text"].encode()
    with Path(asked["file"]).open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def work() -> Json:
        found, at = 0, mapped.find(wanted)
        while at >= 0:
            found, at = found + 1, mapped.find(wanted, at + 1)
        return found

    return work


def write_texts(asked: Json) -> Work:
    """Write all rationales into one file, for `mmap.find`."""
    from evalcore import open_workspace

    workspace = open_workspace(asked["root"])

    def work() -> Json:
        with Path(asked["file"]).open("wb") as file:
            for part in workspace.tables.text_columns("judgments")["rationale"].chunks:
                file.writelines((text or "").encode() + b"\n" for text in part.to_pylist())
        return os.path.getsize(asked["file"])  # noqa: PTH202 - a path as text

    return work


def check(asked: Json) -> Work:
    """`evalcore check PATH`: a whole process."""
    command = [sys.executable, "-m", "evalcore", "check", asked["root"], "--json"]

    def work() -> Json:
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(done.stderr.decode(errors="replace"))
        return len(done.stdout)

    return work


def check_imports(asked: Json) -> Work:
    """`evalcore check PATH` in this process: which modules it took."""
    from evalcore.cli.main import run  # type: ignore[import-not-found, unused-ignore]

    def work() -> Json:
        sys.argv = ["evalcore", "check", asked["root"], "--json"]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            run()
        return sorted(name for name in sys.modules if "." not in name)

    return work


METHODS: dict[str, Method] = {
    "R": read_and_parse,
    "W": walk,
    "N": naive,
    "first open": first_open,
    "first opens": first_opens,
    "re-open": reopen,
    "first task": first_task,
    "change shown": change_shown,
    "search": search_rationales,
    "mmap.find": find_in_file,
    "write texts": write_texts,
    "aggregates": aggregates.measure,
    "draw": pictures.draw,
    "report": pictures.report,
    "bundle": pictures.bundle,
    "hand out": handing_out.hand_out,
    "check": check,
    "check imports": check_imports,
    "write Inspect log": peers.write_inspect_log,
    "read Inspect log": peers.read_inspect_log,
    "aggregate": peers.aggregate,
    "run": running.engine,
    "bare calls": running.bare,
    "aggregate by script": peers.aggregate_by_script,
}


def cpu_seconds() -> float:
    """Return the CPU time of this process and of its children that ended."""
    own, theirs = (
        resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    return own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime


def private_bytes(process: int | str = "self") -> int | None:
    """Return the memory that a process shares with nobody; None where the system does not say."""
    try:
        resident, shared = Path(f"/proc/{process}/statm").read_text("ascii").split()[1:3]
    except OSError:
        return None
    return (int(resident) - int(shared)) * resource.getpagesize()


def main(name: str, asked: Json) -> Json:
    """Run one method and return what was measured."""
    began = time.perf_counter()
    work = METHODS[name](asked)
    ready = time.perf_counter()
    before = private_bytes()
    cpu, wall = cpu_seconds(), time.perf_counter()
    answer = work()
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    after = private_bytes()
    return {
        "wall": wall,
        "cpu": cpu,
        "prepare": ready - began,
        "private_before": before,
        "private_after": after,
        "answer": answer() if callable(answer) else answer,
    }


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1], json.loads(sys.argv[2]))))
