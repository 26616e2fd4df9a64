"""What a page shows, as plain values: computed here, placed by the dashboard and the reports."""
