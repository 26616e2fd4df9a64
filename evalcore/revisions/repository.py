"""Read only the objects and references of a git repository.

No configuration is read, so no filter, hook, command, alias or further address that a repository
names has any effect, and missing objects are not fetched.
"""

import heapq
import os
import re
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from struct import error as StructError  # noqa: N812 - the name it would have as a class
from typing import Final

from dulwich import errors as git_errors
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Blob, Commit, ObjectID, Tag, Tree
from dulwich.refs import DiskRefsContainer, Ref, SymrefLoop

from evalcore.errors import EvalcoreError, NoRevision, UnknownName

MAX_FILE: Final = 256 * 1024**2
"""Bytes of one object; a larger one that stands alone is refused before it is unpacked."""
MAX_LOOKED_AT: Final = 2_000
"""Commits that are looked at for those that changed a folder."""
_MAX_STEPS: Final = 10_000
_MAX_TAGS: Final = 16
_PREFIXES: Final = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")

# What dulwich and the standard library raise on repositories that are damaged or made to be.
DAMAGED: Final = (
    OSError, ValueError, LookupError, TypeError, AssertionError, EOFError, OverflowError,
    RecursionError, zlib.error, StructError, git_errors.ApplyDeltaError,
    git_errors.ChecksumMismatch, git_errors.FileFormatException, git_errors.NoIndexPresent,
    git_errors.ObjectMissing, git_errors.RefFormatError, git_errors.WrongObjectException,
    SymrefLoop,
)  # fmt: skip


class Repository:
    """The objects and references of the repository of a folder."""

    def __init__(self, top: Path, root: Path) -> None:
        self.root = root
        self.below = root.relative_to(top)
        control = _control(top)
        common = control
        if (control / "commondir").is_file():
            common = control / (control / "commondir").read_text("utf-8").strip()
        if (common / "reftable").is_dir():
            raise NoRevision(
                f"The git repository of {root} keeps its references as a reftable, "
                "which is not read. Check the revision out yourself."
            )
        self.refs = DiskRefsContainer(common, control)
        self.store = DiskObjectStore(common / "objects", loose_object_size_limit=MAX_FILE)

    @cached_property
    def named(self) -> dict[str, ObjectID]:
        """The commits of branches and tags, by their short name."""
        found: dict[str, ObjectID] = {}
        for ref in sorted(self.refs.allkeys()):
            commit = self._commit_of(self.refs[ref]) if self._has(ref) else None
            if commit is not None:
                text = os.fsdecode(ref)
                found[re.sub(r"^refs/(heads|tags|remotes)/", "", text)] = commit
        return found

    def names_by_commit(self) -> dict[ObjectID, tuple[str, ...]]:
        """Return the branches and tags at each commit."""
        found: dict[ObjectID, tuple[str, ...]] = {}
        for name, commit in self.named.items():
            if name != "HEAD":
                found[commit] = (*found.get(commit, ()), name)
        return found

    def resolved(self, name: str) -> ObjectID:
        """Return the commit of a name.

        Raises:
            UnknownName: none, or several.
        """
        match = re.fullmatch(r"(?P<base>[^~^:@{}\0]+?)(?P<steps>(?:~\d*|\^1?)*)", name)
        start = self._based(match["base"]) if match else None
        if match is None or start is None:
            raise UnknownName("revision", name, self.named)
        steps = re.findall(r"~(\d*)|\^1?", match["steps"])
        count = sum(int(step or 1) for step in steps)
        for step in range(count):
            parents = self.commit(start).parents
            if not parents or step >= _MAX_STEPS:
                raise NoRevision(
                    f"The revision {name!r} is before the first commit: "
                    f"{match['base']!r} has {step:,} before it."
                )
            start = parents[0]
        return start

    def _based(self, base: str) -> ObjectID | None:
        for prefix in _PREFIXES:
            ref = Ref(os.fsencode(prefix + base))
            if (prefix or base == "HEAD" or base.startswith("refs/")) and self._has(ref):
                return self._commit_of(self.refs[ref])
        if not re.fullmatch(r"[0-9a-fA-F]{4,40}", base):
            return None
        begins = base.lower().encode()
        found = {sha for sha in self.store.iter_prefix(begins) if self._is_commit(sha)}
        if len(found) > 1:
            few = ", ".join(sha.decode()[:12] for sha in sorted(found)[:4])
            raise NoRevision(
                f"{base!r} is the beginning of {len(found):,} commits: {few}. Write more of it."
            )
        return next(iter(found), None)

    def _has(self, ref: Ref) -> bool:
        try:
            return self.refs.follow(ref)[1] is not None  # HEAD may name a branch to come
        except git_errors.RefFormatError:
            return False  # no branch can be named like this

    def _is_commit(self, sha: ObjectID) -> bool:
        return isinstance(self.store[sha], Commit)

    def _commit_of(self, sha: ObjectID) -> ObjectID | None:
        """Return the commit of a reference; tags are dereferenced."""
        for _ in range(_MAX_TAGS):
            found = self.store[sha] if sha in self.store else None  # noqa: SIM401 - no typed `get`
            if not isinstance(found, Tag):
                return sha if isinstance(found, Commit) else None
            sha = ObjectID(found.object[1])
        return None

    def commit(self, sha: ObjectID) -> Commit:
        """Return a commit.

        Raises:
            NoRevision: it is not in this copy of the repository.
        """
        found = self._object(sha)
        assert isinstance(found, Commit)
        return found

    def tree(self, sha: ObjectID) -> Tree:
        """Return a folder; see `commit`."""
        found = self._object(sha)
        assert isinstance(found, Tree)
        return found

    def data(self, sha: ObjectID) -> bytes:
        """Return the bytes of a file; see `commit`."""
        found = self._object(sha)
        assert isinstance(found, Blob)
        return found.data

    def _object(self, sha: ObjectID) -> object:
        if sha not in self.store:
            raise NoRevision(
                f"The git repository of {self.root} does not have all of this revision: it "
                "is a shallow or partial copy. Fetch it with git first."
            )
        return self.store[sha]

    def folder_in(self, commit: ObjectID) -> ObjectID | None:
        """Return the tree of this folder in a commit; None if it is missing there."""
        sha = self.commit(commit).tree
        for part in self.below.parts:
            tree, name = self.tree(sha), os.fsencode(part)
            if name not in tree or not stat.S_ISDIR(tree[name][0]):
                return None
            sha = tree[name][1]
        return ObjectID(sha)

    def history(self, start: ObjectID) -> Iterator[tuple[ObjectID, Commit]]:
        """Yield commits, the newest first, as far as this copy of the repository has them."""
        seen, first = {start}, self.commit(start)
        waiting = [(-first.commit_time, start, first)]
        for _ in range(MAX_LOOKED_AT):
            if not waiting:
                return
            _, sha, commit = heapq.heappop(waiting)
            here = [parent for parent in commit.parents if parent in self.store]
            if len(here) == len(commit.parents):
                yield sha, commit
            for parent in here:
                if parent not in seen:
                    seen.add(parent)
                    older = self.commit(parent)
                    heapq.heappush(waiting, (-older.commit_time, parent, older))


@contextmanager
def opened(root: Path) -> Iterator[Repository]:
    """Open the repository of a folder, by its own `.git`, and close it afterwards."""
    real = Path(os.path.realpath(root))
    top = next((folder for folder in (real, *real.parents) if (folder / ".git").exists()), None)
    if top is None:
        raise NoRevision(f"{root} is not in a git repository, so it has no revisions to compare.")
    try:
        repo = Repository(top, real)
    except DAMAGED as error:
        raise _unreadable(root, error) from error
    try:
        yield repo
    finally:
        repo.store.close()


@contextmanager
def damage_reported(repo: Repository) -> Iterator[None]:
    """Report a damaged repository as `NoRevision`."""
    try:
        yield
    except EvalcoreError:
        raise
    except DAMAGED as error:
        raise _unreadable(repo.root, error) from error


def _unreadable(root: Path, error: BaseException) -> NoRevision:
    why = str(error).strip().rstrip(".") or type(error).__name__
    return NoRevision(
        f"The git repository of {root} could not be read: {why[:200]}. `git fsck` may say more."
    )


def _control(top: Path) -> Path:
    """Return the folder with a repository's own files; in a work tree `.git` is a file."""
    dot = top / ".git"
    if dot.is_dir():
        return dot
    text = dot.read_text("utf-8").strip()
    if not text.startswith("gitdir: "):
        raise ValueError(f"{dot} names no folder")
    return top / text.removeprefix("gitdir: ")
