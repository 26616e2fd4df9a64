"""Quoted passages are taken out of an evidence text and looked up in the output."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.views.run.quotes import MAX_QUOTES, Found, find_quotes, quotes, spans
from tests.bounded import bounded

OUTPUT = """---
name: forms
---
# **Fill** a form

Use the `fill_form` helper, it’s
the quickest way.
Fields are checked before the file is saved.
Grüße aus Köln
"""


def look_up(quote: str, text: str = OUTPUT, path: str = "out/SKILL.md") -> Found:
    """Look one quote up in one file."""
    return find_quotes([quote], [(path, text)])[0]


@pytest.mark.parametrize(
    "text",
    [
        'The file says "name: forms" first.',
        "The file says “name: forms” first.",
        "Die Datei sagt „name: forms“ zuerst.",
        "Le fichier dit « name: forms » au début.",
        "Die Datei sagt »name: forms« zuerst.",
        "文件写着「name: forms」。",
        "文件写着『name: forms』。",
        "The file says `name: forms` first.",
        "The file says ``name: forms`` first.",
        "The file says 'name: forms' first.",
        "The file says ‘name: forms’ first.",
        "The file says:\n```yaml\nname: forms\n```\nfirst.",
    ],
)
def test_every_usual_mark_makes_a_quote(text: str) -> None:
    """Straight, typographic, German, French and CJK marks and code marks all quote."""
    assert quotes(text) == ["name: forms"]


def test_an_apostrophe_opens_no_quote() -> None:
    """The apostrophe of a word neither opens nor closes a passage."""
    assert quotes("The skill's text doesn't say what the user's file is.") == []
    assert quotes("It says 'don't overwrite the file' twice.") == ["don't overwrite the file"]


def test_inch_marks_open_no_quote() -> None:
    """A mark right after a digit or letter closes; it does not open."""
    assert quotes('A 6" pipe and a 7" pipe, then "the real passage".') == ["the real passage"]


def test_short_and_repeated_passages_are_left_out() -> None:
    """A word in quotes proves nothing, and a passage is looked up once."""
    assert quotes('"yes", "a b c d e f g" and "a b c d e f g h" and "a b c d e f g h"') == [
        "a b c d e f g h"
    ]


def test_a_quote_in_a_quote_is_part_of_it() -> None:
    """Only the outer passage is looked up."""
    assert quotes('It says "use the `fill_form` helper" there.') == ["use the `fill_form` helper"]


def test_the_number_of_quotes_is_bounded() -> None:
    """Of an evidence text full of quotes the first twenty are taken."""
    text = " ".join(f'"passage number {n}"' for n in range(100))
    assert len(quotes(text)) == MAX_QUOTES
    assert quotes(text)[0] == "passage number 0"


@pytest.mark.parametrize(
    ("quote", "line", "how"),
    [
        ("name: forms", 2, "exact"),
        ("helper, it’s the quickest", 6, "spacing"),
        ("helper, it's the quickest way", 6, "case"),
        ("fields ARE checked", 8, "case"),
        ("Use the fill_form helper", 6, "markup"),
        ("Fill a form", 4, "markup"),
        ("Fields are … is saved", 8, "parts"),
        ("name: forms [...] quickest way", 2, "parts"),
        ("GRÜSSE aus köln", 9, "case"),
    ],
)
def test_a_quote_is_found_with_its_line(quote: str, line: int, how: str) -> None:
    """The place is a file and a line from 1, and how strictly it was found is said."""
    found = look_up(quote)
    assert (found.path, found.line, found.how) == ("out/SKILL.md", line, how)


@pytest.mark.parametrize(
    "quote",
    ["Fields are never checked", "is saved … Fields are", "......", "…", "quickest … name: forms"],
)
def test_what_is_not_there_is_not_found(quote: str) -> None:
    """Other words, or parts in another order, are not in the output."""
    assert look_up(quote) == Found(quote, None, None, None)


def test_parts_must_stand_near_each_other() -> None:
    """An ellipsis does not join the beginning of a long file with its end."""
    text = "the first half\n" + "filler words\n" * 2_000 + "the second half"
    assert look_up("the first half … the second half", text).path is None


def test_the_first_file_that_has_it_is_named() -> None:
    """Files are searched in the order given."""
    files = [("a.md", "nothing"), ("b.md", "one\nthe passage"), ("c.md", "the passage")]
    assert find_quotes(["the passage"], files)[0][1:3] == ("b.md", 2)


def test_a_quoted_file_name_is_the_file() -> None:
    """A passage that names an output file leads to that file."""
    assert look_up("out/SKILL.md").how == "name"
    assert look_up("SKILL.md", path="deep/out/SKILL.md")[1:] == ("deep/out/SKILL.md", None, "name")


def test_escapes_of_json_do_not_hide_a_passage() -> None:
    """In a JSON file the text is compared as it reads, and the line is the file's own."""
    text = '{\n "text": "He said \\"go\\tnow\\" \\u00fcber alles\\nand left \\ud83d\\ude00"\n}'
    assert look_up('said "go now" über alles', text, "log.json")[1:] == ("log.json", 2, "exact")
    assert look_up("alles and left 😀", text, "log.json").line == 2


@given(st.text(alphabet="ab \n\t\"'`“”„‘’«»「」…*.\\", max_size=400))
def test_any_text_can_be_searched_for_its_own_quotes(text: str) -> None:
    """What a text quotes stands in that text, so it is found there, in a line it has."""
    for found in find_quotes(quotes(text), [("a.txt", text)]):
        assert found.path == "a.txt", found
        assert found.line is not None
        assert 1 <= found.line <= text.count("\n") + 1


HOSTILE = {
    "openers": "“" * 200_000,
    "straight": '"a' * 100_000,
    "single": " '" * 100_000,
    "words in single": "'" + "a'a" * 70_000,
    "ticks": "`" * 200_000,
    "fences": "```\n" * 50_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_evidence_is_read_in_linear_time(text: str) -> None:
    """No pattern of marks makes the search for quotes explode."""
    with bounded():
        quotes(text)


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a " * 900 + "b", "a " * 1_000_000),
        ("a … " * 400 + "b b b b", "a " * 1_000_000),
        ("aaaa … bbbb … cccc", "aaaa bbbb " * 200_000),
        ("ß" * 900 + "x", "ß" * 1_000_000),
    ],
    ids=["words", "many parts", "parts", "folding"],
)
def test_hostile_output_is_searched_in_bounded_time(quote: str, text: str) -> None:
    """Repetitive output and quotes made for it cost time in proportion to their size."""
    with bounded():
        assert look_up(quote, text).path is None


def test_only_the_first_megabytes_are_searched() -> None:
    """What lies beyond the bound is not found, rather than waited for."""
    text = "x" * (4 * 1024 * 1024) + "the passage"
    assert look_up("the passage", text).path is None


@pytest.mark.parametrize(
    ("quote", "text", "marked"),
    [
        ("before the file", OUTPUT, ["before the file"]),
        ("it's the quickest", OUTPUT, ["it’s\nthe quickest"]),
        ("Fill a form", OUTPUT, ["Fill** a form"]),
        ("GRÜSSE aus", OUTPUT, ["Grüße aus"]),
        ("Fill a form … the quickest way", OUTPUT, ["Fill** a form", "the quickest way"]),
    ],
    ids=["exact", "other spacing", "markup", "case", "parts"],
)
def test_a_found_quote_is_marked_as_it_stands_in_the_file(
    quote: str, text: str, marked: list[str]
) -> None:
    """However it was found, the spans are those of the file's own characters."""
    assert [text[a:b] for a, b in spans(look_up(quote), text, 0)] == marked


def test_a_quote_is_marked_in_json_with_its_escapes() -> None:
    """A judge reads the value; the file has its escapes, also those of two halves."""
    text = '{"letter": "Gr\\u00fc\\u00dfe \\ud83d\\ude00\\nan alle Kunden"}'
    found = look_up("Grüße 😀 an alle", text, "out/letter.json")
    assert [text[a:b] for a, b in spans(found, text, 0)] == [
        "Gr\\u00fc\\u00dfe \\ud83d\\ude00\\nan alle"
    ]


def test_of_several_places_the_one_from_the_line_on_is_marked() -> None:
    """A passage that stands twice is marked where it was found."""
    found = Found("the passage", "a.md", 2, "exact")
    assert spans(found, "the passage\nthe passage\n", 12) == [(12, 23)]
