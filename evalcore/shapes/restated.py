"""What a result repeats of the definition of its criterion, which counts where they differ."""

from collections.abc import Mapping
from typing import Final

from evalcore.disk.values import Node

DEFINED: Final[Mapping[str, tuple[str, ...]]] = {
    "required": ("required",),
    "critical": ("critical",),
    "weight": ("weight",),
    "min_score": ("min_score", "minScore"),
    "max_score": ("max_score", "maxScore"),
    "pass_at": ("pass_at", "passing_score"),
}
"""What only a definition says of a criterion, with the names that results repeat it under."""
NAMES: Final = frozenset(name for names in DEFINED.values() for name in names)


def note_restated(result: Node, defined: Mapping[str, bool | float | None]) -> None:
    """Note what a result says of its criterion, or case, that its definition says otherwise.

    `defined` has some of `DEFINED`; None is what the definition does not say.
    """
    if not defined or type(result.value) is not dict or NAMES.isdisjoint(result.value):
        return
    for column, known in defined.items():
        for name in DEFINED[column]:
            stated = result.value.get(name)
            if known is None or not isinstance(stated, (bool, int, float)) or stated == known:
                continue
            result.note(
                "warning",
                "definition-differs",
                f"{name} is {_shown(stated)} here and {_shown(known)} in the definition, "
                "which counts.",
                "Correct it here, or change the definition.",
                name,
            )


def _shown(value: float) -> str:
    return str(value).lower() if isinstance(value, bool) else f"{value:g}"
