"""The `descriptions` family: assertions passed or failed, for each version of a description."""

from evalcore.families.base import Family
from evalcore.families.descriptions.find import find
from evalcore.families.descriptions.read import read

FAMILY = Family("descriptions", find, read)
