"""The documents beside the runs: reviewers' feedback, suggestions, comparisons, analyses."""

from collections.abc import Iterator
from typing import Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.comparisons import Comparisons
from evalcore.families.iterations.feedback import Reviews
from evalcore.families.iterations.figures import leaf
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.stated import Stated
from evalcore.layouts.iterations import version_of
from evalcore.tables.builder import Rows
from evalcore.tables.rows import AnalysisRow, FeedbackRow

FINDINGS: Final = (
    ("strength", ("winner_strengths", "strengths")),
    ("weakness", ("loser_weaknesses", "weaknesses")),
)
SUGGESTIONS: Final = ("improvement_suggestions", "suggestions")
OTHERS: Final = ("findings", "change_causes")
AREAS: Final = ("area", "category", "kind", "class", "case", "case_id")
REASONS: Final = (
    "reasoning", "expected_impact", "description", "evidence", "rationale", "detail", "reason",
)  # fmt: skip
READ: Final = frozenset(
    (*(key for _, keys in FINDINGS for key in keys), *SUGGESTIONS, *OTHERS, "skill", "iteration",
     "timestamp")
)  # fmt: skip


def read_sidecars(plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], cases: Cases) -> None:
    """Add the rows of every document that is not a run's own."""

    def documents(kind: str) -> Iterator[Node]:
        for path in plan.of(kind):
            value = reader.json(path)
            if value is not MISSING:
                yield Node(reader, path, value, "", plan.suite)

    if plan.of("feedback"):
        reviews = Reviews(plan.suite, rows, facts, cases)
        for node in documents("feedback"):
            reviews.read(node)
    for node in documents("eval_feedback_aggregate"):
        _add_suggestions(plan.suite, rows, node)
    comparisons = Comparisons(plan.suite, rows, cases)
    for node in documents("comparison"):
        comparisons.read(node)
    for node in documents("analysis"):
        _add_analysis(plan.suite, rows, node)


def _add_suggestions(suite: str, rows: Rows, node: Node) -> None:
    """Add the collected suggestions about the evals themselves."""
    version = version_of(node.path)
    number = node.whole("iteration")
    if version is None and number is not None:
        version = f"iteration-{number}"
    for item in node.items("suggestions"):
        rows.add(
            FeedbackRow(
                suite=suite,
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


def _add_analysis(suite: str, rows: Rows, node: Node) -> None:
    """Add what an analyzer found: notes as a list, or findings, and what else it says."""
    if isinstance(node.value, list):
        items = (item for item in node.all_items() if isinstance(item.value, (str, dict)))
        leaves = (found for item in items for found in leaf("", item) if found.text)
        said = [found._replace(name=found.name.lstrip(".")) for found in leaves]
    else:
        _add_findings(suite, rows, node)
        others = (field for field in node.fields() if field[0] not in READ)
        said = [found for name, child in others for found in leaf(name, child)]
    stated = Stated(rows, suite, version_of(node.path))
    for name, place, number, words in said:
        text = words if words is not None else f"{number:g}"
        stated.note(text, place.path, place.at, name or None)


def _add_findings(suite: str, rows: Rows, node: Node) -> None:
    """Add strengths and weaknesses, suggestions, and findings of any other shape."""
    path = node.path
    for kind, keys in FINDINGS:
        for key in keys:
            for text, at in node.texts(key):
                row = AnalysisRow(suite=suite, kind=kind, source=path, pointer=at)
                rows.add(row._replace(reasoning=text))
    for key in SUGGESTIONS:
        for item in node.items(key):
            row = AnalysisRow(suite=suite, kind="suggestion", source=path, pointer=item.at)
            rows.add(
                row._replace(
                    area=item.text("area") or item.text("category"),
                    after=item.text("after") or item.text("suggestion"),
                    reasoning=item.text("reasoning") or item.text("expected_impact"),
                    before=item.text("before"),
                )
            )
    for key in OTHERS:
        for item in node.items(key) if isinstance(node.get(key), list) else ():
            row = AnalysisRow(suite=suite, kind="finding", source=path, pointer=item.at)
            why = _first(item, REASONS) or _line(item)
            rows.add(row._replace(area=_first(item, AREAS), reasoning=why))


def _first(item: Node, keys: tuple[str, ...]) -> str | None:
    return next((v for key in keys if isinstance(v := item.get(key), str) and v.strip()), None)


def _line(item: Node) -> str | None:
    """Return all that a finding says in lines, where it has none of the known fields."""
    fields = (found for name, child in item.fields() for found in leaf(name, child))
    return "\n".join(f"{found.name}: {found.text or found.number}" for found in fields) or None
