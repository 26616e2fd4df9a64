"""Records on the disk: where they lie, how they are kept for good, which of them count."""
