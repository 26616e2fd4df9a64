"""Blocks of the Compare page."""

from collections.abc import Sequence

from evalcore.views.blocks.base import Block, Labelled, Link, Part
from evalcore.views.blocks.evidence import Person


class CountFilter(Part, frozen=True, kw_only=True):
    """The number of cases that changed in one direction; a click lists them."""

    key: str
    n: int
    label: str
    mark: str
    hint: str
    on: bool


class Narrowed(Part, frozen=True):
    """An active filter; a click removes it."""

    name: str
    text: str


class Counts(Block, frozen=True, tag="counts"):
    """The counts of cases by direction of change."""

    items: Sequence[CountFilter]
    narrowed: Sequence[Narrowed]
    note: str


class ListedCase(Part, frozen=True, kw_only=True):
    """A case of the list: its direction of change, and its value on both sides."""

    id: str
    name: str
    on: bool
    change: str
    word: str
    values: str
    points: str


class CaseList(Block, frozen=True, kw_only=True, tag="list"):
    """One page of the cases; `first` and `last` are messages for a step past either end."""

    label: str
    rows: Sequence[ListedCase]
    page: int
    pages: int
    foot: str
    empty: str
    first: str | None
    last: str | None


class TabButton(Part, frozen=True, kw_only=True):
    """One tab."""

    key: str
    label: str
    on: bool
    off: bool


class Tabs(Block, frozen=True, tag="tabs"):
    """The tabs beside the list."""

    tabs: Sequence[TabButton]


class SideRate(Part, frozen=True, kw_only=True):
    """One side of a strip, in numbers and in words."""

    value: float | None
    low: float | None
    high: float | None
    text: str


class Difference(Part, frozen=True, kw_only=True):
    """The result of a strip: the difference and the word of its verdict."""

    difference: str
    word: str
    mark: str
    dim: bool


class Strip(Part, frozen=True, kw_only=True):
    """A over B on one axis; a click on its name does `act`."""

    id: str
    name: str
    a: SideRate
    b: SideRate
    difference: Difference
    sub: str = ""
    hint: str = ""
    act: dict[str, str] | None = None
    on: bool = False


class Strips(Block, frozen=True, tag="strips"):
    """Strips on one axis."""

    label: str
    axis: Sequence[str]
    rows: Sequence[Strip]
    large: bool = False


class CaseDot(Part, frozen=True):
    """A case in the picture of a verdict: its name and difference in words."""

    id: str
    text: str


class DotColumn(Part, frozen=True, kw_only=True):
    """Cases of about the same difference; `at` is their column, 0 for those that are the same.

    Without `dots` the column is a bar of `share` of the highest.
    """

    at: int
    change: str
    n: int
    text: str
    share: float
    dots: Sequence[CaseDot]


class CaseDots(Block, frozen=True, kw_only=True, tag="dots"):
    """Every case by its difference; `mean` lies on the same axis, `case` is the open one."""

    title: str
    hint: str
    axis: Sequence[str]
    columns: Sequence[DotColumn]
    mean: SideRate
    case: str | None
    small: bool


class Turn(Block, frozen=True, tag="turn"):
    """Which page of criteria is shown."""

    text: str
    page: int
    pages: int


class SuggestionLine(Part, frozen=True, kw_only=True):
    """A suggestion of an analysis, and whether it was applied."""

    word: str
    mark: str
    text: str
    sub: str


class Suggestions(Block, frozen=True, tag="suggestions"):
    """Suggestions below each other."""

    items: Sequence[SuggestionLine]


class RunChip(Part, frozen=True, kw_only=True):
    """One run of a side."""

    run: str | None
    at: int
    label: str
    title: str
    mark: str
    on: bool


class PairSide(Part, frozen=True, kw_only=True):
    """The runs of one side; `none` is the text if there are none."""

    label: str
    runs: Sequence[RunChip]
    none: str
    link: Link | None


class PairAnswer(Part, frozen=True, kw_only=True):
    """One side's judgment of a criterion."""

    mark: str
    score: str
    judge: str = ""
    texts: Sequence[Labelled] = ()
    people: Sequence[Person] = ()


class FlippedRuns(Part, frozen=True, kw_only=True):
    """The numbers of two runs that show a change; a click opens them."""

    text: str
    ra: int
    rb: int


class PairCriterion(Part, frozen=True, kw_only=True):
    """A criterion on both sides; a `folded` one is listed after those that are shown.

    `runs` are two that show its change, where the open ones do not.
    """

    id: str
    title: str
    flipped: bool
    folded: bool
    change: str
    word: str
    reworded: str
    runs: FlippedRuns | None
    a: PairAnswer
    b: PairAnswer


class Pair(Block, frozen=True, kw_only=True, tag="pair"):
    """The open case on both sides."""

    id: str
    name: str
    where: str
    prompt: str
    change: str
    word: str
    values: str
    a: PairSide
    b: PairSide
    criteria: Sequence[PairCriterion]
    source: str
    rest: str
    message: str
    first: str | None
    last: str | None
