"""Every kind of block has a drawer in JavaScript, and every drawer has its kind."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from evalcore.views.blocks import chain, comparison, evidence, heat, page
from evalcore.views.blocks.base import Block
from evalcore.views.panels.sources import HERE as SHARED

PANELS = Path(__file__).parents[3] / "pages" / "parts" / "panels"
SCRIPTS_OF_PANELS = sorted([*PANELS.glob("*.js"), *SHARED.glob("*.js")])
SCRIPTS = {
    "blocks": page,
    "chain_blocks": chain,
    "evidence_blocks": evidence,
    "comparison_blocks": comparison,
    "heat_blocks": heat,
}
FURTHER = {"comparison_blocks": ("step_rows",)}
"""Scripts that draw some kinds of a module, beside the one that draws the others."""
TABLE = re.compile(r"(?:const DRAW = |Object\.assign\(DRAW, )\{([^}]*)\}")


def kinds(of: type[Block] = Block) -> Iterator[type[Block]]:
    """Yield every kind of block."""
    for kind in of.__subclasses__():
        yield kind
        yield from kinds(kind)


@pytest.mark.parametrize("script", SCRIPTS)
def test_each_script_draws_the_kinds_of_its_module(script: str) -> None:
    """By the tag of each kind, and nothing else."""
    files = (script, *FURTHER.get(script, ()))
    text = "".join((PANELS / f"{file}.js").read_text("utf-8") for file in files)
    tables = TABLE.findall(text)
    assert len(tables) == len(files)
    names = re.findall(r"\w+", " ".join(tables))
    own = [kind for kind in kinds() if kind.__module__ == SCRIPTS[script].__name__]
    assert sorted(names) == sorted(str(kind.__struct_config__.tag) for kind in own)
    assert [name for name in names if f"\nfunction {name}(self, block)" not in text] == []


def test_no_kind_stands_outside_of_the_vocabulary() -> None:
    """One module for each script, and no tag twice."""
    tags = [kind.__struct_config__.tag for kind in kinds()]
    assert len(set(tags)) == len(tags)
    assert {kind.__module__ for kind in kinds()} == {one.__name__ for one in SCRIPTS.values()}


@pytest.mark.parametrize("script", SCRIPTS_OF_PANELS, ids=lambda path: path.name)
def test_no_script_writes_markup(script: Path) -> None:
    """What comes from a workspace is text: written with textContent, or into a title."""
    text = script.read_text("utf-8")
    assert (
        re.findall(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(", text) == []
    )
