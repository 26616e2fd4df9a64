"""A copy of one demo suite that tests may judge in."""

from tests.judging.conftest import opened, ws

__all__ = ["opened", "ws"]
