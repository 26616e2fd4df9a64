"""What came of the steps of a run: who won which case, why, what to change, and what was made."""

from collections.abc import Collection, Iterator
from typing import Final

from evalcore.comparing.skill_places import unfounded
from evalcore.counting.outcomes import Column
from evalcore.engine.found import PairVerdict, Suggested
from evalcore.engine.plan import Plan, Steps
from evalcore.engine.progress import Progress
from evalcore.families.running import ONLY
from evalcore.tables.rows import AnalysisRow
from evalcore.views.blocks.base import Block, Labelled, Link, link
from evalcore.views.blocks.evidence import Note
from evalcore.views.blocks.page import Cell, Heading, Row, Say, Table
from evalcore.views.runs.step_words import is_hidden, missing_of, outcome_words
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

LISTED: Final = 200
FOLD: Final = 12
MAX_TEXT: Final = 400


def step_blocks(plan: Plan, found: Progress, hidden: Collection[str] = ()) -> list[Block]:
    """Describe what a run did beside its test runs; of pairs of `hidden` runs nothing."""
    steps = plan.steps
    if steps is None or not (found.pairs or found.steps or found.failed):
        return []
    blocks: list[Block] = [Heading(f"{steps.version_b} against {steps.version_a}")]
    blocks += [Say(each) for each in outcome_words(found, hidden)]
    blocks += [Say(each) for each in missing_of(found, hidden)]
    if found.pairs and not is_hidden(plan, hidden):
        pairs = [found.pairs[case] for case in steps.cases if case in found.pairs]
        rows = [_row(steps, each) for each in pairs]
        sums = ((steps.version_a, True), (steps.version_b, True))
        head = (("Case", False), ("Better", False), *sums)
        blocks.append(Table("Compared by a model", head, rows[:LISTED], fold=FOLD))
        note = "Scores are summed over the criteria and averaged over both orders."
        blocks.append(Say(note, quiet=True))
    return blocks


def analysis_blocks(
    ws: Workspace, plan: Plan, found: Progress, hidden: Collection[str] = ()
) -> list[Block]:
    """Describe why the winner won and what to change; nothing of `hidden` runs."""
    if is_hidden(plan, hidden):
        return []
    return list(_analysis(ws, plan, found))


def _row(steps: Steps, pair: PairVerdict) -> Row:
    name = Cell(pair.case, link=_to_case(steps, pair.case))
    words = {"a": steps.version_a, "b": steps.version_b, "tie": "tie"}
    won = words[pair.winner] if pair.winner else "no verdict"
    answer = f"It answered: {pair.answers[0]}" if any(pair.answers) else ""
    said = pair.reasoning or f"{pair.why} {answer}".strip()
    sums = [sum(both[at] for both in pair.scores.values()) for at in (0, 1)]
    cells = [
        Cell(wording.number(each), num=True) if pair.scores else Cell("not scored", quiet=True)
        for each in sums
    ]
    return Row([name, Cell(won, sub=_short(said), quiet=pair.winner is None), *cells])


def _to_case(steps: Steps, case: str) -> Link:
    """Return the link to both outputs side by side."""
    a, b = (Column(version, ONLY).key for version in (steps.version_a, steps.version_b))
    return link("compare", a=a, b=b, case=case)


def _analysis(ws: Workspace, plan: Plan, found: Progress) -> Iterator[Block]:
    """Describe what the model found, and of each suggestion whether its text is in the skill."""
    said, steps = found.analysis, plan.steps
    if said is None or steps is None or not said.is_valid:
        return
    yield Heading("Analysis", f"{said.winner} over {said.loser}")
    strong = f"Strengths of {said.winner}", said.strengths
    weak = f"Weaknesses of {said.loser}", said.weaknesses
    for title, texts in (strong, weak):
        if texts:
            yield Note(title, [Labelled("", text) for text in texts])
    for each in said.suggestions:
        yield _suggestion(ws, plan.suite, steps, each)


def _suggestion(ws: Workspace, suite: str, steps: Steps, each: Suggested) -> Note:
    row = AnalysisRow(
        suite=suite,
        winner_version=steps.version_b,
        loser_version=steps.version_a,
        kind="suggestion",
        before=each.before,
    )
    flag = unfounded(ws, row)
    texts = [Labelled("before", each.before), Labelled("after", each.after)]
    tags = [each.area, *([flag.rstrip(".")] if flag else [])]
    return Note(each.reasoning, texts, word="suggestion", mark="fail" if flag else None, tags=tags)


def _short(text: str) -> str:
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
