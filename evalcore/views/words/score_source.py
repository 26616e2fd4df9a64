"""The source of scores in words: recorded, human, or human where there are any."""

from typing import Final

from evalcore.counting.people import Scores
from evalcore.views.words.wording import NOT_SCORED, count

_BY: Final[dict[Scores, str]] = {
    "recorded": "",
    "human": " by people's scores",
    "human-first": " by people's scores where there are any",
}
_REST: Final[dict[Scores, str]] = {
    "recorded": "",
    "human": "the others are missing here, not 0",
    "human-first": "the others count as recorded",
}


def scores_words(scores: Scores) -> str:
    """Return the score source as the end of a clause; empty for recorded scores."""
    return _BY[scores]


def unscored_words(scores: Scores) -> str:
    """Return the name of runs without a score."""
    return "not judged whole by people" if scores == "human" else NOT_SCORED


def people_words(judged: int, runs: int, judges: int, name: str = "") -> str:
    """Return the coverage of human scores: `people's scores of 7 of 42 runs, by 2 people`."""
    of = f"{count(runs, 'run')}{f' of {name}' if name else ''}"
    if not judged:
        return f"people's scores of none of {of}"
    return f"people's scores of {judged:,} of {of}, by {count(judges, 'person')}"


def rest_words(judged: int, runs: int, scores: Scores) -> str:
    """Return how unjudged runs count, as the end of a sentence; empty without any."""
    return f"; {_REST[scores]}" if judged < runs and _REST[scores] else ""
