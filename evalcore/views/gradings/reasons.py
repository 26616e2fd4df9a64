"""Why a case fails, for the list: the first failed criterion and the judge's reason."""

from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.guides import is_opaque, name_and_meaning
from evalcore.counting.joined import counting, judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.people import Scores, people_rows
from evalcore.counting.score_source import answers
from evalcore.families.reviews.review import NO_REASON
from evalcore.views.words.wording import line
from evalcore.workspace.opened import Workspace

MAX_RATIONALE: Final = 160
MAX_DESCRIPTION: Final = 60
MAX_LABEL: Final = 64
SHORT_ID: Final = 4
ENDINGS: Final = {
    "gate_failed": "the structural gate failed",
    "timeout": "the run ran out of time",
    "refused": "the model refused",
    "length_cut": "the run was cut off at a limit",
}


class Reason(NamedTuple):
    """Why a run failed or is unscored; `more` counts the further failed criteria."""

    mark: Literal["fail", "unscored"]
    criterion: str
    rationale: str
    more: int


def reasons(
    ws: Workspace, suite: str, runs: Iterable[int], scores: Scores = "recorded"
) -> dict[int, Reason]:
    """Return the reasons of the runs (positions) that failed or are not fully scored.

    With human scores alone, unscored runs have no reason, as nobody judged them.
    """
    wanted = list(runs)
    if scores == "human":
        return _first_of(ws, suite, _failed_by(ws, wanted, scores), "fail")
    rows = judgments_of(ws, wanted)
    counted, status = counting(ws)[rows], coded(ws, "judgments", "status")
    open_ = np.isin(status.codes[rows], status.places({"unscored"})) & (status.codes[rows] >= 0)
    failed = (values(ws, "judgments", "passed")[rows] == 0) & counted & ~open_
    ended = zip(wanted, ws.tables.runs["status"].array[wanted], strict=True)
    found = {run: Reason("fail", ENDINGS[word], "", 0) for run, word in ended if word in ENDINGS}
    found |= _first_of(ws, suite, rows[open_ & counted], "unscored")
    failing = rows[failed] if scores == "recorded" else _failed_by(ws, wanted, scores)
    return found | _first_of(ws, suite, failing, "fail")


def _failed_by(ws: Workspace, runs: list[int], scores: Scores) -> Numbers:
    """Return the judgments behind failures by the chosen score source."""
    results = answers(ws, np.array(runs, np.int64), scores)
    return np.sort(results.row[results.passed == 0])


def _first_of(
    ws: Workspace, suite: str, rows: Numbers, mark: Literal["fail", "unscored"]
) -> dict[int, Reason]:
    run = judged_run(ws)[rows]
    first = {int(place): int(row) for place, row in zip(run[::-1], rows[::-1], strict=True)}
    counts = dict(zip(*np.unique(run, return_counts=True), strict=True))
    texts = ws.tables.text("judgments", first.values())
    people = set(people_rows(ws).tolist())  # files may leave reasons out: then they have none
    said = {
        row: next(
            (text for text in both if isinstance(text, str) and text),
            NO_REASON if row in people else "",
        )
        for row, *both in zip(texts.index, texts["rationale"], texts["evidence"], strict=True)
    }
    criteria = ws.tables.judgments["criterion"].array
    return {
        place: Reason(
            mark,
            named(ws, suite, str(criteria[row])),
            line(said[row], MAX_RATIONALE),
            int(counts[place]) - 1,
        )
        for place, row in first.items()
    }


def named(ws: Workspace, suite: str, name: str) -> str:
    """Return a criterion in one short line: with its description if it is only an id (`S7`).

    An id that tells a person nothing is left out where there is a description.
    """
    plain = len(name) > SHORT_ID and not is_opaque(name)
    return line(name, MAX_LABEL) if plain else _described(ws, suite, name)


@memoize_per_workspace
def _described(ws: Workspace, suite: str, name: str) -> str:
    """Return a criterion's id with the first description of it, or by that alone."""
    criteria = ws.tables.criteria
    same = where(ws, "criteria", suite=suite, criterion=name)
    described = criteria["description"].iloc[same].dropna()
    if not len(described):
        return name
    if is_opaque(name):
        return line(name_and_meaning(name, str(described.iloc[0]))[0], MAX_LABEL)
    return f"{name} {line(str(described.iloc[0]), MAX_DESCRIPTION)}"
