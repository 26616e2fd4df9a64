"""Reviews of runs: records in the `reviews` folder of a suite of any family."""

from evalcore.families.base import REVIEWS, Dialect, later

DIALECT = Dialect(
    name=REVIEWS,
    about=(
        "What people said of the runs of a suite, whatever its family, and what judged them "
        "again beside their gradings. Records are created and never changed: a correction is a "
        "new one that names the old one in `supersedes`. "
        "`<suite>` is the folder that holds the runs. `testRunId` is the id of a run; of it the "
        "part after `::` counts, because the suite's own depends on the folder that is opened. "
        "`criterionId` is `kind:criterion`. A score counts while the output, the prompt and the "
        "criterion have the sha256 that its `evalcore` block names; otherwise it is stale."
    ),
    documents=later("reviews.models", "DOCUMENTS"),
)
