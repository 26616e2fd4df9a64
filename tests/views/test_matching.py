"""Words in texts: in any case, signs taken as they are, the same answer however many texts."""

import subprocess
import sys
from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.views import matching
from evalcore.views.matching import MANY, alike, folded, has_case, rows_with

LETTERS = "aAkK\u212asſSßẞiIıİäÄöеЕчЧσΣςξΞ節 %_\\.*(\x00\n'\"1ﬁa\u0308🙂"
SOME = st.text(LETTERS, max_size=6)


def plain(texts: Iterable[str | None], words: str) -> list[int]:
    """Return what a plain search finds: characters compared one by one as they are folded."""
    wanted = list(map(folded, words))
    return [
        place
        for place, text in enumerate(texts)
        if text is not None and _has(list(map(folded, text)), wanted)
    ]


def _has(text: list[str], wanted: list[str]) -> bool:
    starts = range(len(text) - len(wanted) + 1)
    return any(text[at : at + len(wanted)] == wanted for at in starts)


def column(texts: Iterable[str | None]) -> pa.ChunkedArray:
    """Return texts as a workspace keeps them."""
    return pa.chunked_array([pa.array(list(texts), pa.large_string())])


@given(st.lists(st.none() | SOME, max_size=12), st.text(LETTERS, min_size=1, max_size=4))
def test_few_texts_are_searched_as_a_plain_search_would(
    texts: list[str | None], words: str
) -> None:
    """Whatever the signs, the cases, and the texts that are missing."""
    assert rows_with(column(texts), words).tolist() == plain(texts, words)


@settings(deadline=None)
@given(st.lists(st.none() | SOME, max_size=12), st.text(LETTERS, min_size=1, max_size=4))
def test_many_texts_are_searched_as_a_plain_search_would(
    texts: list[str | None], words: str
) -> None:
    """The blocks and the ways to ask DuckDB give what the plain search gives."""
    with pytest.MonkeyPatch.context() as patch:
        for name, few in (("MANY", 0), ("BLOCK", 2), ("SAMPLE", 3)):
            patch.setattr(matching, name, few)
        assert rows_with(column(texts), words).tolist() == plain(texts, words)


@pytest.mark.parametrize("words", ["Needle", "NADEL Ä", "Ärger", "節", "z", "50% of_it\\"])
@pytest.mark.parametrize("every", [3, 9_000])
def test_rare_and_frequent_words_are_found_everywhere(words: str, every: int) -> None:
    """First and last texts too, and never in two neighbours that hold a half each."""
    texts = [f"a {words.swapcase()} b" if n % every == 0 else words[:1] for n in range(MANY + 1)]
    texts[-1] = words.lower()
    assert rows_with(column(texts), words).tolist() == plain(texts, words)


def test_a_column_in_parts_and_a_part_of_a_column_are_searched() -> None:
    """Positions are those in the whole column; a slice counts from its own beginning."""
    whole = column(f"text {n}" for n in range(MANY + 10))
    parts = pa.chunked_array([whole.chunk(0).slice(0, 7), whole.chunk(0).slice(7)])
    assert rows_with(parts, "TEXT 20007").tolist() == [20_007]
    assert rows_with(whole.slice(5), "TEXT 20007").tolist() == [20_002]


def test_a_column_without_texts_holds_nothing() -> None:
    """Not even where there are many rows."""
    assert rows_with(column([None] * (MANY + 1)), "a").tolist() == []
    assert rows_with(column([]), "a").tolist() == []


def test_characters_are_alike_by_simple_case_folding() -> None:
    """One for one: sigma has three forms, k a sign of its own; İ and ss stand for nothing else."""
    assert set(alike("σ")) == {"σ", "Σ", "ς"}
    assert set(alike("K")) == {"k", "K", "\u212a"}
    assert set(alike("ß")) == {"ß", "ẞ"}
    assert alike("İ") == ("İ",)
    assert alike("節") == ("節",)


def test_what_is_alike_has_a_case() -> None:
    """So that words without one can be looked for as they are."""
    assert all(has_case(c) for family in matching._families().values() for c in family)


def test_nothing_beyond_the_last_cased_character_has_a_case() -> None:
    """So that no character is left out of those that are alike."""
    beyond = map(chr, range(matching.LAST_CASED, sys.maxunicode + 1))
    assert all(character.upper() == character == folded(character) for character in beyond)


def test_both_engines_agree_on_every_character_with_a_case() -> None:
    """A character finds itself in each of its cases, and no other character."""
    cased = [c for family in matching._families().values() for c in family]
    few = column(cased)
    many = column([*cased, *["·"] * MANY])
    for character in cased[::29]:
        wanted = sorted(cased.index(other) for other in alike(character))
        assert rows_with(few, character).tolist() == wanted
        assert rows_with(many, character).tolist() == wanted


def test_the_database_is_not_imported_before_somebody_searches() -> None:
    """Opening the pages' views costs nothing of it."""
    code = "import sys, evalcore.views.gradings.grid; print('duckdb' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert answer.stdout.decode().strip() == "False"


def test_the_database_reads_no_file() -> None:
    """What is searched for is data; and nothing else could be reached."""
    rows_with(column(["x"] * MANY), "x")
    with pytest.raises(Exception, match="disabled"):
        matching._database().execute("SELECT * FROM read_text('/etc/hostname')")


def test_positions_are_whole_numbers_in_order() -> None:
    """They index the table that was searched."""
    found = rows_with(column(["ab", "b", "cB"] * MANY), "B")
    assert found.dtype == np.int64
    assert (np.diff(found) == 1).all()
