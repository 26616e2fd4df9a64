"""The scores of a quality rubric to judgments, one a dimension."""

import math
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.case import Criterion
from evalcore.families.iterations.documents.rubric import RUBRIC_SCORE
from evalcore.families.iterations.runs import RUBRIC_MAX, RunContext, SuiteContext
from evalcore.families.iterations.structural import note_incomplete
from evalcore.families.iterations.summaries import compare
from evalcore.numbers import weighted_mean
from evalcore.problems import pointer
from evalcore.shapes import columns
from evalcore.shapes.fields import MEAN_5, Field
from evalcore.shapes.restated import note_restated
from evalcore.shapes.typed import TypedItems
from evalcore.tables.rows import JudgmentRow

# A judge may score between two whole numbers, although the document says otherwise.
SCORES: Final = TypedItems(
    RUBRIC_SCORE.with_fields("", Field("score", MEAN_5, "judgments.score")), refused=("reasoning",)
)


def read_rubric(
    context: SuiteContext, key: str, place: RunContext, doc: Node
) -> tuple[float | None, dict[str, float]]:
    """Add the judgments of the rubric; return its weighted mean and the scores by dimension."""
    if type(doc.value) is dict and doc.value.get("rubric_scores") is None:
        return None, {}
    scores = _converted(context, key, place, doc) or _each(context, key, place, doc)
    missing = place.case.unanswered("rubric", doc.value["rubric_scores"])
    for name in missing:
        nothing = context.node(doc.path, None, f"{doc.at}/rubric_scores")
        _dimension(context, key, place, name, nothing)
    note_incomplete(doc, "dimension", missing)
    known = place.case.dimensions
    weights = [known[name].weight if name in known else 1.0 for name in scores]
    context.count(doc.path, len(scores))
    mean = weighted_mean(list(zip(scores.values(), weights, strict=True)))
    summary = doc.child("rubric_summary")
    if mean is not None and isinstance(summary.value, dict):
        compare(summary, "weighted_mean", mean)
        compare(summary, "normalized", mean / RUBRIC_MAX)
        compare(summary, "max_possible", RUBRIC_MAX)
    return mean, scores


def _converted(
    context: SuiteContext, key: str, place: RunContext, doc: Node
) -> dict[str, float] | None:
    """Add scores that are written as documented by column; None, with nothing done, for others."""
    held, case = doc.get("rubric_scores"), place.case
    if (
        type(held) is not dict
        or context.regraded
        or (case.dimensions and held.keys() - case.dimensions)
    ):
        return None
    found = SCORES.read(list(held.values()))
    if found is None:
        return None

    def criteria() -> list[columns.Criterion]:
        ats = {name: f"{doc.at}/rubric_scores{pointer(name)}" for name in held}
        for name, at in ats.items():
            case.add(context.suite, _criterion(name), doc.path, at)
        return [
            columns.Criterion("rubric", name, at, 1.0, RUBRIC_MAX, math.nan, *place.judge[:2])
            for name, at in ats.items()
        ]

    like = "rubric", case.case_id, doc.at, tuple(held), place.judge
    scores = [each.score for each in found.items]
    evidence = [each.evidence for each in found.items]
    context.add_converted(key, doc.path, criteria, scores, evidence, like)
    return dict(zip(held, scores, strict=True))


def _each(context: SuiteContext, key: str, place: RunContext, doc: Node) -> dict[str, float]:
    """Add scores one by one, however each is written."""
    found = {
        name: _dimension(context, key, place, name, node)
        for name, node in doc.fields("rubric_scores")
    }
    return {name: score for name, score in found.items() if score is not None}


def _criterion(name: str) -> Criterion:
    return Criterion("rubric", name, name, scale=(1.0, RUBRIC_MAX))


def _dimension(
    context: SuiteContext, key: str, place: RunContext, name: str, node: Node
) -> float | None:
    bare = not isinstance(node.value, dict)
    score = _score(node, node.value if bare else node.get("score"))
    why = None if bare else node.text("evidence") or node.text("reasoning")
    if place.case.dimensions and name not in place.case.dimensions:
        node.note(
            "warning",
            "unknown-dimension",
            f"The rubric of this case has no dimension {name!r}; weight 1 is used.",
            "Use the names in evals.json.",
        )
    if ("rubric", name) not in place.case.criteria:
        place.case.add(context.suite, _criterion(name), node.path, node.at)
    note_restated(node, place.case.defined_as("rubric", name))
    fraction = None if score is None else score / RUBRIC_MAX
    status = "unscored" if score is None else "scored"
    context.add_judgment(
        JudgmentRow(
            run_id=key,
            kind="rubric",
            criterion=name,
            judge=place.judge.name,
            judge_type=place.judge.type,
            score=score,
            min_score=1.0,
            max_score=RUBRIC_MAX,
            fraction=fraction,
            status=status,
            source=node.path,
            pointer=node.at,
            evidence=why or None,
        )
    )
    return score


def _score(node: Node, score: object) -> float | None:
    """Return a score of 1 to 5; another one is noted and counts as none."""
    if score is None:
        return None
    if isinstance(score, (int, float)) and not isinstance(score, bool) and 1 <= score <= RUBRIC_MAX:
        return float(score)
    node.note(
        "warning",
        "out-of-scale",
        f"The score {shortened(score)} is not on the scale 1 to 5; it counts as not scored.",
        "Judge this dimension again.",
    )
    return None


def shortened(value: object) -> str:
    """Return a value as a message names it, however long it is."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
