"""The power fails: a small disk of our own is cut off in the middle of writing.

A file system in a file is told to stop at once without writing what it still holds in memory
(the shutdown call of ext4 and xfs). What it has after it is mounted again is what a power cut
would have left, but for what the memory of a disk itself would lose.
"""

import fcntl
import os
import random
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from tests.reliability import jobs
from tests.reliability.outcome import Line, made_workspace, verified
from tests.reliability.processes import acknowledged, started

SHUTDOWN = 0x8004587D
NO_LOG_FLUSH = 2
SIZE = 64 * 1024 * 1024


class Disk:
    """An ext4 file system in a file, mounted."""

    def __init__(self, folder: Path) -> None:
        self.image, self.place = folder / "disk.img", folder / "disk"
        self.place.mkdir()
        with self.image.open("wb") as file:
            file.truncate(SIZE)
        run("mkfs.ext4", "-q", "-F", str(self.image))
        self.mount()

    def mount(self) -> None:
        """Mount it; what the journal holds is taken in."""
        run("mount", "-o", "loop", str(self.image), str(self.place))

    def unmount(self) -> None:
        """Unmount it."""
        run("umount", str(self.place))

    def cut(self) -> None:
        """Cut the power."""
        handle = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", NO_LOG_FLUSH))
        finally:
            os.close(handle)


def run(*command: str) -> None:
    """Run a program of the system.

    Raises:
        OSError: it is not there, or did not do it.
    """
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        raise OSError(f"{' '.join(command)}: {done.stderr.decode(errors='replace').strip()}")


@contextmanager
def disk() -> Iterator[Disk]:
    """Yield a disk that can be cut off.

    Raises:
        OSError: there can be none here: it takes root, loop devices and mkfs.ext4.
    """
    if os.geteuid() != 0:
        raise OSError("it takes root")
    with tempfile.TemporaryDirectory(prefix="evalcore-power-") as folder:
        made = Disk(Path(folder))
        try:
            yield made
        finally:
            made.unmount()


def cuts(folder: Path, number: int, seed: int, way: str = "ours") -> Line:
    """Cut the power while writers store, and look what is there afterwards.

    Raises:
        OSError: there can be no such disk here.
    """
    chance, total = random.Random(seed), Line(f"power cut on ext4 ({way})", 0, 0, seed=seed)
    with disk() as made:
        for cut in range(number):
            root = made_workspace(made.place / f"workspace-{cut}")
            os.sync()  # what other programs wrote before is on the disk
            books = [folder / f"book-power-{way}-{cut}-{slot}" for slot in range(2)]
            writers = [
                started(jobs.write_on, way, root, book, slot * 1_000_000 + 1)
                for slot, book in enumerate(books)
            ]
            time.sleep(chance.uniform(0.1, 0.4))
            made.cut()
            for writer in writers:
                writer.kill()
                writer.join()
            made.unmount()
            made.mount()
            total += verified(root, acknowledged(*books), kind="", number=1)
    return replace(total, remark="ext4 on a loop device, shutdown without a flush of the log")
