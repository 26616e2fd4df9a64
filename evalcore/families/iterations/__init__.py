"""skill-creator's iterations (`iterations`), and what structure and rubric add (`rubric`)."""

from evalcore.families.base import Family
from evalcore.families.iterations.find import find
from evalcore.families.iterations.suite import read

FAMILY = Family("iterations", find, read)
