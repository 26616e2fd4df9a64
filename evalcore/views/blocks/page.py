"""Sentences, links and tables: the blocks that every page uses."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from evalcore.views.blocks.base import Block, Link, PanelData, Part

FOLD: Final = 12
"""How many rows of a long table show before the rest is folded."""


class Say(Block, frozen=True, tag="say"):
    """A sentence."""

    text: str
    big: bool = False
    quiet: bool = False


class Heading(Block, frozen=True, tag="heading"):
    """A heading with a few words beside it; `mark` colours it."""

    text: str
    hint: str = ""
    mark: str | None = None


def titled(title: str, blocks: Iterable[Block]) -> list[Block]:
    """Return blocks below a heading; without any there is none."""
    shown = list(blocks)
    return [Heading(title), *shown] if shown else []


class Verdict(Block, frozen=True, tag="verdict"):
    """A verdict: what was seen, coloured by its word, then the `rest`.

    `cautions` open in the page below it, `how` lies over it. `go` says where its link leads.
    """

    text: str
    word: str = ""
    how: Sequence[str] = ()
    link: Link | None = None
    small: bool = False
    rest: str = ""
    go: str = "Compare"
    cautions: Sequence[str] = ()


class Chip(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A link with a count; `on` says whether it is chosen, None if it is not a choice."""

    text: str
    link: Link
    n: int | None = None
    mark: str | None = None
    title: str = ""
    on: bool | None = None


class Links(Block, frozen=True, tag="links"):
    """Links in a line; with `counts` a number stands before what it counts: `4 improved`."""

    label: str
    items: Sequence[Chip]
    counts: bool = False


class Filters(Block, frozen=True, tag="filters"):
    """Rows of links behind one word; `on` is how many of them narrow the list."""

    label: str
    rows: Sequence[Links]
    on: int = 0


class Entry(Part, frozen=True):
    """One entry of a list that opens: its text, its place and its link."""

    text: str
    about: str
    link: Link


class Fold(Part, frozen=True, kw_only=True):
    """A count that expands to its entries, of which `more` are not listed; or a link itself."""

    n: int
    what: str
    entries: Sequence[Entry] = ()
    mark: str | None = None
    about: str = ""
    more: int = 0
    link: Link | None = None


class Folds(Block, frozen=True, tag="folds"):
    """Counts below each other."""

    label: str
    items: Sequence[Fold]


class Bar(Part, frozen=True, omit_defaults=True):
    """A value between 0 and 1 and the range it is likely in; None is not known.

    With `fill` it is a bar from 0 instead: `plain`, or `worse` for what failed.
    """

    value: float | None
    low: float | None
    high: float | None
    fill: str = ""


class Step(Part, frozen=True):
    """How often one score was given: `share` of the most frequent one is its height."""

    share: float
    title: str


class Cell(Part, frozen=True, omit_defaults=True):
    """One cell of a table.

    `sub` is shown below the text, `num` aligns it right, `keep` keeps it on one line, `quiet` is
    for missing values, `mark` colours it by meaning, `title` is its tooltip, `name` labels a link
    without text, `id` distinguishes cells of equal text, `clamp` limits it to two lines. `steps`
    is a distribution, drawn above the text.
    """

    text: str
    sub: str = ""
    link: Link | None = None
    num: bool = False
    keep: bool = False
    quiet: bool = False
    clamp: bool = False
    mark: str | None = None
    title: str = ""
    id: str | None = None
    name: str = ""
    bar: Bar | None = None
    steps: Sequence[Step] = ()


class Row(Part, frozen=True):
    """A row of a table; `on` marks the one that is open."""

    cells: Sequence[Cell]
    on: bool = False


class Table(Block, frozen=True, tag="table"):
    """A table; its head is (words, whether the column is numeric).

    Only the first `fold` rows are shown at first; one that scrolls has a fixed height.
    """

    label: str
    head: Sequence[tuple[str, bool]]
    rows: Sequence[Row]
    fold: int = 0
    empty: str = ""
    scroll: bool = False


def heads(*names: str) -> list[tuple[str, bool]]:
    """Return the head of a table: the names of its columns, with a `#` before those of numbers."""
    return [(name.removeprefix("#"), name.startswith("#")) for name in names]


def number_cell(value: float | None, words: Callable[[Any], str], missing: str) -> Cell:
    """Return a cell with a number in words, or with what is said where there is none."""
    return Cell(missing if value is None else words(value), num=True, quiet=value is None)


class Pager(Block, frozen=True, tag="pager"):
    """Which rows are shown, and the way to the previous and next ones."""

    text: str
    previous: Link | None
    next: Link | None


class ProblemGroups(Block, frozen=True, tag="problems"):
    """Problems by severity and code: how many of each there are, and the `items` on this page."""

    groups: Sequence[PanelData]
    empty: str
