"""Run other programs: bounded and ended whole; those that a workspace names only when allowed."""
