"""What the secret of a study decides for each judge: the order of the pairs, and their sides.

Everything follows from 32 random bytes by HMAC-SHA256, so that the sides of a judge who comes later
need no storage, nobody can predict them without the secret, and everybody can check them with it.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from typing import Final

from evalcore.families.reviews.models import BlindPair
from evalcore.shapes.models import as_json

BLOCKS: Final = (20, 28, 36)
"""In each block of pairs, of one of these sizes, each side stands left equally often.

Smaller ones would let the last side tell the next: neighbours correlate by -1 / (size - 1).
"""


def commitment(secret: bytes, sides: tuple[str, str], pairs: Sequence[BlindPair]) -> str:
    """Return the sha256 that binds a study to its secret, its sides and its pairs."""
    told = [as_json(pair) for pair in pairs]
    data = json.dumps([secret.hex(), list(sides), told], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(data.encode()).hexdigest()


def order(secret: bytes, judge: str, pairs: Sequence[BlindPair]) -> list[BlindPair]:
    """Return the pairs in the order in which a judge sees them."""
    return sorted(pairs, key=lambda pair: _draw(secret, "order", judge, pair.pair))


def a_is_left(secret: bytes, judge: str, pairs: Sequence[BlindPair]) -> dict[str, bool]:
    """Return for each pair of a study whether side A stands left for a judge."""
    found: dict[str, bool] = {}
    for block in _blocks(secret, judge, order(secret, judge, pairs)):
        mixed = sorted(block, key=lambda pair: _draw(secret, "side", judge, pair.pair))
        # Of a block that the end of the study cuts, chance decides who has one more.
        odd = _draw(secret, "odd", judge, mixed[0].pair)[0] & 1
        for place, pair in enumerate(mixed):
            found[pair.pair] = (place + odd) % 2 == 0
    return found


def task_id(secret: bytes, judge: str, pair: BlindPair) -> str:
    """Return the name of a pair for a judge, which tells nothing about it: 128 bits."""
    return _draw(secret, "task", judge, pair.pair)[:16].hex()


def _blocks(secret: bytes, judge: str, pairs: Sequence[BlindPair]) -> Iterator[Sequence[BlindPair]]:
    at = 0
    while at < len(pairs):
        size = BLOCKS[_draw(secret, "block", judge, pairs[at].pair)[0] % len(BLOCKS)]
        yield pairs[at : at + size]
        at += size


def _draw(secret: bytes, what: str, judge: str, pair: str) -> bytes:
    text = json.dumps([what, judge, pair])
    return hmac.digest(secret, text.encode(), "sha256")
