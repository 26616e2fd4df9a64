"""Metrics over versions and benchmark runs as charts and words, for every page that has them."""
