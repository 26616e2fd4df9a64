"""Describe what stands first on the overview: the verdicts, and a door for each count."""

from collections.abc import Iterator
from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.counting.focus import Filter
from evalcore.views import wording
from evalcore.views.doors import Block, door, say
from evalcore.views.overview import Overview
from evalcore.views.overview_standing import Standing
from evalcore.views.overview_words import (
    Range,
    method,
    missing_side,
    rate_sentence,
    sizes,
)
from evalcore.views.panel import FILTER_WORDS
from evalcore.views.verdict_words import how, sentence, side_words

_STATES: Final[tuple[tuple[Filter, str], ...]] = (
    ("failing", "fail"),
    ("flaky", "flaky"),
    ("unscored", "unscored"),
)
_CHANGES: Final = (
    ("improved", "up", "improved"),
    ("regressed", "down", "regressed"),
    ("same", "same", "same"),
)


def top_blocks(found: Overview, stands: Standing, likely: Range) -> list[Block]:
    """Describe the verdicts and the counts; without two sides the rate and what is missing."""
    line, first = found.line, stands.first
    rate = rate_sentence(line, likely)
    counts = [_states(found)] if found.ran else []
    if first is None:
        blocks = [_plain(rate), say(missing_side(line), quiet=True), *counts]
        return [*blocks, say(f"{sizes(line)} {method(found)}", quiet=True)]
    blocks = [_verdict(first), *_changes(first)]
    if stands.second is not None:
        blocks.append(_verdict(stands.second, small=True))
    return [*blocks, *counts, say(f"{sizes(line)} {rate} {method(found)}", quiet=True)]


def _plain(text: str) -> Block:
    return {"t": "verdict", "text": text, "word": "", "how": [], "door": None, "small": False}


def _verdict(found: Comparison, *, small: bool = False) -> Block:
    """Describe a verdict as a door to its comparison."""
    word = found.verdict.word if found.verdict is not None else ""
    return {
        "t": "verdict",
        "text": sentence(found),
        "word": word,
        "how": [] if small else list(how(found)),
        "door": compare_door(found),
        "small": small,
    }


def compare_door(found: Comparison, **query: str | None) -> Block:
    """Return the door to Compare with both sides chosen."""
    sides = {"a": found.a.column.key, "b": found.b.column.key}
    return door("compare", suite=found.b.suite, **sides, **query)


def _changes(found: Comparison) -> Iterator[Block]:
    """Describe how many cases changed which way; nothing where nothing is compared."""
    if found.verdict is None:
        return
    counts = (found.verdict.up, found.verdict.down, found.verdict.same)
    items = [
        {
            "text": text,
            "n": n,
            "mark": mark if n else None,
            "title": "Open these cases in Compare",
            "door": compare_door(found, filter=key),
        }
        for (key, mark, text), n in zip(_CHANGES, counts, strict=True)
    ]
    if found.left_out:
        items.append({
            "text": "left out", "n": len(found.left_out), "mark": None,
            "title": "Cases that do not count, each with its reason: open in Compare",
            "door": compare_door(found, filter="left"),
        })  # fmt: skip
    label = f"Of {wording.count(found.verdict.cases, 'case')}, against {side_words(found.a)}"
    yield {"t": "doors", "label": label, "items": items}


def _states(found: Overview) -> Block:
    """Describe how many cases of the column in focus fail, are flaky, or lack a score."""
    suite = found.line.suite
    items = [_state(found, key, mark) for key, mark in _STATES]
    items.append({
        "text": "problems in its files", "n": found.line.problems, "mark": None,
        "title": "Open in Data",
        "door": door("data", suite=suite, dview="problems", dsuite=suite),
    })  # fmt: skip
    label = f"Of {wording.count(found.ran, 'case')} run in {wording.column_words(found.line.focus)}"
    return {"t": "doors", "label": label, "items": items}


def _state(found: Overview, key: Filter, mark: str) -> Block:
    (word, hint), n = FILTER_WORDS[key], found.counts[key]
    chip: Block = {
        "text": word,
        "n": n,
        "mark": mark if n else None,
        "title": f"{hint}: open in Gradings",
        "door": door("gradings", suite=found.line.suite, filter=key),
    }
    if key == "flaky" and not found.repeated:
        # No case ran twice: that none of them is flaky is not known.
        del chip["n"]
        return {**chip, "text": f"{word}: {wording.NOT_MEASURED}"}
    return chip
