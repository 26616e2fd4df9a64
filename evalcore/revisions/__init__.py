"""Git revisions of a folder, read from git's objects without running git."""

from evalcore.revisions.history import Revision, revisions
from evalcore.revisions.kept import checkout

__all__ = ["Revision", "checkout", "revisions"]
