"""Two workspaces that differ only by the side of the versions tell a blind judge the same."""

from collections.abc import Iterator
from contextlib import ExitStack
from copy import deepcopy
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.dashboard.live import Served
from tests.dashboard.planting import seen
from tests.dashboard.twins import TELLING, Recording, differences, entry, judged_whole

STUDIES = ("01a20cbe-cb9a-7265-a956-2fad9e96e995", "01a20cbe-cb9a-7265-a956-2fad9e96e996")
CHANNELS = (
    "frame", "address", "header", "console", "title", "document", "accessible", "storage",
    "history", "media", "download",
)  # fmt: skip


@pytest.fixture(scope="module")
def twins(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[tuple[Recording, Served]]]:
    """Judge two studies of five pairs on both twins."""
    with ExitStack() as running:
        yield [
            running.enter_context(
                judged_whole(chromium, tmp_path_factory.mktemp("twin"), STUDIES, swapped=swapped)
            )
            for swapped in (False, True)
        ]


def test_what_is_told_is_the_same_whichever_version_stands_left(
    twins: list[tuple[Recording, Served]],
) -> None:
    """Ten comparisons: every frame, address, header, document, name and entry of the storage."""
    (one, at_one), (other, at_other) = twins
    assert differences(one.alike(at_one), other.alike(at_other)) == []


def test_nothing_tells_versions_runs_models_times_or_judges(
    twins: list[tuple[Recording, Served]],
) -> None:
    """In no channel, before the last verdict."""
    for told, _ in twins:
        assert told.found(TELLING) == []
        assert not {"media", "download"} & told.channels.keys()


@pytest.mark.parametrize("channel", CHANNELS)
def test_a_leak_in_any_channel_is_found(
    twins: list[tuple[Recording, Served]], channel: str
) -> None:
    """One entry more, which names a version or only differs."""
    (one, at_one), (other, at_other) = twins
    leaking = deepcopy(other)
    leaking.note(channel, entry(channel))
    assert leaking.found(TELLING)
    assert differences(one.alike(at_one), leaking.alike(at_other))


def test_an_id_that_holds_the_digits_of_a_port_is_an_id() -> None:
    """The address of a server is no difference, and neither is an id by chance."""
    one, other = Recording(), Recording()
    one.note("frame", "http://127.0.0.1:35591/ $$ID-0f3a9b27c4d835591e-blind")
    other.note("frame", "http://127.0.0.1:41200/ $$ID-0f3a9b27c4d835591e-blind")
    at_one, at_other = Served(35591, "w", "t"), Served(41200, "w", "t")
    assert differences(one.alike(at_one), other.alike(at_other)) == []


@pytest.mark.parametrize("plant", ["2 frame", "5 order by version"])
def test_a_leak_in_the_product_is_seen(chromium: Browser, tmp_path: Path, plant: str) -> None:
    """A word in a frame, and sides that follow the version; `make reliability` plants the rest."""
    assert seen(chromium, tmp_path, plant)
