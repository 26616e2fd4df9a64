"""The filter of system calls, worked out as the kernel does, for each machine."""

import errno
import socket
import struct

import pytest

from evalcore.sandbox.syscalls import MACHINES, call_filter

ALLOWED = 0x7FFF0000
NOT_KNOWN = 0x50000 | errno.EAFNOSUPPORT
NO_SUCH_CALL = 0x50000 | errno.ENOSYS
NUMBERS = {
    "x86_64": (0xC000003E, {"read": 0, "socket": 41, "socketpair": 53, "shmget": 29}),
    "aarch64": (0xC00000B7, {"read": 63, "socket": 198, "socketpair": 199, "shmget": 194}),
}
OTHERS = {"i386": 0x40000003, "arm": 0x40000028}


def answer(program: bytes, machine: int, call: int, *arguments: int) -> int:
    """Return what the filter says to a call."""
    six = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", call, machine, 0x7F0000001234, *six)
    steps = list(struct.iter_unpack("=HBBI", program))
    at = loaded = 0
    while True:
        code, if_so, if_not, number = steps[at]
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, number)
            case 0x15:
                at += if_so if loaded == number else if_not
            case 0x35:
                at += if_so if loaded >= number else if_not
            case 0x06:
                return int(number)
            case _:
                raise ValueError(code)


def test_every_machine_is_tested() -> None:
    """A new one needs its numbers here."""
    assert set(MACHINES) == set(NUMBERS)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("call", ["socket", "socketpair"])
def test_the_families_of_sockets(machine: str, call: str) -> None:
    """The kernel takes the low half of the argument, so that is what counts."""
    number, calls = NUMBERS[machine]
    good = {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6}
    for high in (0, 1 << 32, 0xFFFFFFFF << 32):
        for family in (*range(64), 0xFFFFFFFF):
            found = answer(call_filter(machine), number, calls[call], high | family, 1)
            assert found == (ALLOWED if family in good else NOT_KNOWN)


@pytest.mark.parametrize("machine", MACHINES)
def test_other_calls(machine: str) -> None:
    """All are allowed but those that make sockets or hold memory in another way."""
    number, calls = NUMBERS[machine]
    program = call_filter(machine)
    assert answer(program, number, calls["read"], 40) == ALLOWED
    assert answer(program, number, 425) == answer(program, number, calls["shmget"]) == NO_SUCH_CALL
    refused = [call for call in range(500) if answer(program, number, call, 1) != ALLOWED]
    assert len(refused) == 6


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("other", [*OTHERS.values(), 0xC00000F3])
def test_calls_of_another_kind_of_program(machine: str, other: int) -> None:
    """None is there, whatever its number means to them."""
    assert {answer(call_filter(machine), other, call) for call in range(500)} == {NO_SUCH_CALL}


def test_calls_with_short_pointers() -> None:
    """On x86_64 they have the same machine, and one bit more."""
    number, calls = NUMBERS["x86_64"]
    for call in (*calls.values(), 0x3FFFFFFF, 0x7FFFFFFF):
        assert answer(call_filter("x86_64"), number, 0x40000000 | call, 1) == NO_SUCH_CALL
