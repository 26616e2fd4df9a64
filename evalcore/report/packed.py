"""The evidence of every run, packed, in the words of the pages; it is drawn when looked at."""

import gzip
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Any, Final

import orjson

from evalcore.counting.cells import typed, where
from evalcore.counting.choices import versions_of
from evalcore.counting.outcomes import marks_in, outcomes
from evalcore.counting.run_steps import steps_of
from evalcore.layouts.order import natural
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.evidence import Prompt
from evalcore.views.blocks.plain import as_json
from evalcore.views.files.outputs import load_output
from evalcore.views.run.criteria import convention_blocks, criteria_blocks, tally
from evalcore.views.run.evidence import Evidence, evidence
from evalcore.views.run.grading import NO_CRITERION, asked_blocks
from evalcore.views.run.head import MAX_TITLE, run_column
from evalcore.views.run.steps import line_of, totals_words
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

BUDGET: Final = 24_000
"""So many bytes of texts at most are kept of one run, and of one case; what is cut says so."""
NO_TEXT: Final = "It is not text, and not in this file."
_OWN: Final = ("texts", "people", "quotes")
"""What each judged item has of its own."""


def runs_of(ws: Workspace, suite: str, first: Sequence[str]) -> list[RunRow]:
    """Return the runs of a suite by case, the cases of `first` before all others.

    Of a case the newest version comes first. Runs that are hidden are left out.
    """
    rows = typed(ws, "runs", RunRow, where(ws, "runs", suite=suite))
    order = {row.version: -(row.position or 0) for row in versions_of(ws, suite)}
    early = {case: at for at, case in enumerate(first)}

    def place(row: RunRow) -> tuple[Any, ...]:
        words = (row.case_id or "", row.version or "", row.configuration or "", row.run or "")
        case, *rest = map(natural, words)
        return early.get(words[0], len(early)), case, order.get(row.version, 1), *rest

    return sorted((row for row in rows if row.status != HIDDEN), key=place)


def packed(
    ws: Workspace, runs: Sequence[RunRow], first: Sequence[str], *, with_outputs: bool
) -> str:
    """Return the evidence of some runs as base64 of gzip of JSON; the same runs, the same text.

    Without their outputs no file of them is read, and no quote of a judge is looked up.
    """
    changed, cases, told = frozenset(first), dict[str, Any](), []
    items, marks = _Items(), dict[str, str]()
    for run in runs:
        found = evidence(ws, run.run_id or "", look_up_quotes=with_outputs)
        case_id = found.case.case_id
        if case_id not in cases:
            cases[case_id] = as_json(asked_blocks(found), BUDGET)
            marks |= marks_in(ws, outcomes(ws, run.suite or ""), case_id)
        written = list(_written(ws, found)) if with_outputs else []
        about = {"mark": marks.get(run.run_id or "", ""), "changed": case_id in changed}
        told.append(_run(found, written, items) | about)
    data = orjson.dumps({"cases": cases, "items": items.told, "runs": told})
    return b64encode(gzip.compress(data, mtime=0)).decode()


class _Items:
    """What judged items have in common: what they were judged by, and how; each is told once."""

    def __init__(self) -> None:
        self.told: list[PanelData] = []
        self._at: dict[bytes, int] = {}

    def without(self, block: PanelData) -> PanelData:
        """Return a block that names its common part by its number; others as they are."""
        if block["t"] != "item":
            return block
        shared = {name: value for name, value in block.items() if name not in _OWN}
        key = orjson.dumps(shared)
        if key not in self._at:
            self._at[key] = len(self.told)
            self.told.append(shared)
        return {"t": "item", "of": self._at[key], **{name: block[name] for name in _OWN}}


def _written(ws: Workspace, found: Evidence) -> Iterator[Block]:
    """Yield what a run wrote, as far as it is text, and what it did, a line for each step."""
    for file in found.files:
        if file.role == "output":
            output = load_output(ws, file.path)
            note = f" · {output.note}" if output.note else ""
            yield Prompt(f"{file.name}{note}", NO_TEXT if output.text is None else output.text)
    did = steps_of(ws, found.run)
    if did.understood:
        lines = (": ".join(filter(None, line_of(step))) for step in did.steps)
        yield Prompt(f"Steps · {', '.join(totals_words(did))}", "\n".join(lines))


def _run(found: Evidence, written: Sequence[Block], items: _Items) -> dict[str, Any]:
    run, judged = found.run, (*found.structural, *found.items)
    blocks = [*criteria_blocks(found), *convention_blocks(found), *written]
    return {
        "case": found.case.case_id,
        "name": wording.line(found.case.name, MAX_TITLE),
        "run": f"{run_column(run)} · run {found.position}",
        "said": tally(judged) or NO_CRITERION,
        "blocks": [items.without(block) for block in as_json(blocks, BUDGET)],
    }
