"""The Data page: documents, problems and definitions."""
