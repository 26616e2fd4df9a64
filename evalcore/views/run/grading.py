"""Describe the evidence of one run, the most important first."""

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block
from evalcore.views.blocks.evidence import Facts, Prompt, Source, fault, source_block
from evalcore.views.blocks.page import Heading, Say
from evalcore.views.chains.block import chain_blocks
from evalcore.views.run.comparisons import comparison_blocks
from evalcore.views.run.connected import connected_blocks
from evalcore.views.run.criteria import convention_blocks, criteria_blocks
from evalcore.views.run.evidence import Evidence, facts
from evalcore.views.run.remarks import (
    benchmark_blocks,
    claim_blocks,
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
MAX_PROBLEMS: Final = 30
MISSING: Final = frozenset({wording.NOT_MEASURED, wording.NOT_RECORDED})


def grade_blocks(ws: Workspace, found: Evidence, *, with_chain: bool = True) -> list[Block]:
    """Describe one run: the prompt, each criterion with its reasons, and all other evidence.

    `with_chain` is false where the page shows the chain of another record.
    """
    if found.run.status == HIDDEN:
        return [*asked_blocks(found), Say(ASKED)]
    feedback = (*found.about_run, *found.about_case)
    return [
        *asked_blocks(found),
        *_criteria(found),
        *convention_blocks(found),
        *feedback_blocks(feedback, "Feedback on this run and on the case itself"),
        *benchmark_blocks(ws, found.run),
        *claim_blocks(found.claims),
        *note_blocks(found.notes),
        *failure_blocks(found.failures),
        *comparison_blocks(ws, found.comparisons, "Comparisons of this case"),
        *(chain_of_run(ws, found.run) if with_chain else []),
        *connected_blocks(ws, found.run.suite or "", found.run.source, found.run.pointer),
        *stored_blocks(found.stored),
        Heading("Measured"),
        Facts([(name, words, words not in MISSING) for name, words in _facts(found.run)]),
        *_problems(found),
        *_sources(found),
    ]


def chain_of_run(ws: Workspace, run: RunRow) -> list[Block]:
    """Describe what a run came from and what it led to."""
    return chain_blocks(ws, run.suite or "", "test-run", run.run_id or "")


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


def _criteria(found: Evidence) -> list[Block]:
    blocks = criteria_blocks(found)
    if not blocks:
        blocks = [
            Say(
                "No criterion is defined for this case, and none was judged in this run.",
                quiet=True,
            )
        ]
    if not any(file.role == "output" for file in found.files):
        blocks.append(Say(no_output(found.run), quiet=True))
    return blocks


def _facts(run: RunRow) -> Iterator[tuple[str, str]]:
    yield from facts(run)
    if run.activated is not None:
        yield "skill invoked", "yes" if run.activated else "no"
    if run.benchmark_run:
        yield "benchmark run", run.benchmark_run
    if run.origin == "benchmark":
        yield "known from", "the benchmark only; no grading file of its own"


def _problems(found: Evidence) -> list[Block]:
    if not found.problems:
        return []
    title = f"{wording.count(len(found.problems), 'problem')} in the files of this run"
    return [Heading(title), *map(fault, found.problems[:MAX_PROBLEMS])]


def _sources(found: Evidence) -> list[Source]:
    run = found.run
    blocks = [source_block("Source", run.source, run.pointer)] if run.source else []
    if run.outputs and run.outputs != run.source:
        blocks.append(source_block("Outputs", run.outputs, None))
    return blocks
