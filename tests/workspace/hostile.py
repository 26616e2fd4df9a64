"""Files made to break a reader, and a small sound workspace of each family to put them in."""

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.families import activation_documents as activation
from tests.families import descriptions_documents as descriptions
from tests.families import improve_documents as improve
from tests.families import iterations_documents as iterations
from tests.families import records_store as records
from tests.families.build import write

IMPROVE: dict[str, Any] = {
    "deploy/evals/evals.json": improve.EVALS,
    "deploy-workspace/history.json": improve.history(4.5),
    "deploy-workspace/grading/case-01_v0_run1.json": improve.grading(),
    "deploy-workspace/grading/case-01_v0_run2.json": improve.grading(run=2),
}
RUN = "pdf-workspace/iteration-1/eval-1/with_skill"
ITERATIONS: dict[str, Any] = {
    "pdf/evals/evals.json": iterations.EVALS,
    "pdf-workspace/history.json": {"iterations": [{"version": "iteration-1"}]},
    "pdf-workspace/iteration-1/benchmark.json": {"metadata": {"skill_name": "pdf"}, "runs": []},
    "pdf-workspace/iteration-1/feedback.json": {"reviews": []},
    "pdf-workspace/iteration-1/eval-1/eval_metadata.json": {"eval_id": 1, "eval_name": "fill"},
    f"{RUN}/grading.json": iterations.grading(),
    f"{RUN}/timing.json": {"total_tokens": 5, "total_duration_seconds": 2.5},
    "pdf-workspace/iteration-1/eval-1/without_skill/grading.json": iterations.grading(),
}
DESCRIPTIONS: dict[str, Any] = {
    "notes/eval/eval_metadata.json": descriptions.METADATA,
    "notes/eval/benchmark.json": descriptions.benchmark(descriptions.entry(run_id="r1")),
    "notes/eval/runs/r1/grading/merged.json": descriptions.grading(),
    "notes/eval/runs/r1/grading/nothing.json": descriptions.grading("nothing", seconds=4.0),
}
RECORDS: dict[str, Any] = {f"store/{path}": value for path, value in records.basic().items()}
ACTIVATION: dict[str, Any] = {
    "pdf/evals/trigger-eval.json": activation.trigger_set(),
    "pdf/evals/trigger-results.json": activation.results(activation.EAGER),
    "pdf/evals/2026-01-01/results.json": activation.TWO_TRIES,
}

PLACES: dict[str, tuple[dict[str, Any], str]] = {
    "improve evals": (IMPROVE, "deploy/evals/evals.json"),
    "improve history": (IMPROVE, "deploy-workspace/history.json"),
    "improve grading": (IMPROVE, "deploy-workspace/grading/case-01_v0_run2.json"),
    "iterations evals": (ITERATIONS, "pdf/evals/evals.json"),
    "iterations history": (ITERATIONS, "pdf-workspace/history.json"),
    "iterations benchmark": (ITERATIONS, "pdf-workspace/iteration-1/benchmark.json"),
    "iterations feedback": (ITERATIONS, "pdf-workspace/iteration-1/feedback.json"),
    "iterations metadata": (ITERATIONS, "pdf-workspace/iteration-1/eval-1/eval_metadata.json"),
    "iterations grading": (ITERATIONS, f"{RUN}/grading.json"),
    "iterations timing": (ITERATIONS, f"{RUN}/timing.json"),
    "descriptions metadata": (DESCRIPTIONS, "notes/eval/eval_metadata.json"),
    "descriptions benchmark": (DESCRIPTIONS, "notes/eval/benchmark.json"),
    "descriptions grading": (DESCRIPTIONS, "notes/eval/runs/r1/grading/nothing.json"),
    "activation set": (ACTIVATION, "pdf/evals/trigger-eval.json"),
    "activation results": (ACTIVATION, "pdf/evals/trigger-results.json"),
    "activation loop": (ACTIVATION, "pdf/evals/2026-01-01/results.json"),
    "record": (RECORDS, "store/eval-judgment/j2.json"),
    "record of a run": (RECORDS, "store/test-run/run.json"),
    "any JSON file": (IMPROVE, "elsewhere/settings.json"),
}


class Kind(NamedTuple):
    """A hostile file: `make` puts it in the place of a sound one; `codes` are what may be said.

    `None` among the codes: that nothing is said is right as well.
    """

    make: Callable[[Path], None]
    codes: frozenset[str | None]


def _bytes(change: Callable[[bytes], bytes], *codes: str | None) -> Kind:
    def make(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return Kind(make, frozenset(codes))


def _with(more: bytes, *codes: str | None) -> Kind:
    """A sound object with one more member at its beginning."""
    return _bytes(lambda data: data.replace(b"{", b"{" + more + b", ", 1), *codes)


def _instead(make: Callable[[Path], object], *codes: str | None) -> Kind:
    """Something else under the name of the file."""

    def replace(path: Path) -> None:
        path.unlink()
        make(path)

    return Kind(replace, frozenset(codes))


def _sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 * 1024 * 1024)


def _socket(path: Path) -> None:
    held = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(path.parent)  # the name of a socket must be short
    try:
        held.bind(path.name)
    finally:
        os.chdir(here)
        held.close()


def _outside(path: Path) -> Path:
    """A file beside the workspace."""
    outside = Path(os.environ["HOSTILE_OUTSIDE"])
    outside.write_text('{"secret": "SECRET"}')
    return outside


DEEP = 10**6
KINDS = {
    "empty": _bytes(lambda _: b"", "empty"),
    "blank": _bytes(lambda _: b" \r\n\t", "empty"),
    "half": _bytes(lambda data: data[: len(data) // 2], "half-written"),
    "cut by one byte": _bytes(lambda data: data[:-1], "half-written"),
    "no comma": _bytes(lambda data: data.replace(b", ", b" ", 1) + b"}", "invalid-json"),
    "comma too many": _bytes(lambda data: data[:-1] + b",}", "invalid-json"),
    "comment": _bytes(lambda data: b"// why\n" + data, "invalid-json"),
    "second document": _bytes(lambda data: data + b"\n" + data, "invalid-json"),
    "garbage behind": _bytes(lambda data: data + b"\0\0\0", "invalid-json"),
    "prose": _bytes(lambda _: b"I could not grade this.", "invalid-json"),
    "UTF-16": _bytes(lambda data: data.decode().encode("utf-16"), None),
    "Latin-1": _with('"x": "caf\u00e9"'.encode("latin-1"), "not-utf8"),
    "depth 10^6": _bytes(lambda _: b"[" * DEEP + b"]" * DEEP, "too-deep"),
    "depth 10^6 inside": _with(b'"x": ' + b'{"a":' * DEEP + b"1" + b"}" * DEEP, "too-deep"),
    "depth 900": _with(b'"x": ' + b"[" * 900 + b"]" * 900, None, "too-deep"),
    "100 MB": _instead(_sparse, "too-large"),
    "many values": _with(b'"x": [' + b"0," * 2_000_001 + b"0]", "too-large"),
    "long text": _with(b'"x": "' + b"x" * 4_000_000 + b'"', None),
    "byte order mark": _bytes(lambda data: b"\xef\xbb\xbf" + data, "not-strict-json"),
    "NaN": _with(b'"x": NaN', "not-strict-json"),
    "1e400": _with(b'"x": 1e400', "not-strict-json"),
    "10^5 digits": _with(b'"x": 1' + b"0" * 10**5, "not-strict-json"),
    "half a character": _with(b'"x": "\\ud800"', "not-strict-json"),
    "line break in a text": _with(b'"x": "one\ntwo"', "not-strict-json"),
    "key twice": _with(b'"x": 1, "x": 2', None),
    "CRLF": _bytes(lambda data: re.sub(rb", ", b",\r\n", data), None),
    "null characters": _with(b'"x": "\\u0000", "\\u0000": 1', None),
    "pipe": _instead(os.mkfifo, "unreadable"),
    "socket": _instead(_socket, "unreadable"),
    "folder": _instead(Path.mkdir, "folder-named-like-a-file"),
    "link to nowhere": _instead(lambda path: path.symlink_to("nowhere"), "link-not-followed"),
    "link to itself": _instead(lambda path: path.symlink_to(path.name), "link-not-followed"),
    "link outside": _instead(lambda path: path.symlink_to(_outside(path)), "link-not-followed"),
    "link to a device": _instead(lambda path: path.symlink_to("/dev/zero"), "link-not-followed"),
    "link to a folder": _instead(lambda path: path.symlink_to(".."), "link-not-followed"),
    "unreadable": Kind(lambda path: path.chmod(0), frozenset({"unreadable"})),
}
THOROUGH = frozenset(
    {"empty", "half", "depth 900", "many values", "NaN", "half a character", "key twice",
     "null characters", "pipe", "folder", "link outside", "unreadable"}
)  # fmt: skip
"""Kinds that are also read from the index, checked and looked at, in every place."""

NEEDS_A_USER = frozenset({"unreadable"})
"""Kinds that root cannot meet."""

VALUES = ("null", "true", "5", '"text"', "[]", "{}", "[1, null, []]", '{"": {"": null}}')
"""Sound JSON that is no document at all."""


def sound(root: Path, place: str) -> Path:
    """Write the sound workspace of a place; return the path of the file that may be replaced."""
    tree, path = PLACES[place]
    write(root, {path: {"theme": "dark", "size": 5}, **tree})
    return root / path
