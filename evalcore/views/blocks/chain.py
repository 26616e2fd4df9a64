"""Blocks of chains: what a record came from and what it led to."""

from collections.abc import Sequence

from evalcore.views.blocks.base import Block, Link, Part


class ChainRecord(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A record, or several counted in its text; one that is not here is `missing`."""

    kind: str
    text: str
    sub: str = ""
    link: Link | None = None
    missing: bool = False


class ChainLink(Part, frozen=True, kw_only=True):
    """Records at the other end of a relation.

    `onward` says whether the relation reads from the earlier to the later record; `sentence` says
    it whole, for those who do not see the arrow. `further` is one step further away.
    """

    relation: str
    onward: bool
    sentence: str
    records: Sequence[ChainRecord]
    further: Sequence["ChainLink"] = ()


class Chain(Block, frozen=True, kw_only=True, tag="chain"):
    """A record between what it came from and what it led to."""

    label: str
    record: ChainRecord
    came_from: Sequence[ChainLink]
    led_to: Sequence[ChainLink]
    none_before: str
    none_after: str
