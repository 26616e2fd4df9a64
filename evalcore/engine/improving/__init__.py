"""Improve a skill: compare two versions by a model, analyze why one won, make the next version."""
