"""Judging by hand: what waits for whom, what a judge sees, and records that are never lost."""
