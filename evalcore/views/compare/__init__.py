"""The Compare page: two sides, their rates, their cases and their texts."""
