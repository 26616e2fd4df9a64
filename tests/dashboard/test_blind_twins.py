"""Two workspaces that differ only by the side of the versions tell a blind judge the same."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chance import Twin, differences
from tests.dashboard.planted.sitecustomize import digest
from tests.dashboard.planting import seen
from tests.dashboard.twins import CASES, TELLING, Recordings, entry, recorded

STUDIES = ("01a20cbe-cb9a-7265-a956-2fad9e96e995",)
CHANNELS = (
    "frame", "address", "header", "console", "title", "document", "accessible", "storage",
    "history", "media", "download",
)  # fmt: skip
CHANCE = "2 frame, by values that look like chance"


@pytest.fixture(scope="module")
def twins(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Recordings:
    """Judge a study of five pairs twice on each twin."""
    return recorded(chromium, tmp_path_factory.mktemp("twins"), STUDIES)


def test_what_is_told_is_the_same_whichever_version_stands_left(twins: Recordings) -> None:
    """Every frame, address, header, document, name and entry of the storage."""
    assert differences(twins.one, twins.other) == []


def test_nothing_tells_versions_runs_models_times_or_judges(twins: Recordings) -> None:
    """In no channel, before the last verdict."""
    for told in twins.every:
        assert told.found(TELLING) == []
        assert not {"media", "download"} & told.channels.keys()


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_leak_in_any_channel_is_found(twins: Recordings, channel: str) -> None:
    """One entry more, which names a version or only differs."""
    here = Twin(*({channel: told.get(channel, ())} for told in twins.one))
    leaking = Twin(*({channel: [*told.get(channel, ()), entry(channel)]} for told in twins.other))
    assert any(word in entry(channel) for word in TELLING)
    assert differences(here, leaking)


def test_leaks_in_the_product_that_look_like_chance_are_seen(
    chromium: Browser, tmp_path: Path
) -> None:
    """A digest, a long number and a long word: each differs between twins, not between repeats.

    No pair has two of them, so that none is seen by the light of another.
    """
    told = "\n".join(seen(chromium, tmp_path, CHANCE))
    digests = {
        digest(f"letters::{case}@iteration-{version}/with_skill#1")
        for case in range(CASES)
        for version in (1, 2)
    }
    assert any(each in told for each in digests)
    assert re.search(r"\b100000000[01]\b", told)
    assert re.search(r"\b(r{40}|s{40})\b", told)


@pytest.mark.parametrize("plant", ["2 frame", "5 order by version"])
def test_a_leak_in_the_product_is_seen(chromium: Browser, tmp_path: Path, plant: str) -> None:
    """A word in a frame, and sides that follow the version; `make reliability` plants the rest."""
    assert seen(chromium, tmp_path, plant)
