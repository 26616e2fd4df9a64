"""Texts of line charts as a browser draws them: none on another or on a whisker, none outside."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page

from evalcore.charts.figure import NARROWEST, line_figure
from evalcore.charts.png import FONT
from evalcore.charts.svg import svg
from evalcore.views.charts.model import Axis, LineChart, Point, Series
from tests.charts.pictured import captioned

QUARTERS: Final = Axis(0.0, 1.0, tuple((at / 4, f"{25 * at} %") for at in range(5)))
FACES: Final = {
    "DejaVu Sans": "drawn",
    "a CJK face": "'Noto Sans CJK JP', 'Noto Sans CJK SC', 'Source Han Sans', drawn",
}


def drawn(
    labels: list[str], names: tuple[str, ...], value: Callable[[int, int], float]
) -> LineChart:
    """Return a chart with the value of each label and line, and whiskers where they are longest."""

    def point(at: int, line: int) -> Point:
        found = value(at, line)
        low, high = max(found - 0.2, 0.0), min(found + 0.2, 1.0)
        return Point(at, (labels[at], "-"), found, low, high, f"{found * 100:.0f} %", labels[at])

    series = (
        Series(name, tuple(point(at, line) for at in range(len(labels))))
        for line, name in enumerate(names)
    )
    return LineChart("Share of runs passed.", "", tuple(labels), tuple(series), QUARTERS)


def numbered(count: int, form: str = "v{}") -> list[str]:
    """Return as many labels."""
    return [form.format(at) for at in range(count)]


def spread_out(at: int, line: int) -> float:
    """Return values that go up and down, of lines that cross."""
    return (at * 37 + line * 23) % 101 / 100


TWO: Final = ("with_skill", "without_skill")
CHARTS: Final = {
    "one version": drawn(["v0"], TWO, spread_out),
    "two versions": drawn(numbered(2), TWO, spread_out),
    "twelve versions": drawn(numbered(12), ("",), spread_out),
    "twelve versions of two": drawn(numbered(12), TWO, spread_out),
    "forty versions": drawn(numbered(40), TWO, spread_out),
    "0 % and 100 %": drawn(numbered(5), TWO, lambda at, line: float((at + line) % 2)),
    "equal values": drawn(numbered(6), TWO, lambda at, line: 1.0),  # noqa: ARG005
    "seven lines": drawn(numbered(3), tuple("abcdefg"), lambda at, line: 0.0),  # noqa: ARG005
    "long names": drawn(
        numbered(5, "triage-agent-prompt@2.{}.0-rc"),
        ("claude-with-a-very-long-configuration", "W" * 40),
        spread_out,
    ),
    "CJK names": drawn(
        numbered(5, "版本発布候補{}"), ("有技能的配置名称很长很长", "沒有技能"), spread_out
    ),
    "right to left": drawn(
        numbered(5, "גרסה ראשונה {}"), ("مع المهارة الطويلة", "ללא מיומנות"), spread_out
    ),
}
# The boxes of what is seen, as [left, top, right, bottom, words]: of a text the height of its
# letters, whatever room a font keeps above and below them.
BOXES: Final = """(root) => {
  const of = (each) => { const b = each.getBoundingClientRect();
    return [b.left, b.top, b.right, b.bottom, each.textContent]; };
  const texts = [...root.querySelectorAll("text")].filter((each) => each.textContent.trim());
  const lettered = texts.map((each) => { const [l, t, r, b, words] = of(each);
    const size = parseFloat(getComputedStyle(each).fontSize), middle = (t + b) / 2;
    const value = each.matches(".v, .annotation-text");
    return [l, middle - size / 2, r, middle + size / 2, words, value];
  });
  const svg = root.matches("svg") ? root : root.querySelector("svg");
  const at = svg.getBoundingClientRect();
  const lines = [...root.querySelectorAll("path[opacity='.6']")].flatMap((each) =>
    [...each.getAttribute("d").matchAll(/M([\\d.]+) ([\\d.]+)V([\\d.]+)/g)].map(([, x, b, t]) =>
      [at.left + +x, at.top + +t, at.left + +x, at.top + +b, "whisker"]));
  const marks = [...root.querySelectorAll("circle, path.point, path.yerror")].map(of);
  return { texts: lettered, marks: [...marks, ...lines], whole: of(svg) };
}"""


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Iterator[Page]:
    """Open a page that holds the fonts and what draws figures."""
    page = chromium.new_page(viewport={"width": 1100, "height": 600})
    page.set_content("<body></body>")
    page.evaluate(
        """async (data) => { const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
        document.fonts.add(await new FontFace("drawn", bytes.buffer).load()); }""",
        b64encode(FONT.read_bytes()).decode(),
    )
    page.add_script_tag(content=(files("plotly") / "package_data/plotly.min.js").read_text())
    yield page
    page.context.close()


def faults(boxes: dict[str, Any]) -> list[str]:
    """Return in words which texts lie on something, or outside."""

    def meet(one: list[float], other: list[float]) -> bool:
        across = min(one[2], other[2]) - max(one[0], other[0])
        return across > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5

    left, top, right, bottom, _ = boxes["whole"]
    texts, found = boxes["texts"], []
    for at, text in enumerate(texts):
        words = text[4]
        if text[0] < left or text[1] < top or text[2] > right or text[3] > bottom:
            found.append(f"{words!r} is outside")
        found += [f"{words!r} is on {other[4]!r}" for other in texts[:at] if meet(text, other)]
        # A whisker is as wide as its line: half a pixel of a text on it would be seen.
        marks = [[m[0] - 0.5, m[1], m[2] + 0.5, m[3]] for m in boxes["marks"]] if text[5] else []
        found += [f"{words!r} is on a mark" for mark in marks if meet(text, mark)]
    return found


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("name", CHARTS)
def test_every_text_of_a_chart_stands_free(page: Page, name: str, face: str) -> None:
    """In the page on a phone and on a desk, and in the picture that leaves it."""
    chart = CHARTS[name]
    page.evaluate("document.body.replaceChildren()")
    page.add_style_tag(
        content=f"body {{ margin: 20px }} * {{ font-family: {FACES[face]}, sans-serif !important }}"
    )
    for width in (NARROWEST, 1000):
        boxes = page.evaluate(
            f"""async ([made, width]) => {{ const root = document.createElement("div");
            root.style.width = `${{width}}px`; document.body.replaceChildren(root);
            await Plotly.newPlot(root, made.data, made.layout, {{ displayModeBar: false }});
            return ({BOXES})(root); }}""",
            [line_figure(chart, "light").to_plotly_json() | {"frames": []}, width],
        )
        assert len(boxes["marks"]) >= 2 * len(chart.labels)
        assert not faults(boxes)
    page.evaluate("(svg) => { document.body.innerHTML = svg }", svg(captioned(chart)))
    boxes = page.locator("svg").evaluate(BOXES)
    assert len(boxes["marks"]) >= 2 * len(chart.labels)
    assert not faults(boxes)
