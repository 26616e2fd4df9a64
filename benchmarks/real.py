"""Methods measured on other people's workspaces."""
# ruff: noqa: PLC0415 - a method imports what it needs itself, so that no other pays for it

from collections import Counter
from collections.abc import Callable
from typing import Any


def read_by_type(asked: Any) -> Callable[[], Any]:
    """Count the gradings below a folder, and those whose judged values were all read by type.

    What is read by type is added by column, what is read with tolerance row by row.
    """
    from evalcore import open_workspace
    from evalcore.shapes.columns import Judged, JudgmentColumns

    by_type: Counter[str] = Counter()
    add = JudgmentColumns.add

    def counted(self: JudgmentColumns, judged: Judged) -> None:
        by_type[judged.source] += len(judged.scores)
        add(self, judged)

    def work() -> Any:
        JudgmentColumns.add = counted  # type: ignore[method-assign]
        tables = open_workspace(asked["root"], cache=False).tables
        documents = tables.documents
        gradings = set(documents["path"][documents["kind"] == "grading"])
        judged = Counter(tables.judgments["source"])
        with_items = [path for path in gradings if judged[path]]
        typed = [path for path in with_items if judged[path] == by_type[path]]
        return {"gradings": len(with_items), "by type": len(typed)}

    return work
