"""Twins are told apart by what differs between them, never by what differs between repeats."""

import base64
import hashlib
import secrets
import time
import uuid
from collections.abc import Callable

import pytest

from tests.chance import Twin, differences

Says = Callable[[str, int], str]
"""What is told where a version stands left, in the repeat of this number."""

LEAKS: dict[str, Says] = {
    "a word": lambda version, _: f'{{"left": "{version}"}}',
    "a digest of a name": lambda version, _: hashlib.sha256(version.encode()).hexdigest()[:16],
    "a UUID": lambda version, _: str(uuid.uuid5(uuid.NAMESPACE_OID, version)),
    "a long number": lambda version, _: str(1_000_000_000 + (version == "v1")),
    "a long word": lambda version, _: 40 * ("r" if version == "v1" else "s"),
    "a time": lambda version, _: f"2026-11-26T10:00:0{version[1]}Z",
    "an order": lambda version, _: "Dear Hello" if version == "v1" else "Hello Dear",
    "a word beside chance": lambda version, _: f"{secrets.token_hex(16)} {version}",
    "one word more beside chance": lambda version, _: (
        f"{secrets.token_hex(16)}{' more' if version == 'v1' else ''}"
    ),
}
CHANCE: dict[str, Says] = {
    "an id": lambda *_: secrets.token_hex(16),
    "a UUID": lambda *_: str(uuid.uuid4()),
    "base64": lambda *_: base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
    "a port": lambda _, repeat: f"http://127.0.0.1:{35_000 + repeat}/",
    "a time": lambda *_: f"2026-11-26T10:00:{time.monotonic_ns() % 10**9}Z",
    "a minute that ends": lambda _, repeat: f"Study of 18:1{6 + (repeat == 3)} UTC",
    "a minute named as its hour": lambda _, repeat: f"At 17:1{6 + (repeat == 3)} UTC, 16 or 17",
    "how often": lambda _, repeat: "drawn\n" * (1 + repeat % 2),
}


def twins(says: Says) -> tuple[Twin, Twin]:
    """Return two repeats of two twins, recorded in turn, line by line, with what both say."""
    told = [
        {"frame": ["Judge, 5 left", *says(f"v{1 + number % 2}", number).splitlines()]}
        for number in range(4)
    ]
    return Twin(told[0], told[2]), Twin(told[1], told[3])


@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_is_found_whatever_it_looks_like(leak: str) -> None:
    """Each is the same in both repeats of a twin, and another in the other twin."""
    assert differences(*twins(LEAKS[leak]))


@pytest.mark.parametrize("chance", CHANCE)
def test_chance_is_no_difference(chance: str) -> None:
    """Each is another in every repeat; a hundred times, as chance may look like anything."""
    for _ in range(100):
        assert differences(*twins(CHANCE[chance])) == []
