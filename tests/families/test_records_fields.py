"""Records whose fields have their types give the same rows as records read field by field."""

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import ValidationError

from evalcore.families.records import fields
from tests.families.records_store import Fields, Opened, a_run, basic, judgment, write

ODD: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 0, 6, -1, 3.5, 4.0, "4", "", " ", [], {}, 10**30, "human", "robot", "2026-02-01"]
)
ONE_OF_JUDGMENT = st.sampled_from([*judgment("j", "run", "tone", 3)["fields"], "extra"])
ONE_OF_RUN = st.sampled_from([*a_run()["fields"], "extra"])


def one_by_one(value: Any, shape: type) -> Any:
    """Take nothing at once."""
    raise ValidationError


def both(root: Path) -> tuple[Opened, Opened]:
    """The store with fields taken at once where they can be, and read one by one."""
    at_once = Opened(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fields, "convert", one_by_one)
        return at_once, Opened(root)


def assert_equal(one: Opened, two: Opened) -> None:
    """Every row and problem is the same, in the same order."""
    assert one.everything() == two.everything()
    assert one.reader.problems == two.reader.problems


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(ONE_OF_JUDGMENT, ODD, max_size=4),
    st.dictionaries(ONE_OF_JUDGMENT, ODD, max_size=4),
    st.dictionaries(ONE_OF_RUN, ODD, max_size=4),
)
def test_any_fields_give_the_same_rows_both_ways(one: Fields, two: Fields, ran: Fields) -> None:
    """Whatever stands in a judgment or a run, it is read, refused and noted alike."""
    records = basic()
    for name, odd in (
        ("eval-judgment/j1", one),
        ("eval-judgment/j2", two),
        ("test-run/run", ran),
    ):
        records[f"{name}.json"]["fields"].update(odd)
    with tempfile.TemporaryDirectory() as folder:
        assert_equal(*both(write(Path(folder), records)))


def test_fields_of_their_types_are_taken_at_once(tmp_path: Path) -> None:
    """Nothing is read field by field in a store as the tools write it."""
    write(tmp_path, basic())
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(fields._Odd, "__init__")
        assert Opened(tmp_path).reader.problems == []
