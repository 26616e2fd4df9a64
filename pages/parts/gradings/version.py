"""Details of the selected version, in an expander."""

import streamlit as st

from evalcore import Workspace
from evalcore.counting.outcomes import Column
from evalcore.views.gradings.version import about_blocks, about_version
from evalcore.views.words.wording import column_words
from pages.parts.panels.components import grades_panel


def version_expander(ws: Workspace, suite: str, column: Column, base: dict[str, str]) -> None:
    """Show the record, notes, suggestions and summaries of a version and configuration.

    `base` are the parameters of every link.
    """
    about = about_version(ws, suite, column)
    label = f"Stored about {column_words(column)}: {about.title}"
    box = st.expander(label, key="about-version", on_change="rerun")
    if box.open:
        with box:
            grades_panel(about_blocks(ws, about), key="version-blocks", base=base)
