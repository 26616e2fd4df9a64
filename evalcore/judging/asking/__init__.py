"""Judging tasks: what a judge sees of a run, and when other judges' scores become visible."""
