"""The prompts of each version, as far as recorded, and the cases whose prompts differ."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from evalcore.comparing.model import Side
from evalcore.comparing.skill_cases import json_of, skill_cases
from evalcore.counting.cells import family_of, where
from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.disk.files import Files
from evalcore.disk.values import value_at
from evalcore.errors import UnknownName
from evalcore.families.base import StoredPrompts
from evalcore.names import PROMPT
from evalcore.workspace.opened import Workspace

METADATA: Final = "eval_metadata.json"
ABOVE: Final = 4
"""So many folders from a run's documents upwards may hold the metadata of its eval."""

Prompts = Mapping[str, str]


@memoize_per_workspace
def prompts_of(ws: Workspace, suite: str, column: Column) -> Prompts:
    """Return the prompt of each case from the files of this version.

    Cases without a prompt in this version are missing.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    read: dict[StoredPrompts | None, Callable[[Workspace, str, Column], Prompts]] = {
        "version folder": _of_skill,
        "beside runs": _beside_runs,
    }
    place = family_of(ws, suite).stored_prompts
    return read[place](ws, suite, column) if place in read else {}


@memoize_per_workspace
def defined_prompts(ws: Workspace, suite: str) -> Prompts:
    """Return the prompt of each case as the suite defines it for all versions."""
    cases = ws.tables.cases.iloc[where(ws, "cases", suite=suite)]
    pairs = zip(cases["case_id"].tolist(), cases["prompt"].tolist(), strict=True)
    return {str(case): text for case, prompt in pairs if (text := _text_of(prompt)) is not None}


def other_prompts(a: Side, b: Side, cases: Iterable[str]) -> tuple[set[str], int]:
    """Return the cases with different prompts, and the number of cases compared.

    Within one version all prompts are the same. If neither version records a prompt, the suite's
    definition is used for both; if only one does, the case is unknown.
    """
    wanted = list(cases)
    shared = [defined_prompts(side.ws, side.suite) for side in (a, b)]
    if a.ws is b.ws and a.suite == b.suite and a.column.version == b.column.version:
        own = prompts_of(b.ws, b.suite, b.column)
        return set(), sum(case in own or case in shared[0] for case in wanted)
    first, second = (prompts_of(side.ws, side.suite, side.column) for side in (a, b))
    other, compared = set(), 0
    for case in wanted:
        one, two = first.get(case), second.get(case)
        if one is None and two is None:
            one, two = shared[0].get(case), shared[1].get(case)
        if one is not None and two is not None:
            compared += 1
            if one != two and one.split() != two.split():
                other.add(case)
    return other, compared


def _text_of(prompt: object) -> str | None:
    return prompt if isinstance(prompt, str) and prompt.strip() else None


def _of_skill(ws: Workspace, suite: str, column: Column) -> Prompts:
    """Return the prompts in the evals.json of a version's skill folder."""
    cases = skill_cases(ws, suite, column.version)
    return {
        case: asked
        for case, prompts_told in cases.items()
        if (asked := _asked(prompts_told)) is not None
    }


def _beside_runs(ws: Workspace, suite: str, column: Column) -> Prompts:
    """Read for each case what its first run in a column was asked.

    The metadata nearest to the run says it, else the part of its document that the run is.
    """
    rows = where(ws, "documents", suite=suite, kind="eval_metadata")
    metadata = {*ws.tables.documents["path"].iloc[rows].tolist()}
    files, prompts_told = Files(ws.root), {}
    documents: dict[str, Any] = {}
    for case, source, pointer in _first_runs(ws, suite, column):
        near = next((path for path in _above(source) if path in metadata), None)
        prompt = _asked(json_of(files, near)) if near is not None else None
        if prompt is None and pointer:
            if source not in documents:
                documents[source] = json_of(files, source)
            prompt = _asked_at(documents[source], source, pointer)
        if prompt is not None:
            prompts_told[case] = prompt
    return prompts_told


def _asked_at(document: Any, source: str, pointer: str) -> str | None:
    """Return the prompt of the innermost part of a document that has one, around a run in it."""
    while pointer:
        try:
            prompt = _asked(value_at(document, source, pointer))
        except UnknownName:
            return None  # the document has changed since it was read
        if prompt is not None:
            return prompt
        pointer = pointer.rpartition("/")[0]
    return None


def _above(source: str) -> Iterator[str]:
    """Yield the folders that may hold the metadata of a run, the nearest first."""
    folder = source
    for _ in range(ABOVE):
        folder = folder.rpartition("/")[0]
        if folder:
            yield f"{folder}/{METADATA}"


def _first_runs(ws: Workspace, suite: str, column: Column) -> Iterator[tuple[str, str, str]]:
    """Yield each case of a column with the document of its first run, and the pointer in it."""
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    runs = found.runs[found.runs["column"].to_numpy() == place]
    cases, first = np.unique(runs["case"].to_numpy(), return_index=True)
    ids, rows = found.cases["case_id"].tolist(), runs.index.to_numpy()[first]
    source, pointer = (coded(ws, "runs", name) for name in ("source", "pointer"))
    codes = (source.codes[rows].tolist(), pointer.codes[rows].tolist())
    for case, code, at in zip(cases.tolist(), *codes, strict=True):
        if code >= 0:
            yield str(ids[case]), source.words[code], pointer.words[at] if at >= 0 else ""


def _asked(value: Any) -> str | None:
    if not isinstance(value, dict):
        return None
    return next((text for key in PROMPT if (text := _text_of(value.get(key))) is not None), None)
