"""Memoize functions of two sides; results are dropped with their workspaces."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import ref

from evalcore.comparing.model import Side
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.workspace.opened import Workspace

P = ParamSpec("P")
T = TypeVar("T")


class OtherWorkspace:
    """A weak reference to a workspace, for use in a cache key."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ref(ws)
        self._hash = id(ws)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, OtherWorkspace)
            and self._ws() is not None
            and self._ws() is other._ws()
        )

    def side(self, suite: str, column: Column) -> Side:
        """Return a side of the workspace, which the caller keeps alive."""
        ws = self._ws()
        if ws is None:
            raise ReferenceError("The workspace of the other side is gone.")
        return Side(ws, suite, column)


def memoize_per_pair(
    compute: Callable[Concatenate[Side, Side, P], T],
) -> Callable[Concatenate[Side, Side, P], T]:
    """Return `compute` with a cache of its last results, which must not refer to a workspace."""

    @memoize_per_workspace
    def answer(
        ws: Workspace,
        place: tuple[str, Column],
        other: OtherWorkspace,
        its: tuple[str, Column],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return compute(Side(ws, *place), other.side(*its), *args, **kwargs)

    @wraps(compute)
    def ask(a: Side, b: Side, /, *args: P.args, **kwargs: P.kwargs) -> T:
        places = (a.suite, a.column), (b.suite, b.column)
        return answer(a.ws, places[0], OtherWorkspace(b.ws), places[1], *args, **kwargs)

    return ask
