"""The `improve` family: expectations scored 1 to 5, version by version, next to a history."""

from evalcore.families.base import Family
from evalcore.families.improve.find import find
from evalcore.families.improve.read import read

FAMILY = Family("improve", find, read)
