"""When this machine showed the scores of a suite to a person, kept in the state folder."""

import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from evalcore.disk.private import load_private, read_private, save_private
from evalcore.disk.values import parse_time
from evalcore.errors import CannotWrite
from evalcore.folders import state_dir
from evalcore.judging.storing.stored_reviews import ReviewFolder

AHEAD: Final = timedelta(minutes=1)
"""The end of a period is stored so far ahead, so that a page in use writes once a minute."""
MAX_PERIODS: Final = 1_000
MAX_CACHED: Final = 256
_MAX_BYTES: Final = 1024 * 1024


class Period(NamedTuple):
    """A time from `first` to `last`, both included."""

    first: datetime
    last: datetime


Periods = tuple[Period, ...]

_known: OrderedDict[Path, Periods] = OrderedDict()
_lock = Lock()


def note_shown(reviews: ReviewFolder, viewer: str, now: datetime | None = None) -> None:
    """Note that the scores of a suite are shown to a viewer: a judge's id, or a browser's.

    It is remembered across restarts where the state folder can be written, else until this
    process ends.
    """
    now, path = now or datetime.now(UTC), _file(reviews, viewer)
    with _lock:
        before = _periods(path)
        if before and before[-1].first <= now <= before[-1].last:
            return
        found = joined((*before, Period(now, now + AHEAD)))
        with suppress(CannotWrite, OSError):  # what cannot be read is not replaced
            # Another process may have written since.
            found = joined((*found, *_stored(path, read_private)))
            save_private(path, [[each.isoformat() for each in period] for period in found])
        _remember(path, found)


def shown_to(reviews: ReviewFolder, viewer: str) -> Periods:
    """Return when the scores of a suite were shown to a viewer, the earliest first."""
    with _lock:
        return _periods(_file(reviews, viewer))


def joined(periods: tuple[Period, ...]) -> Periods:
    """Return periods in order, those that touch or overlap joined to one.

    Of too many, the two with the shortest gap are joined: no time that was in one is lost.
    """
    found: list[Period] = []
    for period in sorted(periods):
        if found and period.first <= found[-1].last + AHEAD:
            found[-1] = Period(found[-1].first, max(found[-1].last, period.last))
        else:
            found.append(period)
    while len(found) > MAX_PERIODS:
        at = min(range(1, len(found)), key=lambda at: found[at].first - found[at - 1].last)
        found[at - 1 : at + 1] = [Period(found[at - 1].first, found[at].last)]
    return tuple(found)


def _periods(path: Path) -> Periods:
    found = _known.get(path)
    if found is None:
        found = joined(_stored(path))
        _remember(path, found)
    return found


def _remember(path: Path, found: Periods) -> None:
    _known[path] = found
    _known.move_to_end(path)
    if len(_known) > MAX_CACHED:
        _known.popitem(last=False)


def _stored(path: Path, load: Callable[[Path, int], Any] = load_private) -> Periods:
    value = load(path, _MAX_BYTES)
    pairs = value if isinstance(value, list) else []
    times = (
        (parse_time(pair[0]), parse_time(pair[1]))
        for pair in pairs
        if isinstance(pair, list) and len(pair) == 2
    )
    return tuple(Period(first, last) for first, last in times if first and last and first <= last)


def _file(reviews: ReviewFolder, viewer: str) -> Path:
    place = os.path.realpath(reviews.root / reviews.path)
    name = hashlib.sha256(f"{viewer}\0{place}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return state_dir() / "shown" / f"{name}.json"
