"""The largest disagreements between judges, and one of them in full for adjudication.

What is read of its run has no opinion on it.
"""

from typing import Final

from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.run_criteria import run_row
from evalcore.families.reviews.review import NO_REASON
from evalcore.judging.agreeing.adjudicating import Decision
from evalcore.judging.agreeing.disagreements import Disagreement, Disagreements
from evalcore.judging.model import Asked, Receipt
from evalcore.judging.storing.names import people
from evalcore.views.blocks.base import Block, link
from evalcore.views.blocks.evidence import Prompt
from evalcore.views.blocks.page import Cell, Chip, Heading, Links, Row, Say, Table, heads
from evalcore.views.files.outputs import load_text
from evalcore.views.gradings.grid import case_name
from evalcore.views.run.evidence import evidence
from evalcore.views.run.grading import asked_blocks, no_output
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

FIRST: Final = 8
"""How many rows show before the list is folded."""
NAMED: Final = 4
MAX_FILES: Final = 8
TITLE: Final = "Largest disagreements"


def place_of(ws: Workspace, run_id: str) -> tuple[str, str]:
    """Return the display names of a run's case, and of its version, configuration and number.

    Raises:
        UnknownName: there is no such run.
    """
    run = run_row(ws, run_id)
    found = outcomes(ws, run.suite or "")
    at = found.positions.get(run.case_id or "")
    case = run.case_id or "" if at is None else case_name(found.cases.iloc[at].to_dict())
    column = wording.column_words(Column(run.version or "", run.configuration or "-"))
    return case, f"{column} · run {run.run}"


def disagreement_blocks(
    ws: Workspace, suite: str, found: Disagreements, *, named: bool, compared: bool
) -> list[Block]:
    """Describe the largest disagreements, and count those not shown.

    `named` says that the reader has a name to judge under, `compared` that two people scored the
    same: else nobody can disagree, and nothing is said.
    """
    total = len(found.open) + found.more + found.hidden
    if not total:
        if not compared and not found.settled:
            return []
        text = "None waits: wherever two judges scored the same, they gave the same score"
        text += f", or it is decided ({found.settled:,})." if found.settled else "."
        return [Heading(TITLE), Say(text, quiet=True)]
    hint = f"{total:,} to decide, {found.settled:,} decided"
    blocks: list[Block] = [Heading(TITLE, hint)]
    rows = []
    for one in found.open:
        (case, column), weight = place_of(ws, one.run_id), one.asked.weight
        about = [] if weight is None else [f"weight {wording.number(weight)}"]
        if one.over:
            about.append("scored again since it was decided")
        names = people(rating.judge for rating in one.ratings)
        scores = [
            f"{score_words(one.asked, rating.score)} {names[rating.judge]}"
            for rating in one.ratings[:NAMED]
        ]
        if (more := len(one.ratings) - NAMED) > 0:
            scores.append(f"and {more:,} more")
        name = f"{one.run_id} {one.asked.key}"
        run = link("gradings", suite=suite, run=one.run_id)
        decide = link("judge", view="agreement", settle=one.run_id, on=one.asked.key)
        judges = f"of {wording.count(len(one.ratings), 'judge')}"
        cells = [
            Cell(case, sub=column, clamp=True, id=name, link=run),
            Cell(one.asked.name, sub=" · ".join(about), clamp=True),
            Cell(_apart(one), sub=judges, num=True),
            Cell(" · ".join(scores)),
            Cell("decide", keep=True, id=f"decide {name}", link=decide),
        ]
        rows.append(Row(cells))
    if rows:
        head = heads("run", "criterion", "#apart", "scores", "")
        blocks.append(Table(TITLE, head, rows, fold=FIRST))
    if found.more:
        blocks.append(Say(f"{found.more:,} smaller ones follow.", quiet=True))
    if found.hidden:
        runs = wording.count(found.hidden_runs, "run")
        how_many = f"{found.hidden:,} {'more' if found.open else 'of them'}"
        step = "Say who you are and judge them; they show once your own scores are stored."
        if named:
            step = (
                "They are shown once your own scores are stored, so that no opinion influences you."
            )
        words = f"{how_many} in {runs} that you have yet to judge whole. {step}"
        blocks.append(Say(words, quiet=True))
    return blocks


def _apart(one: Disagreement) -> str:
    if one.asked.pass_fail:
        return "passed and failed"
    return f"{wording.percent(one.spread)} of the scale"


def score_words(criterion: Asked, score: float) -> str:
    """Return a score as a word for a pass/fail criterion, else as a number."""
    if criterion.pass_fail and score in (criterion.low, criterion.high):
        return wording.verdict(score == criterion.high)
    return wording.number(score)


def open_blocks(ws: Workspace, suite: str, one: Disagreement) -> list[Block]:
    """Describe one disagreement for adjudication: the criterion, each score and its reason."""
    (case, column), criterion = place_of(ws, one.run_id), one.asked
    scale = f"{wording.number(criterion.low)} to {wording.number(criterion.high)}"
    words = "pass or fail" if criterion.pass_fail else scale
    names = people(rating.judge for rating in one.ratings)
    rows = []
    for rating in one.ratings:
        why = Cell(rating.rationale or NO_REASON, quiet=not rating.rationale)
        score = Cell(score_words(criterion, rating.score), num=True)
        rows.append(Row([Cell(names[rating.judge], keep=True, id=rating.id), score, why]))
    run = link("gradings", suite=suite, run=one.run_id)
    listed = link("judge", view="agreement", settle=None, on=None)
    there = [
        Chip(text="open the run", link=run, title="The run with its output, in Gradings"),
        Chip(text="back to the list", link=listed, title="Decide nothing now"),
    ]
    return [
        Heading(f"Decide: {criterion.name}", f"{case} · {column}"),
        *([Say(criterion.description)] if criterion.description else []),
        Say(f"{words}; judges: {_apart(one)}. Your score outranks all of theirs.", quiet=True),
        *(Say(f"{wording.number(at)}: {text}", quiet=True) for at, text in criterion.anchors),
        Table("What judges said", heads("judge", "#score", "why"), rows),
        Links("", there),
    ]


def reading_blocks(ws: Workspace, run_id: str) -> list[Block]:
    """Describe the prompt of a run, what was expected, and its output.

    Raises:
        UnknownName: there is no such run.
    """
    found = evidence(ws, run_id, look_up_quotes=False)
    files = [file for file in found.files if file.role == "output"]
    blocks = asked_blocks(found)
    for file in files[:MAX_FILES]:
        text = load_text(ws, file.path)
        none = Say(f"{file.name}: no text; open the run.", quiet=True)
        blocks.append(Prompt(file.name, text) if text else none)
    if (more := len(files) - MAX_FILES) > 0:
        blocks.append(Say(f"{more:,} more files; open the run to see them.", quiet=True))
    return blocks if files else [*blocks, Say(no_output(found.run), quiet=True)]


def receipt_words(ws: Workspace, criterion: Asked, done: Decision, receipt: Receipt) -> str:
    """Say what was stored, and where."""
    case, column = place_of(ws, done.run_id)
    score = score_words(criterion, done.score)
    of = "" if criterion.pass_fail else f" of {wording.number(criterion.high)}"
    return (
        f"Stored: {score}{of} for “{criterion.name}” of {case}, {column}, because: "
        f"{done.rationale.strip()} Receipt {receipt.id}, sha256 {receipt.sha256[:12]}…, in "
        f"{receipt.path}."
    )
