"""A model says why runs failed: the gap, the criteria affected, the root cause, and a lesson."""
