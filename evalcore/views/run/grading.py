"""Describe the evidence of one run, the most important first."""

from pathlib import PurePosixPath
from typing import Final

import numpy as np

from evalcore.counting.cells import typed, where
from evalcore.counting.failure_rows import current_failures
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import ClaimRow, ComparisonRow, FailureRow, FeedbackRow, NoteRow, RunRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Prompt, fault, source_block
from evalcore.views.blocks.page import Heading, Say
from evalcore.views.chains.block import chain_blocks
from evalcore.views.run.case import connected_blocks
from evalcore.views.run.criteria import convention_blocks, criteria_blocks
from evalcore.views.run.evidence import Evidence, facts, rows_of
from evalcore.views.run.remarks import (
    benchmark_blocks,
    claim_blocks,
    comparison_blocks,
    failure_blocks,
    feedback_blocks,
    note_blocks,
    stored_blocks,
)
from evalcore.views.words import wording
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

ASKED: Final = (
    "Hidden until you have judged: you were asked to judge this run independently. Its output "
    "waits on the Judge page."
)
NO_CRITERION: Final = "No criterion is defined for this case, and none was judged in this run."
MAX_PROBLEMS: Final = 30
MISSING: Final = frozenset({wording.NOT_MEASURED, wording.NOT_RECORDED})


def grade_blocks(
    ws: Workspace, found: Evidence, *, with_chain: bool = True, with_steps: bool = False
) -> list[Block]:
    """Describe one run: the prompt, each criterion with its reasons, and all other evidence.

    `with_chain` is false where the page shows the chain of another record; `with_steps` where it
    shows steps, in which a quote that no output has can be looked for.
    """
    run, run_id, suite = found.run, found.run.run_id, found.run.suite
    if run.status == HIDDEN:
        return [*asked_blocks(found), Say(ASKED)]
    # Of the case itself is what is of no run, and of no other version.
    of_case = rows_of(ws, "feedback", FeedbackRow, suite=suite, case_id=run.case_id, run_id=None)
    feedback = [
        *rows_of(ws, "feedback", FeedbackRow, run_id=run_id),
        *(row for row in of_case if row.version in (None, run.version)),
    ]
    failed = np.intersect1d(where(ws, "failures", run_id=run_id), current_failures(ws))
    compared = rows_of(ws, "comparisons", ComparisonRow, suite=suite, case_id=run.case_id)
    measured = [*facts(run)]
    if run.activated is not None:
        measured.append(("skill invoked", "yes" if run.activated else "no"))
    if run.benchmark_run:
        measured.append(("benchmark run", run.benchmark_run))
    if run.origin == "benchmark":
        measured.append(("known from", "the benchmark only; no grading file of its own"))
    blocks = [
        *asked_blocks(found),
        *(criteria_blocks(found, with_steps=with_steps) or [Say(NO_CRITERION, quiet=True)]),
    ]
    if not any(file.role == "output" for file in found.files):
        blocks.append(Say(no_output(run), quiet=True))
    blocks += [
        *convention_blocks(found),
        *feedback_blocks(feedback, "Feedback on this run and on the case itself"),
        *benchmark_blocks(ws, run),
        *claim_blocks(rows_of(ws, "claims", ClaimRow, run_id=run_id)),
        *note_blocks(rows_of(ws, "notes", NoteRow, run_id=run_id)),
        *failure_blocks(typed(ws, "failures", FailureRow, failed)),
        *comparison_blocks(ws, compared, "Comparisons of this case"),
        *(chain_blocks(ws, suite or "", "test-run", run_id or "") if with_chain else []),
        *connected_blocks(ws, suite or "", run.source, run.pointer),
        *stored_blocks(ws, run, found.items),
        Heading("Measured"),
        Facts([(name, words, words not in MISSING) for name, words in measured]),
    ]
    if found.problems:
        title = f"{wording.count(len(found.problems), 'problem')} in the files of this run"
        blocks += [Heading(title), *map(fault, found.problems[:MAX_PROBLEMS])]
    if run.source:
        blocks.append(source_block("Source", run.source, run.pointer))
    if run.outputs and run.outputs != run.source:
        held = output_pointer(run)
        place = run.source if held is not None and run.source else run.outputs
        blocks.append(source_block("Outputs", place, held))
    return blocks


def no_output(run: RunRow) -> str:
    """Return the sentence for a run without output, naming the place searched."""
    if run.status == HIDDEN:
        return ASKED
    source = PurePosixPath(run.source or "")
    if run.outputs:
        looked = run.outputs
    elif source.parent.name == "grading":
        looked = f"the runs folder of {run.version}"
    else:
        looked = str(source.parent / "outputs")
    return f"No output saved for this run; looked in {looked}."


def asked_blocks(found: Evidence) -> list[Block]:
    """Describe the prompt of a run, and what was expected."""
    case = found.case
    if case.prompt:
        blocks: list[Block] = [Prompt("Prompt", case.prompt)]
    else:
        looked = case.source or "evals.json, eval_metadata.json and the run's own folder"
        blocks = [Say(f"No prompt is recorded; looked in {looked}.", quiet=True)]
    return [*blocks, Prompt("Expected", case.expected)] if case.expected else blocks
