"""The tables of a workspace: row types, and rows to data frames."""
