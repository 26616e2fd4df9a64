"""The document dialects; each turns its documents into rows."""
