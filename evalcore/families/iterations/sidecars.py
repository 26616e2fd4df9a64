"""The documents beside the runs: reviewers' feedback, suggestions, comparisons, analyses."""

from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.comparisons import Comparisons
from evalcore.families.iterations.feedback import Reviews, version_of
from evalcore.families.iterations.figures import leaf
from evalcore.families.iterations.runs import Facts
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, FeedbackRow, NoteRow

FINDINGS: Final = (
    ("strength", ("winner_strengths", "strengths")),
    ("weakness", ("loser_weaknesses", "weaknesses")),
)
SUGGESTIONS: Final = ("improvement_suggestions", "suggestions")
OTHERS: Final = (("findings", "finding"), ("change_causes", "finding"))
AREAS: Final = ("area", "category", "kind", "class", "case", "case_id")
REASONS: Final = (
    "reasoning", "expected_impact", "description", "evidence", "rationale", "detail", "reason",
)  # fmt: skip
READ: Final = frozenset(
    (
        *(key for _, keys in FINDINGS for key in keys),
        *SUGGESTIONS,
        *(key for key, _ in OTHERS),
        "skill",
        "iteration",
        "timestamp",
    )
)


def read_sidecars(
    plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], cases: Cases | None = None
) -> None:
    """Add the rows of every document that is not a run's own."""
    side = Sidecars(plan, rows)
    reviews = Reviews(plan.suite, rows, facts, cases) if plan.of("feedback") else None
    for kind, read in (
        ("feedback", reviews.read if reviews is not None else side.analysis),
        ("eval_feedback_aggregate", side.suggestions),
        ("comparison", Comparisons(plan.suite, rows, cases).read),
        ("analysis", side.analysis),
    ):
        for path in plan.of(kind):
            value = reader.json(path)
            if value is not MISSING:
                read(Node(reader, path, value, "", plan.suite))


class Sidecars:
    """Reads what an analyzer or an aggregator wrote about the runs of one suite."""

    def __init__(self, plan: Plan, rows: Rows) -> None:
        self.plan = plan
        self.rows = rows

    def suggestions(self, node: Node) -> None:
        """Add the collected suggestions about the evals themselves."""
        version = version_of(node.path)
        number = node.whole("iteration")
        if version is None and number is not None:
            version = f"iteration-{number}"
        for item in node.items("suggestions"):
            self.rows.add(
                FeedbackRow(
                    suite=self.plan.suite,
                    version=version,
                    kind="aggregate",
                    target=item.text("assertion"),
                    text=item.text("reason"),
                    action=(item.text("action") or "").strip() or None,
                    frequency=item.whole("frequency"),
                    source=item.path,
                    pointer=item.at,
                )
            )

    def analysis(self, node: Node) -> None:
        """Add what an analyzer found: notes as a list, or findings, and what else it says."""
        if isinstance(node.value, list):
            for item in node.all_items():
                for found in leaf("", item):
                    if isinstance(item.value, (str, dict)) and found.text:
                        self._note(node, found.name.lstrip("."), found.text, found.node.at)
            return
        self._findings(node)
        for name, child in node.fields():
            for found in leaf(name, child) if name not in READ else ():
                text = found.text if found.text is not None else f"{found.number:g}"
                self._note(node, found.name, text, found.node.at)

    def _findings(self, node: Node) -> None:
        for kind, keys in FINDINGS:
            for key in keys:
                for text, at in node.texts(key):
                    self._found(node.path, at, kind, None, None, None, text)
        for key in SUGGESTIONS:
            for item in node.items(key):
                area = item.text("area") or item.text("category")
                after = item.text("after") or item.text("suggestion")
                why = item.text("reasoning") or item.text("expected_impact")
                self._found(item.path, item.at, "suggestion", area, item.text("before"), after, why)
        for key, kind in OTHERS:
            for item in node.items(key) if isinstance(node.get(key), list) else ():
                area, why = _first(item, AREAS), _first(item, REASONS) or _line(item)
                self._found(item.path, item.at, kind, area, None, None, why)

    def _note(self, node: Node, target: str, text: str, at: str) -> None:
        self.rows.add(
            NoteRow(
                suite=self.plan.suite,
                version=version_of(node.path),
                kind="benchmark",
                target=target or None,
                text=text,
                source=node.path,
                pointer=at,
            )
        )

    def _found(
        self,
        path: str,
        at: str,
        kind: str,
        area: str | None,
        before: str | None,
        after: str | None,
        why: str | None,
    ) -> None:
        self.rows.add(
            AnalysisRow(
                suite=self.plan.suite,
                kind=kind,
                area=area,
                before=before,
                after=after,
                reasoning=why,
                source=path,
                pointer=at,
            )
        )


def _first(item: Node, keys: tuple[str, ...]) -> str | None:
    return next((v for key in keys if isinstance(v := item.get(key), str) and v.strip()), None)


def _line(item: Node) -> str | None:
    """Return all that a finding says in lines, where it has none of the known fields."""
    texts = [
        f"{found.name}: {found.text or found.number}"
        for name, child in item.fields()
        for found in leaf(name, child)
    ]
    return "\n".join(texts) or None
