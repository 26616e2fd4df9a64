"""Scripts and styles of the panels that are drawn outside of the dashboard too."""
