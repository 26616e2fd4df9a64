"""The `promptfoo` family: exports of evaluations that promptfoo made, read where they lie."""

from evalcore.families.base import SHARE, Family, later
from evalcore.families.promptfoo.exports import NAME, find
from evalcore.families.promptfoo.read import read
from evalcore.families.scoring import Scoring, mean_of_all

FAMILY = Family(
    name=NAME,
    about=(
        "Exports of promptfoo, found by content: JSON of version 3, the table of version 2, and "
        "JSON lines. Exports in one folder whose configuration has the same description are the "
        "versions of one suite, by the time of the evaluation; without a description, those that "
        "share half of their test cases. A test case is told by its description and variables, a "
        "configuration is a prompt with a provider, repeats are runs. Each component result is a "
        "judgment under its metric, else its type and value; a person's rating in promptfoo is a "
        "person's judgment, and decides the run as it does there. Outputs that could not be made "
        "are errors, outside every rate. An evaluation that is exported twice counts once "
        "(`results-repeated`)."
    ),
    documents=later("promptfoo.documents", "DOCUMENTS"),
    exporting=later("promptfoo.writing", "EXPORTING"),
    looks_like=("exports of promptfoo",),
    headline=SHARE,
    find=find,
    read=read,
    by_content=True,
    shapes=(
        frozenset({"evalId", "results", "config"}),
        frozenset({"promptIdx", "testIdx", "testCase"}),
    ),
    scaled=True,
    verdicts=True,
    scoring=Scoring(
        rule=mean_of_all, passed_when="all required assertions passed", score_is="mean of all"
    ),
    skill_text="description",
    started_with=(
        "promptfoo starts new runs: `promptfoo eval -c promptfooconfig.yaml -o results.json`, with "
        "a new name for each result."
    ),
)
