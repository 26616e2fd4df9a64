"""The dashboard's own settings: what a page must not tell is off for everybody."""

import tomllib

import pytest

from tests.dashboard.live import ROOT

CONFIG = tomllib.loads((ROOT / ".streamlit/config.toml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("section", "option", "value"),
    [
        ("client", "showErrorDetails", "none"),
        ("client", "showErrorLinks", False),
        ("client", "toolbarMode", "minimal"),
        ("server", "fileWatcherType", "none"),
        ("server", "runOnSave", False),
        ("server", "enableStaticServing", False),
        ("browser", "gatherUsageStats", False),
    ],
)
def test_nothing_of_the_server_is_shown(section: str, option: str, value: object) -> None:
    """No traceback, no menu for developers, no files of the folder."""
    assert CONFIG[section][option] == value
