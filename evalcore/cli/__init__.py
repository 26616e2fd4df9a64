"""The commands: each asks the core and puts the answer on the terminal."""
