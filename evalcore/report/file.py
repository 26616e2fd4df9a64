"""A report as a file: one HTML page that fetches nothing, and runs only its own script."""

from base64 import b64encode
from html import escape
from pathlib import Path
from typing import Final

from evalcore.charts.svg import svg
from evalcore.charts.text import escaped, plain
from evalcore.palette import Mode, css_variables
from evalcore.report.blocks import html
from evalcore.report.content import Content, Part, Section
from evalcore.views.charts.model import Picture
from evalcore.views.panels.sources import lean, own_only
from evalcore.views.words.wording import count

_HERE: Final = Path(__file__).parent
OUTPUTS: Final = {
    False: "What the runs wrote is not in this file.",
    True: "What the runs wrote and did is in this file, of long texts the beginning.",
}
_PAGE: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
<header><h1>{title}</h1><p class="quiet">{source}</p></header>
<main>
{sections}
<section id="evidence"><h2>Evidence</h2>
<p class="quiet">{about}</p>
<div id="runs">The evidence is packed and needs JavaScript; everything above does not.</div>
</section>
</main>
<script type="application/octet-stream" id="packed">{evidence}</script>
<script>{script}</script>
</html>
"""


def report_file(found: Content) -> bytes:
    """Return the file of a report; the same content gives the same bytes."""
    style = f":root{{{css_variables()}}}{lean(_HERE / 'report.css')}"
    script = f"'use strict';\n{lean(_HERE / 'report.js')}"
    page = _PAGE.format(
        policy=own_only(script, style),
        style=style,
        script=script,
        about=f"{count(found.runs, 'run')}, the cases that changed first. {OUTPUTS[found.outputs]}",
        evidence=found.evidence,
        title=escaped(found.title),
        source=escaped(found.source),
        sections="\n".join(map(_section, found.sections)),
    )
    return page.encode()


def _section(section: Section) -> str:
    title = f"<h2>{escaped(section.title)}</h2>" if section.title else ""
    return f"<section>{title}{''.join(map(_part, section.parts))}</section>"


def _part(part: Part) -> str:
    return _picture(part) if isinstance(part, Picture) else html(part)


def _picture(picture: Picture) -> str:
    """Return a chart on both grounds: as images, so that no text in them is part of the page.

    Its sentence and facts stand around it, where they are wrapped and read aloud.
    """
    caption, chart = picture.caption, picture.chart
    bare = Picture(caption._replace(facts=()), chart._replace(sentence=""))

    def data(mode: Mode) -> str:
        return f"data:image/svg+xml;base64,{b64encode(svg(bare, mode).encode()).decode()}"

    said = escape(plain(f"{caption.title}. {chart.sentence}"), quote=True)
    above = f"<p>{escaped(chart.sentence)}</p>" if chart.sentence else ""
    return (
        f'<figure>{above}<div class="wide" tabindex="0"><picture>'
        f'<source media="screen and (prefers-color-scheme: dark)" srcset="{data("dark")}">'
        f'<img src="{data("light")}" alt="{said}"></picture></div>'
        f'<figcaption class="quiet">{escaped(" ".join(caption.facts))}</figcaption></figure>'
    )
