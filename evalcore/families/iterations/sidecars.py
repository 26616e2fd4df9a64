"""What stands beside the runs: reviewers' feedback, collected suggestions, comparisons, analyses."""

from typing import Any

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.gradings import Facts
from evalcore.layouts.iterations import iteration_of, place
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    AnalysisRow,
    ComparisonRow,
    ComparisonScoreRow,
    FeedbackRow,
    NoteRow,
)

TOP = 10.0


def read_sidecars(
    plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], versions: list[str]
) -> None:
    """Add the rows of every document that is not a run's own."""
    del versions
    side = Sidecars(plan, reader, rows, facts)
    for kind, read in (
        ("feedback", side.feedback), ("eval_feedback_aggregate", side.suggestions),
        ("comparison", side.comparison), ("analysis", side.analysis),
    ):  # fmt: skip
        for path in plan.of(kind):
            value = reader.json(path)
            if value is not MISSING:
                read(Node(reader, path, value, "", plan.suite))


class Sidecars:
    """Reads the documents beside the runs of one suite."""

    def __init__(self, plan: Plan, reader: Reader, rows: Rows, facts: list[Facts]) -> None:
        self.plan = plan
        self.reader = reader
        self.rows = rows
        self.facts = facts
        self._by_viewer_id: dict[tuple[str, str], Facts] | None = None

    def feedback(self, node: Node) -> None:
        """Add a reviewer's words: `{reviews: [...]}` or a map of eval to text."""
        version = _version(node.path)
        if isinstance(node.value, dict) and isinstance(node.get("reviews"), list):
            for item in node.items("reviews"):
                self._review(version, item, item.text("run_id"), item.text("feedback"), item)
        elif isinstance(node.value, dict):
            for name, inner in node.fields():
                if isinstance(inner.value, str) and name != "status":
                    self._review(version, node, name, inner.value, inner)
        else:
            node.wrong_here("an object")

    def _review(
        self, version: str | None, item: Node, target: str | None, text: str | None, at: Node
    ) -> None:
        if not text or not text.strip():
            return
        fact = self._run(version, target or "")
        self.rows.add(FeedbackRow(
            self.plan.suite, fact.run_id if fact else None, fact.case_id if fact else None, version, "review", target,
            text, None, None, None, item.time("timestamp"), at.path, at.at,
        ))  # fmt: skip

    def _run(self, version: str | None, target: str) -> Facts | None:
        """Return the run that a viewer's id means: its path with `/` as `-`."""
        if self._by_viewer_id is None:
            self._by_viewer_id = {}
            folders = {place(p.rpartition("/")[0]): p for p, k in self.plan.files if k == "grading"}
            by_place = {
                (f.version, f.configuration, f.run_id.rpartition("#")[2]): f for f in self.facts
            }
            del by_place
            for at, path in folders.items():
                fact = self._fact_of(path)
                if at is None or fact is None:
                    continue
                start = len(at.container) + len(at.version) + (2 if at.container else 1)
                for folder in (at.folder, at.configuration_folder, at.eval_folder):
                    self._by_viewer_id.setdefault(
                        (at.version, folder[start:].replace("/", "-")), fact
                    )
        return self._by_viewer_id.get((version or "", target))

    def _fact_of(self, path: str) -> Facts | None:
        at = place(path.rpartition("/")[0])
        if at is None:
            return None
        return next((f for f in self.facts if f.version == at.version and f.configuration == at.configuration
                     and f.run_id.endswith(f"#{at.run}") and _names(f.case_id, at.eval_folder)), None)  # fmt: skip

    def suggestions(self, node: Node) -> None:
        """Add the collected suggestions about the evals themselves."""
        version = _version(node.path)
        number = node.whole("iteration")
        if version is None and number is not None:
            version = f"iteration-{number}"
        for item in node.items("suggestions"):
            self.rows.add(FeedbackRow(
                self.plan.suite, None, None, version, "aggregate", item.text("assertion"), item.text("reason"),
                item.text("action"), item.whole("frequency"), None, None, item.path, item.at,
            ))  # fmt: skip

    def comparison(self, node: Node) -> None:
        """Add a blind comparison in skill-creator's form; who A and B were is not in the file."""
        winner = (node.text("winner") or "").strip()
        word = {"a": "A", "b": "B", "tie": "tie"}.get(winner.lower())
        if not isinstance(node.value, dict) or word is None:
            node.note("warning", "no-winner", f"The winner {winner!r} is none of A, B and tie; not shown as a comparison.",
                      "Write A, B or tie.", "winner")  # fmt: skip
            return
        sides = {side: node.child("rubric").child(side) for side in "AB"}
        totals = {
            side: inner.number("overall_score")
            for side, inner in sides.items()
            if isinstance(inner.value, dict)
        }
        at = place(node.path.rpartition("/")[0])
        self.rows.add(ComparisonRow(
            node.path, self.plan.suite, None, None, None, word, totals.get("A"), totals.get("B"), TOP, 1, None, "llm",
            True, None, None, None, node.text("reasoning"), node.path, "",
        ))  # fmt: skip
        del at
        self._scores(node, sides)

    def _scores(self, node: Node, sides: dict[str, Node]) -> None:
        for part in ("content", "structure"):
            one, two = sides["A"].child(part), sides["B"].child(part)
            if isinstance(one.value, dict) and isinstance(two.value, dict):
                for name in dict.fromkeys([*one.value, *two.value]):
                    self.rows.add(ComparisonScoreRow(node.path, name, one.number(name), two.number(name), 5.0, None,
                                                     None, one.at))  # fmt: skip

    def analysis(self, node: Node) -> None:
        """Add what an analyzer found: notes as a list, or strengths, weaknesses and suggestions."""
        version = _version(node.path)
        if isinstance(node.value, list):
            for item in node.all_items():
                if isinstance(item.value, str):
                    self.rows.add(
                        NoteRow(
                            self.plan.suite,
                            None,
                            version,
                            "benchmark",
                            None,
                            item.value,
                            item.path,
                            item.at,
                        )
                    )
            return
        for kind, keys in (
            ("strength", ("winner_strengths", "strengths")),
            ("weakness", ("loser_weaknesses", "weaknesses")),
        ):
            for key in keys:
                for text, at in node.texts(key):
                    self._found(kind, None, None, None, text, node.path, at)
        for key in ("improvement_suggestions", "suggestions"):
            for item in node.items(key):
                self._found("suggestion", item.text("area") or item.text("category"), item.text("before"),
                            item.text("after") or item.text("suggestion"),
                            item.text("reasoning") or item.text("expected_impact"), item.path, item.at)  # fmt: skip

    def _found(
        self, kind: str, area: Any, before: Any, after: Any, why: Any, path: str, at: str
    ) -> None:
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
