"""Blind studies: two outputs of a case side by side, a verdict, and only then which is which."""
