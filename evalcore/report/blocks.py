"""Blocks of the pages as HTML without script: words as text, links as the words that they have."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from evalcore.charts.text import escaped
from evalcore.palette import PALETTE
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.comparison import CaseList, Counts, Strips, Turn
from evalcore.views.blocks.evidence import Facts, Note
from evalcore.views.blocks.page import Bar, Cell, Heading, Links, Say, Table, Verdict
from evalcore.views.words.wording import count

ROWS: Final = 40
"""So many rows of one table are shown."""
SIGNS: Final = {
    "down": PALETTE.worse.sign,
    "regressed": PALETTE.worse.sign,
    "up": PALETTE.better.sign,
    "improved": PALETTE.better.sign,
    "flaky": PALETTE.flaky.sign,
    "pass": "✓",
    "fail": "✗",
}
_INKS: Final = {"▲": "better", "✓": "better", "▼": "worse", "✗": "worse", "≈": "flaky"}


def html(block: Block) -> str:
    """Return a block as HTML.

    Raises:
        KeyError: nothing draws this kind of block in a report.
    """
    return _DRAWERS[type(block)](block)


def _say(block: Say) -> str:
    return f'<p class="say{" big" * block.big}{" quiet" * block.quiet}">{escaped(block.text)}</p>'


def _heading(block: Heading) -> str:
    hint = f' <span class="quiet">{escaped(block.hint)}</span>' if block.hint else ""
    return f"<h3>{_sign(block.mark)}{escaped(block.text)}{hint}</h3>"


def _verdict(block: Verdict) -> str:
    word = next((each for each in ("better", "worse") if block.word.startswith(each)), "tie")
    rest = f"<p>{escaped(block.rest)}</p>" if block.rest else ""
    told = _opened(count(len(block.cautions), "caution"), block.cautions, shown=True)
    how = _opened("How this is known", block.how)
    return (
        f'<div class="verdict {word}"><p class="sentence">{escaped(block.text)}</p>{rest}'
        f"{told}{how}</div>"
    )


def _opened(title: str, lines: Sequence[str], *, shown: bool = False) -> str:
    items = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    opened = " open" if shown else ""
    return f"<details{opened}><summary>{title}</summary><ul>{items}</ul></details>" if items else ""


def _links(block: Links) -> str:
    said = (f"{'' if each.n is None else f'{each.n:,} '}{each.text}" for each in block.items)
    label = f"{block.label}: " if block.label else ""
    return f'<p class="say quiet">{escaped(label + ", ".join(said))}</p>'


def _counts(block: Counts) -> str:
    items = "".join(
        f"<li>{_sign(each['mark'])}<b>{each['n']:,}</b> {escaped(each['label'])}</li>"
        for each in block.items
    )
    note = f'<p class="say quiet">{escaped(block.note)}</p>' if block.note else ""
    return f'<ul class="counts">{items}</ul>{note}'


def _cases(block: CaseList) -> str:
    rows = []
    for each in block.rows:
        name = each["id"] if each["id"] != each["name"] else ""
        sub = f"<small>{escaped(name)}</small>" if name else ""
        cells = f"{_sign(each['change'])}{escaped(each['name'])}{sub}", escaped(each["values"])
        rows.append((*cells, escaped(each["points"]), escaped(each["criterion"])))
    return _table(("case", "", "#difference", "criterion"), rows)


def _strips(block: Strips) -> str:
    def row(each: PanelData) -> tuple[str, ...]:
        sub = f"<small>{escaped(each['sub'])}</small>" if each["sub"] else ""
        told = each["difference"]
        word = f"<small>{escaped(told['word'])}</small>"
        sides = (escaped(each[side]["text"]) for side in "ab")
        return f"{escaped(each['name'])}{sub}", *sides, escaped(told["difference"]) + word

    return _table(("", "#A", "#B", "#difference"), [row(each) for each in block.rows])


def _turn(block: Turn) -> str:
    return f'<p class="say quiet">{escaped(block.text)}</p>'


def _any_table(block: Table) -> str:
    if not block.rows:
        return f'<p class="say quiet">{escaped(block.empty)}</p>' if block.empty else ""
    head = [f"{'#' if number else ''}{escaped(name)}" for name, number in block.head]
    rows = [[_cell(cell) for cell in row.cells] for row in block.rows[:ROWS]]
    left = len(block.rows) - ROWS
    more = f'<p class="say quiet">and {count(left, "further row")}</p>' if left > 0 else ""
    return _table(head, rows) + more


def _cell(cell: Cell) -> str:
    sub = f"<small>{escaped(cell.sub)}</small>" if cell.sub else ""
    mark = _sign(cell.mark) if not cell.text.startswith(SIGNS.get(cell.mark or "", "\0")) else ""
    bar = "" if cell.bar is None else _bar(cell.bar)
    return f"{mark}{escaped(cell.text)}{bar}{sub}"


def _bar(bar: Bar) -> str:
    """Draw a value from 0 to 1; the policy of the file forbids styles, not attributes."""
    if bar.value is None:
        return ""
    wide = f"{100 * min(max(bar.value, 0.0), 1.0):.0f}"
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="{"worse" if bar.fill == "worse" else "plain"}" width="{wide}" height="8"/>'
        "</svg>"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of cells that are HTML; a `#` before its head aligns a column right."""
    numbers = [' class="num"' if name.startswith("#") else "" for name in head]

    def line(tag: str, cells: Iterable[str]) -> str:
        told = zip(cells, numbers, strict=True)
        return f"<tr>{''.join(f'<{tag}{how}>{text}</{tag}>' for text, how in told)}</tr>"

    names = [name.removeprefix("#") for name in head]
    top = f"<thead>{line('th', names)}</thead>" if any(names) else ""
    body = "".join(line("td", cells) for cells in rows)
    return f'<div class="wide" tabindex="0"><table>{top}<tbody>{body}</tbody></table></div>'


def _facts(block: Facts) -> str:
    return _table(("", ""), [(escaped(name), escaped(said)) for name, said, _ in block.facts])


def _note(block: Note) -> str:
    texts = "".join(f"<p>{escaped(f'{each.label} {each.text}')}</p>" for each in block.texts)
    return f"<h3>{_sign(block.mark)}{escaped(block.title)}</h3>{texts}"


def _sign(mark: str | None) -> str:
    sign = SIGNS.get(mark or "", "")
    return f'<span class="{_INKS[sign]}">{sign}</span> ' if sign else ""


_DRAWERS: Final[dict[type[Block], Callable[..., str]]] = {
    Say: _say,
    Heading: _heading,
    Verdict: _verdict,
    Links: _links,
    Counts: _counts,
    CaseList: _cases,
    Strips: _strips,
    Turn: _turn,
    Table: _any_table,
    Facts: _facts,
    Note: _note,
}
