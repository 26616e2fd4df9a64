"""Read blind comparisons and their analyses, and join the two to cases and versions."""

import re
from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING, Json, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.improve.definitions import Definitions
from evalcore.shapes.judge import judge_of, versions_in
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow, DocumentRow

MAX_SCORE: Final = 10
_NUMBER: Final = re.compile(r"v?(\d{1,15})", re.IGNORECASE)


class _Document(NamedTuple):
    """A comparison or an analysis, with the suffix of its name: `-1`."""

    path: str
    value: dict[str, Json]
    suffix: str


class _Sides(NamedTuple):
    """The versions behind A and B, with their source."""

    version_a: str | None = None
    version_b: str | None = None
    versions_from: str | None = None


def read_comparisons(
    plan: Plan, reader: Reader, rows: Rows, definitions: Definitions, versions: list[str]
) -> None:
    """Add the comparisons and analyses of one suite."""
    found = _Comparisons(plan, reader, rows, definitions, set(versions))
    comparisons, analyses = found.load("comparison"), found.load("analysis")
    partners = _pairs(comparisons, analyses)
    for document in comparisons:
        found.comparison(document, partners.get(document.path))
    by_analysis = {analysis.path: path for path, analysis in partners.items()}
    for document in analyses:
        found.analysis(document, by_analysis.get(document.path))


def _pairs(comparisons: list[_Document], analyses: list[_Document]) -> dict[str, _Document]:
    """Return the analysis of each comparison: the only one, or the one with the same suffix."""
    if len(comparisons) == 1 and len(analyses) == 1:
        numbered = comparisons[0].suffix and analyses[0].suffix
        if not numbered or comparisons[0].suffix == analyses[0].suffix:
            return {comparisons[0].path: analyses[0]}
    pairs = {}
    for comparison in comparisons:
        alike = [one for one in comparisons if one.suffix == comparison.suffix]
        same = [one for one in analyses if one.suffix == comparison.suffix]
        folder = comparison.path.rpartition("/")[0]
        if len(alike) > 1 or len(same) > 1:
            same = [one for one in same if one.path.rpartition("/")[0] == folder]
        if len(same) == 1:
            pairs[comparison.path] = same[0]
    return pairs


class _Comparisons:
    def __init__(
        self, plan: Plan, reader: Reader, rows: Rows, definitions: Definitions, versions: set[str]
    ) -> None:
        self.plan = plan
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.versions = versions

    def load(self, kind: str) -> list[_Document]:
        """Return the files of one kind that contain an object, and add a document for each file."""
        documents = []
        for path in self.plan.of(kind):
            value = self.reader.json(path)
            held = isinstance(value, dict)
            self.rows.add(
                DocumentRow(
                    path=path, family="improve", kind=kind, suite=self.suite, records=int(held)
                )
            )
            if held:
                name = path.rpartition("/")[2].removesuffix(".json")
                documents.append(_Document(path, value, name.removeprefix(kind)))
            elif value is not MISSING:
                self._node(path, value).type_problem("an object")
        return documents

    def comparison(self, document: _Document, analysis: _Document | None) -> None:
        """Add one comparison with its scores."""
        node = self._node(document.path, document.value)
        key = self._id(document.path)
        winner = self._winner(node)
        sides = self._sides(document, winner, analysis)
        total_a, total_b, count = self._scores(node, key)
        self._check_winner(node, winner, total_a, total_b)
        judge = judge_of(node)
        self.rows.add(
            ComparisonRow(
                comparison_id=key,
                suite=self.suite,
                case_id=self._case(node),
                version_a=sides.version_a,
                version_b=sides.version_b,
                winner=winner,
                total_a=total_a,
                total_b=total_b,
                max_total=MAX_SCORE * count if count else None,
                judge=judge.name,
                judge_type=judge.type,
                blinded=True,
                versions_from=sides.versions_from,
                summary=node.text("reasoning") or None,
                source=document.path,
                pointer="",
            )
        )

    def _node(self, path: str, value: Json) -> Node:
        return Node(self.reader, path, value, suite=self.suite)

    def _id(self, path: str) -> str:
        base = f"{self.plan.root}/" if self.plan.root else ""
        return f"{self.suite}::{path.removeprefix(base).removesuffix('.json')}"

    def _winner(self, node: Node) -> str | None:
        text = node.text("winner")
        if text is None:
            return None
        word = {"a": "A", "b": "B", "tie": "tie"}.get(text.strip().lower())
        if word is None:
            node.wrong("winner", '"A" or "B"')
        return word

    def _case(self, node: Node) -> str | None:
        """Return the one case with the prompt that was compared."""
        prompt = node.text("eval_prompt")
        if not prompt or not self.definitions.known:
            return None
        cases = self.definitions.prompts.get(prompt.strip(), [])
        if len(cases) == 1:
            return cases[0]
        if cases:
            node.note(
                "warning",
                "ambiguous-prompt",
                f"The cases {', '.join(cases)} share this prompt, so it is unclear which one "
                "was compared.",
                "Give each case its own prompt.",
                "eval_prompt",
            )
        else:
            node.note(
                "warning",
                "unknown-prompt",
                "No case in evals.json has this prompt, so the comparison belongs to none.",
                "Use the exact prompt of the case.",
                "eval_prompt",
            )
        return None

    def _sides(self, document: _Document, winner: str | None, analysis: _Document | None) -> _Sides:
        """Return the versions behind A and B: as evalcore wrote them, or as an analysis tells."""
        if named := versions_in(document.value):
            return _Sides(*named, "document")
        if analysis is None or winner not in ("A", "B"):
            return _Sides()
        won, lost = (_label(analysis.value.get(key)) for key in ("winner_version", "loser_version"))
        if won is None or lost is None or won == lost:
            return _Sides()
        return _Sides(won, lost, "analysis") if winner == "A" else _Sides(lost, won, "analysis")

    def _scores(self, node: Node, key: str) -> tuple[float | None, float | None, int]:
        """Add the score of each dimension; return the sums of those scored on both sides."""
        both: list[tuple[float, float]] = []
        for name, item in node.fields("scores"):
            if not isinstance(item.value, dict):
                item.type_problem("an object")
                continue
            a, b = self._score(item, "A"), self._score(item, "B")
            if a is not None and b is not None:
                both.append((a, b))
            self.rows.add(
                ComparisonScoreRow(
                    comparison_id=key,
                    criterion=name,
                    score_a=a,
                    score_b=b,
                    max_score=MAX_SCORE,
                    justification_a=item.text("justification_A"),
                    justification_b=item.text("justification_B"),
                    pointer=item.at,
                )
            )
        if not both:
            return None, None, 0
        return sum(a for a, _ in both), sum(b for _, b in both), len(both)

    def _score(self, node: Node, side: str) -> float | None:
        score = node.number(side)
        if score is not None and not 1 <= score <= MAX_SCORE:
            node.note(
                "warning",
                "score-out-of-range",
                f"The score {score} is not between 1 and {MAX_SCORE}, so it is left out.",
                "Write a score of 1 to 10.",
                side,
            )
            return None
        return score

    def _check_winner(
        self, node: Node, winner: str | None, total_a: float | None, total_b: float | None
    ) -> None:
        if total_a is None or total_b is None:
            return
        ahead = "A" if total_a > total_b else "B" if total_b > total_a else None
        if winner in ("A", "B") and ahead not in (None, winner):
            node.note(
                "warning",
                "winner-contradicts-scores",
                f"The winner is {winner}, but the "
                f"scores add up to {total_a:g} for A and {total_b:g} for B.",
                "Correct whichever of the two is wrong.",
                "winner",
            )

    def analysis(self, document: _Document, comparison: str | None) -> None:
        """Add the findings of one analysis."""
        node = self._node(document.path, document.value)
        sides = [self._version(node, key) for key in ("winner_version", "loser_version")]
        key = None if comparison is None else self._id(comparison)
        for field, kind in (("strengths", "strength"), ("weaknesses", "weakness")):
            for text, at in node.texts(field):
                self.rows.add(
                    AnalysisRow(
                        suite=self.suite,
                        comparison_id=key,
                        winner_version=sides[0],
                        loser_version=sides[1],
                        kind=kind,
                        reasoning=text,
                        source=document.path,
                        pointer=at,
                    )
                )
        for item in node.items("suggestions"):
            area, before, after, why = (
                item.text(name) or None for name in ("area", "before", "after", "reasoning")
            )
            self.rows.add(
                AnalysisRow(
                    suite=self.suite,
                    comparison_id=key,
                    winner_version=sides[0],
                    loser_version=sides[1],
                    kind="suggestion",
                    area=area,
                    before=before,
                    after=after,
                    reasoning=why,
                    source=document.path,
                    pointer=item.at,
                )
            )

    def _version(self, node: Node, key: str) -> str | None:
        label = _label(node.get(key))
        if label is None:
            node.text(key)
        elif label not in self.versions:
            node.note(
                "warning",
                "unknown-version",
                f"{key} is {label!r}, which is not a known version.",
                "Use the label of a version, like v1.",
                key,
            )
        return label


def _label(value: Json) -> str | None:
    """Return the label of a version given as v1, V1, "1" or 1."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**15:
        return f"v{value}"
    if not isinstance(value, str) or not value.strip():
        return None
    found = _NUMBER.fullmatch(value.strip())
    return f"v{int(found[1])}" if found else value.strip()
