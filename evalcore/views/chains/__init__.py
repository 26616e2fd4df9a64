"""The chain of a record as a block: each record with its name and the page that shows it."""
