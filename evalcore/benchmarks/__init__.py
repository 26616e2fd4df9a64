"""Benchmarks read without scipy: the runs of each benchmark run, and the rule of drops."""
