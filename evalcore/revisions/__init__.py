"""Earlier states of a folder that git keeps, read from its objects and never by running git."""

from evalcore.revisions.history import Revision, revisions
from evalcore.revisions.kept import checkout

__all__ = ["Revision", "checkout", "revisions"]
