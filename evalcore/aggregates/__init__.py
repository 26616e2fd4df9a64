"""Recompute the aggregate documents that evaluation tools write, suite by suite."""
