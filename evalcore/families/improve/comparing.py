"""Comparisons by people as documents of the `improve` family, each with the frame of an analysis.

A comparison names no version: its analysis does, which has the same end of its name.
"""

from collections import Counter
from typing import Final

from evalcore.families.comparing import (
    SIDE,
    Compared,
    Said,
    Written,
    judged_by,
    name_of,
    scored,
    values_of,
)
from evalcore.families.running import Document, Json

SCALE: Final = (1, 10)


def written(study: Compared) -> Written:
    """Return a comparison and an analysis for each verdict that its form can hold."""
    cases = values_of(study.tables, "cases", study.suite, "case_id", "prompt")
    prompts = {case: prompt.strip() for case, prompt in cases if isinstance(prompt, str)}
    alike = Counter(prompts.values())
    documents: list[Document] = []
    why: Counter[str] = Counter()
    for said in study.verdicts:
        prompt = prompts.get(said.case, "")
        if said.winner not in ("left", "right"):
            why["its form knows no tie"] += 1
        elif not prompt or alike[prompt] > 1:
            why["its form names a case by its prompt, which is no case's own"] += 1
        else:
            documents += _both(study, said, prompt)
    left_out = [f"{number:,} × comparison.json: {reason}." for reason, number in why.items()]
    return Written(tuple(documents), tuple(left_out))


def _both(study: Compared, said: Said, prompt: str) -> list[Document]:
    won, lost = (said.left, said.right) if said.winner == "left" else (said.right, said.left)
    comparison = {
        "eval_prompt": prompt,
        "winner": SIDE[said.winner],
        "reasoning": said.rationale,
        "scores": _scores(study, said),
        **judged_by(said),
    }
    analysis: dict[str, Json] = {
        "winner_version": won,
        "loser_version": lost,
        "strengths": [],
        "weaknesses": [],
        "suggestions": [],
    }
    return [
        Document(study.below("comparisons", f"comparison-{name_of(said)}.json"), comparison),
        Document(study.below("comparisons", f"analysis-{name_of(said)}.json"), analysis),
    ]


def _scores(study: Compared, said: Said) -> dict[str, Json]:
    if study.scale != SCALE:
        return {}
    return {name: {"A": a, "B": b} for name, a, b in scored(said)}
