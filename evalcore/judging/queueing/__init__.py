"""Which runs wait for a judge, in which order, and why."""
