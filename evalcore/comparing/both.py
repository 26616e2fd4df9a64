"""Keep what was computed of two sides, no longer than the workspaces they are of."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar
from weakref import ref

from evalcore.comparing.model import Side
from evalcore.counting.kept import kept
from evalcore.counting.outcomes import Column
from evalcore.workspace.opened import Workspace

P = ParamSpec("P")
T = TypeVar("T")


class Other:
    """A workspace as part of a key that keeps it no longer open."""

    def __init__(self, ws: Workspace) -> None:
        self._ws = ref(ws)
        self._hash = id(ws)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Other) and self._ws() is not None and self._ws() is other._ws()

    def side(self, suite: str, column: Column) -> Side:
        """Return a side of the workspace, which whoever asks holds open."""
        ws = self._ws()
        if ws is None:
            raise ReferenceError("The workspace of the other side is gone.")
        return Side(ws, suite, column)


def kept_pair(
    compute: Callable[Concatenate[Side, Side, P], T],
) -> Callable[Concatenate[Side, Side, P], T]:
    """Return `compute` that remembers its last answers; they must not hold a workspace."""

    @kept
    def answer(
        ws: Workspace,
        place: tuple[str, Column],
        other: Other,
        its: tuple[str, Column],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        return compute(Side(ws, *place), other.side(*its), *args, **kwargs)

    @wraps(compute)
    def ask(a: Side, b: Side, /, *args: P.args, **kwargs: P.kwargs) -> T:
        places = (a.suite, a.column), (b.suite, b.column)
        return answer(a.ws, places[0], Other(b.ws), places[1], *args, **kwargs)

    return ask
