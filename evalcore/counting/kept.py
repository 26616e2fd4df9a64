"""Keep what was computed of a workspace, no longer than the workspace itself."""

from collections.abc import Callable
from functools import wraps
from threading import Lock, RLock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from evalcore.workspace.opened import Workspace

P = ParamSpec("P")
T = TypeVar("T")

MAX_KEPT: Final = 32


def kept(
    compute: Callable[Concatenate[Workspace, P], T],
) -> Callable[Concatenate[Workspace, P], T]:
    """Return `compute` that remembers its last answers, at most 32 for each workspace.

    An answer goes when its workspace goes, so an answer must not hold the workspace. Who asks what
    is being computed waits for it.
    """
    answers: WeakKeyDictionary[Workspace, dict[Any, T]] = WeakKeyDictionary()
    begun: WeakKeyDictionary[Workspace, dict[Any, RLock]] = WeakKeyDictionary()
    lock = Lock()

    @wraps(compute)
    def ask(ws: Workspace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        key = (args, tuple(sorted(kwargs.items())))
        with lock:
            known = answers.setdefault(ws, {})
            if key in known:
                return known[key]
            own = begun.setdefault(ws, {}).setdefault(key, RLock())
        with own:
            with lock:
                if key in known:  # whoever held it before was asked the same
                    return known[key]
            answer = compute(ws, *args, **kwargs)
            with lock:
                known[key] = answer
                begun[ws].pop(key, None)
                if len(known) > MAX_KEPT:
                    del known[next(iter(known))]
        return answer

    return ask
