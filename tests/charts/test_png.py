"""PNG pictures have their labels on any machine."""

import io
from importlib import util

import pytest
from PIL import Image, ImageFont

from evalcore.charts import png as drawer
from evalcore.charts.png import FONT, png
from evalcore.charts.text import width
from evalcore.errors import PicturesMissing
from evalcore.palette import PALETTE
from evalcore.views.charts.model import Chart
from tests.charts.pictured import bars, captioned, heat_map, line_chart

pytest.importorskip("resvg_py", reason="the extra `pictures` is not installed")


def ink(data: bytes) -> int:
    """Return how many pixels are not of the ground."""
    with Image.open(io.BytesIO(data)) as image:
        grey = image.convert("L")
        ground = grey.getpixel((0, 0))
        return sum(count for value, count in enumerate(grey.histogram()) if value != ground)


@pytest.mark.parametrize("chart", [line_chart(), heat_map(), bars()])
def test_labels_are_drawn_where_the_system_has_no_font(chart: Chart) -> None:
    """Our own font is used; without any, resvg draws shapes alone and says nothing."""
    import resvg_py  # noqa: PLC0415 - an extra

    from evalcore.charts.svg import svg  # noqa: PLC0415 - beside its use

    picture = captioned(chart)
    bare = bytes(resvg_py.svg_to_bytes(svg_string=svg(picture), zoom=2, skip_system_fonts=True))
    labelled = png(picture, system_fonts=False)
    assert ink(labelled) > ink(bare) + 5_000


def test_signs_of_ours_are_in_the_font() -> None:
    """Each sign of the palette leaves ink of its own, not that of a missing glyph."""
    signs = {role.sign for role in PALETTE.foregrounds().values() if role.sign} | set("✓✗…−≥")
    inks = {}
    for sign in (*signs, "\uf8ff"):
        chart = line_chart()._replace(sentence=sign * 40)
        inks[sign] = png(captioned(chart), system_fonts=False)
    missing = inks.pop("\uf8ff")
    assert len(set(inks.values())) == len(signs)
    assert missing not in inks.values()


@pytest.mark.parametrize("text", ["without_skill", "WWW@%", "100 %", "triage@2.1.0-rc", "illicit"])
def test_a_text_is_measured_at_least_as_wide_as_it_is(text: str) -> None:
    """And not by half more: its room is then empty."""
    drawn = ImageFont.truetype(str(FONT), 1200).getlength(text) / 100
    assert drawn <= width(text, 12) <= 1.5 * drawn


def test_nothing_is_drawn_at_the_edge() -> None:
    """Also where labels and names are longer than their room."""
    chart = line_chart(5, ("W" * 40, "i" * 90), word="triage-agent-prompt@2.")
    with Image.open(io.BytesIO(png(captioned(chart), system_fonts=False))) as image:
        grey = image.convert("L")
        for x in (*range(24), *range(grey.width - 24, grey.width)):
            darkest, palest = grey.crop((x, 0, x + 1, grey.height)).getextrema()
            assert darkest == palest


def test_it_is_twice_the_size_on_the_ground_of_its_mode() -> None:
    """Sharp on usual screens; dark where asked."""
    with Image.open(io.BytesIO(png(captioned(line_chart()), "dark"))) as image:
        assert image.width == 2 * 720
        pixel = image.convert("RGB").getpixel((0, 0))
    assert "#{:02X}{:02X}{:02X}".format(*pixel) == PALETTE.ground.dark  # type: ignore[misc]


def test_without_the_extra_the_next_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence with what to install; SVG needs nothing."""
    monkeypatch.setattr(
        drawer, "find_spec", lambda name: None if name == "resvg_py" else util.find_spec(name)
    )
    with pytest.raises(PicturesMissing, match=r"pip install \"evalcore-workspace\[pictures\]\""):
        png(captioned(line_chart()))


def test_the_font_is_small_and_has_its_licence() -> None:
    """Who installs evalcore gets both."""
    assert FONT.stat().st_size < 40_000
    assert "Bitstream Vera" in FONT.with_name("LICENSE.txt").read_text()
