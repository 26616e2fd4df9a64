"""Decisions on versions in words, and what can be decided next."""
