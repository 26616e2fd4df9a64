"""Serve the dashboard on this machine only, and let browsers in."""

from evalcore.server.launching import launch
from evalcore.server.process import Dashboard, app_file, free_port, require_local, start

__all__ = ["Dashboard", "app_file", "free_port", "launch", "require_local", "start"]
