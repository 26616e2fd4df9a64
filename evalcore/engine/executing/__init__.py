"""Execute one case: lay out a fresh copy, run the executor, and keep what it produced."""
