"""Memoize functions of a workspace; results are dropped with the workspace."""

from collections.abc import Callable
from functools import wraps
from threading import Lock, RLock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

from evalcore.workspace.opened import Workspace

P = ParamSpec("P")
T = TypeVar("T")

MAX_RESULTS: Final = 32


def memoize_per_workspace(
    compute: Callable[Concatenate[Workspace, P], T],
) -> Callable[Concatenate[Workspace, P], T]:
    """Return `compute` with a cache of its last results, at most 32 for each workspace.

    A result is dropped with its workspace, so it must not refer to the workspace. A second caller
    with the same arguments waits for the first.
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
                if key in known:  # computed while this thread waited for the lock
                    return known[key]
            answer = compute(ws, *args, **kwargs)
            with lock:
                known[key] = answer
                begun[ws].pop(key, None)
                if len(known) > MAX_RESULTS:
                    del known[next(iter(known))]
        return answer

    return ask
