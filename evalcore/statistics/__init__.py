"""Intervals, tests and the verdict rule: numbers in, numbers out, from scipy and statsmodels."""
