"""Metrics over versions and benchmark runs: values, breaks, directions and alerts."""
