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
    Said,
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
    why: Counter[str] = Counter()
    for said in study.verdicts:
        prompt = prompts.get(said.case, "")
        if not prompt or alike[prompt] > 1:
            why["it names a case by its prompt, and several cases share this one"] += 1
        else:
            documents += _documents(study, said, prompt)
    left_out = [f"{number:,} × comparison.json: {reason}." for reason, number in why.items()]
    return Written(tuple(documents), tuple(left_out))


def _documents(study: Compared, said: Said, prompt: str) -> list[Document]:
    comparison = {
        "eval_prompt": prompt,
        "winner": SIDE[said.winner],
        "reasoning": said.explained,
        "scores": _scores(study, said),
        **judged_by(said),
    }
    name = name_of(said)
    documents = [Document(study.below("comparisons", f"comparison-{name}.json"), comparison)]
    if said.winner in ("left", "right"):
        won, lost = (said.left, said.right) if said.winner == "left" else (said.right, said.left)
        path = study.below("comparisons", f"analysis-{name}.json")
        documents.append(Document(path, analysis_of(Analysis(won, lost))))
    return documents


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


def _scores(study: Compared, said: Said) -> dict[str, Json]:
    if study.scale != SCALE or contradicts(said):
        return {}
    found: dict[str, Json] = {}
    for name, a, b in scored_whole(said):
        keys = ("justification_A", "justification_B")
        found[name] = {"A": a, "B": b, **dict(zip(keys, said.reasons.get(name, ()), strict=False))}
    return found


COMPARING: Final = Comparing(written, "skill", _analysis)
