"""Follow an open workspace: notice changes, wait until files are complete, and reread them."""

from evalcore.live.live_workspace import LiveWorkspace, Snapshot
from evalcore.live.opening import Opening

__all__ = ["LiveWorkspace", "Opening", "Snapshot"]
