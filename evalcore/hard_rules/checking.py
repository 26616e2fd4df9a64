"""Check the hard rules of seed 001 in a suite, and say as problems what breaks them."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pyarrow.compute as pc

from evalcore.benchmarks.drops import Step, drops
from evalcore.benchmarks.members import Improvement, improvement, row_of
from evalcore.counting.cells import family_of
from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.failure_rows import current_failures
from evalcore.counting.joined import judged_run, run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import run_outcomes
from evalcore.counting.rates import ASIDE, valued
from evalcore.counting.tally import FAIL
from evalcore.families.base import RECORDED, REVIEWS, is_review
from evalcore.families.reviews.review import BENCHMARK, BENCHMARK_RUN, FAILURE
from evalcore.problems import Problem
from evalcore.tables.arrays import true_places
from evalcore.tables.cells import cells
from evalcore.tables.columns import picked
from evalcore.workspace.hidden import STATUS as HIDDEN
from evalcore.workspace.opened import Workspace

Rule = Literal["outputs", "rationales", "failures", "regressions", "approvals"]
Standing = Literal["kept", "broken", "not recorded", "cannot be checked", "nothing to check"]

CHANGED: Final = "output-changed"
NO_RATIONALE: Final = "no-rationale"
NO_FAILURE: Final = "no-failure"
NOT_SURFACED: Final = "regression-not-surfaced"
LAPSED: Final = "approval-lapsed"
NOT_JUSTIFIED: Final = "approval-not-justified"
HINTS: Final = {
    CHANGED: "Restore the output, or judge it again.",
    NO_RATIONALE: "Have the judge give the reason for each score.",
    NO_FAILURE: "Record the failures of the suite: evalcore failures FOLDER --record, or one by "
    "one on the Failures page.",
    NOT_SURFACED: "Write the missing records: evalcore benchmark follow-up FOLDER ID, with the id "
    "of this benchmark run.",
    LAPSED: "Decide again on the version and the runs as they are now, or withdraw the approval.",
    NOT_JUSTIFIED: "Run a benchmark for both versions and decide again, or waive the rule with "
    "an owner, a reason and an end date.",
}


class Found(NamedTuple):
    """What one rule says of a suite: `kept` things keep it, `broken` ones (rows) do not.

    `unknown` things cannot be checked. `asked` is false where the suite keeps no such records:
    what is missing is then counted, and no problem.
    """

    rule: Rule
    kept: int = 0
    broken: Numbers = np.zeros(0, np.int64)
    unknown: int = 0
    asked: bool = True

    @property
    def standing(self) -> Standing:
        """How the rule stands, in one word."""
        if len(self.broken):
            return "broken" if self.asked else "not recorded"
        if self.kept:
            return "kept"
        return "cannot be checked" if self.unknown else "nothing to check"


class Place(NamedTuple):
    """A place in a document, and its value."""

    what: str
    path: str
    pointer: str


class Broken(NamedTuple):
    """One thing that breaks a rule, why, and the documents that show it, what breaks it first."""

    about: Literal["run", "benchmark run", "approval"]
    id: str
    code: str
    message: str
    places: tuple[Place, ...]


class Check(NamedTuple):
    """How a rule is checked: `find` looks at a suite, `describe` says what the broken rows are."""

    rule: Rule
    find: Callable[[Workspace, str], Found]
    describe: Callable[[Workspace, Numbers], Iterator[Broken]]


def _cells(ws: Workspace, table: str, rows: Sequence[int], *names: str) -> Iterator[Any]:
    """Yield the named cells of some rows of a table."""
    columns = ws.tables.columns[table]
    return zip(*(picked(columns[name], rows) for name in names), strict=True)


# Outputs are only observed: what was judged or compared is still what the run produced.

_MADE: Final = {
    "eval-judgment": "it was judged",
    "adjudication": "its score was decided",
    "approval-request": "it was sent to judging",
    "blind-study": "it was put into a blind study",
}


def _outputs(ws: Workspace, suite: str) -> Found:
    """Compare the outputs of runs with what current records say that they were."""
    rows = np.flatnonzero(coded(ws, "fingerprints", "suite").among({suite}))
    run = run_of(ws, "fingerprints")[rows]
    rows, run = rows[run >= 0], run[run >= 0]
    stated, changed, produced = np.zeros((3, len(values(ws, "runs", "passed"))), bool)
    stated[run] = True
    changed[run[values(ws, "fingerprints", "kept")[rows] == 0]] = True
    produced[true_places(pc.is_valid(ws.tables.columns["runs"]["outputs"].strings))] = True
    produced &= coded(ws, "runs", "suite").among({suite})
    return Found(
        "outputs",
        kept=int((stated & ~changed).sum()),
        broken=np.flatnonzero(changed),
        unknown=int((produced & ~stated).sum()),
    )


def _changed_outputs(ws: Workspace, runs: Numbers) -> Iterator[Broken]:
    run = run_of(ws, "fingerprints")
    changed = np.isin(run, runs) & (values(ws, "fingerprints", "kept") == 0)
    records: dict[int, list[int]] = defaultdict(list)
    for row in np.flatnonzero(changed).tolist():
        records[int(run[row])].append(row)
    found = _cells(ws, "runs", runs.tolist(), "run_id", "source", "pointer")
    for at, (name, source, pointer) in zip(runs.tolist(), found, strict=True):
        rows = _cells(ws, "fingerprints", records[at], "kind", "source", "pointer")
        told = [Place(*row) for row in rows]
        more = f" {len(told) - 1:,} more records say the same." if len(told) > 1 else ""
        when = _MADE.get(told[0].what, "it was recorded")
        message = f"The output of this run has changed since {when}.{more}"
        own = [Place("run", source, pointer or "")] if source else []
        yield Broken("run", name, CHANGED, message, (*own, *told))


# Every score says why it was given: in its rationale, or in the evidence it names.


def _rationales(ws: Workspace, suite: str) -> Found:
    """Count the scores of a suite with and without a reason."""
    run = judged_run(ws)
    mine = np.append(coded(ws, "runs", "suite").among({suite}), False)[run]
    scored, silent = _reasons(ws)
    kept, broken = int((mine & scored & ~silent).sum()), np.flatnonzero(mine & silent)
    return Found("rationales", kept, broken)


@memoize_per_workspace
def _reasons(ws: Workspace) -> tuple[Numbers, Numbers]:
    """Return which current judgments have a score, and which lack the reason for theirs.

    Without one, stores and review records count no score: reading them has said so. Elsewhere a
    rule or a measurement may score without words; it follows from what it looks at.
    """
    status = coded(ws, "judgments", "status")
    scored = ~np.isnan(values(ws, "judgments", "score")) | (values(ws, "judgments", "passed") >= 0)
    scored &= ~status.among({"superseded"})
    silent = np.ones(len(scored), bool)
    for name in ("rationale", "evidence"):
        texts: Any = ws.tables.columns["judgments"][name].strings
        silent[true_places(pc.match_substring_regex(texts, r"[^\s\p{Z}]"))] = False
    refused = {
        path for path, code in cells(ws.tables, "problems", "path", "code") if code == NO_RATIONALE
    }
    lost = status.among({"unscored"}) & coded(ws, "judgments", "source").among(refused)
    judged = scored & ~coded(ws, "judgments", "judge_type").among({"heuristic"})
    return scored, (judged | lost) & silent


def _silent_scores(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    runs = picked(ws.tables.columns["runs"]["run_id"], judged_run(ws)[rows].tolist())
    found = _cells(ws, "judgments", rows.tolist(), "criterion", "source", "pointer")
    for run, (criterion, source, pointer) in zip(runs, found, strict=True):
        message = f"The score of {criterion[:120]!r} has neither a rationale nor evidence."
        place = Place("judgment", source or "", pointer or "")
        yield Broken("run", run, NO_RATIONALE, message, (place,))


def _problem_of_silence(ws: Workspace, suite: str, found: Found) -> Iterator[Problem]:
    """Yield one note for the scores that count without a reason, where their form allows that."""
    unscored = coded(ws, "judgments", "status").among({"unscored"})[found.broken]
    if family_of(ws, suite).bare_verdicts and not found.kept:
        return
    left = found.broken[~unscored]
    for first in _silent_scores(ws, left[:1]):
        scores = "1 score has" if len(left) == 1 else f"{len(left):,} scores have"
        _, path, at = first.places[0]
        allows = "the suite's rule for reasons" if is_review(path) else "this format"
        message = (
            f"{scores} neither a rationale nor evidence (this is the first); they still count, "
            f"as {allows} allows that."
        )
        yield Problem(path, at, "info", first.code, message, HINTS[first.code], suite)


# Each run that failed has a record of its failure.


def _failures(ws: Workspace, suite: str) -> Found:
    """Look for the failure of each run that failed as Gradings counts it."""
    failed = coded(ws, "runs", "suite").among({suite}) & (run_outcomes(ws) == FAIL)
    if not failed.any():
        return Found("failures")
    failed &= valued(ws)["end"] != ASIDE
    named = np.zeros(len(values(ws, "runs", "passed")) + 1, bool)
    named[run_of(ws, "failures")[current_failures(ws)]] = True
    recorded = named[:-1]
    return Found(
        "failures",
        kept=int((failed & recorded).sum()),
        broken=np.flatnonzero(failed & ~recorded),
        asked=keeps(ws, suite, BENCHMARK, FAILURE),
    )


def keeps(ws: Workspace, suite: str, *kinds: str) -> bool:
    """Return whether a suite keeps what seed 001 remembers: a store, or records of some types."""
    if family_of(ws, suite).is_store:
        return True
    kept = coded(ws, "documents", "suite").among({suite})
    kept &= coded(ws, "documents", "family").among({REVIEWS})
    return bool((kept & coded(ws, "documents", "kind").among(kinds)).any())


def _unrecorded_failures(ws: Workspace, runs: Numbers) -> Iterator[Broken]:
    message = "This run failed, but no eval-failure record says why."
    for name, source, pointer in _cells(ws, "runs", runs.tolist(), "run_id", "source", "pointer"):
        place = Place("run", source or "", pointer or "")
        yield Broken("run", name, NO_FAILURE, message, (place,))


# Each regression is surfaced: its failures are recorded, a task and a message tell of it.


def _regressions(ws: Workspace, suite: str) -> Found:
    """Look for what must follow from each drop of more than 10 points."""
    steps = drops(ws, suite)
    hidden = coded(ws, "runs", "status").among({HIDDEN})
    if (hidden & coded(ws, "runs", "suite").among({suite})).any():
        # What was sent of runs that are hidden from the reader is hidden too.
        return Found("regressions", unknown=len(steps))
    broken = [step.row for step in steps if _not_told(ws, suite, step)]
    return Found(
        "regressions",
        kept=len(steps) - len(broken),
        broken=np.array(broken, np.int64),
        asked=not broken or keeps(ws, suite, BENCHMARK, BENCHMARK_RUN),
    )


def _not_told(ws: Workspace, suite: str, step: Step) -> list[str]:
    """Return in words what does not tell of a regression and should."""
    critical, told = _surfaced(ws)
    lost = sum(run not in critical for run in step.newly_failing)
    (name,) = picked(ws.tables.columns["benchmark_runs"]["benchmark_run"], [step.row])
    failures = f"a critical eval-failure for {lost} of {len(step.newly_failing)} newly failing runs"
    silent = [f"a {kind}" for kind in ("task", "message") if (suite, kind, name) not in told]
    return [*([failures] if lost else []), *silent]


@memoize_per_workspace
def _surfaced(ws: Workspace) -> tuple[frozenset[int], frozenset[tuple[str, str, str]]]:
    """Return which runs have a failure that surfaces a regression, and what was sent about some.

    These are runs (positions) with a critical failure, or with one that a person classified, and
    suite, kind and subject of the tasks and messages about regressions.
    """
    run = run_of(ws, "failures").tolist()
    failures = cells(ws.tables, "failures", "severity", "origin", "author")
    messages = cells(ws.tables, "messages", "suite", "kind", "subject", "about")
    return frozenset(
        at
        for at, (severity, origin, author) in zip(run, failures, strict=True)
        if severity == "critical" or (origin != RECORDED and author != "evalcore")
    ), frozenset(
        (suite, kind, about)
        for suite, kind, subject, about in messages
        if about is not None and (kind == "task" or subject == "benchmark-regression")
    )


def _silent_regressions(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    names = ("suite", "benchmark_run", "source", "pointer")
    found = _cells(ws, "benchmark_runs", rows.tolist(), *names)
    for row, (suite, name, source, pointer) in zip(rows.tolist(), found, strict=True):
        step = next(each for each in drops(ws, suite) if each.row == row)
        message = (
            "The pass rate fell by more than 10 points at this benchmark run. Missing: "
            f"{', '.join(_not_told(ws, suite, step))}."
        )
        failing = [
            Place("newly failing run", path, at or "")
            for path, at in _cells(ws, "runs", step.newly_failing, "source", "pointer")
            if path
        ]
        place = Place("benchmark-run", source or "", pointer or "")
        yield Broken("benchmark run", name, NOT_SURFACED, message, (place, *failing))


# No version is approved without a benchmark run that shows improvement over its baseline.

_SAYS: Final[dict[Improvement, str]] = {
    "better": "",
    "same": "Its benchmark run has the same values as that of the baseline.",
    "worse": "A value of its benchmark run is lower than that of the baseline.",
    "unknown": "Its benchmark runs have no value to compare.",
}


def _approvals(ws: Workspace, suite: str) -> Found:
    """Look at the current decision for each version and baseline."""
    granted = _granted(ws, suite)
    broken = [row for row, (_, why) in granted.items() if why]
    return Found("approvals", len(granted) - len(broken), np.array(broken, np.int64))


@memoize_per_workspace
def _granted(ws: Workspace, suite: str) -> dict[int, tuple[str, str]]:
    """Return the decisions (rows) that approve or waive, or did until they lapsed.

    Each has code and reason of what is wrong with it; without a reason it is in force.
    """
    if not coded(ws, "approvals", "suite").among({suite}).any():
        return {}
    # What a decision rests on needs pandas, and few suites have any.
    from evalcore.approvals.standing import (  # noqa: PLC0415
        IN_FORCE,
        benchmark_runs_of,
        standing,
    )

    place = {key: at for at, key in enumerate(cells(ws.tables, "approvals", "suite", "approval"))}
    versions = ws.tables.columns["benchmark_runs"]["version"]
    found = {}
    for decision in standing(ws, suite):
        row, code = decision.row, NOT_JUSTIFIED
        if row.decision not in IN_FORCE:
            continue
        if decision.state == "lapsed":
            code, why = LAPSED, decision.why
        elif decision.state == "waived":
            parts = (("owner", row.owner), ("reason", row.reason), ("end", row.expires_at))
            lacks = [name for name, value in parts if not value]
            why = f"The waiver names no {' and no '.join(lacks)}." if lacks else ""
        else:
            named = (row_of(ws, suite, name) for name in benchmark_runs_of(row))
            here = [at for at in named if at is not None]
            of = dict(zip(picked(versions, here), here, strict=True))
            missing = [
                each or "no version" for each in (row.baseline, row.version) if each not in of
            ]
            if missing or row.baseline is None or row.version is None:
                why = f"It names no existing benchmark run of {' and of '.join(missing)}."
            else:
                why = _SAYS[improvement(ws, of[row.baseline], of[row.version])]
        found[place[suite, row.approval]] = code, why
    return found


def _faulty_approvals(ws: Workspace, rows: Numbers) -> Iterator[Broken]:
    names = ("suite", "approval", "version", "source", "pointer")
    found = _cells(ws, "approvals", rows.tolist(), *names)
    for row, (suite, name, version, source, pointer) in zip(rows.tolist(), found, strict=True):
        code, why = _granted(ws, suite)[row]
        what = "has lapsed" if code == LAPSED else "is not justified"
        message = f"The approval of {str(version)[:120]!r} {what}: {why}"
        place = Place("approval", source or "", pointer or "")
        yield Broken("approval", name or "", code, message, (place,))


CHECKS: Final[tuple[Check, ...]] = (
    Check("outputs", _outputs, _changed_outputs),
    Check("rationales", _rationales, _silent_scores),
    Check("failures", _failures, _unrecorded_failures),
    Check("regressions", _regressions, _silent_regressions),
    Check("approvals", _approvals, _faulty_approvals),
)


@memoize_per_workspace
def checked(ws: Workspace, suite: str) -> tuple[Found, ...]:
    """Return how each rule stands in a suite, in the order of `CHECKS`."""
    return tuple(check.find(ws, suite) for check in CHECKS)


def broken_rules(ws: Workspace) -> Iterator[Problem]:
    """Yield the problems of everything that breaks a hard rule, suite by suite."""
    for (suite,) in cells(ws.tables, "suites", "suite"):
        for check, found in zip(CHECKS, checked(ws, suite), strict=True):
            if not found.asked or not len(found.broken):
                continue
            if check.rule == "rationales":
                yield from _problem_of_silence(ws, suite, found)
                continue
            for each in check.describe(ws, found.broken):
                _, path, at = each.places[0]
                yield Problem(path, at, "warning", each.code, each.message, HINTS[each.code], suite)
