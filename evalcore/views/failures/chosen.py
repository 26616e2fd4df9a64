"""The chosen failure: what is said of it, by whom, and the evidence of its run."""

from evalcore.counting.cells import typed, where
from evalcore.failures.detail import Failure, split_kind
from evalcore.families.reviews.review import LESSON, MODEL_MARK
from evalcore.judging.storing.names import person
from evalcore.tables.rows import MessageRow
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.evidence import Facts, Prompt, source_block
from evalcore.views.blocks.page import Chip, Heading, Links, Say
from evalcore.views.chains.block import chain_blocks
from evalcore.views.failures.words import (
    GRADE_WORDS,
    case_words,
    place_words,
    state_words,
    type_words,
)
from evalcore.views.run.evidence import evidence
from evalcore.views.run.grading import grade_blocks
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace


def head_blocks(ws: Workspace, found: Failure) -> list[Block]:
    """Describe a failure: its case, type and severity, and whether that is a guess."""
    kind = type_words(found)
    said = f"{kind[0].upper()}{kind[1:]}, {GRADE_WORDS[found.severity or 'not-said']}"
    if found.origin != "guess":
        who = "as recorded"
        if found.origin == "rule":
            who = "recorded as a rule guessed it"
        elif found.author is not None and found.origin == "model":
            who = f"as the model {found.author.removeprefix(MODEL_MARK)} says"
        elif found.author is not None:
            who = f"as {person(found.author)} says"
        said += f", {who}."
    elif found.type is None:
        said += ". The rules cannot determine the type; the severity is a guess."
    else:
        said += f". This is a guess, because {found.why}."
    if found.resolved_at is not None:
        said += f" Resolved {wording.moment(found.resolved_at)}."
    blocks: list[Block] = [Heading(case_words(ws, found), place_words(found), "fail"), Say(said)]
    if found.conflict:
        conflict = (
            f"Conflict: {len(found.replaces)} records contradict each other; the newest is "
            "shown. Your correction replaces all of them."
        )
        blocks.append(Say(conflict))
    if found.run_id is not None:
        open_ = Chip(text="Open the run in Gradings", link=link("gradings", run=found.run_id))
        blocks.append(Links("", [open_]))
    return blocks


def detail_blocks(ws: Workspace, found: Failure) -> list[Block]:
    """Describe what a record says: what is wrong, its cause, its lesson, how it was resolved."""
    if not found.failure_id:
        return []
    # What the agent is to remember of it, where something was kept.
    rows = where(ws, "messages", suite=found.suite, kind=LESSON, about=found.failure_id)
    lessons = (each.text or "" for each in typed(ws, "messages", MessageRow, rows))
    texts = (
        ("What is wrong", found.description),
        ("Root cause", found.root_cause),
        ("Lesson for the agent", "\n\n".join(lessons)),
        ("Affected criteria", ", ".join(split_kind(name)[1] for name in found.stated)),
    )
    facts = (
        ("state", state_words(found)),
        ("resolution", found.resolution_notes),
        ("written by", found.author and person(found.author)),
        ("record", found.failure_id),
    )
    known = [(name, words, True) for name, words in facts if words]
    return [*(Prompt(label, text) for label, text in texts if text), Facts(known)]


def failure_chain(ws: Workspace, found: Failure) -> list[Block]:
    """Describe what a failure came from and what it led to; a guess is no record yet."""
    if found.failure_id is not None:
        return chain_blocks(ws, found.suite, "eval-failure", found.failure_id)
    return chain_blocks(ws, found.suite, "test-run", found.run_id or "")


def evidence_blocks(ws: Workspace, found: Failure) -> list[Block]:
    """Describe the evidence of a failure's run as Gradings does; what is known without a run."""
    if found.run_id is not None:
        return grade_blocks(ws, evidence(ws, found.run_id), with_chain=False)
    blocks: list[Block] = [
        Say(
            f"The record names the run {found.named_run or 'without a name'}, which is not in this "
            "folder. Restore the run to see its evidence."
        )
    ]
    return [*blocks, source_block("Source", found.source, None)] if found.source else blocks
