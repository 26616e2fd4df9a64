"""Read comparisons: two versions of the description on one test case."""

import math
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import Benchmark, version_label
from evalcore.families.descriptions.definitions import Definitions
from evalcore.numbers import disagrees
from evalcore.shapes.judge import judge_of, was_blind
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow, DocumentRow

MAX_SCORE: Final = 5

Pairs = list[tuple[float, float]]
"""The scores of A and B in each criterion that has both."""


def read_comparisons(
    plan: Plan, reader: Reader, rows: Rows, definitions: Definitions, benchmark: Benchmark
) -> None:
    """Add the comparisons of one suite."""
    taken: set[str] = set()
    for path in plan.of("comparison"):
        value = reader.json(path)
        held = isinstance(value, dict)
        rows.add(DocumentRow(path, "descriptions", "comparison", plan.suite, records=int(held)))
        node = Node(reader, path, value, suite=plan.suite)
        if held:
            stem = path.rpartition("/")[2].removesuffix(".json")
            stated = node.text("comparison_id")
            if stated and stated != stem:
                where = f"{stated!r} in the file and {stem!r} in its path"
                message = f"'comparison_id' is {where}; the file is used."
                node.note("warning", "name-mismatch", message, "Rename the file.", "comparison_id")
            name = stated or stem
            if name in taken:
                shown = f"this one is shown as {stem!r}"
                message = f"The id {name!r} is used by another comparison; {shown}."
                hint = "Give each comparison its own id."
                node.note("warning", "duplicate-comparison", message, hint, "comparison_id")
                name = stem if stem not in taken else path
            taken.add(name)
            _add(node, f"{plan.suite}::{name}", rows, definitions, benchmark)
        elif value is not MISSING:
            node.type_problem("an object")


def _add(node: Node, key: str, rows: Rows, definitions: Definitions, benchmark: Benchmark) -> None:
    """Add one comparison with its scores and differentiators."""
    stated = node.text("winner")
    winner = {"a": "A", "b": "B", "tie": "tie"}.get((stated or "").strip().lower())
    if winner is None and stated is not None:
        node.wrong("winner", '"A", "B" or "tie"')
    labels: list[str | None] = []
    for side in ("version_a", "version_b"):
        label = version_label(node, side)
        labels.append(label)
        if label and label not in benchmark.versions:
            message = f"No benchmark entry is about {label}; it is listed because it was compared."
            node.note("info", "unknown-version", message, "Run the benchmark for it.", side)
            benchmark.version(label, node.path, f"/{side}")
    pairs: Pairs = []
    for item in node.items("criteria_scores"):
        a, b = _score(item, "score_a"), _score(item, "score_b")
        if a is not None and b is not None:
            pairs.append((a, b))
        rows.add(
            ComparisonScoreRow(
                comparison_id=key,
                criterion=item.text("criterion"),
                score_a=a,
                score_b=b,
                max_score=MAX_SCORE,
                justification_a=item.text("justification_a") or None,
                justification_b=item.text("justification_b") or None,
                pointer=item.at,
            )
        )
    total_a, total_b, max_total = _totals(node, pairs)
    if total_a is not None and total_b is not None and winner is not None:
        ahead = "A" if total_a > total_b else "B" if total_b > total_a else None
        # With equal totals a judge may still prefer one side.
        if ahead not in (None, winner):
            message = (
                f"The winner is {winner}, but the totals are {total_a:g} for A and {total_b:g} "
                "for B."
            )
            hint = "Correct whichever of the two is wrong."
            node.note("warning", "winner-contradicts-scores", message, hint, "winner")
    judge = judge_of(node)
    case_id = node.text("test_case_id") or None
    if case_id and definitions.known and case_id not in definitions.cases:
        message = f"eval_metadata.json has no test case {case_id!r}."
        hint = "Add the test case, or correct the id."
        node.note("warning", "unknown-case", message, hint, "test_case_id")
    rows.add(
        ComparisonRow(
            comparison_id=key,
            suite=node.suite,
            case_id=case_id,
            version_a=labels[0],
            version_b=labels[1],
            winner=winner,
            total_a=total_a,
            total_b=total_b,
            max_total=max_total,
            judge=judge.name,
            judge_type=judge.type,
            blinded=judge.repeats or was_blind(node.value) or None,
            versions_from="document",
            compared_at=node.time("timestamp"),
            summary=node.text("summary") or None,
            source=node.path,
            pointer="",
        )
    )
    won, lost = {"A": labels, "B": labels[::-1]}.get(winner or "", (None, None))
    for text, at in node.texts("key_differentiators"):
        rows.add(
            AnalysisRow(
                suite=node.suite,
                comparison_id=key,
                winner_version=won,
                loser_version=lost,
                kind="differentiator",
                reasoning=text,
                source=node.path,
                pointer=at,
            )
        )


def _score(node: Node, key: str) -> float | None:
    score = node.number(key)
    if score is None or 1 <= score <= MAX_SCORE:
        return score
    message = f"The score {score:g} is not between 1 and {MAX_SCORE}, so it is left out."
    node.note("warning", "score-out-of-range", message, "Write a score of 1 to 5.", key)
    return None


def _totals(node: Node, pairs: Pairs) -> tuple[float | None, float | None, float | None]:
    """Return the totals and their maximum; a total is the sum of the scores or their mean."""
    stored = node.number("total_score_a"), node.number("total_score_b")
    if not pairs:
        return (*stored, None)
    sums = math.fsum(a for a, _ in pairs), math.fsum(b for _, b in pairs)
    count = len(pairs)
    means = sums[0] / count, sums[1] / count
    # A sum of whole scores is exact; only a mean may have been rounded.
    for totals, maximum, is_sum in ((sums, MAX_SCORE * count, True), (means, MAX_SCORE, False)):
        sides = list(zip(stored, totals, strict=True))
        if all(
            math.isclose(stated, own, abs_tol=0.01) if is_sum else not disagrees(stated, own)
            for stated, own in sides
            if stated is not None
        ):
            a, b = (own if stated is None else stated for stated, own in sides)
            return a, b, maximum
    shown = ["missing" if value is None else f"{value:g}" for value in stored]
    message = (
        f"The totals are {shown[0]} and {shown[1]}, but the scores add up to {sums[0]:g} and "
        f"{sums[1]:g}, and their means are {means[0]:.3g} and {means[1]:.3g}."
    )
    hint = "Write the sum of the scores of each side."
    node.note("warning", "derived-mismatch", message, hint, "total_score_a")
    return (*stored, None)
