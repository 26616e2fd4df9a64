"""docs/memory-of-quality.md says of each relation which end comes first."""

import re
from pathlib import Path

from evalcore.chains.relations import ANSWERS, RESTS_ON_RUN
from evalcore.shapes.relations import RELATIONS
from evalcore.views.chains.block import TYPES

DOCUMENT = Path(__file__).parents[2] / "docs" / "memory-of-quality.md"
ROW = re.compile(r"^\| `(\w+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def test_each_relation_has_its_row() -> None:
    text = DOCUMENT.read_text("utf-8")
    rows = {tuple(each) for each in ROW.findall(text)}
    assert rows == {(each.name, TYPES[each.earlier], TYPES[each.later]) for each in RELATIONS}
    for each in (*ANSWERS, RESTS_ON_RUN):
        assert f"| {each.words} |" in text
