"""What a file server may answer, put in the place of calls to the system."""

import errno
import fcntl
import os
import random
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from evalcore.disk import naming

OFTEN = 0.2
"""How often a call is answered wrongly."""

Call = Callable[..., Any]
Instead = Callable[[Call, random.Random], Call]

_REPEATED = {"link": errno.EEXIST, "mkdir": errno.EEXIST, "replace": errno.ENOENT,
             "unlink": errno.ENOENT}  # fmt: skip
"""What a server says to a request that it had done before, and whose answer was lost."""

_STALE = ("fsync", "link", "mkdir", "open", "replace", "stat", "unlink", "write")


def _answers_lost(name: str) -> Instead:
    """Let a call be done, and then be reported as failed."""

    def instead(call: Call, chance: random.Random) -> Call:
        def lost(*given: Any, **named: Any) -> Any:
            found = call(*given, **named)
            if chance.random() < OFTEN:
                raise _error(chance.choice((_REPEATED[name], errno.EIO, errno.ETIMEDOUT)))
            return found

        return lost

    return instead


def _stale(call: Call, chance: random.Random) -> Call:
    """Let a call not be done, as the server does not know the handle of the folder any more."""

    def stale(*given: Any, **named: Any) -> Any:
        if chance.random() < OFTEN / len(_STALE):
            raise _error(errno.ESTALE)
        return call(*given, **named)

    return stale


def _late(call: Call, chance: random.Random) -> Call:
    """Let a name that another machine made be seen late."""

    def late(*given: Any, **named: Any) -> Any:
        if chance.random() < OFTEN and str(given[0]).endswith(".json"):
            raise _error(errno.ENOENT)
        return call(*given, **named)

    return late


def _no_folders(call: Call, chance: random.Random) -> Call:
    """Let folders not be flushed."""

    def flush(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise _error(errno.EINVAL)
        call(handle)

    return flush


def _never(*codes: int) -> Instead:
    """Let a call never be there."""

    def instead(call: Call, chance: random.Random) -> Call:
        def never(*given: Any, **named: Any) -> Any:
            raise _error(chance.choice(codes))

        return never

    return instead


_NO_LINKS: dict[tuple[Any, str], Instead] = {
    (os, "link"): _never(errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP),
    (naming, "_move_new"): _never(errno.EINVAL),
}

SERVERS: dict[str, dict[tuple[Any, str], Instead]] = {
    "answers are lost": {(os, name): _answers_lost(name) for name in _REPEATED},
    "handles are stale": {(os, name): _stale for name in _STALE},
    "names are seen late": {(os, "stat"): _late},
    "no links": _NO_LINKS,
    "no links, answers are lost": {**_NO_LINKS, (os, "replace"): _answers_lost("replace")},
    "neither links nor locks": {**_NO_LINKS, (fcntl, "flock"): _never(errno.ENOLCK)},
    "folders are not flushed": {(os, "fsync"): _no_folders},
}


def _error(code: int) -> OSError:
    return OSError(code, os.strerror(code))


@contextmanager
def served(server: str, chance: random.Random) -> Iterator[None]:
    """Let this process work on a file server of a kind."""
    with ExitStack() as held:
        for (module, name), instead in SERVERS[server].items():
            held.enter_context(patch.object(module, name, instead(getattr(module, name), chance)))
        yield
