"""The content of pages as plain values: computed here, displayed by the dashboard and reports."""
