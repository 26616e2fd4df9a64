"""Take along a chart or a verdict as link, picture, numbers and words, and a list as a file."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from evalcore import Workspace
from evalcore.charts.data import as_csv, as_markdown
from evalcore.charts.png import available, png
from evalcore.charts.svg import svg
from evalcore.counting.people import Scores
from evalcore.errors import PicturesMissing
from evalcore.palette import Mode
from evalcore.tables.exported import FORMS, MIMES, Form, Listing, exported
from evalcore.views.charts.model import Picture
from pages.parts.panels.components import share_panel

_LABEL: Final = "Share"


def ground() -> Mode:
    """Return the ground that the reader's browser shows."""
    return "dark" if st.context.theme.type == "dark" else "light"


@st.fragment
def share(
    make: Callable[[], Picture],
    key: str,
    report: Callable[[], bytes] | None,
    what: str = "chart",
    label: str = _LABEL,
) -> None:
    """Draw the button that opens the ways to share a picture, which is made when it is needed.

    `report` makes the report of what the page shows; None where one file cannot hold it.
    """
    box = st.popover(label, type="tertiary", key=f"share-{key}", on_change="rerun")
    if not box.open:
        return
    picture, mode = make(), ground()
    name = picture.caption.stem
    with box:
        share_panel({"what": what, "markdown": as_markdown(picture)}, f"share-copy-{key}")
        with st.container(horizontal=True, key=f"share-files-{key}"):
            _download("SVG", f"{name}.svg", "image/svg+xml", svg(picture, mode), key)
            if available():
                _download("PNG", f"{name}.png", "image/png", png(picture, mode), key)
            _download("CSV", f"{name}.csv", "text/csv", as_csv(picture), key)
            if report is not None:
                st.download_button(
                    "Report",
                    report,  # made on the click: it takes seconds
                    file_name=f"{name}-report.html",
                    mime="text/html",
                    key=f"share-report-{key}",
                    on_click="ignore",
                )
        if not available():
            st.text(str(PicturesMissing()))


def report_of(
    ws: Workspace,
    suite: str,
    scores: Scores,
    sides: tuple[str, str] | None = None,
    trend: str | None = None,
) -> Callable[[], bytes]:
    """Return what makes the report of a suite with two sides, or a metric over versions."""

    def made() -> bytes:
        from evalcore.report.content import Asked, content  # noqa: PLC0415 - few ask for one
        from evalcore.report.file import report_file  # noqa: PLC0415 - as above

        return report_file(content(ws, Asked(suite, sides, scores, trend)))

    return made


def _download(form: str, file: str, mime: str, data: str | bytes, key: str) -> None:
    """Draw the button of a file.

    It is made when the menu opens. Made on the click it would belong to no session, and Streamlit
    would delete it at the second end of any script or fragment, often before it was fetched.
    """
    st.download_button(
        form, data, file_name=file, mime=mime, key=f"share-{form}-{key}", on_click="ignore"
    )


def export(make: Callable[[], Listing], name: str, key: str) -> None:
    """Draw the button that opens the forms; the list is made when one of them is clicked."""
    box = st.popover("Export", type="tertiary", key=f"share-list-{key}", on_change="rerun")
    if not box.open:
        return
    with box:
        st.text("All rows that match the filters")
        export_forms(make, name, key)


def export_forms(make: Callable[[], Listing], name: str, key: str) -> None:
    """Draw a button per form; every row of the list is made when one of them is clicked."""

    def made(form: Form, *, excel: bool) -> bytes:
        return exported(make(), form, excel=excel)

    forms = [(form.upper() if form != "parquet" else "Parquet", form, form) for form in FORMS]
    with st.container(horizontal=True, key=f"share-forms-{key}"):
        for label, name_of_form, form in (*forms, ("CSV for Excel", "excel", "csv")):
            st.download_button(
                label,
                partial(made, form, excel=name_of_form == "excel"),
                file_name=f"{name}.{form}",
                mime=MIMES[form],
                key=f"export-{name_of_form}-{key}",
                on_click="ignore",
            )
