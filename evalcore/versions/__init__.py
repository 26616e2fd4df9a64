"""Versions of a skill: a workspace for a new one, and copies of the skill as it is now."""

from evalcore.versions.initialise import initialise
from evalcore.versions.snapshot import foresee, take_snapshot

__all__ = ["foresee", "initialise", "take_snapshot"]
