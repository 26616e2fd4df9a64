"""Every call to the system that a write makes fails once; the disk is full, or read-only."""

import errno
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from evalcore.errors import CannotWrite
from evalcore.judging.storing.store import new_id, unwritable
from evalcore.judging.storing.stored_reviews import ReviewFolder
from tests.reliability import jobs
from tests.reliability.faulty import Fault, fails, fault_at, full_half_way
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.processes import acknowledged, lines, started
from tests.reliability.writers import WRITERS, record

SMALL = "size=256k"


def faults_of(long: bool) -> dict[str, Fault]:
    """Return the ways in which a call fails."""
    codes = [errno.ENOSPC, errno.EIO, *([errno.EDQUOT, errno.EINTR] if long else [])]
    return {errno.errorcode[code]: fails(code) for code in codes} | {
        "ENOSPC half way": full_half_way
    }


def each_call(folder: Path, name: str, fault: Fault, way: str = "ours", warm: bool = False) -> Line:
    """Let the first call of a write fail, then the second, and so on until none does.

    What fails must say so in a sentence, leave nothing behind, and succeed when it is tried again.
    With `warm` the folders are there already.
    """
    total = Line(f"{name} at each call{' (folders there)' if warm else ''} ({way})", 0, 0)
    refusals = (CannotWrite,) if way == "ours" else (OSError,)
    at, fired = 0, True
    while fired:
        at += 1
        root = made_workspace(folder / f"{way}-{name}-{warm}-{at}")
        if warm:
            WRITERS[way](root, record(new_id(), 0))
        one = record(new_id(), at)
        done: dict[str, str] = {}
        with fault_at(at, fault) as counted:
            try:
                stored = WRITERS[way](root, one)
                done[stored.id] = stored.sha256
            except refusals:
                pass  # it was refused, as it should be
        fired = bool(counted.name)
        first = verified(root, done, kind="", number=int(fired))
        if counted.name == "unlink":  # what cannot be removed stays
            first += Line("", 0, 0, left=-first.left)
        again = WRITERS[way](root, record(one.id, at))
        second = verified(root, {again.id: again.sha256}, kind="", number=0)
        total += first + Line("", 0, 0, second.lost, second.torn, second.duplicated, second.foreign)
    return total


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """Yield the folder of a disk of 256 KB; None where none can be made."""
    folder = Path(tempfile.mkdtemp(prefix="evalcore-small-"))
    made = os.geteuid() == 0 and _run("mount", "-t", "tmpfs", "-o", SMALL, "none", str(folder))
    try:
        yield folder if made else None
    finally:
        if made:
            _run("umount", "-l", str(folder))
        folder.rmdir()


def _run(*command: str) -> bool:
    if shutil.which(command[0]) is None:
        return False
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def full_disk(folder: Path, way: str = "ours") -> Line:
    """Store until the disk is full; then make room, and store what was refused."""
    with small_disk() as disk:
        root = made_workspace((disk or folder) / "workspace")
        filler = root / "filler"
        if disk:
            filler.write_bytes(b"x" * 100_000)
        book, limit = folder / f"book-{way}", None if disk else 20_000
        started(jobs.fill, way, root, book, limit).join(120)
        refused = [words for words in lines(book) if words[0] == "refused"]
        assert refused, "the disk was never full"
        how = "tmpfs of 256 KB" if disk else "RLIMIT_FSIZE"
        line = verified(root, acknowledged(book), kind=f"full disk ({way})", number=1)
        filler.unlink(missing_ok=True)
        again = WRITERS[way](root, record(refused[0][1], "refused"))
        after = verified(root, {again.id: again.sha256}, kind="", number=0)
    said = " ".join(refused[0][2:]).partition("was not written: ")[2]
    more = Line("", 0, 0, after.lost, 0, after.duplicated, after.foreign)
    return replace(line + more, remark=f"{how}; said: {said}")


def read_only_disk(folder: Path, way: str = "ours") -> Line:
    """Store where nothing can be written: it is refused, and was said before."""
    with small_disk() as disk:
        if disk is not None:
            return _read_only(disk, folder, way)
    return forbidden(folder, way)


def _read_only(disk: Path, folder: Path, way: str) -> Line:
    root, book = made_workspace(disk / "workspace"), folder / f"ro-{way}"
    stored = WRITERS[way](root, record(new_id(), 1))
    assert unwritable(ReviewFolder(root, "reviews")) is None
    assert _run("mount", "-o", f"remount,ro,{SMALL}", str(disk))
    started(jobs.write_as_nobody, way, root, book).join(60)
    said = unwritable(ReviewFolder(root, "reviews"))
    line = verified(
        root,
        {stored.id: stored.sha256, **acknowledged(book)},
        kind=f"read-only disk ({way})",
        number=1,
    )
    return _with_words(line, book, "mounted read-only", said)


def forbidden(folder: Path, way: str = "ours") -> Line:
    """Store as somebody who may not write there."""
    place = Path(tempfile.mkdtemp(prefix="evalcore-closed-"))
    try:
        place.chmod(0o755)
        root, book = made_workspace(place / "workspace"), folder / f"closed-{way}"
        for path in (root, root / "reviews", root / "reviews/.tmp"):
            path.chmod(0o555)
        book.touch()
        started(jobs.write_as_nobody, way, root, book).join(60)
        line = verified(root, acknowledged(book), kind=f"no permission ({way})", number=1)
        said = unwritable(ReviewFolder(root, "reviews")) if os.geteuid() else ""
        return _with_words(line, book, "permissions", said)
    finally:
        for path in (place / "workspace", *place.rglob("*")):
            if path.is_dir():
                path.chmod(0o755)
        shutil.rmtree(place)


def _with_words(line: Line, book: Path, how: str, before: str | None) -> Line:
    refused = [" ".join(words[2:]) for words in lines(book) if words[0] == "refused"]
    assert refused, "it was not refused"
    assert before is not None, "it was not said before"
    said = refused[0].partition("was not written: ")[2]
    return replace(line, remark=f"{how}; said: {said}")
