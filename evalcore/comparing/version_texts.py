"""Find the text of a version in a workspace: the skill, the description or the prompt."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evalcore.comparing.model import Side
from evalcore.counting.cells import family_of, typed, where
from evalcore.counting.named_records import named_record, read_value
from evalcore.counting.rates import rates
from evalcore.disk.files import Files
from evalcore.disk.listing import PRUNED, below
from evalcore.disk.outputs import list_outputs
from evalcore.errors import EvalcoreError, PathOutside
from evalcore.shapes.prompts import names_of, text_of
from evalcore.tables.rows import SuiteRow, VersionRow

MAX_FILES: Final = 200
MAX_FILE: Final = 512 * 1024
MAX_BYTES: Final = 4 * 1024 * 1024
_MAX_PROMPTS: Final = 200
_MIN_HASH: Final = 8

_EVALUATION: Final = re.compile(r"evals?|reviews|.*-workspace|iteration[-_].*")
_SNAPSHOT: Final = re.compile(r"(?:old[-_])?skill[-_]?snapshot.*")
_FRONT: Final = re.compile(
    r"\A---\n(?:.*\n)*?description:[ \t]*(?P<first>.*)\n(?P<more>(?:[ \t]+.*\n|[ \t]*\n)*)"
)


@dataclass(frozen=True)
class Content:
    """The texts of one version by their path below `source`, which is a folder or a document.

    `files` is None if there are none; `note` then says what was searched for, otherwise where the
    texts were taken from and what is left out.
    """

    source: str
    files: Mapping[str, str] | None
    note: str = ""


def without(configuration: str) -> bool:
    """Return whether a configuration runs without what is evaluated."""
    return configuration.startswith(("without", "no_", "no-"))


def is_old(configuration: str) -> bool:
    """Return whether a configuration runs an earlier text than the version's own."""
    return "old" in re.split(r"[-_]", configuration) or configuration in ("baseline", "previous")


def suite_row(side: Side) -> SuiteRow:
    """Return the row of a side's suite."""
    return typed(side.ws, "suites", SuiteRow, where(side.ws, "suites", suite=side.suite))[0]


def version_folder(side: Side) -> Content:
    """Return the skill from the folder `vN/skill` of the `improve` family."""
    row = _version(side)
    if row is None or not row.path:
        return Content(
            "", None, f"No document names a folder with the skill of {side.column.version}."
        )
    return folder(side, row.path) or Content(
        "", None, f"Looked for the skill of {side.column.version} in {row.path}; there is no text."
    )


def snapshot(side: Side) -> Content:
    """Return the skill from a snapshot, a copy made before the skill was changed.

    A side that runs the old skill uses the snapshot of its own iteration, else that of the
    workspace. The result of an iteration is the old skill of the next one.
    """
    name, root = side.column.version, suite_row(side).root or ""
    own = _snapshots(side, _path(side, name))
    if is_old(side.column.configuration):
        for place in (*own, *_snapshots(side, root)):
            if found := folder(side, place):
                return found
        return Content(
            "",
            None,
            f"Looked for a folder skill-snapshot in {_path(side, name)} and "
            f"in {root or 'the workspace'}.",
        )
    versions = list(dict.fromkeys(column.version for column in rates(side.ws)[side.suite]))
    after = versions[versions.index(name) + 1 :][:1] if name in versions else []
    for following in after:
        kept = _snapshots(side, _path(side, following)) if _has_old(side, following) else ()
        if kept and (found := folder(side, kept[0])):
            sentence = f"This is what {following} kept as its old skill."
            return Content(found.source, found.files, f"{sentence} {found.note}".strip())
    if own and not _has_old(side, name) and (found := folder(side, own[0])):
        sentence = f"Nothing says whether it was taken before or after the change of {name}."
        return Content(found.source, found.files, f"{sentence} {found.note}".strip())
    places = " and in ".join(_path(side, version) for version in (name, *after))
    return Content("", None, f"Looked for a folder skill-snapshot in {places}.")


def description(side: Side) -> Content:
    """Return the description whose SHA-256 the version's entry states."""
    row = _version(side)
    stated = _stated(side, row)
    wanted = (row.content_hash or "").lower() if row is not None else ""
    if stated is not None:
        return Content(row.source if row and row.source else "", {"description": stated})
    if len(wanted) < _MIN_HASH:
        return Content(
            "",
            None,
            "Nothing states a hash of the description of "
            f"{side.column.version}, so no text can be told to be it.",
        )
    for place, text in _descriptions(side):
        for form in (text, text.strip()):
            digest = hashlib.sha256(form.encode()).hexdigest()
            if digest.startswith(wanted) or wanted.startswith(digest):
                return Content(place, {"description": form})
    suite = suite_row(side)
    skill = f"{suite.skill_path or 'the skill'}/SKILL.md"
    return Content(
        "",
        None,
        f"Looked for a text whose SHA-256 begins with {wanted[:12]} in "
        f"{suite.root}/descriptions and in {skill}.",
    )


def prompt_record(side: Side) -> Content:
    """Return the text of a prompt version from its record, found by id or name@version.

    Beside the records of the store, documents whose path says that they hold prompts are read.
    """
    reference, suite = side.column.version, suite_row(side)
    types = family_of(side.ws, side.suite).connections.get("promptVersionRef", ())
    found = named_record(side.ws, side.suite, types, reference)
    if found is not None and (text := text_of(found.record)) is not None:
        return Content(found.path, {"prompt": text})
    root = suite.root or ""
    paths = [path for path in below(side.ws.opened.listing, root) if "prompt" in path.lower()]
    for path in paths[:_MAX_PROMPTS]:
        for record in _records(side, path):
            text = text_of(record) if reference in names_of(record) else None
            if text is not None:
                return Content(path, {"prompt": text})
    return Content(
        "",
        None,
        f"Looked below {root or 'the workspace'} for a record with the text "
        f"of the prompt {reference}; the store only names it.",
    )


def skill_now(side: Side) -> Content | None:
    """Return the current content of the skill's own folder; None if it is not in the workspace."""
    path = suite_row(side).skill_path
    found = folder(side, path) if path else None
    if found is None or not any(
        name.rpartition("/")[2] == "SKILL.md" for name in found.files or ()
    ):
        return None
    return found


def folder(side: Side, path: str) -> Content | None:
    """Return the texts below a folder of the workspace; None if there are none.

    Test cases and runs beside the skill are left out, and so are files that are not text.
    """
    return folder_texts(side.ws.root, path)


def folder_texts(root: Path, path: str) -> Content | None:
    """Return the texts of a skill below a folder of a workspace, as `folder` does."""
    try:
        listed = list_outputs(root, path, MAX_FILES + 1, _is_content)
    except (PathOutside, OSError, ValueError):
        return None
    reader, left, out = Files(root), MAX_BYTES, max(len(listed) - MAX_FILES, 0)
    texts: dict[str, str] = {}
    for file in listed[:MAX_FILES]:
        text = _text(reader, file.path) if file.size <= min(left, MAX_FILE) else None
        if text is None:
            out += 1
            continue
        left -= file.size
        texts[file.path.removeprefix(f"{path}/")] = text
    if not texts:
        return None
    more = "or more " if len(listed) > MAX_FILES else ""
    note = (
        f"{out:,} {more}file{'s' if out > 1 else ''} left out: no text, or too large."
        if out
        else ""
    )
    return Content(*_unwrapped(path, texts), note)


def _unwrapped(path: str, texts: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Remove the name of a folder that contains only the skill."""
    first = {name.partition("/")[0] for name in texts}
    if len(first) != 1 or f"{(only := next(iter(first)))}/SKILL.md" not in texts:
        return path, texts
    return f"{path}/{only}", {name.removeprefix(f"{only}/"): text for name, text in texts.items()}


def _is_content(name: str) -> bool:
    return name not in PRUNED and not name.startswith(".") and not _EVALUATION.fullmatch(name)


def _text(reader: Files, path: str) -> str | None:
    try:
        data = reader.read(path, MAX_FILE)
        return None if b"\0" in data else data.decode("utf-8")
    except (OSError, PathOutside, UnicodeDecodeError):
        return None


def _version(side: Side) -> VersionRow | None:
    rows = where(side.ws, "versions", suite=side.suite, version=side.column.version)
    return next(iter(typed(side.ws, "versions", VersionRow, rows[:1])), None)


def _path(side: Side, version: str) -> str:
    rows = where(side.ws, "versions", suite=side.suite, version=version)
    found = typed(side.ws, "versions", VersionRow, rows[:1])
    return (found[0].path if found else None) or f"{suite_row(side).root}/{version}"


def _snapshots(side: Side, parent: str) -> tuple[str, ...]:
    """Return the snapshots directly in a folder, those named as old first."""
    inner = (path for path in side.ws.opened.listing.folders if path.rpartition("/")[0] == parent)
    found = [path for path in inner if _SNAPSHOT.fullmatch(path.rpartition("/")[2])]
    return tuple(sorted(found, key=lambda path: ("old" not in path.rpartition("/")[2], path)))


def _has_old(side: Side, version: str) -> bool:
    return any(
        column.version == version and is_old(column.configuration)
        for column in rates(side.ws)[side.suite]
    )


def _stated(side: Side, row: VersionRow | None) -> str | None:
    """Return the description in a version's own row, or in its entry."""
    if row is not None and row.description:
        return row.description
    if row is None or not row.source:
        return None
    try:
        entry = side.ws.raw(row.source, row.pointer or "")
    except EvalcoreError:
        return None
    text = entry.get("description") if isinstance(entry, dict) else None
    return text if isinstance(text, str) and text else None


def _descriptions(side: Side) -> Iterator[tuple[str, str]]:
    """Yield candidates for the description: saved ones first, then those of SKILL.md."""
    suite, reader = suite_row(side), Files(side.ws.root)
    kept = folder(side, f"{suite.root}/descriptions")
    for name, text in ((kept.files if kept else None) or {}).items():
        yield f"{suite.root}/descriptions/{name}", text
    path = f"{suite.skill_path}/SKILL.md" if suite.skill_path not in (None, ".") else "SKILL.md"
    front = _FRONT.match((_text(reader, path) or "").replace("\r\n", "\n"))
    if front is not None:
        lines = [line.strip() for line in front["more"].split("\n")]
        first = front["first"].strip()
        block = first[:1] in (">", "|")
        yield path, first.strip("\"'") if not block else " ".join(filter(None, lines))
        yield path, "\n".join(lines).strip() if block else " ".join([first, *lines]).strip()


def _records(side: Side, path: str) -> Iterator[dict[str, Any]]:
    value = read_value(side.ws, path, "")
    for record in value if isinstance(value, list) else [value]:
        if isinstance(record, dict):
            yield record
