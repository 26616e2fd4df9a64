"""The commands: each queries the core and prints the answer on the terminal."""
