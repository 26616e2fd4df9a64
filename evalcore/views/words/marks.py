"""The words of marks and of the filters by outcome, the same on every page."""

from typing import Final

from evalcore.counting.focus import Filter

FILTER_WORDS: Final[dict[Filter, tuple[str, str]]] = {
    "all": ("all", "Every case of the suite"),
    "failing": ("failing", "Cases with a failed run in the column in focus"),
    "changed": ("changed", "Cases whose result differs from the version before"),
    "flaky": ("flaky", "Cases that passed in some runs and failed in others"),
    "unscored": ("not scored", "Cases that were run, with something that has no score"),
    "not_run": ("not run", "Cases without a run in the column in focus"),
    "people": ("judged by people", "Cases with a run that a person judged"),
    "differ": (
        "people and judge disagree",
        "Cases where people say passed and the recorded judge failed, or scores are far apart",
    ),
    "excluded": ("excluded", "Cases with a run that a person excluded"),
}
MARK_WORDS: Final = {
    "pass": "passed",
    "fail": "failed",
    "unscored": "not scored",
    "scored": "scored",
    "outside": "not in the rates",
}
