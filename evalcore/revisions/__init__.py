"""Git revisions of a folder, read from git's objects without running git."""

from evalcore.revisions.checkouts import checkout
from evalcore.revisions.committed import committed
from evalcore.revisions.history import Revision, revisions

__all__ = ["Revision", "checkout", "committed", "revisions"]
