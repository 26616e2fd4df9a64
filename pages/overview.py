"""Overview."""

import streamlit as st

from pages.parts.frame import frame

shown = frame("Overview")
tables = shown.workspace.tables
st.text(f"{len(tables.suites)} suites, {len(tables.versions)} versions, {len(tables.runs)} runs.")
