"""The Gradings page: the grid of cases and versions, its filters and its state."""
