"""Run ids: readable, and whole again when taken apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.ids import RunKey, parse_run_id, run_id

WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=0, max_size=20)


def test_an_id_reads_like_its_place() -> None:
    """Suite, case, version, configuration and run stand in that order."""
    assert run_id("skills/pdf", "case-01", "v2", "-", 3) == "skills/pdf::case-01@v2/-#3"


def test_what_separates_is_encoded() -> None:
    """A case may hold every character that an id uses itself."""
    key = run_id("a::b", "x@y/z#1", "v/1", "with#skill", "1")
    assert parse_run_id(key) == RunKey("a::b", "x@y/z#1", "v/1", "with#skill", "1")


@given(WORDS, WORDS, WORDS, WORDS, WORDS)
def test_every_id_comes_back_whole(
    suite: str, case: str, version: str, configuration: str, run: str
) -> None:
    """Any five texts make an id from which the same five are read."""
    key = RunKey(suite, case, version, configuration, run)
    assert parse_run_id(run_id(*key)) == key


@given(st.sets(st.tuples(WORDS, WORDS, WORDS, WORDS, WORDS), max_size=8))
def test_no_two_runs_share_an_id(keys: set[tuple[str, str, str, str, str]]) -> None:
    """Different runs have different ids."""
    assert len({run_id(*key) for key in keys}) == len(keys)


@pytest.mark.parametrize("text", ["", "suite", "suite::case", "suite::case@v1", "suite::c@v/-"])
def test_what_is_no_id_has_no_parts(text: str) -> None:
    """An incomplete id is none."""
    assert parse_run_id(text) is None
