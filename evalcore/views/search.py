"""Search the words of a workspace: rationales, evidence, prompts and names, in any case."""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.views.kept import kept
from evalcore.views.outcomes import Numbers, Outcomes, judged_run
from evalcore.workspace.opened import Workspace

OF_CASE: Final = ("case_id", "name", "prompt", "expected")


@kept
def judgments_with_text(ws: Workspace, text: str) -> Numbers:
    """Return the positions of the judgments whose rationale or evidence has `text`, in any case."""
    table = ws.tables.text_columns("judgments")
    found = np.zeros(len(table), bool)
    for name in table.column_names:
        found |= _has(table[name], text)
    return np.flatnonzero(found)


def cases_with_text(ws: Workspace, found: Outcomes, text: str) -> Numbers:
    """Return the positions of the cases of a suite that have `text` in any case.

    Looked at are what a case asks and expects, its name, and how its runs were judged.
    """
    run = judged_run(ws)[judgments_with_text(ws, text)]
    own = found.runs["case"].reindex(np.unique(run)).dropna().to_numpy(np.int64)
    said = [_cases_that_say(found, name, text) for name in OF_CASE if name in found.cases]
    return np.unique(np.concatenate([own, *said]))


def _cases_that_say(found: Outcomes, name: str, text: str) -> Numbers:
    words = pa.chunked_array([pa.array(found.cases[name].astype("str"), pa.large_string())])
    return np.flatnonzero(_has(words, text))


def _has(column: pa.ChunkedArray, text: str) -> Numbers:
    matched = pc.match_substring(column, text, ignore_case=True)
    chosen: Numbers = matched.fill_null(False).to_numpy(zero_copy_only=False).astype(bool)
    return chosen
