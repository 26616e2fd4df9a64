"""Decisions on versions as they stand now: in force, or lapsed and why."""
