"""What a reader has to look up is counted: functions that one place calls."""

import ast

import pytest

from tools.size import size, used_once


@pytest.mark.parametrize(
    ("module", "found"),
    [
        ("def _a(): ...\n_a()", ["_a"]),
        ("def _a(): ...\n_a()\n_a()", []),
        ("def a(): ...\na()", []),
        ("class A:\n  def _a(self): ...\n  def b(self): self._a()", ["_a"]),
        ("class A:\n  def __init__(self): ...\n  def b(self): self.__init__()", []),
        ("async def _a(): ...\nx = [_a]", ["_a"]),
        ("def _a(): ...", []),
    ],
)
def test_private_functions_that_one_place_uses_are_found(module: str, found: list[str]) -> None:
    """Methods too; what is public may be used elsewhere, and no use at all is dead code."""
    assert [each.name for each in used_once(ast.parse(module))] == found


def test_this_house_is_counted() -> None:
    """All of the product, and nothing of the demo's files."""
    found = size()
    assert found.functions > 1_000
    assert all(place.startswith(("evalcore/", "pages/")) for place in found.used_once)
    assert not [each for each in found.used_once if "demo/workspace" in each]
