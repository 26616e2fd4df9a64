"""The scores of a quality rubric to judgments, one a dimension."""

from evalcore.disk.values import Node
from evalcore.families.iterations.case import Criterion
from evalcore.families.iterations.runs import RUBRIC_MAX, Desk, Place
from evalcore.families.iterations.summaries import compare
from evalcore.numbers import weighted_mean
from evalcore.tables.rows import JudgmentRow


def read_rubric(
    desk: Desk, key: str, place: Place, doc: Node
) -> tuple[float | None, dict[str, float]]:
    """Add the judgments of the rubric; return its weighted mean and the scores by dimension."""
    if type(doc.value) is dict and doc.value.get("rubric_scores") is None:
        return None, {}
    scores: dict[str, float] = {}
    pairs: list[tuple[float, float]] = []
    for name, node in doc.fields("rubric_scores"):
        score = _dimension(desk, key, place, name, node)
        if score is not None:
            scores[name] = score
            known = place.case.dimensions.get(name)
            pairs.append((score, known.weight if known else 1.0))
    desk.count(doc.path, len(scores))
    mean = weighted_mean(pairs)
    summary = doc.child("rubric_summary")
    if mean is not None and isinstance(summary.value, dict):
        compare(summary, "weighted_mean", mean)
        compare(summary, "normalized", mean / RUBRIC_MAX)
    return mean, scores


def _dimension(desk: Desk, key: str, place: Place, name: str, node: Node) -> float | None:
    bare = not isinstance(node.value, dict)
    score = _score(node, node.value if bare else node.get("score"))
    why = None if bare else node.text("evidence") or node.text("reasoning")
    if place.case.dimensions and name not in place.case.dimensions:
        node.note(
            "warning",
            "unknown-dimension",
            f"The rubric of this case has no dimension {name!r}; weight 1 is used.",
            "Use the names of evals.json.",
        )
    if ("rubric", name) not in place.case.criteria:
        known = Criterion("rubric", name, name, scale=(1.0, RUBRIC_MAX))
        place.case.add(desk.suite, known, node.path, node.at)
    fraction = None if score is None else score / RUBRIC_MAX
    status = "unscored" if score is None else "scored"
    desk.add_judgment(
        JudgmentRow(
            run_id=key,
            kind="rubric",
            criterion=name,
            judge=place.judge,
            judge_type="llm",
            score=score,
            min_score=1.0,
            max_score=RUBRIC_MAX,
            fraction=fraction,
            status=status,
            source=node.path,
            pointer=node.at,
            evidence=why,
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
