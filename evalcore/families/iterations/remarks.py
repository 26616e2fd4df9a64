"""What a grading says beside its scores: claims, notes of the executor, feedback on the evals."""

from collections.abc import Iterator
from typing import Any, Final

from evalcore.disk.values import Node
from evalcore.families.iterations.defined import as_json
from evalcore.families.iterations.runs import Place
from evalcore.problems import pointer
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ClaimRow, FeedbackRow, NoteRow

NOTES = {
    "uncertainties": "uncertainty",
    "needs_review": "needs_review",
    "workarounds": "workaround",
}
NOTED: Final = ("user_notes_summary", "notes", "note", "qualitative_notes")


def add_remarks(rows: Rows, key: str, place: Place, doc: Node) -> None:
    """Add claims, notes and feedback of one grading; text and object forms are both read."""
    value = doc.value
    if not isinstance(value, dict):
        return
    if value.get("claims"):
        _claims(rows, key, doc, value["claims"])
    for name in NOTED:
        if value.get(name):
            _notes(rows, key, place, doc, name)
    if value.get("eval_feedback"):
        _feedback(rows, key, place, doc.child("eval_feedback"))


def _claims(rows: Rows, key: str, doc: Node, claims: Any) -> None:
    """Add one row a claim; the common form is taken as it is."""
    add, path, base = rows.tables["claims"].add, doc.path, f"{doc.at}/claims/"
    for index, value in enumerate(claims) if type(claims) is list else ():
        if type(value) is dict:
            claim, kind, verified = value.get("claim"), value.get("type"), value.get("verified")
            evidence = value.get("evidence")
            if type(claim) is type(kind) is type(evidence) is str and type(verified) is bool:
                add(
                    ClaimRow(
                        run_id=key,
                        claim=claim,
                        type=kind,
                        verified=verified,
                        evidence=evidence,
                        source=path,
                        pointer=base + str(index),
                    )
                )
                continue
        node = doc.child("claims").child(index)
        if isinstance(value, dict):
            add(
                ClaimRow(
                    run_id=key,
                    claim=node.text("claim"),
                    type=node.text("type"),
                    verified=node.flag("verified"),
                    evidence=node.text("evidence"),
                    source=node.path,
                    pointer=node.at,
                )
            )
        else:
            node.type_problem("an object")
    if not isinstance(claims, list):
        doc.child("claims").type_problem("a list")


def _notes(rows: Rows, key: str, place: Place, doc: Node, name: str) -> None:
    """Add one row a note: of a text, a list of texts, or an object of either by kind."""
    add, version = rows.tables["notes"].add, place.at.version
    value, at = doc.value[name], doc.at + pointer(name)
    kinds = value.items() if type(value) is dict else (("user_notes", value),)
    for kind, inner in kinds:
        below = at + pointer(kind) if type(value) is dict else at
        for text, where in _texts(inner, below):
            add(
                NoteRow(
                    suite=place.suite,
                    run_id=key,
                    version=version,
                    kind=NOTES.get(kind, kind),
                    text=text,
                    source=doc.path,
                    pointer=where,
                )
            )


def _texts(value: Any, at: str) -> Iterator[tuple[str, str]]:
    """Yield (text, pointer) of a note or of each of a list; what is no text as JSON."""
    if type(value) is list:
        for index, text in enumerate(value):
            if text is not None:
                yield text if type(text) is str else as_json(text), f"{at}/{index}"
    elif value:
        yield value if type(value) is str else as_json(value), at


def _feedback(rows: Rows, key: str, place: Place, node: Node) -> None:
    add, case_id, version = rows.tables["feedback"].add, place.case.case_id, place.at.version

    def say(kind: str, target: str | None, text: str | None, at: str) -> None:
        if text:
            add(
                FeedbackRow(
                    suite=place.suite,
                    run_id=key,
                    case_id=case_id,
                    version=version,
                    kind=kind,
                    target=target,
                    text=text,
                    source=node.path,
                    pointer=at,
                )
            )

    if isinstance(node.value, str):
        say("overall", None, node.value, node.at)
        return
    if isinstance(node.value, dict):
        overall = node.value.get("overall")
        text = overall if type(overall) is str else node.text("overall")
        say("overall", None, text, f"{node.at}/overall")
        if not node.value.get("suggestions"):
            return
    for item in node.all_items("suggestions"):
        if isinstance(item.value, str):
            say("suggestion", None, item.value, item.at)
        elif isinstance(item.value, dict):
            say("suggestion", item.text("assertion"), item.text("reason"), item.at)
        else:
            item.type_problem("an object or a text")
