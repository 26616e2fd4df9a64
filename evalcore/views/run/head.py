"""Describe the head of a case, shown above every tab."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import PanelData
from evalcore.views.run.criteria import tally
from evalcore.views.run.evidence import Case, Evidence
from evalcore.views.run.human_activity import SIGN
from evalcore.views.run.items import Item, by_mark
from evalcore.views.run.people import again_line, exclusion_line, people_line
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS
from evalcore.workspace.hidden import STATUS as HIDDEN

MAX_MARKS: Final = 40
MAX_TITLE: Final = 300
_WORST_FIRST: Final = ("fail", "pass", "scored", "unscored", "outside")


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

    def mark_of(self, run: RunRow) -> str:
        """Return the outcome of a run of the case."""
        return self.marks.get(run.run_id or "", "unscored")


def head_block(found: Evidence, head: HeadData, markdown: str) -> PanelData:
    """Describe the head of a run of a case; `markdown` is what "copy as Markdown" copies."""
    run = found.run
    lines = people_line(run, found.people), again_line(found.items)
    people = "; ".join(filter(None, lines))
    mark = head.mark_of(run)
    runs = []
    for at, row in enumerate(found.siblings, 1):
        words = verdict(row, head.mark_of(row))
        judged = row.run_id in head.judged
        position = wording.position_of(at, len(found.siblings))
        runs.append(
            {
                "run": row.run_id,
                "label": f"{at}{f' {SIGN}' * judged}",
                "chosen": row.run_id == run.run_id,
                "title": f"run {position}: {words}{', judged by people' * judged}",
                "mark": head.mark_of(row),
            }
        )
    elsewhere = []
    for every in found.elsewhere:  # each column by its worst run, which a click opens
        worst = min(every, key=lambda row: _WORST_FIRST.index(head.mark_of(row)))
        several = f", {wording.count(len(every), 'run')}" * (len(every) > 1)
        label = f"{run_column(worst)}{several}"
        elsewhere.append({"run": worst.run_id, "label": label, "mark": head.mark_of(worst)})
    return {
        **_common(found.case, head),
        "markdown": markdown,
        "mark": mark,
        "verdict": f"{'recorded: ' * bool(people)}{verdict(run, mark)}",
        "people": people,
        "excluded": exclusion_line(found.exclusions),
        "column": run_column(run),
        "position": f"run {found.position}",
        "runs": runs,
        "elsewhere": elsewhere,
        **_criteria(by_mark([*found.items, *found.structural])),
    }


def head_of_case(case: Case, head: HeadData) -> PanelData:
    """Describe the head of a case that has no run."""
    none = {"mark": "none", "verdict": "no run in any version"}
    none |= dict.fromkeys(("people", "excluded", "column", "position"), "")
    runs: PanelData = {"runs": [], "elsewhere": []}
    return {**_common(case, head), **none, **runs, **_criteria([]), "markdown": ""}


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


def run_column(run: RunRow) -> str:
    """Return the version and configuration of a run."""
    alone = run.configuration in (None, "-")
    return f"{run.version}" if alone else f"{run.version} · {run.configuration}"


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
