"""Speed: generated workspaces, and ways to read them measured against each other."""
