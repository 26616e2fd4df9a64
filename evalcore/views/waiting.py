"""Something that waits for a person: how many there are, what they are, and where."""

from typing import NamedTuple

from evalcore.views.doors import Block


class Entry(NamedTuple):
    """One thing that waits: its words, where it stands, and the door to it."""

    text: str
    about: str
    door: Block


class Wait(NamedTuple):
    """What waits in one way: how many there are, what they are, and the first places of them.

    `places` is how many places there are; fewer than `n` where several wait in one. With a `door`
    all of them wait behind it, and none is listed.
    """

    n: int
    what: str
    entries: tuple[Entry, ...]
    places: int
    door: Block | None = None
