"""The `inspect` family: logs of Inspect, the framework of the UK's AI Security Institute."""

from evalcore.families.base import Family, later
from evalcore.families.inspect.logs import find
from evalcore.families.inspect.read import HEADLINE, SCORING, read

FAMILY = Family(
    name="inspect",
    about=(
        "Logs of Inspect (`.eval`, and `.json` by content), read where they are and never "
        "changed; of a log that was not finished, what its journal holds. The logs of one task "
        "are a suite: a sample is a case, an epoch a run, and what was started together a version "
        "with a configuration for each model. Each score is a criterion; of several values each "
        "is one. C, P, I and N are 1, 0.5, 0 and 0 as Inspect counts them; NaN is unscored, and "
        "so is a text that is no number (`score-not-a-number`). Of a `.eval` log with more than 8 "
        "MiB of samples, or that is not finished, only the header and the summaries are read when "
        "a folder is opened: long prompts and explanations are cut there, edits of scores are not "
        "in them (`edits-not-read`), and the log itself has all of it."
    ),
    documents=later("inspect.documents", "DOCUMENTS"),
    exporting=later("inspect.writing", "EXPORTING"),
    looks_like=("logs of Inspect",),
    headline=HEADLINE,
    achieved="scored {value} over {cases}",
    find=find,
    read=read,
    by_content=True,
    scaled=True,
    steps_in_record=True,
    started_with="Start runs with Inspect: inspect eval TASK --model MODEL",
    bare_verdicts=True,
    scoring=SCORING,
)
