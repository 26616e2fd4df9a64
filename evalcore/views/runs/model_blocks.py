"""What models said in a run: scores left open, who won, what to change, and why runs failed."""

from collections.abc import Collection
from itertools import groupby
from typing import Final

from evalcore.comparing.skill_places import unfounded
from evalcore.counting.outcomes import Column
from evalcore.engine.plan import Plan
from evalcore.engine.progress import Progress
from evalcore.families.running import ONLY
from evalcore.tables.rows import AnalysisRow
from evalcore.views.blocks.base import Block, Labelled, link
from evalcore.views.blocks.evidence import Note
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.outcome_words import (
    case_words,
    control_words,
    explained,
    is_hidden,
    missing_of,
    outcome_words,
    remarks,
    unscored_of,
)
from evalcore.views.runs.words import asked_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LISTED: Final = 200
FOLD: Final = 12
FOLD_UNSCORED: Final = 8
MAX_TEXT: Final = 300
MAX_SAID: Final = 400
_UNSCORED: Final = (("Test run and criteria", False), ("Why", False))
_FAILURES: Final = (("Failed run", False), ("Type", False), ("Root cause", False))


def model_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what the model of a run left unscored; of `hidden` test runs nothing.

    Criteria of one test run without a score for one reason stand together.
    """
    if not plan.models and not plan.step_names:
        return []
    blocks: list[Block] = []
    if left := unscored_of(found, hidden) if plan.models else []:
        title = "Left unscored by the model"
        rows = []
        for _, alike in groupby(left, lambda each: (each.run_id, each.why)):
            first, *others = alike
            names = "; ".join(each.criterion for each in (first, *others))
            answer = wording.short(f"It answered: {first.answer}", MAX_TEXT) if first.answer else ""
            name = f"{first.case} · run {first.run}"
            about = Cell(name, sub=wording.short(names, MAX_TEXT), id=first.run_id)
            rows.append(Row([about, Cell(first.why, sub=answer)]))
        people = "" if plan.again else "People are asked on the Judge page. "
        blocks = [
            Heading(title, wording.count(len(left), "criterion")),
            Table(title, _UNSCORED, rows[:LISTED], fold=FOLD_UNSCORED),
            Say(f"{people}`evalcore runs --json` has the full answers.", quiet=True),
        ]
    if said := [*control_words(found, hidden), *remarks(found, hidden)]:
        blocks.append(Heading("Before you trust these scores", ""))
        blocks += map(Say, said[:LISTED])
    return blocks


def step_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what a run did beside its test runs; of pairs of `hidden` runs nothing."""
    steps = plan.steps
    if steps is None or not (found.pairs or found.steps or found.failed):
        return []
    blocks: list[Block] = [
        Heading(f"{steps.version_b} against {steps.version_a}"),
        *map(Say, outcome_words(found, hidden)),
        *map(Say, missing_of(found, hidden)),
    ]
    if not found.pairs or is_hidden(plan, hidden):
        return blocks
    words = {"a": steps.version_a, "b": steps.version_b, "tie": "tie"}
    a, b = (Column(version, ONLY).key for version in (steps.version_a, steps.version_b))
    rows = []
    for pair in (found.pairs[case] for case in steps.cases if case in found.pairs):
        won = words[pair.winner] if pair.winner else "no verdict"
        answer = f"It answered: {pair.answers[0]}" if any(pair.answers) else ""
        said = pair.reasoning or f"{pair.why} {answer}".strip()
        cells = [
            Cell(pair.case, link=link("compare", a=a, b=b, case=pair.case)),
            Cell(won, sub=wording.short(said, MAX_SAID), quiet=pair.winner is None),
        ]
        for at in (0, 1):
            total = sum(both[at] for both in pair.scores.values())
            scored = Cell(wording.number(total), num=True)
            cells.append(scored if pair.scores else Cell("not scored", quiet=True))
        rows.append(Row(cells))
    sums = ((steps.version_a, True), (steps.version_b, True))
    head = (("Case", False), ("Better", False), *sums)
    blocks.append(Table("Compared by a model", head, rows[:LISTED], fold=FOLD))
    note = "Scores are summed over the criteria and averaged over both orders."
    return [*blocks, Say(note, quiet=True)]


def analysis_blocks(
    ws: Workspace, plan: Plan, found: Progress, hidden: Collection[str] = ()
) -> list[Block]:
    """Describe why the winner won and what to change; nothing of `hidden` runs.

    Of each suggestion it says whether its text is in the skill.
    """
    said, steps = found.analysis, plan.steps
    if is_hidden(plan, hidden) or said is None or steps is None or not said.is_valid:
        return []
    blocks: list[Block] = [Heading("Analysis", f"{said.winner} over {said.loser}")]
    strong = f"Strengths of {said.winner}", said.strengths
    weak = f"Weaknesses of {said.loser}", said.weaknesses
    for title, found_there in (strong, weak):
        if found_there:
            blocks.append(Note(title, [Labelled("", text) for text in found_there]))
    for each in said.suggestions:
        row = AnalysisRow(
            suite=plan.suite,
            winner_version=steps.version_b,
            loser_version=steps.version_a,
            kind="suggestion",
            before=each.before,
        )
        flag = unfounded(ws, row)
        mark = "fail" if flag else None
        tags = [each.area, *([flag.rstrip(".")] if flag else [])]
        texts = [Labelled("before", each.before), Labelled("after", each.after)]
        blocks.append(Note(each.reasoning, texts, word="suggestion", mark=mark, tags=tags))
    return blocks


def failure_blocks(found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what a run found out of failures, each with its link; of `hidden` runs nothing."""
    steps = found.plan.failures
    if steps is None or not (found.explained or found.failed):
        return []
    rows = []
    for each in explained(found, hidden)[:LISTED]:
        there = link("failures", failure=each.run)
        name = Cell(case_words(each.run), link=there, id=each.run)
        if each.is_valid:
            kind = Cell(each.type.replace("-", " "), sub=each.severity, keep=True)
            why = Cell(
                wording.short(each.root_cause, MAX_SAID), sub=wording.short(each.gap, MAX_SAID)
            )
        else:
            answer = f"It answered: {each.answers[0]}" if any(each.answers) else ""
            kind, why = (
                Cell("unchanged", quiet=True),
                Cell(each.why, sub=wording.short(answer, MAX_SAID)),
            )
        rows.append(Row([name, kind, why]))
    blocks: list[Block] = [
        Heading(asked_words(steps).capitalize()),
        *map(Say, outcome_words(found, hidden)),
        *([Table("Asked of a model", _FAILURES, rows, fold=FOLD)] if rows else []),
        *map(Say, missing_of(found, hidden)[:LISTED]),
    ]
    if left := len(set(steps.runs).intersection(hidden)):
        blocks.append(Say(f"{wording.hidden_runs(left)} are not shown.", quiet=True))
    return blocks
