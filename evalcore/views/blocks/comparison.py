"""Blocks of the Compare page; their parts are plain values, made where their words are."""

from collections.abc import Sequence

from evalcore.views.blocks.base import Block, PanelData


class Counts(Block, frozen=True, tag="counts"):
    """The counts of cases by direction of change; a click on one lists its cases.

    `narrowed` are the active filters, each with its name; a click removes it.
    """

    items: Sequence[PanelData]
    narrowed: Sequence[PanelData]
    note: str


class CaseList(Block, frozen=True, kw_only=True, tag="list"):
    """One page of the cases; `first` and `last` are messages for a step past either end."""

    label: str
    rows: Sequence[PanelData]
    page: int
    pages: int
    foot: str
    empty: str
    first: str | None
    last: str | None


class Tabs(Block, frozen=True, tag="tabs"):
    """The tabs beside the list; one that is `off` cannot be opened."""

    tabs: Sequence[PanelData]


class Strips(Block, frozen=True, tag="strips"):
    """Strips on one axis, each with A over B and their difference; a click on a name does `act`."""

    label: str
    axis: Sequence[str]
    rows: Sequence[PanelData]
    large: bool = False


class CaseDots(Block, frozen=True, kw_only=True, tag="dots"):
    """Every case by its difference; `mean` lies on the same axis, `case` is the open one.

    A column without `dots` is a bar of `share` of the highest. The one `at` 0 holds the cases that
    are the same.
    """

    title: str
    hint: str
    axis: Sequence[str]
    columns: Sequence[PanelData]
    mean: PanelData
    case: str | None
    small: bool


class Turn(Block, frozen=True, tag="turn"):
    """Which page of criteria is shown."""

    text: str
    page: int
    pages: int


class Suggestions(Block, frozen=True, tag="suggestions"):
    """Suggestions of analyses below each other, and whether each was applied."""

    items: Sequence[PanelData]


class StepRows(Block, frozen=True, kw_only=True, tag="stepRows"):
    """The steps of one run beside those of another, alike ones in one row.

    A row is two cells (one None where only one side has it), or how many alike rows are left out.
    `part` is the number of the first row in which the runs do otherwise, on this page; `turn` is
    the page, and `to` the page on which they part, if that is another one.
    """

    said: str
    a: PanelData
    b: PanelData
    rows: Sequence[PanelData]
    part: int | None
    to: int | None
    text: str
    page: int
    pages: int
    notes: Sequence[str] = ()


class Pair(Block, frozen=True, kw_only=True, tag="pair"):
    """The open case on both sides: the runs of each, and its criteria.

    A `folded` criterion is listed after those that are shown. Its `runs` are the numbers of two
    that show its change, where the open ones do not; a click opens them.
    """

    id: str
    name: str
    where: str
    prompt: str
    change: str
    word: str
    values: str
    a: PanelData
    b: PanelData
    criteria: Sequence[PanelData]
    source: str
    rest: str
    message: str
    first: str | None
    last: str | None
