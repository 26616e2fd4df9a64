"""`evalcore export`: write the runs of a suite, and people's scores, as another tool has them."""

from collections import defaultdict
from pathlib import Path
from typing import Final

import numpy as np

from evalcore.cli.answering import Answer
from evalcore.cli.opening import open_for_judge, suite_of
from evalcore.cli.writing import write_file
from evalcore.counting.cells import typed, where
from evalcore.counting.coded import coded
from evalcore.counting.run_files import files_of, read_text
from evalcore.errors import UnknownName
from evalcore.families.exporting import Exported, ExportedRun
from evalcore.families.registry import FAMILIES
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import (
    CaseRow,
    CriterionRow,
    JudgmentRow,
    RunRow,
    SuiteRow,
    VersionRow,
)
from evalcore.views.words.wording import count
from evalcore.workspace.opened import Workspace

MAX_OUTPUT: Final = 1024 * 1024
"""So many bytes of each file that a run produced are written."""


def export(path: Path, to: str, out: Path, suite: str | None) -> Answer:
    """Write a suite to a folder as the tool of the family `to` has it; no file is replaced."""
    known = {each.name: each.exporting for each in FAMILIES}
    exporting = known[to]() if to in known else None
    if exporting is None:
        raise UnknownName("format to export to", to, [name for name in known if known[name]()])
    ws = open_for_judge(path)
    found = exported(ws, suite_of(ws, path, suite))
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, data in exporting.write(found):
        write_file(out / name, data, instead="name another folder with --out")
        written.append(name)
    document = {"suite": found.suite.suite, "to": to, "folder": str(out), "files": written}
    runs = f"{count(len(found.runs), 'run')} of {found.suite.suite}"
    return Answer(
        lambda: document,
        [f"{runs} in {count(len(written), 'file')} in {out}.", exporting.next_step],
    )


def exported(ws: Workspace, suite: str) -> Exported:
    """Return all that is known of a suite and its runs, without what the judge must not see."""
    runs = typed(ws, "runs", RunRow, where(ws, "runs", suite=suite))
    judged: dict[str | None, list[JudgmentRow]] = defaultdict(list)
    of = coded(ws, "judgments", "run_id").among({run.run_id for run in runs if run.run_id})
    counts = coded(ws, "judgments", "status").among({"scored"})
    for row in typed(ws, "judgments", JudgmentRow, np.flatnonzero(of & counts)):
        judged[row.run_id].append(row)

    def output(run: RunRow) -> str | None:
        if not run.outputs:
            return None
        if output_pointer(run) is not None:
            return read_text(ws, run.outputs, MAX_OUTPUT)
        places = [place for place, _ in files_of(ws, run.outputs)]
        texts = [(place, read_text(ws, place, MAX_OUTPUT)) for place in places]
        said = [(place, text) for place, text in texts if text]
        if len(said) == 1:
            return said[0][1]
        return "\n\n".join(f"{place}:\n{text}" for place, text in said) or None

    def of_suite(name: str) -> np.ndarray:
        return where(ws, name, suite=suite)

    return Exported(
        typed(ws, "suites", SuiteRow, of_suite("suites"))[0],
        {row.version: row for row in typed(ws, "versions", VersionRow, of_suite("versions"))},
        {row.case_id: row for row in typed(ws, "cases", CaseRow, of_suite("cases"))},
        tuple(typed(ws, "criteria", CriterionRow, of_suite("criteria"))),
        tuple(ExportedRun(run, tuple(judged[run.run_id])) for run in runs),
        output,
    )
