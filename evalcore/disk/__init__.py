"""All access to a workspace's files: list them, and read them within bounds."""
