"""The basis of a judgment as sha256: the output, the prompt and the criterion; and what changed.

A record names the documents that worded the prompt and the criterion, as seen from the run's
grading: a path that does not depend on the folder that was opened. A wording is compared with what
the same document says now, because another folder, opened with or without `evals.json`, words a
prompt and a criterion from other documents although nothing was changed.
"""

import hashlib
import json
import math
import os
import stat
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from posixpath import basename, dirname, join, normpath, relpath
from typing import Any, Final, Literal, NamedTuple

import orjson

from evalcore.disk.documents import value_in
from evalcore.disk.files import Files, inside
from evalcore.disk.outputs import MAX_DIGESTED, outputs_digest
from evalcore.errors import EvalcoreError, PathOutside
from evalcore.families.scoring import Criterion

REMEMBERED: Final = 4096
"""So many digests of outputs are remembered while their files have the same sizes and times."""

Stats = Mapping[str, tuple[int, int]]
"""Path relative to the workspace to size and mtime (nanoseconds)."""


def sha256_of(value: Any) -> str:
    """Return the sha256 of a JSON value in its canonical form: keys sorted, no spaces."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # numbers beyond 64 bits, or nested very deeply
        data = json.dumps(value, sort_keys=True, separators=(",", ":")).encode()
    return hashlib.sha256(data).hexdigest()


@lru_cache(maxsize=REMEMBERED)
def criterion_sha256(
    kind: str,
    criterion: str,
    description: str | None,
    low: float | None,
    high: float | None,
    guide: str | None,
) -> str:
    """Return the sha256 of a criterion's wording, scale and anchors in the criteria table."""
    return sha256_of(
        {
            "kind": kind,
            "criterion": criterion,
            "description": description or None,
            "min": _number(low),
            "max": _number(high),
            "guide": guide or None,
        }
    )


@lru_cache(maxsize=REMEMBERED)
def prompt_sha256(prompt: str | None, files: str | None = None) -> str | None:
    """Return the sha256 of a case's prompt with its files, a JSON list; None without one."""
    names = None if files in (None, "", "[]") else files
    if not prompt and names is None:
        return None
    return sha256_of({"prompt": prompt or None, "files": names})


def output_sha256(root: Path, outputs: str | None, stats: Stats | None = None) -> str | None:
    """Return the sha256 of a run's outputs, cached until one changes; None without any."""
    if not outputs:
        return None
    now = stats or output_stats(root, outputs)
    if len(now) > MAX_DIGESTED:  # not all of them were looked at
        return outputs_digest(root, outputs)
    return _digest(os.path.realpath(root), outputs, tuple(now.items()))


@lru_cache(maxsize=REMEMBERED)
def _digest(root: str, outputs: str, _: tuple[tuple[str, tuple[int, int]], ...]) -> str | None:
    """Return the sha256 of a run's outputs, whose files have these sizes and times."""
    return outputs_digest(Path(root), outputs)


def held_sha256(
    files: Files, source: str, pointer: str, read: Callable[[Files, str, str], Any] = value_in
) -> str | None:
    """Return the sha256 of an output at a pointer of a document; None if it is not there.

    Whoever asks of many outputs of one document may `read` it once.
    """
    try:
        value = read(files, source, pointer)
    except (EvalcoreError, OSError, ValueError):  # gone since it was listed
        return None
    return None if value is None else sha256_of(value)


def output_stats(root: Path, outputs: str) -> Stats:
    """Return size and mtime of files and folders of a run's outputs, as many as are hashed."""
    found: dict[str, tuple[int, int]] = {}
    try:
        start = inside(root, outputs)
    except (OSError, PathOutside, ValueError):
        return found
    base = os.path.realpath(root)
    pending = [str(start)]
    while pending and len(found) <= MAX_DIGESTED:
        path = pending.pop()
        try:
            about = os.lstat(path)
            found[os.path.relpath(path, base)] = about.st_size, about.st_mtime_ns
            if stat.S_ISDIR(about.st_mode):
                with os.scandir(path) as entries:
                    pending.extend(sorted((entry.path for entry in entries), reverse=True))
        except OSError:
            continue  # it was removed a moment ago
    return found


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)


class Prompt(NamedTuple):
    """What a case asks, the names of its files as a JSON list, and the document that says so."""

    text: str | None = None
    files: str | None = None
    source: str | None = None


Part = Literal["output", "prompt", "criterion"]
PROMPT: Final = "prompt"


class View(NamedTuple):
    """How documents are seen from the folder of a run's grading; `has` a file, the workspace."""

    grading: str | None
    has: Callable[[str], bool]

    def source(self, document: str | None) -> str | None:
        """Return the path of a document of the workspace as seen from here."""
        if document is None:
            return None
        return relpath(f"/{document}", f"/{dirname(self.grading or '')}")

    def lacks(self, source: str) -> bool:
        """Return whether a document, seen so, would lie in the workspace and does not."""
        path = normpath(join(dirname(self.grading or ""), source))
        return not path.startswith(("../", "/")) and not self.has(path)


class Wording(NamedTuple):
    """The current wording of a prompt or a criterion, and its document as seen from a run.

    `incomplete` returns the digests that older records state where that document was not known.
    """

    sha256: str
    source: str | None
    view: View
    incomplete: Callable[[], Collection[str]]


def prompt_wording(prompt: Prompt, view: View) -> Wording | None:
    """Return the wording of a case's prompt; None without one."""
    found = prompt_sha256(prompt.text, prompt.files)
    if found is None:
        return None
    source = view.source(prompt.source)
    return Wording(found, source, view, lambda: {prompt_sha256(prompt.text) or found})


def criterion_wording(of: Criterion, view: View) -> Wording:
    """Return the wording of a criterion that a document defines."""

    def undescribed() -> set[str]:
        """Return its digests as gradings alone mention it: without its description."""
        return {
            criterion_sha256(of.kind, of.name, described, low, high, anchors)
            for described in (None, of.name)
            for low, high in ((of.low, of.high), (None, None))
            for anchors in (None, of.guide)
        }

    own = criterion_sha256(of.kind, of.name, of.description, of.low, of.high, of.guide)
    return Wording(own, view.source(of.source), view, undescribed)


def changed(
    basis: Mapping[str, object],
    output: Callable[[], str | None],
    prompt: Wording | None,
    criterion: Wording | None,
) -> list[Part]:
    """Return the parts of a judgment's basis that changed since.

    Parts that the record does not state are not compared, nor those that are not known here (None):
    a prompt without a case, and a criterion that only gradings mention. `output` is called only if
    the record states one.
    """
    stated = basis.get("outputSha256")
    found: list[Part] = ["output"] if isinstance(stated, str) and stated != output() else []
    if _reworded(basis.get("promptSha256"), basis.get("promptSource"), prompt):
        found.append(PROMPT)
    if _reworded(basis.get("criterionSha256"), basis.get("criterionSource"), criterion):
        found.append("criterion")
    return found


def _reworded(stated: object, source: object, now: Wording | None) -> bool:
    """Say whether a text is worded otherwise now; a moved document stands in for a gone one."""
    if not isinstance(stated, str) or now is None or stated == now.sha256:
        return False
    if not isinstance(source, str) or now.source is None:
        return stated not in now.incomplete()
    moved = basename(source) == basename(now.source) and now.view.lacks(source)
    return source == now.source or moved
