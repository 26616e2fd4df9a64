"""A small workspace that people write beside: two graded cases with and without a skill."""

from pathlib import Path

from evalcore.families.reviews.review import Review
from evalcore.judging.model import Judge
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace.opened import Workspace, open_workspace
from tests.aggregates.layout import run

ANA, BEN = Judge("ana-3f2a", "Ana"), Judge("ben-77c0", "Ben")
SUITE, FOLDER = "pdf", "pdf-workspace"
RUN = f"{SUITE}::eval-1@iteration-1/with_skill#1"
OTHER = f"{SUITE}::eval-2@iteration-1/with_skill#1"
BASELINE = f"{SUITE}::eval-1@iteration-1/without_skill#1"


def small(root: Path) -> Workspace:
    """Write and open the workspace."""
    for place in ("eval-1/with_skill", "eval-1/without_skill", "eval-2/with_skill"):
        run(root, f"{place}/run-1", [True, False])
        outputs = root / FOLDER / "iteration-1" / place / "run-1/outputs"
        outputs.mkdir()
        (outputs / "letter.md").write_text("Dear customer", "utf-8")
    return open_workspace(root, cache=False)


def records(ws: Workspace) -> tuple[Review, ...]:
    """Return all records that are on the disk now."""
    return load_reviews(review_folder(ws, SUITE))
