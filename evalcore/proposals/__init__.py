"""Proposed changes to documents that others also write: create, change or leave alone."""
