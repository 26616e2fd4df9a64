"""The faults that the demo workspace holds on purpose."""

NOTES = "release-notes-workspace"
INVOICES = "invoice-extractor-workspace"
COMMITS = "commit-helper-workspace"

# The faults that are there on purpose, so that the Data page has something to teach.
# (code, path, what is wrong)
FAULTS = [
    ("truncated", f"{NOTES}/grading/known-issues_v3_run2.json", "cut off while it was written"),
    # overall_score says 3.6; its criteria 4, 2, 2 have the mean 2.7
    ("derived", f"{NOTES}/grading/monorepo-two-packages_v2_run1.json", "/overall_score"),
    # summary says 3 of 3; the list has 2 of 3 (and so does benchmark.json)
    (
        "derived",
        f"{COMMITS}/iteration-3/eval-secret-in-diff/with_skill/run-2/grading.json",
        "/summary",
    ),
    # evals[2] (id 3) defines S4 twice
    ("duplicate-id", "invoice-extractor/evals/evals.json", "/evals/2/structural_expectations/4"),
    # "The tone is appropriate" cannot be falsified; its graders say so three times
    ("vague", "release-notes/evals/evals.json", "/cases/10/expectations/2"),
    # social-summary has optional expectations only and can never fail
    ("never-fails", "release-notes/evals/evals.json", "/cases/11"),
    # testRunId names a run that no record holds
    (
        "dangling",
        "support-agent/records/eval-failure/fail-2026-02-12-invoice-copy.json",
        "run-2026-02-12-invoice-copy",
    ),
    # a score without a rationale: the hard rule of the records
    ("no-rationale", "support-agent/records/eval-judgment/judg-human-08.json", "/fields/rationale"),
    # the pass rate fell from 100 to 40 %: no task, no message, one critical failure of three
    ("untold", "support-agent/records/benchmark-run/bench-2026-02-09.json", "passRate"),
    # the text of the version was changed after it was approved
    ("lapsed", "triage-agent/approval/approval-2.0.0-over-1.0.0.json", "versionSha256"),
]
WRONG_ON_PURPOSE = {path for code, path, _ in FAULTS if code == "derived"}
TRUNCATED = {path for code, path, _ in FAULTS if code == "truncated"}
