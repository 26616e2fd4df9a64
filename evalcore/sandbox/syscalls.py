"""The system calls that a sandbox refuses, as a filter that the kernel runs at each call.

It is a program of classic BPF over `struct seccomp_data`. All numbers below are of the kernel's
headers: `linux/bpf_common.h` (instructions), `linux/seccomp.h`, `linux/audit.h` (machines),
`asm/unistd.h` (calls), `linux/socket.h` (families).
"""

import errno
import socket
import struct
from typing import Final, NamedTuple

_LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
_IF_EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
_IF_AT_LEAST: Final = 0x35  # BPF_JMP | BPF_JGE | BPF_K
_RETURN: Final = 0x06  # BPF_RET | BPF_K

_ALLOW: Final = 0x7FFF0000  # SECCOMP_RET_ALLOW
_REFUSE: Final = 0x00050000  # SECCOMP_RET_ERRNO

# Where `struct seccomp_data` has them; both machines have the low half of an argument first.
_CALL: Final = 0
_MACHINE: Final = 4
_FIRST_ARGUMENT: Final = 16

_X32: Final = 0x40000000
"""The bit of calls of x86_64 with pointers of 32 bits."""

_FAMILIES: Final = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)


class _Machine(NamedTuple):
    """The numbers of a machine: itself, the calls that make sockets, and those that are refused.

    Refused are `io_uring_setup`, which makes sockets without a call for it, and what holds memory
    that belongs to no process: `memfd_create`, `memfd_secret`, `shmget`, `semget`, `msgget`.
    """

    number: int
    sockets: tuple[int, int]
    refused: tuple[int, ...]


_MACHINES: Final = {
    "x86_64": _Machine(0xC000003E, (41, 53), (425, 319, 447, 29, 64, 68)),
    "aarch64": _Machine(0xC00000B7, (198, 199), (425, 279, 447, 194, 190, 186)),
}
MACHINES: Final = tuple(_MACHINES)


def call_filter(machine: str) -> bytes:
    """Return the filter for a machine of `MACHINES`.

    A socket of another family than AF_UNIX, AF_INET and AF_INET6 is refused as one that the system
    does not know (EAFNOSUPPORT); other refused calls, and all calls of another kind of program
    (such as those of 32 bits), as calls that there are not (ENOSYS).
    """
    about = _MACHINES[machine]
    no_such_call = (_RETURN, 0, 0, _REFUSE | errno.ENOSYS)
    allowed = (_RETURN, 0, 0, _ALLOW)
    # Of each instruction: what it does, how many to skip if so, how many if not, its number.
    steps = [(_LOAD, 0, 0, _MACHINE), (_IF_EQUAL, 1, 0, about.number), no_such_call]
    steps += [(_LOAD, 0, 0, _CALL), (_IF_AT_LEAST, 0, 1, _X32), no_such_call]
    for call in about.refused:
        steps += [(_IF_EQUAL, 0, 1, call), no_such_call]
    one, pair = about.sockets
    steps += [(_IF_EQUAL, 2, 0, one), (_IF_EQUAL, 1, 0, pair), allowed]
    steps += [(_LOAD, 0, 0, _FIRST_ARGUMENT)]
    for family in _FAMILIES:
        steps += [(_IF_EQUAL, 0, 1, family), allowed]
    steps += [(_RETURN, 0, 0, _REFUSE | errno.EAFNOSUPPORT)]
    return b"".join(struct.pack("=HBBI", *step) for step in steps)
