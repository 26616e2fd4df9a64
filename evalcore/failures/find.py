"""All failures of a suite: what documents and people say of failed runs, else a guess."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from evalcore.counting.cells import where
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.copies import copied
from evalcore.counting.failure_rows import current_failures, ids_in
from evalcore.counting.joined import run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import UNREAD, Outcomes, unread
from evalcore.counting.people import Scores
from evalcore.counting.rates import ASIDE
from evalcore.counting.score_source import outcomes_by, valued_by
from evalcore.counting.tally import FAIL, OUTSIDE, UNSCORED
from evalcore.failures.rules import (
    RULE_TYPES,
    SEVERITIES,
    TYPES,
    Facts,
    facts,
    first_rule,
    severity,
)
from evalcore.families.reviews.lookup import KINDS
from evalcore.families.reviews.review import origin_of
from evalcore.workspace.opened import Workspace

GUESS: Final = 0
ORIGINS: Final = ("guess", "recorded", "person", "model", "rule")
"""Who says what a failure is: a guess has no record, the others are by their records."""
EXCLUDED: Final = "excluded"
COPIED: Final = "copied"
NO_SCORE: Final = "unscored"
ASIDE_WORDS: Final = "draft or deprecated case"


@dataclass(frozen=True)
class Failures:
    """The failures of a suite, the newest version and there the worst first.

    By failure: `run` is a position in `tables.runs` (-1: the record's run is not here), `record` a
    row of `tables.failures` (-1: a guess), `type` a place in `TYPES` (-1: not classified),
    `severity` one in `SEVERITIES` (-1: not said), `rule` the one that guessed (-1: none), `origin`
    one in `ORIGINS`, `column` a place in `columns` (-1 without run), `failed` how many criteria
    failed. `of` and `criterion` are pairs of a failure and the key of a criterion it affects.
    `rows` are the judgments behind, by failure from `first[n]` to `first[n + 1]`.

    `outside` has the runs that count in no rate, by why. `counted` has the number of runs that
    count in each column, `failing` of failed ones, `hidden` of those hidden from the reader.
    """

    run: Numbers
    record: Numbers
    type: Numbers
    severity: Numbers
    rule: Numbers
    origin: Numbers
    resolved: Numbers
    column: Numbers
    failed: Numbers
    of: Numbers
    criterion: Numbers
    rows: Numbers
    first: Numbers
    outside: dict[str, Numbers]
    counted: Numbers
    failing: Numbers
    hidden: Numbers

    def __len__(self) -> int:
        """Return how many failures there are."""
        return len(self.run)


@memoize_per_workspace
def failures(ws: Workspace, suite: str, scores: Scores = "recorded") -> Failures:
    """Return the failures of a suite by the chosen score source.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes_by(ws, suite, scores)
    runs, aside = _runs(ws, found, scores)
    known = facts(ws, suite, runs, coded(ws, "runs", "case_id").keys_of(runs), scores)
    record, of_record = _records(ws, suite)
    unsaid = np.flatnonzero(~np.isin(runs, of_record))
    run = np.concatenate([runs[unsaid], of_record])
    guesses = len(unsaid)
    place = np.append(np.full(len(values(ws, "runs", "passed")), -1, np.int64), -1)
    place[runs] = np.arange(len(runs))
    fact = place[run]
    rule = np.where(np.arange(len(run)) < guesses, first_rule(known)[fact] if len(runs) else -1, -1)
    said = _said(ws, record)
    guessed = severity(known)[fact] if len(runs) else np.full(len(run), -1)
    column = np.append(_column_of_run(ws, found), -1)
    table = {
        "run": run,
        "record": np.concatenate([np.full(guesses, -1), record]),
        "type": np.concatenate([RULE_TYPES[rule[:guesses]], said["type"]]),
        "severity": np.concatenate([guessed[:guesses], said["severity"]]),
        "rule": rule,
        "origin": np.concatenate([np.full(guesses, GUESS), said["origin"]]),
        "resolved": np.concatenate([np.zeros(guesses, bool), said["resolved"]]),
        "column": column[run],
        "failed": np.append(known.failed, 0)[fact],
    }
    order = np.lexsort(
        (table["run"], -table["failed"], table["severity"] % len(TYPES), -table["column"])
    )
    table = {name: of[order].astype(np.int64) for name, of in table.items()}
    marks = _marks(ws, known, fact[order], table["record"])
    frame, width = found.runs, len(found.columns)
    of_run, hidden = frame["column"].to_numpy(), frame["hidden"].to_numpy()
    counts = ~np.isin(frame["outcome"], (OUTSIDE, UNSCORED)) & ~np.isin(frame.index, aside)
    return Failures(
        **table,
        **marks,
        outside=_outside(ws, found, aside),
        counted=np.bincount(of_run[counts], minlength=width),
        failing=np.bincount(column[runs], minlength=width),
        hidden=np.bincount(of_run[hidden], minlength=width),
    )


@memoize_per_workspace
def unresolved(ws: Workspace, suite: str, scores: Scores = "recorded") -> Numbers:
    """Return for each column how many failures are open, without classifying any.

    The last number is that of records whose runs are not here.
    """
    found = outcomes_by(ws, suite, scores)
    runs, _ = _runs(ws, found, scores)
    record, of_record = _records(ws, suite)
    solved = ws.tables.failures["resolved_at"].notna().to_numpy()[record]
    open_ = np.append(runs[~np.isin(runs, of_record)], of_record[~solved])
    column = np.append(_column_of_run(ws, found), len(found.columns))
    return np.bincount(column[open_], minlength=len(found.columns) + 1)


def _runs(ws: Workspace, found: Outcomes, scores: Scores) -> tuple[Numbers, Numbers]:
    """Return the failed runs (positions), and those of draft and deprecated cases."""
    here, outcome = found.runs.index.to_numpy(), found.runs["outcome"].to_numpy()
    aside = (valued_by(ws, scores)["end"][here] == ASIDE) & ~found.runs["excluded"].to_numpy()
    aside &= ~found.runs["hidden"].to_numpy() & (copied(ws)[here] < 0)
    return here[(outcome == FAIL) & ~aside], here[aside]


def _column_of_run(ws: Workspace, found: Outcomes) -> Numbers:
    column = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    column[found.runs.index] = found.runs["column"]
    return column


def _records(ws: Workspace, suite: str) -> tuple[Numbers, Numbers]:
    """Return the rows of the suite's failures that count, and the run of each; -1 without one."""
    rows = np.intersect1d(where(ws, "failures", suite=suite), current_failures(ws))
    return rows, run_of(ws, "failures")[rows].astype(np.int64)


def _said(ws: Workspace, rows: Numbers) -> dict[str, Numbers]:
    """Return what records say of failures."""
    names = ("failure_type", "severity", "origin", "author")
    columns = (coded(ws, "failures", name) for name in names)
    kind, severe, origin, author = (
        [of.words[code] for code in of.codes[rows].tolist()] for of in columns
    )
    # A record in a store says by its author alone who wrote it.
    said = (origin_of(by, of) for by, of in zip(author, origin, strict=True))
    return {
        "type": np.array([_place(TYPES, word) for word in kind], np.int64),
        "severity": np.array([_place(SEVERITIES, word) for word in severe], np.int64),
        "origin": np.array([max(_place(ORIGINS, word), 1) for word in said], np.int64),
        "resolved": ws.tables.failures["resolved_at"].notna().to_numpy()[rows],
    }


def _place(words: tuple[str, ...], word: str) -> int:
    return words.index(word) if word in words else -1


def _marks(ws: Workspace, known: Facts, fact: Numbers, record: Numbers) -> dict[str, Numbers]:
    """Return the judgments behind each failure, and the criteria that it affects.

    A record that names criteria decides which.
    """
    counts = np.append(np.bincount(known.of, minlength=len(known.runs)), 0)
    starts = np.append(np.cumsum(counts[:-1]) - counts[:-1], 0)
    n = counts[fact]
    first = np.append(0, np.cumsum(n))
    at = np.arange(first[-1]) + np.repeat(starts[fact] - first[:-1], n)
    of, criterion = np.repeat(np.arange(len(fact)), n), known.criterion[at]
    names = coded(ws, "judgments", "criterion")
    told: list[tuple[int, int]] = []
    for place in np.flatnonzero(record >= 0).tolist():
        stated = list(ids_in(ws.tables.failures["criteria"].array[record[place]]))
        # They may be called with their kind, or without.
        parts = (name.partition(":") for name in stated)
        called = dict.fromkeys((*stated, *(bare for kind, _, bare in parts if kind in KINDS)))
        keys = {key for key in names.places(list(called)).tolist() if key >= 0}
        told += [(place, key) for key in sorted(keys)]
    own = np.array(told, np.int64).reshape(-1, 2)
    keep = ~np.isin(of, own[:, 0])
    of, criterion = np.append(of[keep], own[:, 0]), np.append(criterion[keep], own[:, 1])
    # A criterion of two kinds affects a failure once.
    pairs = np.unique(of * names.width + criterion)
    return {
        "rows": known.row[at],
        "first": first,
        "of": pairs // names.width,
        "criterion": pairs % names.width,
    }


def _outside(ws: Workspace, found: Outcomes, aside: Numbers) -> dict[str, Numbers]:
    """Return the runs that count in no rate, by why."""
    here, status = found.runs.index.to_numpy(), coded(ws, "runs", "status")
    hidden, gone = found.runs["hidden"].to_numpy(), found.runs["excluded"].to_numpy()
    copies = copied(ws)[here] >= 0
    ended = here[(found.runs["outcome"].to_numpy() == OUTSIDE) & ~hidden & ~gone & ~copies]
    broken = unread(ws)[ended]
    rest = ended[~broken]
    words = status.keys_of(rest)
    outside = {status.words[key]: rest[words == key] for key in np.unique(words).tolist()}
    outside[UNREAD] = ended[broken]
    unscored = here[found.runs["outcome"].to_numpy() == UNSCORED]
    outside[NO_SCORE] = np.setdiff1d(unscored, aside)
    outside |= {EXCLUDED: here[gone & ~hidden], ASIDE_WORDS: aside, COPIED: here[copies & ~gone]}
    return {why: runs for why, runs in outside.items() if len(runs)}
