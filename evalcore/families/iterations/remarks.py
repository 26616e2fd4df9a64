"""What a grading says beside its scores: claims, notes of the executor, feedback on the evals."""

from evalcore.disk.values import Node
from evalcore.families.iterations.runs import Place
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow

NOTES = {
    "uncertainties": "uncertainty",
    "needs_review": "needs_review",
    "workarounds": "workaround",
}


def add_remarks(rows: Rows, key: str, place: Place, doc: Node) -> None:
    """Add claims, notes and feedback of one grading; text and object forms are both read."""
    if not isinstance(doc.value, dict):
        return
    if doc.value.get("claims"):
        for node in doc.items("claims"):
            rows.add(
                ClaimRow(key, node.text("claim"), node.text("type"), node.flag("verified"),
                         node.text("evidence"), node.path, node.at)
            )  # fmt: skip
    for name in ("user_notes_summary", "notes", "note"):
        if doc.value.get(name):
            _notes(rows, key, place, doc, name)
    if doc.value.get("eval_feedback"):
        _feedback(rows, key, place, doc.child("eval_feedback"))


def _notes(rows: Rows, key: str, place: Place, doc: Node, name: str) -> None:
    def add(kind: str, text: str, at: str) -> None:
        rows.add(NoteRow(place.suite, key, place.at.version, kind, None, text, doc.path, at))

    if isinstance(doc.get(name), dict):
        for kind, _ in doc.fields(name):
            for text, at in doc.child(name).texts(kind):
                add(NOTES.get(kind, kind), text, at)
        return
    for text, at in doc.texts(name):
        add("user_notes", text, at)


def _feedback(rows: Rows, key: str, place: Place, node: Node) -> None:
    def add(kind: str, target: str | None, text: str | None, at: str) -> None:
        if text:
            rows.add(
                FeedbackRow(place.suite, key, place.case.case_id, place.at.version, kind, target,
                            text, None, None, None, None, node.path, at)
            )  # fmt: skip

    if isinstance(node.value, str):
        add("overall", None, node.value, node.at)
        return
    if isinstance(node.value, dict):
        add("overall", None, node.text("overall"), f"{node.at}/overall")
    for item in node.all_items("suggestions"):
        if isinstance(item.value, str):
            add("suggestion", None, item.value, item.at)
        elif isinstance(item.value, dict):
            add("suggestion", item.text("assertion"), item.text("reason"), item.at)
        else:
            item.wrong_here("an object or a text")
