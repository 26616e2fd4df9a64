"""Numbers, missing values and score sources in words, the same on every surface."""
