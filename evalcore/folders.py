"""The folders of evalcore on this machine, outside every workspace."""

import os
from pathlib import Path

import platformdirs


def state_dir() -> Path:
    """Return the folder for what evalcore remembers; `EVALCORE_STATE_DIR` wins."""
    chosen = os.environ.get("EVALCORE_STATE_DIR")
    return Path(chosen) if chosen else platformdirs.user_state_path("evalcore")


def bundles_dir() -> Path:
    """Return the folder in which bundles are unpacked, each in `DIGEST/data/NAME`."""
    return state_dir().absolute() / "bundles"


def cache_dir() -> Path:
    """Return the folder for what can be made again in some time; `EVALCORE_CACHE_DIR` wins."""
    chosen = os.environ.get("EVALCORE_CACHE_DIR")
    return Path(chosen) if chosen else platformdirs.user_cache_path("evalcore")


def config_dir() -> Path:
    """Return the folder of the user's own configuration; `EVALCORE_CONFIG_DIR` wins."""
    chosen = os.environ.get("EVALCORE_CONFIG_DIR")
    return Path(chosen) if chosen else platformdirs.user_config_path("evalcore")
