"""`benchmark.json` and what lies beside it, as skill-creator's own scripts write them."""

from functools import partial
from typing import Final

from evalcore.families.aggregating import Aggregates
from evalcore.families.iterations.aggregates.feedback_file import feedback_files
from evalcore.families.iterations.aggregates.quick import quick_proposals
from evalcore.families.iterations.aggregates.writing import aggregates

ITERATIONS: Final = Aggregates(partial(aggregates, rubric=False), quick_proposals, feedback_files)
RUBRIC: Final = Aggregates(partial(aggregates, rubric=True), None, feedback_files)
