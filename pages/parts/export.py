"""Export a list with the filters that are on: every row, as CSV, Parquet or JSON."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from evalcore.tables.exported import FORMS, MIMES, Form, Listing, exported


def export(make: Callable[[], Listing], name: str, key: str) -> None:
    """Draw the button that opens the forms; the list is made when one of them is clicked."""
    box = st.popover("Export", type="tertiary", key=f"share-list-{key}", on_change="rerun")
    if not box.open:
        return
    with box:
        st.text("All rows that match the filters")
        export_forms(make, name, key)


def export_forms(make: Callable[[], Listing], name: str, key: str) -> None:
    """Draw a button per form; the list is made when one of them is clicked."""
    forms = [(form.upper() if form != "parquet" else "Parquet", form, form) for form in FORMS]
    with st.container(horizontal=True, key=f"share-forms-{key}"):
        for label, name_of_form, form in (*forms, ("CSV for Excel", "excel", "csv")):
            st.download_button(
                label,
                partial(_made, make, form, excel=name_of_form == "excel"),
                file_name=f"{name}.{form}",
                mime=MIMES[form],
                key=f"export-{name_of_form}-{key}",
                on_click="ignore",
            )


def _made(make: Callable[[], Listing], form: Form, *, excel: bool = False) -> bytes:
    return exported(make(), form, excel=excel)
