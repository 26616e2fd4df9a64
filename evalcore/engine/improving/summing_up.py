"""What all comparisons and gradings of two versions say together, for whoever analyzes them."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from evalcore.comparing.skill_places import skill_of
from evalcore.counting.cells import typed, where
from evalcore.engine.found import AnalysisFound, PairVerdict
from evalcore.engine.improving.pairs import steps_of
from evalcore.engine.model_analysis.asking import Material
from evalcore.engine.plan import Plan, Steps
from evalcore.numbers import mean
from evalcore.tables.rows import JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace

MAX_REASON: Final = 600
NOTHING: Final = "No pair of outputs has a verdict, so there is nothing to analyze."


def wins(pairs: Collection[PairVerdict]) -> Counter[str]:
    """Return how often each side won, how many ties there are, and how many have no verdict."""
    return Counter(each.winner or "none" for each in pairs)


def verdict_words(steps: Steps, pairs: Collection[PairVerdict]) -> str:
    """Return who won how often in a sentence."""
    n = wins(pairs)
    ties = f"{n['tie']} tie{'s' * (n['tie'] != 1)}"
    said = f"{steps.version_b} won {n['b']}, {steps.version_a} won {n['a']}, {ties}"
    cases = f"{len(pairs):,} case{'s' * (len(pairs) != 1)}"
    return f"{said}, of {cases}{_none(n['none'])}."


def _none(number: int) -> str:
    return f"; {number} without a verdict" if number else ""


def winner_of(steps: Steps, pairs: Collection[PairVerdict]) -> tuple[str, str]:
    """Return winner and loser: who won more cases; where both did, the earlier version.

    A change that did not win is not better.
    """
    n = wins(pairs)
    both = steps.version_a, steps.version_b
    return both[::-1] if n["b"] > n["a"] else both


def material(ws: Workspace, plan: Plan, pairs: Collection[PairVerdict]) -> Material | AnalysisFound:
    """Return what a model is told of both versions; without a verdict why it is not asked."""
    steps = steps_of(plan)
    winner, loser = winner_of(steps, pairs)
    if not any(each.winner for each in pairs):
        return AnalysisFound(winner, loser, why=NOTHING)
    return Material(
        winner,
        loser,
        steps.version_b,
        {version: _skill(ws, plan.suite, version) for version in (winner, loser)},
        "\n".join(_comparisons(steps, pairs)),
        "\n".join(line for each in (winner, loser) for line in _grades(ws, plan.suite, each)),
    )


def _skill(ws: Workspace, suite: str, version: str) -> Mapping[str, str]:
    found = skill_of(ws, suite, version)
    return {} if found is None else found.files or {}


def _comparisons(steps: Steps, pairs: Collection[PairVerdict]) -> Iterator[str]:
    names = {"a": steps.version_a, "b": steps.version_b}
    yield verdict_words(steps, pairs)
    for each in pairs:
        if each.winner is None:
            continue
        won = names.get(each.winner, "")
        yield f"Case {each.case}: {f'{won} won' if won else 'tie'}. {each.reasoning[:MAX_REASON]}"
        for name, (a, b) in each.scores.items():
            yield f"  {name}: {steps.version_a} {a:g}, {steps.version_b} {b:g}"
        yield from (f"  difference: {said[:MAX_REASON]}" for said in each.differences)


def _grades(ws: Workspace, suite: str, version: str) -> Iterator[str]:
    """Yield how the runs of a version were graded: each criterion with its mean and low reasons."""
    runs = typed(ws, "runs", RunRow, where(ws, "runs", suite=suite, version=version))
    scores = [run.fraction for run in runs if run.fraction is not None]
    share = mean(scores)
    yield f"{version}: {len(scores)} graded runs" + (
        "." if share is None else f", {share:.0%} of the score that is possible."
    )
    for run in runs:
        for row in typed(ws, "judgments", JudgmentRow, where(ws, "judgments", run_id=run.run_id)):
            if row.status == "scored" and row.fraction is not None and row.fraction < 1:
                reason = (row.rationale or "").strip()[:MAX_REASON]
                yield f"  {run.case_id}, {row.criterion}: {row.fraction:.0%}. {reason}"
