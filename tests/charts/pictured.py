"""Pictures that tests draw."""

from evalcore.views.charts.model import (
    Axis,
    Bar,
    BarRow,
    Bars,
    Caption,
    Chart,
    HeatCell,
    HeatMap,
    HeatRow,
    LineChart,
    Picture,
    Point,
    Series,
)

SHARES = Axis(0.0, 1.0, ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")))
HOSTILE = (
    '<script>alert(1)</script><img src="https://example.org/x" onerror="alert(1)">'
    "\u202e =HYPERLINK() \x00\ud800 ]]> &lt; --> | `code` @somebody"
)


def captioned(chart: Chart, text: str = "Pass rate of a") -> Picture:
    """Return a picture of a chart."""
    facts = ("12 cases, 74 runs.", "Ranges are 95 % intervals over cases.")
    return Picture(Caption(text, facts, "folder · a", "newest run 23 Mar 2026", "a"), chart)


def line_chart(
    versions: int = 3, names: tuple[str, ...] = ("",), word: str = "v", broken: int | None = None
) -> LineChart:
    """Return a chart of so many versions, a line a name; at `broken` the lines have a gap."""

    def point(at: int, index: int) -> Point:
        value = ((at * 7 + index * 3) % 11) / 10 if versions > 1 else 0.5
        low, high = max(value - 0.2, 0.0), min(value + 0.1, 1.0)
        hover = f"{word}{at}: {value:.0%} over 12 cases, 24 runs, likely between 1 and 35 %"
        why = "No case was run on both sides." if at == broken else ""
        return Point(at, (f"{word}{at}", "-"), value, low, high, f"{value:.0%}", hover, why)

    series = tuple(
        Series(name, tuple(point(at, index) for at in range(versions)))
        for index, name in enumerate(names)
    )
    labels = tuple(f"{word}{at}" for at in range(versions))
    gaps = "Gap before v1: no case was run on both sides." if broken else ""
    return LineChart("Pass rate of each version.", gaps, labels, series, SHARES)


def heat_map(rows: int = 3, columns: int = 4, name: str = "criterion") -> HeatMap:
    """Return a map whose last cell of each row is missing."""

    def cell(row: int, column: int) -> HeatCell | None:
        value = (row + column) % 5 / 4
        text = f"{value:.0%}"
        return None if column == columns - 1 else HeatCell(value, text, f"{name} {text} of 3 cases")

    of = tuple(
        HeatRow(
            f"{name} {row}", "what it asks", tuple(cell(row, at) for at in range(columns)), "+5"
        )
        for row in range(rows)
    )
    return HeatMap(
        "Weakest first.", tuple(f"v{at}" for at in range(columns)), of, ("0", "1"), "change"
    )


def bars(rows: int = 2, sides: tuple[str, ...] = ("A", "B"), name: str = "criterion") -> Bars:
    """Return rows of bars, the last one without values."""

    def row(at: int) -> BarRow:
        if at == rows - 1:
            return BarRow(f"{name} {at}", "", (None,) * max(len(sides), 1), "not judged")
        found = tuple(
            Bar(0.25 + 0.5 * side, 0.1, 0.9, f"{side} %") for side in range(max(len(sides), 1))
        )
        return BarRow(f"{name} {at}", "about", found)

    return Bars("A over B.", sides, tuple(map(row, range(rows))), SHARES)
