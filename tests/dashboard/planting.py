"""Serve the twins with one leak planted in the product, and look whether the comparison sees it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chance import differences
from tests.dashboard.planted.sitecustomize import PLANTS
from tests.dashboard.twins import TELLING, recorded

HERE = Path(__file__).parent / "planted"
STUDY = "01a20cbe-cb9a-7265-a956-2fad9e96e995"

__all__ = ["PLANTS", "seen"]


def seen(chromium: Browser, home: Path, plant: str) -> list[str]:
    """Return what of a planted leak the twins see: words that tell, and what differs."""
    with planted(plant):
        found = recorded(chromium, home, (STUDY,))
    words = [f"{channel}: {word}" for channel, word in found.every[0].found(TELLING)]
    return [*words, *differences(found.one, found.other)]


@contextmanager
def planted(plant: str) -> Iterator[None]:
    """Let servers that are started meanwhile have a leak."""
    with pytest.MonkeyPatch.context() as patch:
        known = os.environ.get("PYTHONPATH")
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, (str(HERE), known))))
        patch.setenv("EVALCORE_PLANT", plant)
        yield
