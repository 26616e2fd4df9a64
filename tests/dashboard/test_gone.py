"""A link to something that is gone says so, on every page and for every name an address has."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.demo import packaged

GONE = "gone-name-x7"
SAYS = (
    "called", "in this address", "in the address", "in this link", "no longer", "not exist",
    "no column", "no metric", "no point", "missing",
    "cannot be read", "There is no case in this list", "No failure matches", "0 of ",
)  # fmt: skip
NAMES = {
    "overview": ("suite", "v", "c"),
    "gradings": ("suite", "v", "c", "run", "case", "criterion", "judge", "tag", "file"),
    "compare": ("suite", "a", "b", "case", "criterion", "tag", "text"),
    "rubric": ("suite", "v", "c", "criterion", "at", "suggestion"),
    "trends": ("suite", "metric", "lines", "from", "to", "point"),
    "failures": ("suite", "v", "c", "criterion", "failure"),
    "judge": ("suite", "run"),
    "runs": ("suite", "id"),
    "data": ("file", "code", "dcase", "kind", "dsuite"),
}
BESIDE = {
    ("rubric", "at"): {"criterion": "rubric:fidelity"},
    ("gradings", "file"): {"tab": "output"},
    ("compare", "text"): {"tab": "texts"},
    ("data", "code"): {"dview": "problems"},
    ("data", "dcase"): {"dview": "cases"},
    ("data", "kind"): {"dview": "files"},
    ("data", "dsuite"): {"dview": "problems"},
}
HIDDEN = frozenset({"query", "base", "link", "id", "scroll", "to", "previous", "next", "of"})
"""What a panel is given and does not show."""


def words(value: Any) -> Iterator[str]:
    """Yield the texts that a panel shows."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in HIDDEN:
                yield from words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words(inner)
    elif isinstance(value, str):
        yield value


def seen(app: AppTest) -> list[str]:
    """Return every sentence of a page."""
    panels = (json.loads(element.proto.json) for element in app.get("bidi_component"))
    return [*(text.value for text in app.text), *(text for data in panels for text in words(data))]


@pytest.fixture(scope="module")
def usual() -> dict[str, set[str]]:
    """What each page shows without the name, read once."""
    return {}


@pytest.mark.parametrize(("page", "name"), [(page, name) for page in NAMES for name in NAMES[page]])
def test_a_link_to_something_that_is_gone_says_so(
    run: Callable[..., AppTest], usual: dict[str, set[str]], page: str, name: str
) -> None:
    """The page shows what there is, and a sentence that it does not show without that name."""
    query = {"suite": "invoice-extractor", **BESIDE.get((page, name), {})}
    shown = f"{page} {query}"
    if shown not in usual:
        usual[shown] = set(seen(run(page, packaged(), **query)))
    app = run(page, packaged(), **(query | {name: GONE}))
    assert not app.exception
    new = [text for text in seen(app) if text not in usual[shown]]
    assert any(mark in text for text in new for mark in SAYS), new[:20]
