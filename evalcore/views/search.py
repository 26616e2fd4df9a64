"""Search the words of a workspace: rationales, evidence, prompts and names, in any case."""

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.views.outcomes import Outcomes, judged_run
from evalcore.workspace.opened import Workspace


@lru_cache(maxsize=32)
def judgments_with_text(ws: Workspace, text: str) -> "np.ndarray":
    """Return the positions of the judgments whose rationale or evidence has `text`, in any case."""
    table = ws.tables.text_columns("judgments")
    found = np.zeros(len(table), bool)
    for name in table.column_names:
        found |= _has(table[name], text)
    return np.flatnonzero(found)


def cases_with_text(ws: Workspace, found: Outcomes, text: str) -> "np.ndarray":
    """Return the positions of the cases of a suite that have `text` in what they ask or how they were judged."""
    run = judged_run(ws)[judgments_with_text(ws, text)]
    own = found.runs["case"].reindex(np.unique(run)).dropna().to_numpy(np.int64)
    said = [
        np.flatnonzero(_has(pa.chunked_array([pa.array(found.cases[name].astype("str"), pa.large_string())]), text))
        for name in ("case_id", "name", "prompt", "expected") if name in found.cases
    ]  # fmt: skip
    return np.unique(np.concatenate([own, *said]))


def _has(column: pa.ChunkedArray, text: str) -> "np.ndarray":
    matched = pc.match_substring(column, text, ignore_case=True)
    return matched.fill_null(False).to_numpy(zero_copy_only=False).astype(bool)
