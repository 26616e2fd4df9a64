"""Copies of the demo suites that may be judged, and short words for what a judge does there."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from evalcore.families.reviews.review import Review
from evalcore.judging.answering.submitting import submit
from evalcore.judging.asking.tasks import task
from evalcore.judging.model import Answer, Judge, Receipt, Task
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace, open_workspace

DEMO = Path(__file__).parents[2] / "evalcore/demo/workspace"
ANA, BEN = Judge("ana-3f2a", "Ana"), Judge("ben-77c0", "Ben")
NOTES, INVOICES, SUPPORT = "release-notes", "invoice-extractor", "support-agent"
NOTES_RUN = f"{NOTES}::breaking-change@v0/-#1"
INVOICE_RUN = f"{INVOICES}::1@iteration-1/with_skill#1"


def copied(root: Path, *suites: str) -> Workspace:
    """Copy some suites of the demo workspace and open the copy."""
    for folder in sorted(DEMO.iterdir()):
        if folder.is_dir() and folder.name.removesuffix("-workspace") in suites:
            shutil.copytree(folder, root / folder.name)
    return open_workspace(root, cache=False)


def readable(ws: Workspace) -> set[str]:
    """Return the runs of a copy without that of the one grading that cannot be read."""
    runs = ws.tables.runs
    return set(runs.loc[runs["status"] != "pending", "run_id"].astype(str))


def reset(ws: Workspace, *suites: str) -> Workspace:
    """Make a copy what it was when it was opened: no reviews, and every file of the demo."""
    for folder in sorted(ws.root.iterdir()):
        shutil.rmtree(folder / "reviews", ignore_errors=True)
        if folder.name.removesuffix("-workspace") in suites:
            shutil.copytree(DEMO / folder.name, folder, dirs_exist_ok=True)
    return ws


def records(ws: Workspace, suite: str) -> tuple[Review, ...]:
    """Return all review records of a suite that are on the disk now."""
    return load_reviews(review_folder(ws, suite))


def taken(ws: Workspace, run_id: str, judge: Judge = ANA) -> Task:
    """Return the task of a run."""
    return task(ws, run_id, judge, records(ws, run_id.partition("::")[0]))


def answers(of: Task, score: float | None = None, rationale: str = "As asked.") -> list[Answer]:
    """Return an answer to each criterion: the best score, or this one."""
    return [
        Answer(each.key, each.high if score is None else score, rationale) for each in of.criteria
    ]


def judged(
    ws: Workspace, run_id: str, judge: Judge = ANA, given: Sequence[Answer] | None = None
) -> tuple[Receipt, ...]:
    """Judge a run as it is now, by default with the best scores."""
    of = taken(ws, run_id, judge)
    return submit(ws, of, answers(of) if given is None else given, judge)
