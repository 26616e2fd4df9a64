"""State of one judge's session between messages."""

from dataclasses import dataclass, field
from typing import Any

from evalcore.views.blocks.base import PanelData

Place = tuple[str, str]
"""A workspace and a suite."""


@dataclass
class Work:
    """What is on the screen and the result of the last act, each with what it is about.

    `receipt` is of a suite; `notes` are the ids under which notes are stored, by suite, run and
    words; `missed` is a suite, the run of its address, and the one shown instead.
    """

    shown: tuple[Place | None, PanelData] = (None, {})
    answer: tuple[Place | None, PanelData | None] = (None, None)
    receipt: tuple[str | None, PanelData | None] = (None, None)
    missed: tuple[str | None, str, str | None] = (None, "", None)
    notes: dict[tuple[str, str | None, str], str] = field(default_factory=dict)
    draft: dict[str, Any] = field(default_factory=lambda: {"run": None})
