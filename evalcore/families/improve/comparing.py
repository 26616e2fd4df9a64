"""Blind comparisons as documents of the `improve` family, each with the frame of an analysis.

A comparison of this form names no version: its analysis does, which has the same end of its name.
Where nobody won there is none, and the versions stand in the block of evalcore alone.
"""

from collections import Counter
from typing import Final

from evalcore.families.comparing import (
    SIDE,
    Analysis,
    Compared,
    Comparing,
    Written,
    contradicts,
    judged_by,
    name_of,
    scored_whole,
    values_of,
)
from evalcore.families.graded import Json
from evalcore.families.running import Document
from evalcore.shapes.judge import BLOCK

SCALE: Final = (1, 10)


def written(study: Compared) -> Written:
    """Return a comparison and an analysis for each verdict that its form can hold."""
    cases = values_of(study.tables, "cases", study.suite, "case_id", "prompt")
    prompts = {case: prompt.strip() for case, prompt in cases if isinstance(prompt, str)}
    alike = Counter(prompts.values())
    documents: list[Document] = []
    left_out = 0
    for said in study.verdicts:
        prompt = prompts.get(said.case, "")
        if not prompt or alike[prompt] > 1:
            left_out += 1
            continue
        scores: dict[str, Json] = {}
        if study.scale == SCALE and not contradicts(said):
            keys = ("justification_A", "justification_B")
            for criterion, a, b in scored_whole(said):
                reasons = zip(keys, said.reasons.get(criterion, ()), strict=False)
                scores[criterion] = {"A": a, "B": b, **dict(reasons)}
        name = name_of(said)
        comparison = {
            "eval_prompt": prompt,
            "winner": SIDE[said.winner],
            "reasoning": said.explained,
            "scores": scores,
            **judged_by(said),
        }
        documents.append(
            Document(study.below("comparisons", f"comparison-{name}.json"), comparison)
        )
        if said.winner in ("left", "right"):
            sides = said.left, said.right
            won, lost = sides if said.winner == "left" else reversed(sides)
            path = study.below("comparisons", f"analysis-{name}.json")
            documents.append(Document(path, analysis_of(Analysis(won, lost))))
    why = "it names a case by its prompt, and several cases share this one"
    sentences = (f"{left_out:,} × comparison.json: {why}.",) if left_out else ()
    return Written(tuple(documents), sentences)


def analysis_of(found: Analysis) -> dict[str, Json]:
    """Return an analysis; without findings it only tells the versions of a comparison."""
    return {
        "winner_version": found.winner,
        "loser_version": found.loser,
        "strengths": list(found.strengths),
        "weaknesses": list(found.weaknesses),
        "suggestions": [each._asdict() for each in found.suggestions],
    }


def _analysis(study: Compared, found: Analysis) -> Document:
    value = {**analysis_of(found), BLOCK: {"judging": dict(found.about)}}
    return Document(study.below("comparisons", f"analysis-{study.id}.json"), value)


COMPARING: Final = Comparing(written, "skill", _analysis)
