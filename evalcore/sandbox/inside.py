"""A sandbox seen from outside while it runs: the memory and the files of all in it together."""

import os
import re
import socket
import struct
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from evalcore.disk.handles import folder
from evalcore.sandbox.copies import MAX_FILES

_SENDER: Final = struct.Struct("3i")  # `struct ucred`: process, user, group
_SIZES: Final = re.compile(rb"^(\w+):\s+([0-9]+) kB", re.MULTILINE)
_ADDRESSES: Final = 16
"""The sizes of all address spaces together may be so many times the limit of memory."""


class Inside(ExitStack):
    """What runs in a sandbox: let in when it can be seen from outside, then held to its limits.

    Its first process writes to the socket `door` when all is set up, and waits for a line before it
    runs anything. `sizes` are its writable folders and how much they hold.
    """

    def __init__(self, memory: int, sizes: Mapping[str, int]) -> None:
        super().__init__()
        self._memory, self._sizes = memory, sizes
        ours, theirs = map(self.enter_context, socket.socketpair())
        ours.setblocking(False)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self._ours, self.door = ours, theirs.fileno()
        self._processes: Path | None = None
        self.folders: dict[str, int] = {}
        """The handles of its writable folders, which hold their files also when it has ended."""

    @property
    def began(self) -> bool:
        """Whether it was let in."""
        return self._processes is not None

    def exceeded(self) -> str:
        """Let it in when it is ready; then return which limit it exceeds, or why it cannot be."""
        if self._processes is None:
            return self._let_in()
        held, most = _held(self._processes, "status"), _mib(self._memory)
        if held["VmSize"] > _ADDRESSES * self._memory:
            return f"Its processes mapped more than {_ADDRESSES} times {most} and were ended."
        # What processes share is counted once only where it decides, as that takes longer.
        if held["VmRSS"] + held["VmSwap"] > self._memory:
            held = _held(self._processes, "smaps_rollup")
            if held["Pss"] + held["SwapPss"] > self._memory:
                return f"Its processes used more than {most} of memory together and were ended."
        for name, handle in self.folders.items():
            about = os.fstatvfs(handle)
            if about.f_files - about.f_ffree > MAX_FILES:
                return f"It made more than {MAX_FILES:,} files in {name} and was ended."
        return ""

    def full(self) -> str:
        """Return which of its folders has no room left, if one has none."""
        for name, handle in self.folders.items():
            if os.fstatvfs(handle).f_bfree == 0:
                return f"{name} was full: its files may have {_mib(self._sizes[name])} together."
        return ""

    def _let_in(self) -> str:
        try:
            _, said, *_ = self._ours.recvmsg(1, socket.CMSG_SPACE(_SENDER.size))
        except BlockingIOError:
            return ""
        try:
            pid, *_ = _SENDER.unpack(said[0][2])
            root = f"/proc/{pid}/root"
            for name in self._sizes:
                self.folders[name] = self.enter_context(folder(root, name[1:].split("/")))
            processes = self.enter_context(folder(root, ["proc"]))
        except OSError as error:
            return f"it cannot be seen from outside: {error}"
        self._processes = Path(f"/proc/self/fd/{processes}")
        self._ours.send(b"\n")
        return ""


def _held(processes: Path, name: str) -> Counter[str]:
    """Return the sizes that a file of each process says, by their names, in sum and in bytes."""
    sizes: Counter[str] = Counter()
    for process in processes.iterdir():
        if process.name.isdecimal():
            try:
                said = (process / name).read_bytes()
            except (FileNotFoundError, ProcessLookupError):  # it has just ended
                continue
            for key, size in _SIZES.findall(said):
                sizes[key.decode()] += int(size) * 1024
    return sizes


def _mib(size: int) -> str:
    return f"{size // 1024**2:,} MiB"
