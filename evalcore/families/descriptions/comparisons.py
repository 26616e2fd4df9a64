"""Read comparisons: two versions of the description on one test case."""

import math
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.descriptions.benchmark import Benchmark
from evalcore.families.descriptions.benchmark_entries import version_label
from evalcore.families.descriptions.definitions import Definitions
from evalcore.numbers import disagrees
from evalcore.shapes.judge import judge_of, was_blind
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, ComparisonRow, ComparisonScoreRow, DocumentRow

MAX_SCORE: Final = 5

Pairs = list[tuple[float, float]]


class Comparisons:
    """Adds the comparisons of one suite."""

    def __init__(
        self,
        plan: Plan,
        reader: Reader,
        rows: Rows,
        definitions: Definitions,
        benchmark: Benchmark,
    ) -> None:
        self.suite = plan.suite
        self.reader = reader
        self.rows = rows
        self.definitions = definitions
        self.benchmark = benchmark
        self._seen: set[str] = set()

    def read(self, path: str) -> None:
        """Add one comparison with its scores and differentiators."""
        value = self.reader.json(path)
        held = isinstance(value, dict)
        self.rows.add(
            DocumentRow(
                path=path,
                family="descriptions",
                kind="comparison",
                suite=self.suite,
                records=int(held),
            )
        )
        node = Node(self.reader, path, value, suite=self.suite)
        if not held:
            if value is not MISSING:
                node.type_problem("an object")
            return
        key = self._id(node)
        winner = self._winner(node)
        version_a, version_b = self._version(node, "version_a"), self._version(node, "version_b")
        pairs = self._scores(node, key)
        total_a, total_b, max_total = self._totals(node, pairs)
        self._check_winner(node, winner, total_a, total_b)
        judge = judge_of(node)
        self.rows.add(
            ComparisonRow(
                comparison_id=key,
                suite=self.suite,
                case_id=self._case(node),
                version_a=version_a,
                version_b=version_b,
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
                source=path,
                pointer="",
            )
        )
        won, lost = (version_b, version_a) if winner == "B" else (version_a, version_b)
        if winner not in ("A", "B"):
            won = lost = None
        for text, at in node.texts("key_differentiators"):
            self.rows.add(
                AnalysisRow(
                    suite=self.suite,
                    comparison_id=key,
                    winner_version=won,
                    loser_version=lost,
                    kind="differentiator",
                    reasoning=text,
                    source=path,
                    pointer=at,
                )
            )

    def _id(self, node: Node) -> str:
        stem = node.path.rpartition("/")[2].removesuffix(".json")
        stated = node.text("comparison_id")
        if stated and stated != stem:
            node.note(
                "warning",
                "name-mismatch",
                f"'comparison_id' is {stated!r} in the file and {stem!r} in its path; the file "
                "is used.",
                "Rename the file.",
                "comparison_id",
            )
        name = stated or stem
        if name in self._seen:
            node.note(
                "warning",
                "duplicate-comparison",
                f"The id {name!r} is used by another comparison; this one is shown as {stem!r}.",
                "Give each comparison its own id.",
                "comparison_id",
            )
            name = stem if stem not in self._seen else node.path
        self._seen.add(name)
        return f"{self.suite}::{name}"

    def _case(self, node: Node) -> str | None:
        case_id = node.text("test_case_id") or None
        if case_id and self.definitions.known and case_id not in self.definitions.cases:
            node.note(
                "warning",
                "unknown-case",
                f"eval_metadata.json has no test case {case_id!r}.",
                "Add the test case, or correct the id.",
                "test_case_id",
            )
        return case_id

    def _version(self, node: Node, key: str) -> str | None:
        label = version_label(node, key)
        if label and label not in self.benchmark.versions:
            node.note(
                "info",
                "unknown-version",
                f"No benchmark entry is about {label}; it is listed because it was compared.",
                "Run the benchmark for it.",
                key,
            )
            self.benchmark.version(label, node.path, f"/{key}")
        return label

    def _winner(self, node: Node) -> str | None:
        text = node.text("winner")
        if text is None:
            return None
        word = {"a": "A", "b": "B", "tie": "tie"}.get(text.strip().lower())
        if word is None:
            node.wrong("winner", '"A", "B" or "tie"')
        return word

    def _scores(self, node: Node, key: str) -> Pairs:
        """Add the score of each criterion; return those scored on both sides."""
        pairs: Pairs = []
        for item in node.items("criteria_scores"):
            a, b = self._score(item, "score_a"), self._score(item, "score_b")
            if a is not None and b is not None:
                pairs.append((a, b))
            self.rows.add(
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
        return pairs

    def _score(self, node: Node, key: str) -> float | None:
        score = node.number(key)
        if score is not None and not 1 <= score <= MAX_SCORE:
            node.note(
                "warning",
                "score-out-of-range",
                f"The score {score:g} is not between 1 and {MAX_SCORE}, so it is left out.",
                "Write a score of 1 to 5.",
                key,
            )
            return None
        return score

    def _totals(self, node: Node, pairs: Pairs) -> tuple[float | None, float | None, float | None]:
        """Return the totals and their maximum; a total is the sum of the scores or their mean."""
        stored = node.number("total_score_a"), node.number("total_score_b")
        if not pairs:
            return (*stored, None)
        sums = math.fsum(a for a, _ in pairs), math.fsum(b for _, b in pairs)
        count = len(pairs)
        means = sums[0] / count, sums[1] / count
        # A sum of whole scores is exact; only a mean may have been rounded.
        ways = (sums, MAX_SCORE * count, _apart), (means, MAX_SCORE, disagrees)
        for totals, maximum, differ in ways:
            sides = list(zip(stored, totals, strict=True))
            if all(stated is None or not differ(stated, own) for stated, own in sides):
                a, b = (own if stated is None else stated for stated, own in sides)
                return a, b, maximum
        node.note(
            "warning",
            "derived-mismatch",
            f"The totals are {_text(stored[0])} and {_text(stored[1])}, but the scores add up to "
            f"{sums[0]:g} and {sums[1]:g}, and their means are {means[0]:.3g} and "
            f"{means[1]:.3g}.",
            "Write the sum of the scores of each side.",
            "total_score_a",
        )
        return (*stored, None)

    def _check_winner(
        self, node: Node, winner: str | None, total_a: float | None, total_b: float | None
    ) -> None:
        if total_a is None or total_b is None or winner is None:
            return
        ahead = "A" if total_a > total_b else "B" if total_b > total_a else "tie"
        # With equal totals a judge may still prefer one side.
        if ahead not in ("tie", winner):
            node.note(
                "warning",
                "winner-contradicts-scores",
                f"The winner is {winner}, but the totals are {total_a:g} for A and {total_b:g} "
                "for B.",
                "Correct whichever of the two is wrong.",
                "winner",
            )


def _apart(stored: float, computed: float) -> bool:
    return not math.isclose(stored, computed, abs_tol=0.01)


def _text(value: float | None) -> str:
    return "missing" if value is None else f"{value:g}"
