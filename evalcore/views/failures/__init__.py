"""The page Failures: counts, the list or its causes, the chosen one, and records without a run."""
