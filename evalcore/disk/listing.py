"""List the JSON files of a workspace without reading any of them."""

import os
import re
import stat
from array import array
from collections.abc import Iterator, Set
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk import handles
from evalcore.disk.archives import ARCHIVES
from evalcore.errors import WorkspaceNotFound
from evalcore.problems import Problem

TRACKED = (".json", ".jsonl", *ARCHIVES)
PRUNED = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache",
     ".ruff_cache", ".pytest_cache", "site-packages", ".idea", ".vscode", "skill-snapshot"}
)  # fmt: skip
RUN_DOCUMENTS = frozenset({"grading.json", "timing.json", "structural.json", "eval_metadata.json"})
TRANSCRIPT: Final = re.compile(r"transcript[^/]*\.(md|txt|jsonl|json|log)", re.IGNORECASE)
"""What tools call the file that tells what an agent did."""


class Listing(NamedTuple):
    """The tracked files and the folders of a tree, with sizes and times to detect changes.

    `paths` are relative to the root with `/`; `sizes` and `mtimes` (nanoseconds) are parallel.
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
        self.real = os.path.realpath(root)
        self.paths: list[str] = []
        self.sizes: array[int] = array("q")
        self.mtimes: array[int] = array("q")
        self.folders: set[str] = set()
        self.problems: list[Problem] = []

    def run(self, below: str) -> None:
        pending = [below]
        while pending:
            pending.extend(self._folder(pending.pop()))

    def _folder(self, folder: str) -> list[str]:
        """Add one folder's files; return the folders below it to enter."""
        names: list[str] = []
        sizes, mtimes = array("q"), array("q")
        inner: list[str] = []
        others: list[os.DirEntry[str]] = []
        prefix = f"{folder}/" if folder else ""
        try:
            # Each file's stat then looks up one name, and not its whole path again.
            handle = os.open(f"{self.root}/{folder}", handles.FOLDER)
            try:
                with os.scandir(handle) as entries:
                    for entry in entries:
                        name = entry.name
                        if entry.is_file(follow_symlinks=False):
                            if name.endswith(TRACKED):
                                try:
                                    about = entry.stat(follow_symlinks=False)
                                except OSError:
                                    continue  # it was removed a moment ago
                                names.append(name)
                                sizes.append(about.st_size)
                                mtimes.append(about.st_mtime_ns)
                        elif entry.is_dir(follow_symlinks=False):
                            inner.append(prefix + name)
                            if name.endswith(TRACKED) and not name.endswith(ARCHIVES):
                                self.problems.append(_no_file(prefix + name))
                        else:
                            others.append(entry)
            finally:
                os.close(handle)
        except OSError as error:
            self.problems.append(_unreadable(folder, error))
        for entry in sorted(others, key=lambda entry: entry.name):
            if found := self._other(prefix, entry):
                names.append(entry.name)
                sizes.append(found.st_size)
                mtimes.append(found.st_mtime_ns)
        self._keep(prefix, names, sizes, mtimes)
        self.folders.update(inner)
        siblings = RUN_DOCUMENTS.intersection(names) if inner else frozenset()
        return [path for path in inner if enters(path, siblings)]

    def _keep(
        self, prefix: str, names: list[str], sizes: "array[int]", mtimes: "array[int]"
    ) -> None:
        """Add one folder's files; names that are not valid text are problems."""
        try:
            "".join([prefix, *names]).encode()
        except UnicodeEncodeError:
            fine = [at for at, name in enumerate(names) if _is_text(prefix + name)]
            odd = (name for name in names if not _is_text(prefix + name))
            self.problems.extend(_unreadable(prefix + name, None) for name in odd)
            names = [names[at] for at in fine]
            sizes = array("q", [sizes[at] for at in fine])
            mtimes = array("q", [mtimes[at] for at in fine])
        self.paths.extend([prefix + name for name in names] if prefix else names)
        self.sizes.extend(sizes)
        self.mtimes.extend(mtimes)

    def _other(self, prefix: str, entry: "os.DirEntry[str]") -> os.stat_result | None:
        """Follow a link to a file inside the root; report every other link that matters.

        A pipe or a device named like a document is listed; reading it reports the problem.
        """
        name, path = entry.name, prefix + entry.name
        about, inside = None, True
        # What was a link when the folder was listed may be none any more.
        with suppress(OSError):
            about = os.stat(f"{self.root}/{path}")  # noqa: PTH116 - as the other looks
        is_folder = about is not None and stat.S_ISDIR(about.st_mode)
        if not (name.endswith(TRACKED) or is_folder):
            return None
        about = None
        with suppress(OSError):
            target = Path(os.path.realpath(f"{self.root}/{path}"))
            inside = target.is_relative_to(self.real)
            about = target.stat()
        if inside and about is not None and name.endswith(TRACKED) and not is_folder:
            return about
        self.problems.append(_not_followed(path, inside, about is None))
        return None


def enters(folder: str, siblings: Set[str]) -> bool:
    """Say whether a walk enters `folder`, whose parent also holds the files `siblings`.

    A run's `outputs` and the content of a version (`vN/skill`, `*skill-snapshot*`) are evidence,
    not documents.
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
    """Walk `root` once and list its tracked files in the order of their paths.

    Raises:
        WorkspaceNotFound: `root` is not a folder.
    """
    return ordered(walk(root))


def walk(root: Path, below: str = "") -> Listing:
    """Walk `root` once and list its tracked files as the file system names them.

    An unchanged folder is usually listed in the same order again. `below` is the folder in which
    the walk begins (`""` is the root); the paths stay relative to `root`.

    Raises:
        WorkspaceNotFound: `root` is not a folder.
    """
    if not root.is_dir():
        raise WorkspaceNotFound(root)
    found = _Walk(root)
    found.run(below)
    return Listing(
        root, found.paths, found.sizes, found.mtimes, frozenset(found.folders), found.problems
    )


def is_empty(root: Path) -> bool:
    """Return whether a folder holds nothing at all, not even files that are no documents."""
    with suppress(OSError), os.scandir(root) as entries:
        return next(entries, None) is None
    return False


def ordered(listing: Listing) -> Listing:
    """Return a listing in the order of its paths: folder by folder, a folder's files together."""
    paths = listing.paths
    order = sorted(range(len(paths)), key=[path.replace("/", "\0") for path in paths].__getitem__)
    return listing._replace(
        paths=[paths[at] for at in order],
        sizes=array("q", [listing.sizes[at] for at in order]),
        mtimes=array("q", [listing.mtimes[at] for at in order]),
        problems=sorted(listing.problems),
    )


def shown(path: str) -> str:
    """Return `path` with undecodable bytes made visible, so that it can be stored."""
    return path if path.isascii() else path.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_text(path: str) -> bool:
    return shown(path) == path


def _unreadable(path: str, error: OSError | None) -> Problem:
    why = "its name is not text" if error is None else (error.strerror or "unknown reason").lower()
    return Problem(
        shown(path),
        "",
        "error",
        "unreadable",
        f"This could not be read: {why}.",
        "Check its permissions and its name.",
    )


def _not_followed(path: str, inside: bool, nowhere: bool) -> Problem:
    where = "leads to a folder" if inside else "leads out of the workspace"
    return Problem(
        shown(path),
        "",
        "info",
        "link-not-followed",
        f"This link {'leads nowhere' if nowhere and inside else where} and was not followed.",
        "Open the folder it leads to as a separate workspace.",
    )


def _no_file(path: str) -> Problem:
    return Problem(
        shown(path),
        "",
        "warning",
        "folder-named-like-a-file",
        "This is a folder, though it is named like a document.",
        "Replace the folder with the document, or rename it.",
    )


def below(listing: Listing, folder: str) -> Iterator[str]:
    """Yield the listed paths below `folder` (`""` is the root)."""
    prefix = f"{folder}/" if folder else ""
    return (path for path in listing.paths if path.startswith(prefix))
