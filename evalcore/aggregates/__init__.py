"""The documents that an evaluation tool makes of its runs: worked out anew, suite by suite."""
