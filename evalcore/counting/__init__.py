"""What the runs and judgments of one snapshot add up to, counted once and kept with it."""
