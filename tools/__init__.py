"""Small programs for those who work on evalcore; none of them is in the wheel."""
