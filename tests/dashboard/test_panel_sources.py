"""The scripts of a panel are one module, which a browser fetches once."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.views.panels.served import serve
from evalcore.views.panels.sources import HERE
from pages.parts.access.answers import panel
from tests.dashboard.live import PAGES, ROOT

NAMED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
PANELS = (
    ("grid",),
    ("command", "links", "head"),
    ("diff",),
    ("judge", "judge_read", "judge_form", "judge_ask"),
    ("blind",),
    ("command", "links", "share"),
    (
        "command",
        "links",
        "blocks",
        "heat_blocks",
        "evidence_blocks",
        "chain_blocks",
        "comparison_blocks",
        "single_score",
    ),
)


@pytest.mark.parametrize("scripts", PANELS, ids=lambda scripts: scripts[-1])
def test_no_name_is_given_twice(scripts: tuple[str, ...]) -> None:
    """Each function and constant of a panel has a name of its own: one given twice breaks all."""
    names = NAMED.findall("\n".join(_source(name) for name in ("common", *scripts)))
    assert len(names) > len(scripts)
    assert [name for name, times in Counter(names).items() if times > 1] == []


def _source(name: str) -> str:
    folders = (HERE, ROOT / "pages/parts/panels")
    return next(
        (each / f"{name}.js").read_text("utf-8")
        for each in folders
        if (each / f"{name}.js").is_file()
    )


def test_the_address_of_a_script_names_its_content() -> None:
    """A browser may keep it for ever: another version has another address."""
    loaders = [serve("made-up", code, ":host{}") for code in ("a", "a", "b")]
    assert loaders[0] == loaders[1] != loaders[2]
    address = loaders[0].split('"')[1]
    answer, missing = panel(address), panel(address.replace("made-up", "other"))
    assert b":host{}" in answer.body
    assert "immutable" in answer.headers["Cache-Control"]
    assert (missing.status_code, missing.headers["Cache-Control"]) == (404, "no-store")


@pytest.mark.parametrize("page", PAGES)
def test_a_message_carries_neither_script_nor_style(
    run: Callable[..., AppTest], small_workspace: Path, page: str
) -> None:
    """A click sent some 30 KB of them again, each time."""
    app = run(page, small_workspace)
    panels = app.get("bidi_component")
    assert not app.get("html")
    assert all(len(each.proto.js_content) < 500 and not each.proto.css_content for each in panels)
