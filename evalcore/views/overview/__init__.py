"""The Overview page: where a suite stands, and what needs attention."""
