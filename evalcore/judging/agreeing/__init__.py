"""How far judges agree, where they do not, and what then counts."""
