"""Notice what changes in an open workspace, wait until it is whole, and read it anew."""

from evalcore.live.live_workspace import LiveWorkspace, Snapshot

__all__ = ["LiveWorkspace", "Snapshot"]
