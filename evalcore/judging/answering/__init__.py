"""What a judge stores: scores, corrections, skips, notes, exclusions, requests."""
