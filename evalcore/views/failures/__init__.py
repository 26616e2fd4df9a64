"""The page Failures: counts, the list or its causes, the chosen one, and what stands apart."""
