"""A model as analyzer: why a version won against another, and what to change in the skill."""
