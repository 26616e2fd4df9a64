"""Language models: the user's own endpoints, and one call of a model with all that can go wrong."""
