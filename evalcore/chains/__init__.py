"""Chains of records: what a record came from and what it led to, by their relations."""
