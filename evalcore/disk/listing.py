"""List the JSON files of a workspace without reading any of them."""

import os
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from evalcore.errors import WorkspaceNotFound
from evalcore.problems import Problem

TRACKED = (".json", ".jsonl")
PRUNED = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", "site-packages", ".idea", ".vscode", "skill-snapshot"}
)  # fmt: skip
RUN_DOCUMENTS = frozenset({"grading.json", "timing.json", "structural.json", "eval_metadata.json"})


class Listing(NamedTuple):
    """The tracked files and the folders of a tree, with what tells a change.

    `paths` are relative to the root with `/`; `sizes` and `mtimes` (nanoseconds) run beside them.
    `folders` includes folders that were seen but not entered, such as a run's `outputs`.
    """

    root: Path
    paths: list[str]
    sizes: "array[int]"
    mtimes: "array[int]"
    folders: frozenset[str]
    problems: list[Problem]


class _Walk:
    def __init__(self, root: Path) -> None:
        self.root = str(root)
        self.paths: list[str] = []
        self.sizes: array[int] = array("q")
        self.mtimes: array[int] = array("q")
        self.folders: set[str] = set()
        self.problems: list[Problem] = []

    def run(self) -> None:
        pending = [""]
        while pending:
            pending.extend(reversed(self._folder(pending.pop())))

    def _folder(self, folder: str) -> list[str]:
        """Take in one folder's files; return the folders below it to enter, in order."""
        try:
            with os.scandir(f"{self.root}/{folder}") as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.problems.append(_unreadable(folder, error))
            return []
        inner: list[str] = []
        names: set[str] = set()
        prefix = f"{folder}/" if folder else ""
        for entry in found:
            names.add(entry.name)
            if entry.is_symlink():
                self._link(prefix + entry.name, entry)
            elif entry.is_dir(follow_symlinks=False):
                inner.append(prefix + entry.name)
            elif entry.name.endswith(TRACKED):
                self._file(prefix + entry.name, entry)
        self.folders.update(inner)
        return [path for path in inner if enters(path, names)]

    def _file(self, path: str, entry: "os.DirEntry[str]") -> None:
        try:
            path.encode("utf-8")
            stat = entry.stat()
        except (OSError, UnicodeEncodeError) as error:
            self.problems.append(_unreadable(path, error))
            return
        self.paths.append(path)
        self.sizes.append(stat.st_size)
        self.mtimes.append(stat.st_mtime_ns)

    def _link(self, path: str, entry: "os.DirEntry[str]") -> None:
        """Follow a link to a file inside the root; name every other link that matters."""
        target = os.path.realpath(entry.path)
        inside = target.startswith(os.path.realpath(self.root) + os.sep)
        if inside and entry.name.endswith(TRACKED) and Path(target).is_file():
            self._file(path, entry)
        elif entry.name.endswith(TRACKED) or Path(target).is_dir():
            why = "leads to a folder" if inside else "leads out of the workspace"
            self.problems.append(
                Problem(shown(path), "", "info", "link-not-followed",
                        f"This link {why} and was not followed.",
                        "Open the folder it leads to as a workspace of its own.")
            )  # fmt: skip


def enters(folder: str, siblings: set[str]) -> bool:
    """Say whether a walk enters `folder`, whose parent also holds `siblings`.

    A run's `outputs` and the content of a version (`vN/skill`, `*skill-snapshot*`) are evidence, not documents.
    """
    parent, _, name = folder.rpartition("/")
    if name in PRUNED or "skill-snapshot" in name or name.endswith((".venv", ".egg-info")):
        return False
    if name == "outputs":
        return not (_in_run(parent) or siblings & RUN_DOCUMENTS)
    above = parent.rpartition("/")[2]
    return not (name == "skill" and above[:1] == "v" and above[1:].isdigit())


def _in_run(folder: str) -> bool:
    return any(part.startswith(("iteration", "eval-", "run-")) for part in folder.split("/"))


def list_files(root: Path) -> Listing:
    """Walk `root` once and list its tracked files in a stable order.

    Raises:
        WorkspaceNotFound: `root` is not a folder.
    """
    if not root.is_dir():
        raise WorkspaceNotFound(root)
    walk = _Walk(root)
    walk.run()
    return Listing(
        root, walk.paths, walk.sizes, walk.mtimes, frozenset(walk.folders), walk.problems
    )


def shown(path: str) -> str:
    """Return `path` with bytes that are no text made visible, so that it can be shown and stored."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _unreadable(path: str, error: Exception) -> Problem:
    why = (
        error.strerror if isinstance(error, OSError) and error.strerror else "its name is not text"
    )
    return Problem(
        shown(path), "", "error", "unreadable", f"This could not be read: {why.lower()}.",
        "Check its permissions and its name.",
    )  # fmt: skip


def below(listing: Listing, folder: str) -> Iterator[str]:
    """Yield the listed paths below `folder` (`""` is the root)."""
    prefix = f"{folder}/" if folder else ""
    return (path for path in listing.paths if path.startswith(prefix))
