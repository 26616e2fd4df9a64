"""The Overview page: the state of a suite, and what needs attention."""
