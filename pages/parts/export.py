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
    with st.container(horizontal=True, key=f"share-forms-{key}"):
        for form in FORMS:
            st.download_button(
                form.upper() if form != "parquet" else "Parquet",
                partial(_made, make, form),
                file_name=f"{name}.{form}",
                mime=MIMES[form],
                key=f"export-{form}-{key}",
                on_click="ignore",
            )
        st.download_button(
            "CSV for Excel",
            partial(_made, make, "csv", excel=True),
            file_name=f"{name}.csv",
            mime=MIMES["csv"],
            key=f"export-excel-{key}",
            on_click="ignore",
        )


def _made(make: Callable[[], Listing], form: Form, *, excel: bool = False) -> bytes:
    return exported(make(), form, excel=excel)
