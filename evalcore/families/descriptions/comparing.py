"""Blind comparisons as documents of the `descriptions` family."""

import re
from typing import Final

from evalcore.families.comparing import (
    SIDE,
    Compared,
    Comparing,
    Written,
    contradicts,
    judged_by,
    name_of,
    scored,
)
from evalcore.families.graded import whole
from evalcore.families.running import Document

SCALE: Final = (1, 5)
_LABEL: Final = re.compile(r"d\d{1,15}(\.\d{1,15})?")


def written(study: Compared) -> Written:
    """Return a comparison for each verdict; none where its form cannot hold the scores.

    Where nobody won, both sides have the mean of their scores. Each side's own scores are in the
    record, or in the orders of the model, that it names.
    """
    if study.scale != SCALE:
        return Written(left_out=("No comparison.json: it needs scores from 1 to 5.",))
    if not all(map(_LABEL.fullmatch, (study.version_a, study.version_b))):
        return Written(left_out=("No comparison.json: it names versions by their numbers.",))
    held = [each for each in study.verdicts if not contradicts(each)]
    documents = []
    for said in held:
        scores = list(scored(said))
        if SIDE[said.winner] == "tie":  # the winner of this form follows from the totals
            means = ((name, whole((a + b) / 2)) for name, a, b in scores)
            scores = [(name, both, both) for name, both in means]
        value = {
            "comparison_id": name_of(said),
            "timestamp": said.at,
            "version_a": _number(said.left),
            "version_b": _number(said.right),
            "test_case_id": said.case,
            "criteria_scores": [
                {
                    "criterion": name,
                    "score_a": a,
                    "score_b": b,
                    "justification_a": said.reasons.get(name, ("", ""))[0],
                    "justification_b": said.reasons.get(name, ("", ""))[1],
                }
                for name, a, b in scores
            ],
            "total_score_a": sum(a for _, a, _ in scores),
            "total_score_b": sum(b for _, _, b in scores),
            "winner": SIDE[said.winner],
            "key_differentiators": list(said.differences),
            "summary": said.explained,
            **judged_by(said),
        }
        path = study.below("comparisons", f"{name_of(said)}.json")
        documents.append(Document(path, value))
    other = len(study.verdicts) - len(held)
    why = f"{other:,} × comparison.json: the loser has the higher total, which its form excludes."
    return Written(tuple(documents), (why,) if other else ())


def _number(label: str) -> float:
    """Return the number of a description's version: 2 for `d2`."""
    number = float(label.removeprefix("d"))
    return int(number) if number.is_integer() else number


COMPARING: Final = Comparing(written, "description")
