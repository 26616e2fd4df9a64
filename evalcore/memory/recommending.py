"""The recommendation of a comparison of versions, in one or two sentences."""

from typing import Final

from evalcore.comparing.model import Comparison
from evalcore.numbers import rounded
from evalcore.statistics.verdict import Verdict

MOST_PLACES: Final = 6


def recommendation(
    benchmark: str,
    versions: tuple[str, str],
    scores: tuple[float, float],
    cases: int,
    found: Comparison | None,
) -> str:
    """Return which of two versions is recommended, by their scores and the verdict on their runs.

    The one with the higher score is, where the verdict over exactly the test runs of both benchmark
    runs says that it is better; `found` is None where these are not here.
    """
    on = f"on {benchmark} ({cases} {'case' if cases == 1 else 'cases'})"
    if scores[0] == scores[1]:
        (shown, _) = _apart(*scores)
        return f"No recommendation: {versions[0]} and {versions[1]} both score {shown} {on}."
    up = scores[1] > scores[0]
    winner, better, other = (
        (versions[1], scores[1], scores[0]) if up else (versions[0], scores[0], scores[1])
    )
    high, low = _apart(better, other)
    verdict = found.verdict if found else None
    if verdict is None:
        why = "their test runs are not here" if found is None else "their runs are not comparable"
        return (
            f"No recommendation: {winner} scores higher {on}, {high} against {low}, but whether "
            f"that is chance cannot be determined: {why}."
        )
    direction = verdict.direction if up else -verdict.direction
    if direction > 0:
        return (
            f"Recommended: {winner}. It scores {high} against {low} {on}, and by these runs it is "
            f"{_reach(verdict)}."
        )
    if direction < 0:
        return (
            f"No recommendation: {winner} scores higher {on}, {high} against {low}, but by these "
            f"runs it is worse in {found.headline if found else 'the headline'}. Look at the cases."
        )
    return (
        f"No recommendation: {winner} scores higher {on}, {high} against {low}, but the "
        "verdict on these runs is “can't tell”. Compare says why, and what would settle it."
    )


def scores_words(
    benchmark: str, versions: tuple[str, str], scores: tuple[float, float], cases: int
) -> str:
    """Return the scores of two versions in a sentence, without saying how far they carry."""
    shown = _apart(*scores)
    over = f"{cases} {'case' if cases == 1 else 'cases'}"
    return f"{benchmark}: {versions[0]} scores {shown[0]}, {versions[1]} {shown[1]}, over {over}."


def _reach(verdict: Verdict) -> str:
    if not verdict.only_on_these:
        return "better, for cases like these too"
    these = f"these {verdict.cases} cases" if verdict.cases != 1 else "this case"
    return f"better on {these}; whether for others is open"


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return two numbers with so many decimals that different ones look different."""
    for places in range(2, MOST_PLACES):
        shown = tuple(f"{rounded(each, places):.{places}f}" for each in (one, other))
        if one == other or shown[0] != shown[1]:
            return shown[0], shown[1]
    return str(one), str(other)
