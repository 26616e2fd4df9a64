"""The Trends page as plain values: direction, alerts, chart, and the runs behind each point."""
