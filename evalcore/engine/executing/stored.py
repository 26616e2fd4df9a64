"""The executor `stored`: take what an earlier run produced instead of executing the case again."""

import json
import os
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from evalcore.disk.files import Files
from evalcore.disk.outputs import list_outputs, outputs_digest
from evalcore.disk.parsing import parse
from evalcore.disk.values import value_at
from evalcore.engine.kept import Keep
from evalcore.engine.plan import Plan
from evalcore.errors import CannotRun, EvalcoreError
from evalcore.families.reviews.basis import sha256_of
from evalcore.families.running import PRODUCED, Execution, TestRun


def value_in(root: Path, path: str, pointer: str) -> Any:
    """Return the value at a pointer of a JSON document.

    Raises:
        UnknownName: it has no such place.
    """
    return value_at(parse(Files(root).read(path), path.endswith(".jsonl")), path, pointer)


def read_stored(plan: Plan, run: TestRun, keep: Keep) -> Execution:
    """Return an execution of the output that is stored at `run.stored`.

    That is a folder, a file, or a value in a JSON file as `path#/pointer`.
    """
    root, stored = Path(plan.workspace), run.stored or ""
    path, _, pointer = stored.partition("#")
    if pointer:
        return _value(root, stored, keep)
    found = [each.path for each in list_outputs(root, path)]
    if not found:
        return Execution("not_run", f"Nothing is stored at {path}.")
    folder = str(PurePosixPath(path).parent) if found == [path] else path
    names, taken = [os.path.relpath(each, folder) for each in found], outputs_digest(root, path)
    keep(root / folder, names, "")
    return Execution("completed", files=tuple(names), taken=taken)


def stored_digest(root: Path, stored: str) -> str | None:
    """Return the sha256 of a stored output as it is now; None if it is gone, or too large."""
    path, _, pointer = stored.partition("#")
    if not pointer:
        return outputs_digest(root, path)
    try:
        return sha256_of(_read(root, stored))
    except (EvalcoreError, OSError):
        return None


def _read(root: Path, stored: str) -> Any:
    path, _, pointer = stored.partition("#")
    return value_at(parse(Files(root).read(path), path.endswith(".jsonl")), path, pointer)


def _value(root: Path, stored: str, keep: Keep) -> Execution:
    """Return an execution whose output is a value in a document: a text, an object, or files."""
    value = _read(root, stored)
    taken = sha256_of(value)
    if stored.endswith(f"#{PRODUCED}"):
        return Execution("completed", files=_laid(value, keep), taken=taken)
    keep(root, [], "")
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Execution("completed", reply=text, output=value, taken=taken)


def _laid(texts: Mapping[str, str], keep: Keep) -> tuple[str, ...]:
    """Keep the files that a document holds as texts by name; return their names.

    Raises:
        CannotRun: a name would lead elsewhere.
    """
    with TemporaryDirectory(prefix="evalcore-") as made:
        for name, text in texts.items():
            parts = PurePosixPath(name).parts
            if not parts or name.startswith("/") or ".." in parts or "\0" in name:
                raise CannotRun(f"The stored output names a file {name[:60]!r}, which is none.")
            path = Path(made, *parts)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(str(text), "utf-8", "surrogatepass")
        keep(Path(made), list(texts), "")
    return tuple(texts)
