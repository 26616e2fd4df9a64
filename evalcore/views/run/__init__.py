"""One run of one case: its evidence, and the blocks that show it."""
