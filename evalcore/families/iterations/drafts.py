"""Suites to be: containers of runs, split where their versions hold different skills."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from evalcore.disk.reader import Reader
from evalcore.families.base import REVIEWS, ClaimedFile
from evalcore.families.iterations.benchmark import is_placeholder
from evalcore.layouts.iterations import STAMP

JUDGED: Final = frozenset({"grading", "structural"})
LISTED: Final = ("runs", "run_summary", "eval_results", "per_eval", "per_case", "evals", "results")


@dataclass
class Draft:
    """A suite to be: what it is named by, the folder of its runs, its files and its skill."""

    home: str
    root: str
    files: list[ClaimedFile] = field(default_factory=list)
    skill: str | None = None

    def of(self, kind: str) -> list[str]:
        """Return its files of one kind."""
        return [path for path, found in self.files if found == kind]

    def has_runs(self, reader: Reader) -> bool:
        """Return whether anything in it may be a run, an empty benchmark left out."""
        if any(kind in JUDGED for _, kind in self.files):
            return True
        values = (reader.peek(path) for path in self.of("benchmark"))
        return any(isinstance(value, dict) and any(map(value.get, LISTED)) for value in values)


def split_by_skill(draft: Draft, known: Mapping[str, str], reader: Reader) -> list[Draft]:
    """Return one draft a skill where the dated versions of a container hold different ones.

    An evals.json in a version's own folder (`known`: folder to path) names its skill, else its
    benchmark does. Versions without a name stay together.
    """
    folders = dict.fromkeys(filter(None, (_dated(draft.home, path) for path, _ in draft.files)))
    own = {folder: known[folder] for folder in folders if folder in known}
    draft.files += [(path, "evals") for path in own.values()]
    names = {folder: _skill(folder, own, draft, reader) for folder in folders}
    if len({name.casefold() for name in names.values() if name is not None}) < 2:
        return [draft]
    found: dict[str, Draft] = {}
    reviewed = f"{draft.root}/{REVIEWS}" in reader.listing.folders
    for path, kind in draft.files:
        name = names.get(_dated(draft.home, path) or "")
        home = draft.home if name is None else _below(draft.home, name)
        root = draft.root if reviewed else home
        found.setdefault(home, Draft(home, root)).files.append((path, kind))
    return list(found.values())


def merged(drafts: Iterable[Draft]) -> list[Draft]:
    """Return the drafts with those of one name put together."""
    found: dict[str, Draft] = {}
    for draft in drafts:
        known = found.setdefault(draft.home, draft)
        if known is not draft:
            known.files = sorted([*known.files, *draft.files])
    return list(found.values())


def skill_names(reader: Reader, path: str) -> list[str]:
    """Return the names that an evals.json or a benchmark gives its skill."""
    value = reader.peek(path)
    parts = (value, value.get("metadata")) if isinstance(value, dict) else ()
    named = (part.get(key) for part in parts if isinstance(part, dict) for key in _NAMES)
    return [name for name in named if isinstance(name, str) and name and not is_placeholder(name)]


_NAMES: Final = ("skill_name", "skill")


def _dated(home: str, path: str) -> str | None:
    """Return the folder of the version that a file is of, if that is named by a date."""
    parent, _, name = home.rpartition("/")
    beside = f"{home}/" if home else ""
    inside = path.startswith(beside)
    above = beside if inside else f"{parent}/" if parent else ""
    version = path[len(above) :].partition("/")[0]
    if not _is_stamp(version):
        return None
    return f"{above}{version}" if inside else f"{above}{version}/{name}"


@lru_cache(maxsize=256)
def _is_stamp(version: str) -> bool:
    return STAMP.match(version) is not None


def _skill(folder: str, own: Mapping[str, str], draft: Draft, reader: Reader) -> str | None:
    """Return the skill that a version's folder is about, by its evals or its benchmark."""
    standard = f"{folder}/benchmark.json"
    paths = (own.get(folder), standard if (standard, "benchmark") in draft.files else None)
    return next((name for path in paths if path for name in skill_names(reader, path)), None)


def _below(home: str, name: str) -> str:
    name = name.replace("/", "-")
    return f"{home}/{name}" if home else name


def peeked(reader: Reader, paths: Iterable[str]) -> Iterator[Any]:
    """Yield the values of documents that can be read."""
    yield from (value for path in paths if isinstance(value := reader.peek(path), (dict, list)))
