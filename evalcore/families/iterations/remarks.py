"""What a grading says beside its scores: claims, notes of the executor, feedback on the evals."""

from evalcore.disk.values import Node
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow

NOTES = {
    "uncertainties": "uncertainty",
    "needs_review": "needs_review",
    "workarounds": "workaround",
}


def add_remarks(rows: Rows, suite: str, run_id: str, case_id: str, version: str, doc: Node) -> None:
    """Add claims, notes and feedback of one grading; text and object forms are both read."""
    if not isinstance(doc.value, dict):
        return
    if doc.value.get("claims"):
        for node in doc.items("claims"):
            rows.add(ClaimRow(run_id, node.text("claim"), node.text("type"), node.flag("verified"),
                              node.text("evidence"), node.path, node.at))  # fmt: skip
    for key in ("user_notes_summary", "notes", "note"):
        if doc.value.get(key):
            _notes(rows, suite, run_id, version, doc, key)
    if doc.value.get("eval_feedback"):
        _feedback(rows, suite, run_id, case_id, version, doc.child("eval_feedback"))


def _notes(rows: Rows, suite: str, run_id: str, version: str, doc: Node, key: str) -> None:
    value = doc.get(key)
    if isinstance(value, dict):
        for name, node in doc.fields(key):
            for text, at in doc.child(key).texts(name):
                rows.add(
                    NoteRow(
                        suite, run_id, version, NOTES.get(name, name), None, text, node.path, at
                    )
                )
        return
    for text, at in doc.texts(key):
        rows.add(NoteRow(suite, run_id, version, "user_notes", None, text, doc.path, at))


def _feedback(rows: Rows, suite: str, run_id: str, case_id: str, version: str, node: Node) -> None:
    def add(kind: str, target: str | None, text: str | None, at: str) -> None:
        if text:
            rows.add(FeedbackRow(suite, run_id, case_id, version, kind, target, text, None, None, None, None,
                                 node.path, at))  # fmt: skip

    if isinstance(node.value, str):
        add("overall", None, node.value, node.at)
        return
    add(
        "overall",
        None,
        node.text("overall") if isinstance(node.value, dict) else None,
        node.at + "/overall",
    )
    for item in node.all_items("suggestions"):
        if isinstance(item.value, str):
            add("suggestion", None, item.value, item.at)
        elif isinstance(item.value, dict):
            add("suggestion", item.text("assertion"), item.text("reason"), item.at)
        else:
            item.wrong_here("an object or a text")
