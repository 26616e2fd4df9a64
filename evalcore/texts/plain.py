"""Normalised forms of a text, for searching and never for display."""

from typing import Final

# One character for each variant, and never a line more or less: places stay right.
_TYPOGRAPHY: Final = str.maketrans(
    {
        **dict.fromkeys("“”„‟«»「」『』″", '"'),
        **dict.fromkeys("‘’‚‛‹›′", "'"),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        "\u00a0": " ",
        "\u00ad": None,
        "\u200b": None,
        "\ufeff": None,
    }
)

_MARKUP: Final = str.maketrans(dict.fromkeys("*_`~#|\\>"))


def fold(text: str) -> str:
    """Return text without differences of case and typography, with the same lines."""
    folded = text.casefold()
    return folded if folded.isascii() else folded.translate(_TYPOGRAPHY)


def unmarked(text: str) -> str:
    """Return text without Markdown's marks, with the same lines."""
    return text.translate(_MARKUP)


def squeeze(text: str) -> str:
    """Return text without any white space."""
    return "".join(text.split())
