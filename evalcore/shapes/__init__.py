"""Shapes: each document's fields written once, and what reads, checks and lists them."""
