"""Reads a report back as a browser would, by an HTML parser that knows nothing of evalcore."""

import gzip
import json
import re
from base64 import b64decode
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from evalcore.charts.text import plain
from evalcore.report.content import Asked, content
from evalcore.report.file import report_file
from evalcore.workspace.opened import Workspace, open_workspace

DEMO = Path(__file__).parents[2] / "evalcore/demo/workspace"
SUITES = tuple(str(name) for name in open_workspace(DEMO).tables.suites["suite"])


class Page(HTMLParser):
    """The texts, elements and attributes of a file."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str | None]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and its attributes."""
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        """Note a text."""
        self.texts.append(data)

    @property
    def said(self) -> str:
        """All that is read, on one line."""
        return plain(" ".join(self.texts))


def evidence_of(html: str) -> dict[str, Any]:
    """Return the evidence that is packed in a report."""
    (data,) = re.findall(r'id="packed">(.*?)</script>', html)
    found: dict[str, Any] = json.loads(gzip.decompress(b64decode(data)))
    return found


def made(ws: Workspace, suite: str, **asked: object) -> str:
    """Return the report of a suite."""
    return report_file(content(ws, Asked(suite, **asked))).decode()  # type: ignore[arg-type]
