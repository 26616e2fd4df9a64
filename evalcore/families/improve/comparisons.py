"""Read blind comparisons and their analyses, and join the two to cases and versions."""

from collections.abc import Collection
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import Definitions
from evalcore.families.improve.find import below
from evalcore.families.improve.gradings import number_of
from evalcore.shapes.judge import judge_of, versions_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow, DocumentRow

MAX_SCORE: Final = 10


class _Document(NamedTuple):
    """A comparison or an analysis, with the suffix of its name (`-1`) and its id in the tables."""

    node: Node
    folder: str
    suffix: str
    id: str


def read_comparisons(
    plan: Plan, reader: Reader, rows: Rows, definitions: Definitions, versions: Collection[str]
) -> None:
    """Add the comparisons and analyses of one suite."""
    found: dict[str, list[_Document]] = {"comparison": [], "analysis": []}
    for kind, documents in found.items():
        for path in plan.of(kind):
            value = reader.json(path)
            held = isinstance(value, dict)
            rows.add(DocumentRow(path, "improve", kind, plan.suite, records=int(held)))
            node = Node(reader, path, value, suite=plan.suite)
            if held:
                folder, _, name = path.rpartition("/")
                suffix = name.removesuffix(".json").removeprefix(kind)
                place = path.removeprefix(below(plan.root, "")).removesuffix(".json")
                documents.append(_Document(node, folder, suffix, f"{plan.suite}::{place}"))
            elif value is not MISSING:
                node.type_problem("an object")
    comparisons, analyses = found.values()
    partners = _pairs(comparisons, analyses)
    for comparison in comparisons:
        _add_comparison(comparison, partners.get(comparison.id), rows, definitions)
    ids = {analysis.id: comparison for comparison, analysis in partners.items()}
    for analysis in analyses:
        node = analysis.node
        sides: dict[str, str | None] = {}
        for key in ("winner_version", "loser_version"):
            label = sides[key] = _label(node.get(key))
            if label is None:
                node.text(key)  # another type is a problem
            elif label not in versions:
                message = f"{key} is {label!r}, which is not a known version."
                hint = "Use the label of a version, like v1."
                node.note("warning", "unknown-version", message, hint, key)
        about = ids.get(analysis.id)
        row = AnalysisRow(suite=node.suite, comparison_id=about, source=node.path, **sides)
        for field, kind in (("strengths", "strength"), ("weaknesses", "weakness")):
            for text, at in node.texts(field):
                rows.add(row._replace(kind=kind, reasoning=text, pointer=at))
        for item in node.items("suggestions"):
            names = ("area", "before", "after", "reasoning")
            texts = {name: item.text(name) or None for name in names}
            rows.add(row._replace(kind="suggestion", pointer=item.at, **texts))


def _pairs(comparisons: list[_Document], analyses: list[_Document]) -> dict[str, _Document]:
    """Return the analysis of each comparison: the only one, or the one with the same suffix."""
    if len(comparisons) == 1 and len(analyses) == 1:
        numbered = comparisons[0].suffix and analyses[0].suffix
        if not numbered or comparisons[0].suffix == analyses[0].suffix:
            return {comparisons[0].id: analyses[0]}
    pairs = {}
    for comparison in comparisons:
        alike = [one for one in comparisons if one.suffix == comparison.suffix]
        same = [one for one in analyses if one.suffix == comparison.suffix]
        if len(alike) > 1 or len(same) > 1:
            same = [one for one in same if one.folder == comparison.folder]
        if len(same) == 1:
            pairs[comparison.id] = same[0]
    return pairs


def _add_comparison(
    document: _Document, analysis: _Document | None, rows: Rows, definitions: Definitions
) -> None:
    """Add one comparison with its scores."""
    node = document.node
    stated = node.text("winner")
    winner = {"a": "A", "b": "B", "tie": "tie"}.get((stated or "").strip().lower())
    if winner is None and stated is not None:
        node.wrong("winner", '"A" or "B"')
    # The versions behind A and B: as evalcore wrote them, or as an analysis tells.
    sides, sides_from = versions_in(node.value), "document"
    if sides is None and analysis is not None and winner in ("A", "B"):
        keys = ("winner_version", "loser_version")
        won, lost = (_label(analysis.node.get(key)) for key in keys)
        if won is not None and lost is not None and won != lost:
            sides, sides_from = (won, lost) if winner == "A" else (lost, won), "analysis"
    both: list[tuple[float, float]] = []
    for name, item in node.fields("scores"):
        if not isinstance(item.value, dict):
            item.type_problem("an object")
            continue
        a, b = _score(item, "A"), _score(item, "B")
        if a is not None and b is not None:
            both.append((a, b))
        rows.add(
            ComparisonScoreRow(
                comparison_id=document.id,
                criterion=name,
                score_a=a,
                score_b=b,
                max_score=MAX_SCORE,
                justification_a=item.text("justification_A"),
                justification_b=item.text("justification_B"),
                pointer=item.at,
            )
        )
    total_a, total_b = sum(a for a, _ in both), sum(b for _, b in both)
    if (winner == "A" and total_a < total_b) or (winner == "B" and total_b < total_a):
        message = (
            f"The winner is {winner}, but the scores add up to {total_a:g} for A and {total_b:g} "
            "for B."
        )
        hint = "Correct whichever of the two is wrong."
        node.note("warning", "winner-contradicts-scores", message, hint, "winner")
    judge = judge_of(node)
    rows.add(
        ComparisonRow(
            comparison_id=document.id,
            suite=node.suite,
            case_id=_case(node, definitions),
            version_a=sides[0] if sides else None,
            version_b=sides[1] if sides else None,
            winner=winner,
            total_a=total_a if both else None,
            total_b=total_b if both else None,
            max_total=MAX_SCORE * len(both) if both else None,
            judge=judge.name,
            judge_type=judge.type,
            blinded=True,
            versions_from=sides_from if sides else None,
            summary=node.text("reasoning") or None,
            source=node.path,
            pointer="",
        )
    )


def _score(node: Node, side: str) -> float | None:
    score = node.number(side)
    if score is None or 1 <= score <= MAX_SCORE:
        return score
    message = f"The score {score} is not between 1 and {MAX_SCORE}, so it is left out."
    node.note("warning", "score-out-of-range", message, "Write a score of 1 to 10.", side)
    return None


def _case(node: Node, definitions: Definitions) -> str | None:
    """Return the one case with the prompt that was compared."""
    prompt = node.text("eval_prompt")
    if not prompt or not definitions.known:
        return None
    cases = definitions.prompts.get(prompt.strip(), [])
    if len(cases) == 1:
        return cases[0]
    if cases:
        message = (
            f"The cases {', '.join(cases)} share this prompt, so it is unclear which one was "
            "compared."
        )
        hint = "Give each case its own prompt."
        node.note("warning", "ambiguous-prompt", message, hint, "eval_prompt")
    else:
        message = "No case in evals.json has this prompt, so the comparison belongs to none."
        hint = "Use the exact prompt of the case."
        node.note("warning", "unknown-prompt", message, hint, "eval_prompt")
    return None


def _label(value: Json) -> str | None:
    """Return the label of a version given as v1, V1, "1" or 1."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return f"v{value}"
    if not isinstance(value, str) or not value.strip():
        return None
    number = number_of(value.strip())
    return value.strip() if number is None else f"v{number}"
