"""Two workspaces that differ only by the side of the versions tell a blind judge the same."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.chance import Twin, differences
from tests.dashboard.planted.sitecustomize import digest
from tests.dashboard.planting import planted, seen
from tests.dashboard.twins import CASES, TELLING, Recordings, entry, recorded, recorded_once

STUDIES = ("01a20cbe-cb9a-7265-a956-2fad9e96e995",)
CHANNELS = (
    "frame", "address", "header", "console", "title", "document", "accessible", "storage",
    "history", "media", "download",
)  # fmt: skip
NAMED_OR_CHANCE = "2 frame, by a name and by what looks like chance"


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


def test_words_in_a_frame_and_what_looks_like_chance_are_seen(
    chromium: Browser, tmp_path: Path
) -> None:
    """The name of a run, a digest, a long number and a long word: all that differ between twins.

    No pair has two of them, so that none is seen by the light of another.
    """
    found = seen(chromium, tmp_path, NAMED_OR_CHANCE)
    told = "\n".join(found)
    digests = {
        digest(f"letters::{case}@iteration-{version}/with_skill#1")
        for case in range(CASES)
        for version in (1, 2)
    }
    assert "frame: iteration-" in found
    assert any(each in told for each in digests)
    assert re.search(r"\b100000000[01]\b", told)
    assert re.search(r"\b(r{40}|s{40})\b", told)


def test_sides_that_follow_the_version_are_seen(
    chromium: Browser, tmp_path: Path, twins: Recordings
) -> None:
    """Beside recordings without the leak; `make reliability` plants the rest."""
    with planted("5 order by version"):
        one, other = recorded_once(chromium, tmp_path, STUDIES, 2)
    assert differences(Twin(twins.one.once, one.told()), Twin(twins.other.once, other.told()))
