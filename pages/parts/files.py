"""One file of a run, shown as what it is and never as markup."""

import streamlit as st

from evalcore import Workspace
from evalcore.views import wording
from evalcore.views.content import Output
from evalcore.views.outputs import OutputFile, load_output


def file_panel(ws: Workspace, files: list[OutputFile], wanted: str | None, role: str) -> None:
    """Offer the files of a run and show one of them."""
    if not files:
        st.text(
            "No transcript is kept beside this run." if role == "transcript"
            else "No output file is kept for this run; looked in its outputs folder."
        )  # fmt: skip
        return
    paths = [file.path for file in files]
    names = {file.path: _label(file) for file in files}
    start = paths.index(wanted) if wanted in paths else 0
    key = f"file-{role}-{hash((tuple(paths), wanted))}"
    path = st.selectbox("File", paths, index=start, key=key, format_func=lambda p: names[p],
                        label_visibility="collapsed")  # fmt: skip
    output = load_output(ws, path)
    if output.note:
        st.text(output.note)
    _show(output)


def _label(file: OutputFile) -> str:
    size = "" if file.size is None else f" · {wording.size(file.size)}"
    return f"{file.name}{size}"


def _show(output: Output) -> None:
    if output.kind == "image" and output.data is not None:
        st.image(output.data)
    elif output.kind == "csv" and output.rows:
        _table(output.rows)
    elif output.kind == "json":
        tree, text = "tree", "exact text"
        how = st.segmented_control(
            "Shown as", (tree, text), default=text, label_visibility="collapsed"
        )
        if how == tree and isinstance(output.value, (dict, list)):
            st.json(output.value, expanded=2)
        else:
            st.code(output.text or "", language="json", wrap_lines=True)
    elif output.text is not None:
        st.code(output.text, language=output.language, wrap_lines=True)


def _table(rows: tuple[tuple[str, ...], ...]) -> None:
    """Show a table as plain cells; repeated and empty heads get a number."""
    head, *body = rows
    names = [f"{name or 'column'}" if head.index(name) == at else f"{name or 'column'} {at + 1}"
             for at, name in enumerate(head)]  # fmt: skip
    width = len(names)
    columns = {
        name: [row[at] if at < len(row) else "" for row in body]
        for at, name in enumerate(names[:width])
    }
    st.dataframe(columns, hide_index=True, width="stretch")
