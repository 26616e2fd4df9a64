"""Which browsers are admitted: one-use tokens, and a cookie and a key for each browser."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable
from typing import Final, NamedTuple

MINUTES_FOR_ANOTHER: Final = 10
_MOST_WAITING: Final = 100


class Admission(NamedTuple):
    """What an admitted browser keeps: the cookie, and the key that only this origin can read."""

    cookie: str
    key: str


class Gate:
    """The unused tokens and the admitted browsers, in memory only, as digests.

    Values are looked up by their digests, so the time this takes says nothing about them.
    """

    def __init__(self) -> None:
        self._tokens: dict[bytes, float] = {}
        self._keys: dict[bytes, bytes] = {}

    def accept(self, token: str, seconds: float = float("inf")) -> None:
        """Let `token` admit one browser, within so many seconds; the oldest beyond 100 is void."""
        while len(self._tokens) >= _MOST_WAITING:
            self._tokens.pop(next(iter(self._tokens)))
        self._tokens[_digest(token)] = time.monotonic() + seconds

    def new_token(self) -> str:
        """Return a new token that admits another browser within ten minutes."""
        token = secrets.token_urlsafe(32)
        self.accept(token, MINUTES_FOR_ANOTHER * 60)
        return token

    def exchange(self, token: str) -> Admission | None:
        """Use up `token` and admit a browser; None if it is wrong, too old or already used."""
        if time.monotonic() >= self._tokens.pop(_digest(token), 0.0):
            return None
        key = secrets.token_urlsafe(32)
        return Admission(self._new_cookie(_digest(key)), key)

    def renew(self, key: str) -> str | None:
        """Return a new cookie for the browser that has `key`; None if nobody has it."""
        digest = _digest(key)
        return self._new_cookie(digest) if digest in self._keys.values() else None

    def admitted(self, cookies: Iterable[str]) -> str | None:
        """Return the first cookie that this gate gave; None if there is none."""
        return next((cookie for cookie in cookies if _digest(cookie) in self._keys), None)

    def opens(self, cookie: str, key: str) -> bool:
        """Return whether cookie and key were given to the same browser."""
        return self._keys.get(_digest(cookie)) == _digest(key)

    def _new_cookie(self, key_digest: bytes) -> str:
        cookie = secrets.token_urlsafe(32)
        self._keys[_digest(cookie)] = key_digest
        return cookie


GATE: Final = Gate()
"""The gate of this process, which the guard asks and the pages make links with."""


def browser_id(key: str) -> str:
    """Return the id by which pages know the browser that has `key`; it admits nobody."""
    return _digest(key).hex()


def _digest(value: str) -> bytes:
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).digest()
