"""Which two sides an address means, and what is said where it means none."""

from dataclasses import replace
from pathlib import Path

from evalcore import open_workspace
from evalcore.comparing.model import Side
from evalcore.comparing.sides import newest_side
from evalcore.tables.rows import Row
from evalcore.views.compare.sides import SideSource, named, sides_of, too_few
from evalcore.views.verdict.limits import GRADE
from tests import made
from tests.families.build import write
from tests.views.compared import comparison, pair


def place(root: Path, *versions: str) -> SideSource:
    """Return a suite with one scored run in each version."""
    rows: list[Row] = [made.suite(), made.case()]
    rows += [made.version(version, at) for at, version in enumerate(versions)]
    rows += [
        made.run(run_id=f"r{at}", version=version, fraction=1.0)
        for at, version in enumerate(versions)
    ]
    return SideSource(made.workspace(root, *rows), made.SUITE)


def keys(found: tuple[Side | None, Side | None, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the columns of both sides."""
    return tuple(side.column.key for side in found[:2] if side is not None)


def test_unasked_the_newest_is_held_against_the_one_before(tmp_path: Path) -> None:
    """The baseline is always A."""
    here = place(tmp_path, "v1", "v2", "v3")
    assert keys(sides_of(here, here, (None, None), None, None)) == ("v2", "v3")


def test_the_version_chosen_for_the_page_is_the_second_side(tmp_path: Path) -> None:
    """The sidebar's version is compared with the one before it."""
    here = place(tmp_path, "v1", "v2", "v3")
    assert keys(sides_of(here, here, (None, None), "v2", None)) == ("v1", "v2")


def test_the_address_chooses_either_side(tmp_path: Path) -> None:
    """Also a newer one against an older one."""
    here = place(tmp_path, "v1", "v2", "v3")
    assert keys(sides_of(here, here, ("v3", "v1"), None, None)) == ("v3", "v1")


def test_one_side_alone_never_gives_a_side_against_itself(tmp_path: Path) -> None:
    """Where the usual other side is the one that was chosen, another is taken."""
    here = place(tmp_path, "v1", "v2", "v3")
    assert keys(sides_of(here, here, ("v3", None), None, None)) == ("v3", "v2")
    assert keys(sides_of(here, here, (None, "v2"), None, None)) == ("v3", "v2")


def test_an_unknown_side_says_so_and_the_usual_one_is_shown(tmp_path: Path) -> None:
    """A sentence names what was asked for, cut short where it is long."""
    here = place(tmp_path, "v1", "v2")
    found = sides_of(here, here, ("v9" * 500, None), None, None)
    assert keys(found) == ("v1", "v2")
    (said,) = found[2]
    assert said.startswith("Nothing called “v9v9")
    assert said.endswith("has scores here; A is v1 instead.")
    assert len(said) < 160


def test_one_version_needs_a_second(tmp_path: Path) -> None:
    """There are no sides, and the next step is said."""
    here = place(tmp_path, "v1")
    found = sides_of(here, here, (None, None), None, None)
    assert found[:2] == (None, None)
    assert too_few(here).startswith("A second version or configuration is needed: only v1")


def test_a_suite_without_scores_says_what_to_do(tmp_path: Path) -> None:
    """Nothing that was run has a score yet."""
    here = SideSource(made.workspace(tmp_path, made.suite(), made.case()), made.SUITE)
    assert "nothing to compare. Run the cases" in too_few(here)
    files = {"x-workspace/iteration-1/one/with_skill/outputs/a.txt": "1"}
    waiting = SideSource(open_workspace(write(tmp_path / "waiting", files)), "x")
    assert too_few(waiting).endswith(GRADE)


def test_two_folders_are_compared_as_the_command_does(tmp_path: Path) -> None:
    """The newest tested side of each, so that a revision is not held against the same version."""
    here, there = place(tmp_path / "a", "v1", "v2"), place(tmp_path / "b", "v1", "v2", "v3")
    found = sides_of(here, there, (None, None), None, None)
    assert keys(found) == ("v2", "v3")
    a, b, _ = found
    assert a is not None and b is not None
    for side, source in ((a, here), (b, there)):
        same = newest_side(source.ws, source.suite)
        assert same is not None and same.column == side.column
    assert keys(sides_of(here, there, (None, None), "v1", None)) == ("v1", "v1")
    alone = place(tmp_path / "c", "w1")
    assert keys(sides_of(here, alone, (None, None), "v2", None)) == ("v2", "w1")


def test_two_places_are_named_and_a_single_one_is_not() -> None:
    """Two folders may be called the same; the names of their addresses tell them apart."""
    found = comparison(pair("c", 0.0, 1.0))
    assert named(found, "here", "there") is found
    apart = replace(found, a=replace(found.a, workspace="x"), b=replace(found.b, workspace="x"))
    told = named(apart, "here", "here at HEAD")
    assert (told.a.workspace, told.b.workspace) == ("here", "here at HEAD")
