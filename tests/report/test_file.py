"""The file of a report: the same bytes each time, nothing fetched, and nothing read is active."""

import re
from base64 import b64decode, b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

import pytest

from evalcore.report.content import Asked, content
from evalcore.report.file import report_file
from evalcore.workspace.opened import open_workspace
from tests.charts.pictured import HOSTILE
from tests.cli.payloads import PAYLOADS as OF_PULL_REQUESTS
from tests.cli.suites import suite
from tests.judging.copies import INVOICES
from tests.report.parsed import DEMO, Page, evidence_of, made

OWN_TAGS: Final = set(
    """
    html meta title style header h1 h2 h3 p main section div details summary ul li table thead tbody
    tr th td small span b figure figcaption picture source img svg rect script
    """.split()  # noqa: SIM905 - a list of a word a line says no more
)
OWN_ATTRIBUTES: Final = set(
    """
    lang charset http-equiv content name class tabindex open media srcset src alt viewbox
    preserveaspectratio aria-hidden width height id type
    """.split()  # noqa: SIM905 - as above
)
PAYLOADS: Final = (
    HOSTILE,
    "</script><script>alert(1)</script><!-- \u2028",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><link rel=stylesheet href=//example.org>",
    "javascript:alert(1)",
    "</title><svg onload=alert(1)>",
    "<iframe srcdoc='<script>parent.ran=1</script>'>",
    "{policy}{style}{0}%s",
    "&#60;script&#62;",
)


def test_the_same_input_gives_the_same_bytes() -> None:
    """Also from another opening of the folder."""
    twice = [
        report_file(content(open_workspace(DEMO, cache=cache), Asked(INVOICES)))
        for cache in (False, True)
    ]
    assert twice[0] == twice[1]


def test_the_policy_lets_nothing_be_fetched_and_only_its_own_style_apply() -> None:
    """It names the hashes of script and style, and nothing unsafe."""
    html = made(open_workspace(DEMO), INVOICES)
    (policy,) = re.findall(r'Security-Policy" content="(.*?)">', html)
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert f"{tag}-src 'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert not re.findall(r"https?:", html)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_what_was_read_is_text(tmp_path: Path, payload: str) -> None:
    """In names of cases, versions, criteria and folders: the page has only our own elements."""
    name = payload.replace("/", "⁄").replace("\x00", "").replace("\ud800", "")
    root = suite(tmp_path, {f"{name} {n}": (n % 4, 3) for n in range(3)}, name=name[:40])
    for file in root.rglob("grading.json"):
        text = file.read_text("utf-8").replace("check", payload.replace("\\", "").replace('"', "'"))
        file.write_text(text.replace("\x00", "").replace("\ud800", ""), "utf-8")
    ws = open_workspace(root, cache=False)
    (found,) = ws.tables.suites["suite"]
    assert_text(made(ws, str(found)))


def test_what_acts_in_a_pull_request_is_text_in_a_report(tmp_path: Path) -> None:
    """Each in the name of a case that changed, so that it stands in the table and the evidence."""
    unwritable = str.maketrans({"/": "⁄", "\x00": "", "\ud800": ""})
    texts = (each[:60].translate(unwritable) for each in OF_PULL_REQUESTS)
    names = (f"{n} {text}" for n, text in enumerate(texts))
    ws = open_workspace(suite(tmp_path, dict.fromkeys(names, (3, 2))), cache=False)
    (found,) = ws.tables.suites["suite"]
    assert_text(made(ws, str(found)))


def assert_text(html: str) -> None:
    """Hold the file against the elements and attributes that it has of its own."""
    page = Page(html)
    assert page.tags.count("script") == 2
    assert evidence_of(html)["runs"]  # it is drawn as text: see the tests in a browser
    assert set(page.tags) <= OWN_TAGS
    assert {attribute for _, attribute, _ in page.attributes} <= OWN_ATTRIBUTES
    for tag, attribute, value in page.attributes:
        if attribute in ("src", "srcset"):
            start, _, data = str(value).partition(",")
            assert (tag, start) in {
                ("img", "data:image/svg+xml;base64"),
                ("source", "data:image/svg+xml;base64"),
            }
            drawn = ET.fromstring(b64decode(data))
            names = {each.tag.rpartition("}")[2] for each in drawn.iter()}
            assert not names & {"script", "foreignObject", "image", "a", "use", "animate"}
