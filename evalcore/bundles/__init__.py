"""Bundles: a workspace as one file to send, opened elsewhere read-only, and the answers to it."""
