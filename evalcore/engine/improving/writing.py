"""Write what a model found as documents of the family: created once, never changed."""

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from evalcore.engine.found import AnalysisFound, PairVerdict
from evalcore.engine.improving.pairs import steps_of
from evalcore.engine.plan import Plan
from evalcore.engine.writing import write_documents
from evalcore.families.comparing import Analysis, Better, Compared, Comparing, Said, Suggestion
from evalcore.families.comparing import Written as Documents
from evalcore.families.registry import family
from evalcore.families.reviews.models import BlindCriterion
from evalcore.families.running import Document
from evalcore.judging.storing.record_factory import part_of
from evalcore.shapes.judge import MODEL
from evalcore.tables.snapshot import Tables

_EVEN: Final = 0.5
T = TypeVar("T")


class Written(NamedTuple):
    """The paths of what was written, and what its form cannot say."""

    paths: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def write_pair(
    plan: Plan, tables: Tables, criteria: Sequence[BlindCriterion], verdict: PairVerdict
) -> Written:
    """Write a verdict on one pair; writing again stores nothing twice.

    Raises:
        CannotWrite: it cannot be written; writing again completes it.
    """
    if verdict.winner is None:
        return Written()
    found = pair_documents(plan, tables, criteria, verdict)
    return Written(write_documents(plan, found.documents), found.left_out)


def pair_documents(
    plan: Plan, tables: Tables, criteria: Sequence[BlindCriterion], verdict: PairVerdict
) -> Documents:
    """Return a verdict on one pair as the documents of the family."""
    scale = (criteria[0].low, criteria[0].high)
    return _comparing(plan).write(_compared(plan, tables, scale, (_said(plan, verdict),)))


def write_analysis(plan: Plan, tables: Tables, found: AnalysisFound) -> tuple[str, ...]:
    """Write why the winner won, where the family has a form for it; return the paths.

    Raises:
        CannotWrite: it cannot be written; writing again completes it.
    """
    return write_documents(plan, analysis_documents(plan, tables, found))


def analysis_documents(plan: Plan, tables: Tables, found: AnalysisFound) -> list[Document]:
    """Return an analysis as a document of the family; none where it has no form for it."""
    write = _comparing(plan).analysis
    if write is None:
        return []
    suggestions = tuple(
        Suggestion(each.area, each.before, each.after, each.reasoning) for each in found.suggestions
    )
    analysis = Analysis(
        found.winner, found.loser, found.strengths, found.weaknesses, suggestions, found.about
    )
    return [write(_compared(plan, tables, None, ()), analysis)]


def _comparing(plan: Plan) -> Comparing:
    found = family(plan.family).comparing()
    assert found is not None, plan.family
    return found


def _compared(
    plan: Plan, tables: Tables, scale: tuple[int, int] | None, said: tuple[Said, ...]
) -> Compared:
    steps = steps_of(plan)
    return Compared(
        id=plan.id,
        suite=plan.suite,
        root=plan.root,
        tables=tables,
        version_a=steps.version_a,
        version_b=steps.version_b,
        scale=scale,
        share_b=_EVEN,
        cases=len(said),
        notes="",
        ended_at=plan.at,
        verdicts=said,
    )


def _said(plan: Plan, verdict: PairVerdict) -> Said:
    """Return a verdict as the outputs stood before the model when it was asked first."""
    steps, first = steps_of(plan), verdict.is_a_first
    versions = steps.version_a, steps.version_b
    left, right = versions if first else versions[::-1]
    winner: Better = "tie"
    if verdict.winner in ("a", "b"):
        winner = "left" if (verdict.winner == "a") == first else "right"
    return Said(
        id=part_of(plan.id, f"compare {verdict.case}"),
        case=verdict.case,
        left=left,
        right=right,
        winner=winner,
        scores={name: _turned(pair, first=first) for name, pair in verdict.scores.items()},
        rationale=verdict.reasoning,
        judge=steps.model.model,
        at=verdict.at,
        judge_type=MODEL,
        reasons={name: _turned(pair, first=first) for name, pair in verdict.reasons.items()},
        differences=verdict.differences,
        about=verdict.about,
    )


def _turned(pair: tuple[T, T], *, first: bool) -> tuple[T, T]:
    return pair if first else (pair[1], pair[0])
