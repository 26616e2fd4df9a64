"""Decide by rules, and without a model, whether what a run produced is as it should be."""
