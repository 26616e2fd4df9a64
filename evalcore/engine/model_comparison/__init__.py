"""A model as comparator: what it is asked of two outputs, how it answers, and who won."""
