"""Records of `reviews` folders above an opened folder, which is a part of their suite.

Only files that are named like a record are read, never through a link, and nothing is written
there. Their paths begin with `../`.
"""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.above import folders_above, way_up
from evalcore.disk.creating import MAX_BYTES
from evalcore.disk.handles import content, folder, listed, regular
from evalcore.disk.parsing import MISSING, Json, parse
from evalcore.families.base import REVIEWS
from evalcore.families.reviews.matching import Place
from evalcore.families.reviews.review import TYPES, review_path

_UP: Final = "../"
_ENDING: Final = ".json"


class FolderAbove(NamedTuple):
    """A folder above the opened one that may hold `reviews`, and where that lies."""

    root: Path
    at: Place

    @property
    def way(self) -> str:
        """The path of its `reviews` as the opened folder sees it."""
        return f"{way_up(self.at.part)}/{REVIEWS}"


def above(root: Path) -> list[FolderAbove]:
    """Return the folders above an opened one within its repository, the nearest first."""
    return [FolderAbove(path, Place("", part)) for path, part in folders_above(root)]


def is_above(path: str) -> bool:
    """Return whether a path leads out of the opened folder, to a record above it."""
    return path.startswith(_UP)


def watched(each: FolderAbove) -> list[str]:
    """Return the paths whose sizes and times tell whether a record came or went."""
    return [each.way, *(f"{each.way}/{kind}" for kind in TYPES)]


def files_in(each: FolderAbove) -> Iterator[tuple[str, Json]]:
    """Yield path and value of the files in a `reviews` folder above; MISSING if unreadable."""
    for kind in TYPES:
        with suppress(OSError), folder(each.root, [REVIEWS, kind]) as handle:
            for name in sorted(listed(handle)):
                if name.endswith(_ENDING):
                    yield f"{each.way}/{kind}/{name}", _value(handle, name)


def read_above(root: Path, path: str) -> bytes:
    """Return the bytes of a record above the opened folder.

    Raises:
        OSError: it cannot be read, or is no such record.
    """
    place = review_path(path)
    for each in above(root):
        if (
            place is not None
            and place.type in TYPES
            and path.startswith(f"{each.way}/{place.type}/")
        ):
            names = [REVIEWS, place.type]
            with folder(each.root, names) as handle, regular(handle, f"{place.name}.json") as file:
                return content(file, MAX_BYTES)
    raise FileNotFoundError(path)


def _value(handle: int, name: str) -> Json:
    try:
        with regular(handle, name) as file:
            return parse(content(file, MAX_BYTES))
    except OSError:
        return MISSING
