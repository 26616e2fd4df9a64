"""A comparison with the judge's error in it as a sentence, or why it is not told."""

from typing import Final

from evalcore.statistics.judge_error import CASES
from evalcore.validating.compared import RUNS, JudgeError, Refused
from evalcore.views.verdict.differences import between, points

_REFUSED: Final[dict[Refused, str]] = {
    "nothing": "nothing is compared",
    "people": "people's scores are compared, not the judge's",
    "no model": "{side} was not judged by a model",
    "several judges": "several judges, or the same one with other instructions, judged {side}",
    "other judge": "the sides were judged by different judges or with other instructions",
    "none": "no random sample of {side} was judged blind",
    "changed": "the runs of {side} are not those any more that its random sample was drawn from",
    "open": "the random sample of {side} is not judged whole yet",
    "not blind": "some scores of the random sample of {side} were given after seeing others",
    "few": (
        f"{{a}} and {{b}} labelled runs are too few: {RUNS} runs of {CASES} cases on each side are "
        "the least"
    ),
}


def error_sentence(found: JudgeError) -> str:
    """Return what is left of a comparison with the judge's error in it, or why that is not told."""
    if found.rate is None:
        side = found.side and f"side {found.side}"
        words = _REFUSED[found.why].format(side=side, a=found.labels[0], b=found.labels[1])
        return f"The judge's error is not in the interval: {words}."
    rate, (a, b) = found.rate, found.labels
    word = found.word if found.word == "can't tell" else f"B is still {found.word}"
    return (
        f"With the judge's error: {points(rate.value)}, likely {between(rate.low, rate.high)}, "
        f"from blind labels of {a} runs of A and {b} of B: {word}."
    )
