"""Open a folder as an immutable snapshot of tables, from its files or from a disposable index."""
