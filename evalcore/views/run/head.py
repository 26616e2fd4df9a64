"""Describe the head of a case, shown above every tab."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from evalcore.families.reviews.review import ADJUDICATED, NO_REASON
from evalcore.judging.storing.names import person
from evalcore.shapes.judge import REPEATED
from evalcore.tables.rows import RunRow, RunScoreRow
from evalcore.views.blocks.base import PanelData
from evalcore.views.run.criteria import again_line, tally
from evalcore.views.run.evidence import Case, Evidence
from evalcore.views.run.human_activity import SIGN
from evalcore.views.run.items import Item, by_mark
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS
from evalcore.workspace.hidden import STATUS as HIDDEN

MAX_MARKS: Final = 40
MAX_TITLE: Final = 300
_WORST_FIRST: Final = ("fail", "pass", "scored", "unscored", "outside")


def head_block(
    found: Evidence, marks: Mapping[str, str], judged: Collection[str | None] = ()
) -> PanelData:
    """Describe the head of a run of a case.

    `marks` has the outcome of each run of the case, `judged` the runs that people judged.
    """

    def outcome(row: RunRow) -> str:
        return marks.get(row.run_id or "", "unscored")

    run = found.run
    people = "; ".join(filter(None, (people_line(run, found.people), again_line(found.items))))
    runs = []
    for at, row in enumerate(found.siblings, 1):
        by_people = row.run_id in judged
        position = wording.position_of(at, len(found.siblings))
        words = f"{verdict(row, outcome(row))}{', judged by people' * by_people}"
        runs.append(
            {
                "run": row.run_id,
                "label": f"{at}{f' {SIGN}' * by_people}",
                "chosen": row.run_id == run.run_id,
                "title": f"run {position}: {words}",
                "mark": outcome(row),
            }
        )
    elsewhere = []
    for every in found.elsewhere:  # each column by its worst run, which a click opens
        worst = min(every, key=lambda row: _WORST_FIRST.index(outcome(row)))
        several = f", {wording.count(len(every), 'run')}" * (len(every) > 1)
        label = f"{run_column(worst)}{several}"
        elsewhere.append({"run": worst.run_id, "label": label, "mark": outcome(worst)})
    return {
        **_of_case(found.case, by_mark([*found.items, *found.structural])),
        "mark": outcome(run),
        "verdict": f"{'recorded: ' * bool(people)}{verdict(run, outcome(run))}",
        "people": people,
        "excluded": " · ".join(
            f"excluded from the rates by {person(row.author or 'somebody')} on "
            f"{wording.moment(row.created_at)}: {row.reason or NO_REASON}"
            for row in found.exclusions
        ),
        "column": run_column(run),
        "position": f"run {found.position}",
        "runs": runs,
        "elsewhere": elsewhere,
    }


def head_of_case(case: Case) -> PanelData:
    """Describe the head of a case that has no run."""
    none = dict.fromkeys(("people", "excluded", "column", "position", "markdown"), "")
    none |= {"mark": "none", "verdict": "no run in any version"}
    return {**_of_case(case, []), **none, "runs": [], "elsewhere": []}


def place_block(position: int | None, listed: int, ends: Mapping[str, str]) -> PanelData:
    """Describe the position of a case in a list, None if it is filtered out.

    `ends` are the messages for a step past either end.
    """
    return {
        "where": f"{position:,} of {listed:,}" if position else "not in this list",
        "first": ends["first"] if position == 1 or not listed else None,
        "last": ends["last"] if position == listed or not listed else None,
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


def run_column(run: RunRow) -> str:
    """Return the version and configuration of a run."""
    alone = run.configuration in (None, "-")
    return f"{run.version}" if alone else f"{run.version} · {run.configuration}"


def _of_case(case: Case, items: Sequence[Item]) -> PanelData:
    """Describe a case and its criteria as marks; name the first that failed or lacks a score."""
    if not items:
        said = "no criterion was judged"
    elif items[0].mark in ("fail", "unscored"):
        said = "not scored: " * (items[0].mark == "unscored") + items[0].name[:MAX_TITLE]
    else:
        said = tally(items)
    return {
        "name": case.name,
        "id": case.case_id,
        "status": case.status if case.status not in (None, "active") else "",
        "marks": [
            {"mark": item.mark, "word": MARK_WORDS[item.mark], "title": item.name[:MAX_TITLE]}
            for item in items[:MAX_MARKS]
        ],
        "more": max(len(items) - MAX_MARKS, 0),
        "said": said,
    }


def people_line(run: RunRow, rows: Sequence[RunScoreRow]) -> str:
    """Return the human scores of a run: `2 people judged: 3.7 and 4 of 5 (recorded 4.2)`."""
    human = [
        row
        for row in rows
        if (row.judge_type == "human" or row.judge == ADJUDICATED) and row.origin != REPEATED
    ]
    whole = [row for row in human if (row.judged or 0) >= (row.expected or 0)]
    people = [row for row in whole if row.judge != ADJUDICATED]
    above = [row for row in whole if row.judge == ADJUDICATED]
    part = sum(row.judge != ADJUDICATED for row in human) - len(people)
    words = []
    if people:
        words.append(f"{wording.count(len(people), 'person')} judged: {_scores(people)}")
    words += [f"{ADJUDICATED}: {_scores(above)}"] if above else []
    if part:
        words.append(
            f"{wording.count(part, 'person')} judged {'it in part' if not words else 'a part'}"
        )
    return f"{'; '.join(words)} (recorded {wording.score(run.score, None)})" if words else ""


def _scores(rows: Sequence[RunScoreRow]) -> str:
    listed = wording.listed([wording.score(row.score, None) for row in rows])
    most = next((row.max_score for row in rows if row.max_score is not None), None)
    return listed if most is None else f"{listed} of {wording.number(most)}"
