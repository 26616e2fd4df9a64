"""A folder that nobody may read, also where the tests run as the administrator."""

import os
from pathlib import Path
from typing import Any

import pytest


def close(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Refuse to open a folder, as the system does."""
    opened = os.open

    def refuse(path: Any, flags: int, *more: Any, **named: Any) -> int:
        if str(path).rstrip("/") == str(folder):
            raise PermissionError(13, "Permission denied")
        return opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", refuse)
