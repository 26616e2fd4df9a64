"""What the product says is today's plain English: a turn of phrase that was retired stays retired.

"Needless with one", "held against it", "its parts give 1" had to be decoded; a colleague says
"not needed if there is only one", "compared with it", "but 1 item failed".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[3]
RETIRED: Final = (
    "a person's look", "can never decide", "cases in work", "close and tell", "else the newest",
    "ended with faults", "ends with 1", "give up judging", "hand over", "held against",
    "its parts give", "version in focus:",
    "judge elsewhere", "lies beside", "lies in no", "mend", "needless", "no type of",
    "none met", "nobody judges here", "not begun", "of whom", "was believed", "rests on",
    "remarks on", "so many at once", "so many times", "stand beside", "stands beside",
    "store it as mine", "take it away", "tells nothing apart", "the like is",
    "the rule fires", "to be watched", "turn the order", "turns the order", "what stood left",
)  # fmt: skip
"""Phrases that nothing says any more; those that a page still says are added when it changes."""
MODEL_READS: Final = ("asking.py", "prompt.py", "failures/wording.py", "checks/transcript.py")
"""Modules whose texts are for models or for matching: nobody reads them on screen."""


def strings(source: str) -> Iterator[str]:
    """Yield each text of a module that can be shown: no docstring, holes of f-strings as `{}`."""
    tree = ast.parse(source)
    silent = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            silent.update(map(id, node.values))
            parts = (part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and id(node) not in silent:
            yield str(node.value)


def retired(source: str) -> list[str]:
    """Return the retired phrases that a module says."""
    return phrases_of("\n".join(text for text in strings(source) if " " in text))


def phrases_of(said: str) -> list[str]:
    """Return the retired phrases of a text, as whole words."""
    return [each for each in RETIRED if re.search(rf"\b{each}\b", said, re.IGNORECASE)]


def modules() -> list[Path]:
    """Return the modules of the product whose texts people read."""
    found = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "evalcore").rglob("*.py")]
    return sorted(path for path in found if not str(path).endswith(MODEL_READS))


def test_no_text_of_the_product_has_a_retired_phrase() -> None:
    """On screen, in the terminal, in problems and errors."""
    found = {str(path): retired(path.read_text(encoding="utf-8")) for path in modules()}
    assert len(found) > 500
    assert {path: phrases for path, phrases in found.items() if phrases} == {}


def test_no_panel_has_a_retired_phrase() -> None:
    """Panels are JavaScript: all but the lines of comments is looked at."""
    panels = [*(ROOT / "pages").rglob("*.js"), *(ROOT / "evalcore").rglob("*.js")]
    said = {str(path): re.sub(r"(?m)^\s*//.*$", "", path.read_text("utf-8")) for path in panels}
    assert len(said) > 10
    assert {path: found for path, text in said.items() if (found := phrases_of(text))} == {}


@pytest.mark.parametrize(
    "source",
    ['SAID = "3 runs stand beside 2"', 'x = f"failed is {n}, its parts give {m}."', 'f("Mend it")'],
)
def test_a_retired_phrase_is_seen_in_any_text(source: str) -> None:
    """In a constant, around the holes of an f-string, as an argument."""
    assert len(retired(source)) == 1


def test_docstrings_and_comments_are_free() -> None:
    """Only what is shown counts."""
    assert retired('"""Mend what stands beside it."""\nx = 1  # mend this') == []
