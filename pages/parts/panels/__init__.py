"""The two panels of the Gradings page, drawn by small scripts that write data as text only."""
