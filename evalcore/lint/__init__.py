"""The full check: everything that opening a workspace finds, and the rules of its documents."""

from evalcore.lint.run import check

__all__ = ["check"]
