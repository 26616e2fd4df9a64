"""Compare two sides: what is comparable, the verdict, and which cases changed."""
