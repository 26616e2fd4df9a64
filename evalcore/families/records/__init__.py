"""Typed records that name each other by id: test cases, rubrics, runs, judgments, benchmarks."""

from evalcore.families.base import Family
from evalcore.families.records.reading import read
from evalcore.families.records.stores import find

__all__ = ["FAMILY"]

FAMILY = Family("records", find, read)
