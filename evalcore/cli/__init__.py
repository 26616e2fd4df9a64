"""The commands: each queries the core and returns an answer, which one module prints."""
