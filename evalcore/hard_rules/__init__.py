"""The hard rules of seed 001: what keeps them, what breaks them, what cannot be checked."""
