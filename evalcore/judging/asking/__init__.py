"""What a judge sees of a run, and who may see what others said."""
