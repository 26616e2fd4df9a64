"""Edit test cases: what is typed is shown as a change of their evals.json, and then written."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

import streamlit as st

from evalcore import Workspace
from evalcore.counting.cells import typed, where
from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.errors import ChangedMeanwhile, EvalcoreError
from evalcore.proposals.cases import (
    LONGEST,
    CaseText,
    Place,
    case_text,
    changed_case,
    new_case,
    place_of,
)
from evalcore.proposals.proposal import Proposal, Stored, Target, stored, write
from evalcore.tables.rows import CaseRow
from evalcore.views.gradings.notes import preview, will_do
from pages.parts.own_acts import OwnActs
from pages.parts.session_state import session_object

EDIT: Final = "Edit this case …"
ADD: Final = "Add a case …"
_MANY: Final = "One on each line"


class _Begun(NamedTuple):
    """A document and a case of it as they were when editing began; `text` is None if it cannot."""

    stored: Stored
    place: Place
    text: CaseText | None


@dataclass
class _Edits:
    """What is being edited, and the answer to the last click.

    What somebody else writes meanwhile does not change the form: it is told at the end.
    `typed_over` are the texts of a form that goes on with a later state of its document.
    """

    begun: dict[str, _Begun] = field(default_factory=dict)
    typed_over: dict[str, CaseText] = field(default_factory=dict)
    number: int = 0
    about: str = ""
    words: str = ""


def case_editor(ws: Workspace, suite: str, case_id: str | None) -> None:
    """Draw the forms that change a case and that add one, where its document has the usual form."""
    rows = typed(ws, "cases", CaseRow, where(ws, "cases", suite=suite))
    kinds = ws.tables.documents[ws.tables.documents["kind"] == "evals"]["path"]
    known = [row for row in rows if row.source in set(kinds) and place_of(row.pointer or "")]
    if not known:
        return
    row = next((each for each in known if each.case_id == case_id), None)
    if row is not None:
        _form(ws, suite, row, EDIT)
    _form(ws, suite, row or known[0], ADD)


def _form(ws: Workspace, suite: str, row: CaseRow, label: str) -> None:
    edits, path = session_object(_Edits), str(row.source)
    of = f"{label} {path} {row.case_id if label == EDIT else ''}"
    box = st.expander(label, key=f"case-box-{label}", on_change="rerun")
    if not box.open:
        _end(edits, of)  # the next time it begins with the document as it is then
    else:
        with box:
            found = edits.begun.setdefault(of, _begun(ws.root, path, row))
            target = Target(suite, None, path)
            if label == ADD:
                _offer(ws.root, _added(target, found, of), of)
            elif found.text is not None:
                began = edits.typed_over.get(of, found.text)
                if len(began.criteria) != len(found.text.criteria):
                    began = found.text  # they cannot be told apart any more
                _offer(ws.root, _changed(target, found, began, of), of)
            else:
                st.text(f"This case has another form in {path}. Change it in the file.")
    if edits.about == of:
        st.text(edits.words)


def _end(edits: _Edits, of: str) -> None:
    edits.begun.pop(of, None)
    edits.typed_over.pop(of, None)


def _begun(root: Path, path: str, row: CaseRow) -> _Begun:
    """Return a document as it is now; another case may be at the place by now."""
    there, place = stored(Files(root), path) or Stored(b"", MISSING), place_of(row.pointer or "")
    assert place is not None
    text = case_text(there, place)
    same = text is not None and text.prompt.strip() == (row.prompt or "").strip()
    return _Begun(there, place, text if same else None)


def _changed(target: Target, found: _Begun, began: CaseText, of: str) -> Proposal:
    """Return the change of what was typed; a field that was left alone is as it is stored now."""
    now = found.text or began
    prompt, expected = _prompt(of, began.prompt, began.expected)
    prompt = now.prompt if prompt == began.prompt else prompt
    expected = now.expected if expected == began.expected else expected
    criteria = tuple(
        stored_now if (typed := _line(f"Criterion {at}", each, f"{of} {at}")) == each else typed
        for at, (each, stored_now) in enumerate(zip(began.criteria, now.criteria, strict=True), 1)
    )
    edited, more = CaseText(prompt, expected, criteria), _more("Further criteria", of)
    return changed_case(target, found.stored, found.place, edited, more)


def _added(target: Target, found: _Begun, of: str) -> Proposal:
    has_expected = found.text is not None and found.text.expected is not None
    prompt, expected = _prompt(of, "", "" if has_expected else None)
    criteria = _more("Criteria", of)
    if not prompt.strip():
        return target.left("Write a prompt first.")
    return new_case(target, found.stored, found.place.name, CaseText(prompt, expected, criteria))


def _prompt(of: str, prompt: str, expected: str | None) -> tuple[str, str | None]:
    typed = st.text_area("Prompt", prompt, key=_key(f"{of} prompt"), max_chars=LONGEST)
    if expected is None:
        return typed, None
    key = _key(f"{of} expected")
    return typed, st.text_area("Expected output", expected, key=key, max_chars=LONGEST)


def _line(label: str, text: str, of: str) -> str:
    return st.text_area(label, text, key=_key(of), height=68, max_chars=LONGEST)


def _more(label: str, of: str) -> tuple[str, ...]:
    typed = st.text_area(label, key=_key(f"{of} more"), placeholder=_MANY, height=68)
    return tuple(line.strip() for line in typed.splitlines() if line.strip())


def _key(of: str) -> str:
    """Return the key of a field: another one after each change that was written."""
    return f"case-{session_object(_Edits).number} {of}"


def _offer(root: Path, proposal: Proposal, of: str) -> None:
    """Show the change, and write exactly that on a click."""
    if proposal.data is None:
        st.text("Nothing is changed yet." if proposal.state == "same" else will_do(proposal))
        return
    st.text(will_do(proposal))
    with st.container(height=260, border=False):
        st.code(preview(proposal), language="diff")

    def clicked() -> None:
        edits, acts = session_object(_Edits), session_object(OwnActs)
        edits.about = of
        try:
            write(root, proposal)
        except ChangedMeanwhile as error:
            # What was typed stays, and is shown as a change of the file as it is now.
            if (left := edits.begun.pop(of, None)) is not None and left.text is not None:
                edits.typed_over.setdefault(of, left.text)
            acts.stored += 1
            edits.words = f"Not written: {error} Look at the change again."
        except (EvalcoreError, OSError) as error:
            edits.words = f"Not written: {error}"
        else:
            _end(edits, of)
            edits.number += 1
            edits.words = f"Written to {proposal.path}."
            acts.stored += 1

    st.button("Write this change", on_click=clicked, type="primary", key=f"case-write {of}")
