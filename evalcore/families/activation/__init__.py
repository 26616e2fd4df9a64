"""The `activation` family: which queries activate a skill, for each version of its description."""

from evalcore.families.activation.find import find
from evalcore.families.activation.read import HEADLINE, read
from evalcore.families.base import Family, later

FAMILY = Family(
    name="activation",
    about=(
        "Trigger sets: queries that should or should not activate a skill, and how often each "
        "description of the skill did. They are found by content, whatever their files are called; "
        "sets of several skills, lists of bare texts, single trials and results in other forms are "
        "read too. Where a document only counts how many runs of a query "
        "activated it, the first runs are listed as those that did: the order is not known. Runs "
        "that crashed (counted as `errored`, or with an `error` of their own) are errors, outside "
        "every rate (`crashed-runs`); a rate without a number of runs is shown as stated "
        "(`runs-unknown`). Where nothing ever activated a skill that should be, the measurement "
        "itself is suspect, which is said before its rates (`never-activated`)."
    ),
    documents=later("activation.rules", "DOCUMENTS"),
    rules=later("activation.rules", "RULES"),
    looks_like=("queries with should_trigger",),
    headline=HEADLINE,
    achieved="answered {value} of {cases} as expected",
    find=find,
    read=read,
    by_content=True,
    file_names=frozenset({"trigger-eval.json", "trigger-results.json"}),
    shapes=(
        frozenset({"query", "should_trigger"}),
        frozenset({"original_description", "final_description"}),
        frozenset({"best_score", "iterations_run"}),
    ),
    verdicts=True,
    skill_text="description",
)
