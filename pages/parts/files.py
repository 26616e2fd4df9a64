"""One file of a run or its raw document, displayed by type and never as markup."""

from typing import Final

import streamlit as st

from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Lines
from evalcore.views.blocks.page import Say
from evalcore.views.files.content import Output
from evalcore.views.files.outputs import OutputFile, load_output
from evalcore.views.files.portions import Portion, portion, portions, rows_within
from evalcore.views.files.source_excerpt import source_excerpt
from evalcore.views.gradings.state import GradingsState
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.panels.components import grades_panel
from pages.parts.session_state import on_choice, shown_key

EXACT: Final = "Exact text"
TREE: Final = "Tree"
TABLE: Final = "Table"


def file_panel(
    state: GradingsState, files: list[OutputFile], first: str | None, empty: str
) -> None:
    """Offer the files of a run and show one of them: the requested one, else the `first`."""
    if not files:
        st.text(empty)
        return
    names = {file.path: _label(file) for file in files}
    wanted = state.view.file
    path = next((one for one in (wanted, first) if one in names), files[0].path)
    if len(files) > 1:
        _choose_file(names, path)
    else:
        st.text(names[path])
    output = load_output(state.ws, path)
    if output.note:
        st.text(output.note)
    line = state.view.line if path == wanted else None
    if output.kind == "image" and output.data is not None:
        st.image(output.data)
    elif output.kind == "csv" and output.rows and line is None and _as(TABLE) == TABLE:
        _table(output.rows)
    elif output.kind in ("json", "jsonl") and line is None and _as(TREE) == TREE:
        if portions(output.text or "") > 1 or not isinstance(output.value, (dict, list)):
            st.text("Too long for a tree, or no object or list; this is its exact text.")
            _text(output, None)
        else:
            st.json(output.value, expanded=2)
    elif output.text is not None:
        _text(output, line)


def raw_panel(state: GradingsState, places: list[tuple[str, str | None]]) -> None:
    """Show each document at its pointer; the whole document on request."""
    whole = state.view.whole
    if any(pointer for _, pointer in places):
        label = "Show the parts that are meant" if whole else "Show the whole documents"
        if st.button(label, key="raw-whole", type="tertiary"):
            change_address(whole=None if whole else "1")
            st.rerun()
    blocks: list[Block] = []
    for source, pointer in dict.fromkeys(places):
        found = source_excerpt(state.ws, source, "" if whole else pointer or "")
        if found.note:
            blocks.append(Say(found.note))
        path = f"{source}#{found.pointer}" if found.pointer else source
        blocks.append(_lines(Output(path, "text", found.text), None))
    grades_panel(blocks, "raw-lines", budget=None)


def _choose_file(names: dict[str, str], path: str) -> None:
    key = shown_key("output-file", path)

    def changed(value: str) -> None:
        change_address(file=value, line=None)

    st.selectbox(
        "File",
        list(names),
        key=key,
        on_change=on_choice(key, changed),
        format_func=names.__getitem__,
        label_visibility="collapsed",
    )


def _label(file: OutputFile) -> str:
    size = "" if file.size is None else f" · {wording.size(file.size)}"
    return f"{file.name}{size}"


def _as(other: str) -> str | None:
    """Offer the ways to show a file that is not only text; a table is the default if possible."""
    first = other if other == TABLE else EXACT
    options = (other, EXACT)
    how = st.segmented_control(
        "Shown as",
        options,
        default=first,
        required=True,
        key=f"shown-as-{other}",
        label_visibility="collapsed",
    )
    return str(how)


def _text(output: Output, line: int | None) -> None:
    """Show a text with numbered lines, a long one in portions; code in its colours."""
    if output.language is None or line is not None:
        grades_panel([_lines(output, line)], "output-lines", budget=None)
        return
    part = _portion(output, line)
    st.code(part.text, language=output.language, wrap_lines=True, line_numbers=part.first == 1)


def _lines(output: Output, line: int | None) -> Lines:
    part = _portion(output, line)
    last = min(part.first + part.text.count("\n"), part.lines)
    message = f"{output.path} · {wording.count(part.lines, 'line')}"
    if part.text.count("\n") + 1 < part.lines:
        message = f"{output.path} · lines {part.first:,} to {last:,} of {part.lines:,}"
    return Lines(label=output.path, message=message, text=part.text, first=part.first, line=line)


def _portion(output: Output, line: int | None) -> Portion:
    """Offer the portions of a long text; the default is the one with the line."""
    text = output.text or ""
    total = portions(text)
    if total == 1:
        return portion(text, 1)
    start = next((n for n in range(1, total + 1) if portion(text, n).holds(line or 1)), 1)
    name = output.path.rpartition("/")[2]
    chosen = st.selectbox(
        f"Part of {output.path}",
        list(range(1, total + 1)),
        index=start - 1,
        key=f"part-{hash((output.path, line))}",
        format_func=lambda n: f"{name}, part {n} of {total}",
        label_visibility="collapsed",
    )
    return portion(text, int(chosen))


def _table(rows: tuple[tuple[str, ...], ...]) -> None:
    """Show a table as plain cells; repeated and empty heads get a number."""
    shown = rows_within(rows)
    head, *body = shown
    names = [
        f"{name or 'column'}" if head.index(name) == at else f"{name or 'column'} {at + 1}"
        for at, name in enumerate(head)
    ]
    columns = {
        name: [row[at] if at < len(row) else "" for row in body] for at, name in enumerate(names)
    }
    if len(shown) < len(rows):
        st.text(
            f"The first {len(body):,} of {len(rows) - 1:,} rows; the exact text has all of them."
        )
    st.dataframe(columns, hide_index=True, width="stretch")
