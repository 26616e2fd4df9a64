"""The content of the Rubric page: the heat map, the criteria of a column, and one criterion."""
