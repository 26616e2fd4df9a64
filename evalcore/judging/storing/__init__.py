"""Review records on disk: paths, create-only writes, and which records are in force."""
