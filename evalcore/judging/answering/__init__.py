"""Store a judge's input: scores, corrections, skips, notes, exclusions, requests."""
