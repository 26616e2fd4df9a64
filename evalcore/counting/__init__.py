"""Aggregates of the runs and judgments of a snapshot, computed once and cached with it."""
