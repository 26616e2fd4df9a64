"""A grading that cannot be read is told alike of one run, by its family, and of all at once."""

import shutil
from pathlib import Path

from evalcore.counting.outcomes import unread
from evalcore.families.registry import family
from evalcore.families.running import KnownRun
from evalcore.tables.cells import cells
from evalcore.workspace.opened import open_workspace
from tests.judging.copies import DEMO

BROKEN = (
    "release-notes-workspace/grading/minor-release_v3_run1.json",
    "sql-helper/eval/runs/b20e77d4/grading/top-customers.json",
)


def test_a_family_and_the_tables_tell_the_same_runs(tmp_path: Path) -> None:
    """Gradings of three families end in the middle, and a run has a timing alone."""
    root = tmp_path / "demo"
    shutil.copytree(DEMO, root)
    broken = {root / path for path in BROKEN}
    home = root / "commit-helper-workspace"
    first, second, *_ = sorted(home.rglob("run-*/grading.json"))
    broken.add(first)
    second.unlink()
    for listing in home.rglob("benchmark.json"):  # it would tell of the runs instead
        listing.unlink()
    for path in broken:
        path.write_text('{"')
    ws = open_workspace(root, cache=False)
    families = dict(cells(ws.tables, "suites", "suite", "family"))
    runs = list(cells(ws.tables, "runs", "suite", *KnownRun._fields))
    told = set()
    for suite, *about in runs:
        running, run = family(families[suite]).running(), KnownRun(*about)
        if running is not None and running.is_unread(run):
            told.add(run.run_id)
    at_once = {str(each) for each in ws.tables.runs["run_id"][unread(ws)]}
    assert told == at_once
    sources = {str(each) for each in ws.tables.runs["source"][unread(ws)]}
    assert {path.relative_to(root).as_posix() for path in broken} < sources
