"""What showing each page costs, the first time and again."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from benchmarks.pages import Cost, reading

PLACES: tuple[tuple[str, str, dict[str, str]], ...] = (
    ("overview", "display", {}),
    ("gradings", "display", {}),
    ("compare", "display", {}),
    ("trends", "display over benchmark runs", {"over": "benchmark-runs"}),
    ("failures", "display", {}),
    ("rubric", "display", {}),
    ("judge", "display", {}),
    ("runs", "display", {}),
    ("data", "display of documents", {"dview": "files"}),
    ("data", "display of rules", {"dview": "rules"}),
    ("data", "display of messages", {"dview": "messages"}),
)


def displays(workspace: Path, cache: Path, rounds: int) -> Iterator[Cost]:
    """Yield what showing each page costs, the first time and again."""
    with reading(workspace, cache) as reader:
        for name, words, query in PLACES:
            show = partial(reader.goto, name, **query)
            yield reader.cost(name, f"the first {words}", [show])
            yield reader.cost(name, words, [show] * rounds)
