"""Describe the head of a case, shown above every tab."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import PanelData
from evalcore.views.run.again import again_line
from evalcore.views.run.criteria import tally
from evalcore.views.run.evidence import Case, Evidence
from evalcore.views.run.human_activity import SIGN
from evalcore.views.run.items import ORDER, Item
from evalcore.views.run.people import exclusion_line, people_line
from evalcore.views.run.siblings import Sibling
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS
from evalcore.workspace.hidden import STATUS as HIDDEN

MAX_MARKS: Final = 40
MAX_TITLE: Final = 300


@dataclass(frozen=True)
class HeadData:
    """The data of the head apart from the run itself.

    `position` is the case's position in the list (None if filtered out) of `listed`; `ends` are the
    messages for a step past either end; `marks` has the outcome of each run of the case, `judged`
    the runs that people judged.
    """

    tab: str
    tabs: tuple[tuple[str, str], ...]
    position: int | None
    listed: int
    ends: Mapping[str, str]
    marks: Mapping[str, str]
    judged: frozenset[str] = frozenset()


def head_block(found: Evidence, head: HeadData, markdown: str) -> PanelData:
    """Describe the head of a run of a case; `markdown` is what "copy as Markdown" copies."""
    run, people = found.run, _beside(found)
    mark = _mark(head, run)
    return {
        **_common(found.case, head),
        "markdown": markdown,
        "mark": mark,
        "verdict": f"{'recorded: ' * bool(people)}{verdict(run, mark)}",
        "people": people,
        "excluded": exclusion_line(found.exclusions),
        "column": _column(run.version, run.configuration),
        "position": f"run {found.position}",
        "runs": [_run(head, s, at) for at, s in enumerate(found.siblings, 1)],
        "elsewhere": [_elsewhere(head, other.runs) for other in found.elsewhere if other.runs],
        **_criteria(_failing_first(found)),
    }


def _beside(found: Evidence) -> str:
    """Return who else judged the run: people, and what judged it again."""
    lines = [people_line(found.run, found.people), again_line(found.items)]
    return "; ".join(filter(None, lines))


def head_of_case(case: Case, head: HeadData) -> PanelData:
    """Describe the head of a case that has no run."""
    return {
        **_common(case, head),
        "mark": "none",
        "verdict": "no run in any version",
        "people": "",
        "excluded": "",
        "column": "",
        "position": "",
        "runs": [],
        "elsewhere": [],
        **_criteria([]),
        "markdown": "",
    }


def verdict(run: RunRow, mark: str) -> str:
    """Return the result of a run in one phrase: verdict, unusual status, score."""
    if run.status == HIDDEN:
        return wording.HIDDEN
    parts = [MARK_WORDS[mark]]
    if run.status not in (None, "completed"):
        parts.append(str(run.status).replace("_", " "))
    if run.score is not None:
        parts.append(wording.score(run.score, run.max_score))
    if run.required_score is not None:
        parts.append(f"required {wording.score(run.required_score, run.max_score)}")
    return ", ".join(parts)


def _common(case: Case, head: HeadData) -> PanelData:
    where = f"{head.position:,} of {head.listed:,}" if head.position else "not in this list"
    return {
        "name": case.name,
        "id": case.case_id,
        "status": case.status if case.status not in (None, "active") else "",
        "where": where,
        "first": head.ends["first"] if head.position == 1 or not head.listed else None,
        "last": head.ends["last"] if head.position == head.listed or not head.listed else None,
        "tab": head.tab,
        "tabs": [{"key": key, "label": label} for key, label in head.tabs],
    }


def _mark(head: HeadData, run: RunRow) -> str:
    return head.marks.get(run.run_id or "", "unscored")


def _column(version: str | None, configuration: str | None) -> str:
    return f"{version}" if configuration in (None, "-") else f"{version} · {configuration}"


def _run(head: HeadData, sibling: Sibling, number: int) -> PanelData:
    run = sibling.run
    mark = _mark(head, run)
    people = run.run_id in head.judged
    return {
        "run": run.run_id,
        "label": f"{number}{f' {SIGN}' * people}",
        "chosen": sibling.chosen,
        "title": f"run {sibling.position}: {verdict(run, mark)}{', judged by people' * people}",
        "mark": mark,
    }


def _elsewhere(head: HeadData, runs: Iterable[RunRow]) -> PanelData:
    """Describe another column of the case by its worst run, which a click opens."""
    every = list(runs)
    order = ("fail", "pass", "scored", "unscored", "outside")
    run = min(every, key=lambda row: order.index(_mark(head, row)))
    column = _column(run.version, run.configuration)
    several = f", {wording.count(len(every), 'run')}" * (len(every) > 1)
    return {"run": run.run_id, "label": f"{column}{several}", "mark": _mark(head, run)}


def _failing_first(found: Evidence) -> list[Item]:
    return sorted([*found.items, *found.structural], key=lambda item: ORDER[item.mark])


def _criteria(items: Sequence[Item]) -> PanelData:
    """Describe the criteria as marks, and write out the first that failed or lacks a score."""
    marks = [
        {"mark": item.mark, "word": MARK_WORDS[item.mark], "title": item.name[:MAX_TITLE]}
        for item in items[:MAX_MARKS]
    ]
    if not items:
        said = "no criterion was judged"
    elif items[0].mark in ("fail", "unscored"):
        said = "not scored: " * (items[0].mark == "unscored") + items[0].name[:MAX_TITLE]
    else:
        said = tally(items)
    return {"marks": marks, "more": max(len(items) - MAX_MARKS, 0), "said": said}
