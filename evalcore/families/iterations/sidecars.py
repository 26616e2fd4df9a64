"""What stands beside the runs: reviewers' feedback, suggestions, comparisons, analyses."""

from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.runs import Facts
from evalcore.layouts.iterations import iteration_of, place
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    AnalysisRow,
    ComparisonRow,
    ComparisonScoreRow,
    FeedbackRow,
    NoteRow,
)

TOP: Final = 10.0
PART_TOP: Final = 5.0
WINNERS: Final = {"a": "A", "b": "B", "tie": "tie"}
FINDINGS: Final = (
    ("strength", ("winner_strengths", "strengths")),
    ("weakness", ("loser_weaknesses", "weaknesses")),
)


def read_sidecars(plan: Plan, reader: Reader, rows: Rows, facts: list[Facts]) -> None:
    """Add the rows of every document that is not a run's own."""
    side = Sidecars(plan, rows, facts)
    for kind, read in (
        ("feedback", side.feedback),
        ("eval_feedback_aggregate", side.suggestions),
        ("comparison", side.comparison),
        ("analysis", side.analysis),
    ):
        for path in plan.of(kind):
            value = reader.json(path)
            if value is not MISSING:
                read(Node(reader, path, value, "", plan.suite))


class Sidecars:
    """Reads the documents beside the runs of one suite."""

    def __init__(self, plan: Plan, rows: Rows, facts: list[Facts]) -> None:
        self.plan = plan
        self.rows = rows
        self.facts = facts
        self._by_viewer_id: dict[tuple[str, str], Facts] | None = None

    def feedback(self, node: Node) -> None:
        """Add a reviewer's words: `{reviews: [...]}` or a map of eval to text."""
        if isinstance(node.value, dict) and isinstance(node.get("reviews"), list):
            for item in node.items("reviews"):
                self._review(item, item.text("run_id"), item.text("feedback"), item)
        elif isinstance(node.value, dict):
            for name, inner in node.fields():
                if isinstance(inner.value, str) and name != "status":
                    self._review(node, name, inner.value, inner)
        else:
            node.wrong_here("an object")

    def _review(self, item: Node, target: str | None, text: str | None, at: Node) -> None:
        if not text or not text.strip():
            return
        version = _version(at.path)
        fact = self._run(version, target or "")
        run_id, case_id = (fact.run_id, fact.case_id) if fact else (None, None)
        self.rows.add(
            FeedbackRow(self.plan.suite, run_id, case_id, version, "review", target, text, None,
                        None, None, item.time("timestamp"), at.path, at.at)
        )  # fmt: skip

    def _run(self, version: str | None, target: str) -> Facts | None:
        """Return the run that a viewer's id means: its path with `/` as `-`."""
        if self._by_viewer_id is None:
            self._by_viewer_id = self._viewer_ids()
        return self._by_viewer_id.get((version or "", target))

    def _viewer_ids(self) -> dict[tuple[str, str], Facts]:
        """Return (version, viewer's id) to run; the folders around a run stand for its first."""
        found: dict[tuple[str, str], Facts] = {}
        for path in self.plan.of("grading"):
            at = place(path.rpartition("/")[0])
            fact = self._fact_of(path)
            if at is None or fact is None:
                continue
            above = "/".join(part for part in (at.container, at.version) if part)
            for folder in (at.folder, at.configuration_folder, at.eval_folder):
                name = folder.removeprefix(f"{above}/").replace("/", "-")
                found.setdefault((at.version, name), fact)
        return found

    def _fact_of(self, path: str) -> Facts | None:
        at = place(path.rpartition("/")[0])
        if at is None:
            return None
        for fact in self.facts:
            if (
                (fact.version, fact.configuration) == (at.version, at.configuration)
                and fact.run_id.endswith(f"#{at.run}")
                and _names(fact.case_id, at.eval_folder)
            ):
                return fact
        return None

    def suggestions(self, node: Node) -> None:
        """Add the collected suggestions about the evals themselves."""
        version = _version(node.path)
        number = node.whole("iteration")
        if version is None and number is not None:
            version = f"iteration-{number}"
        for item in node.items("suggestions"):
            self.rows.add(
                FeedbackRow(self.plan.suite, None, None, version, "aggregate",
                            item.text("assertion"), item.text("reason"), item.text("action"),
                            item.whole("frequency"), None, None, item.path, item.at)
            )  # fmt: skip

    def comparison(self, node: Node) -> None:
        """Add a blind comparison in skill-creator's form; who A and B were is not in the file."""
        winner = (node.text("winner") or "").strip()
        word = WINNERS.get(winner.lower())
        if not isinstance(node.value, dict) or word is None:
            node.note(
                "warning",
                "no-winner",
                f"The winner {winner!r} is none of A, B and tie; not shown as a comparison.",
                "Write A, B or tie.",
                "winner",
            )
            return
        sides = [node.child("rubric").child(side) for side in "AB"]
        total_a, total_b = (
            side.number("overall_score") if isinstance(side.value, dict) else None for side in sides
        )
        self.rows.add(
            ComparisonRow(node.path, self.plan.suite, None, None, None, word, total_a, total_b, TOP,
                          1, None, "llm", True, None, None, None, node.text("reasoning"), node.path,
                          "")
        )  # fmt: skip
        self._scores(node, *sides)

    def _scores(self, node: Node, side_a: Node, side_b: Node) -> None:
        for part in ("content", "structure"):
            one, two = side_a.child(part), side_b.child(part)
            if isinstance(one.value, dict) and isinstance(two.value, dict):
                for name in dict.fromkeys([*one.value, *two.value]):
                    self.rows.add(
                        ComparisonScoreRow(node.path, name, one.number(name), two.number(name),
                                           PART_TOP, None, None, one.at)
                    )  # fmt: skip

    def analysis(self, node: Node) -> None:
        """Add what an analyzer found: notes as a list, or strengths, weaknesses and suggestions."""
        if isinstance(node.value, list):
            for item in node.all_items():
                if isinstance(item.value, str):
                    self.rows.add(
                        NoteRow(self.plan.suite, None, _version(node.path), "benchmark", None,
                                item.value, item.path, item.at)
                    )  # fmt: skip
            return
        for kind, keys in FINDINGS:
            for key in keys:
                for text, at in node.texts(key):
                    self._found(node.path, at, kind, reasoning=text)
        for key in ("improvement_suggestions", "suggestions"):
            for item in node.items(key):
                self._found(
                    item.path,
                    item.at,
                    "suggestion",
                    area=item.text("area") or item.text("category"),
                    before=item.text("before"),
                    after=item.text("after") or item.text("suggestion"),
                    reasoning=item.text("reasoning") or item.text("expected_impact"),
                )

    def _found(self, path: str, at: str, kind: str, **said: str | None) -> None:
        area, before, after, why = map(said.get, ("area", "before", "after", "reasoning"))
        self.rows.add(
            AnalysisRow(self.plan.suite, None, None, None, kind, area, before, after, why, path, at)
        )


def _version(path: str) -> str | None:
    folder = path.rpartition("/")[0]
    found = iteration_of(folder)
    if found:
        return found[1]
    at = place(folder)
    return at.version if at else None


def _names(case_id: str, eval_folder: str) -> bool:
    name = eval_folder.rpartition("/")[2]
    return case_id in (name, name.removeprefix("eval-")) or name.startswith(
        (f"eval-{case_id}-", f"{case_id}-")
    )
