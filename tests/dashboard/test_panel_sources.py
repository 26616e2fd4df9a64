"""The scripts of a panel are one module: a name that two of them give breaks all of it."""

import re
from collections import Counter

import pytest

from evalcore.views.panels.sources import HERE
from tests.dashboard.live import ROOT

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
    """Each function and constant of a panel has a name of its own."""
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
