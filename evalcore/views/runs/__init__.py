"""The Runs page: what was started here, how far it is, and the form for a new run."""
