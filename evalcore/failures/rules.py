"""Guess of what type a failure is and how severe: by rules, the first of which decides."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, get_args

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import run_of
from evalcore.counting.people import Scores
from evalcore.counting.score_source import answers
from evalcore.failures.wording import (
    BROKEN_FORM,
    INVENTED,
    OF_FORM,
    REFUSAL,
    REFUSES,
    matches,
    speaking,
    speaks,
)
from evalcore.families.reviews.review import FailureType, Severity
from evalcore.workspace.opened import Workspace

TYPES: Final[tuple[FailureType, ...]] = get_args(FailureType)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
NOT_CLASSIFIED: Final = "not-classified"
_SEEN: Final = r"[^\s\p{Z}]"
"""A text without such a character is blank."""
ENDED: Final = ("timeout", "refused", "length_cut", "gate_failed")


@dataclass(frozen=True, eq=False)
class Facts:
    """Some failed runs, and the criteria that failed in them.

    `runs` are positions. By run: `ended` has a mask for each status in `ENDED`, `judged` counts
    criteria with a result; `refuted` has a claim that is not true, `issue` a factual issue in the
    notes. By failed criterion: `of` is the place in
    `runs`, `row` the judgment, `criterion` its key, `structural`; `form` and `refusing` say that
    its wording is about form, or about refusing; `needed` that it is critical or required;
    `said` has for some patterns whether they are in the judge's words.
    """

    runs: Numbers
    ended: dict[str, Numbers]
    judged: Numbers
    refuted: Numbers
    issue: Numbers
    of: Numbers
    row: Numbers
    criterion: Numbers
    structural: Numbers
    form: Numbers
    refusing: Numbers
    needed: Numbers
    said: dict[str, Numbers]

    @property
    def failed(self) -> Numbers:
        """How many criteria of each run failed."""
        return np.bincount(self.of, minlength=len(self.runs))

    def any(self, marked: Numbers) -> Numbers:
        """Return which runs have a failed criterion that is marked."""
        return self.count(marked) > 0

    def count(self, marked: Numbers) -> Numbers:
        """Return how many of the failed criteria of each run are marked."""
        return np.bincount(self.of[marked], minlength=len(self.runs))


def facts(ws: Workspace, suite: str, runs: Numbers, case: Numbers, scores: Scores) -> Facts:
    """Return what is known of some runs (positions) of a suite; `case` are keys of their cases."""
    place = np.full(len(values(ws, "runs", "passed")), -1, np.int64)
    place[runs] = np.arange(len(runs))
    results = answers(ws, runs, scores)
    open_ = coded(ws, "judgments", "status").among({"unscored"})[results.row]
    known = (results.passed >= 0) & ~open_
    failed = known & (results.passed == 0)
    row, kind, criterion = (of[failed] for of in (results.row, results.kind, results.criterion))
    of = place[results.run[failed]]
    order = np.lexsort((row, of))
    row, kind, criterion, of = (each[order] for each in (row, kind, criterion, of))
    status = coded(ws, "runs", "status")
    names, described = coded(ws, "judgments", "criterion"), ws.tables.criteria["description"]
    defined = np.flatnonzero(coded(ws, "criteria", "suite").among({suite}))
    meanings = pa.array(described.array[defined], pa.large_string())
    # For each key of a criterion, whether its name or its meaning is about form, or about refusing.
    words = []
    for pattern in (OF_FORM, REFUSES):
        mask = np.append(speaks(names.strings, pattern), False)
        mask[_keys_in(ws, "criterion", defined[speaks(meanings, pattern)])] = True
        mask[-1] = False
        words.append(mask)
    return Facts(
        runs=runs,
        ended={word: status.among({word})[runs] for word in ENDED},
        judged=np.bincount(place[results.run[known]], minlength=len(runs)),
        refuted=_among(ws, "claims", values(ws, "claims", "verified") == 0)[runs],
        issue=_among(ws, "notes", coded(ws, "notes", "kind").among({"factual_issue"}))[runs],
        of=of,
        row=row,
        criterion=criterion,
        structural=coded(ws, "judgments", "kind").among({"structural"})[row],
        form=words[0][criterion],
        refusing=words[1][criterion],
        needed=_needed(ws, suite, case[of], kind, criterion),
        said=speaking(reasons_of(ws, row), (REFUSAL, INVENTED, BROKEN_FORM)),
    )


def _among(ws: Workspace, table: str, chosen: Numbers) -> Numbers:
    """Return for each run whether it has a chosen row in a table."""
    run = run_of(ws, table)[chosen]
    found = np.zeros(len(values(ws, "runs", "passed")), bool)
    found[run[run >= 0]] = True
    return found


def _keys_in(ws: Workspace, column: str, rows: Numbers) -> Numbers:
    """Return the keys that rows of `criteria` have among the words of judgments."""
    own, judged = coded(ws, "criteria", column), coded(ws, "judgments", column)
    places = np.append(judged.places(own.words[:-1]), -1)
    keys: Numbers = places[own.codes[rows]]
    return np.where(keys < 0, judged.width - 1, keys)


def _needed(ws: Workspace, suite: str, case: Numbers, kind: Numbers, criterion: Numbers) -> Numbers:
    """Return which failed criteria are critical or required where they are defined."""
    marked = (values(ws, "criteria", "critical") == 1) | (values(ws, "criteria", "required") == 1)
    rows = np.flatnonzero(marked & coded(ws, "criteria", "suite").among({suite}))
    own, judged = coded(ws, "criteria", "case_id"), coded(ws, "runs", "case_id")
    cases = np.append(judged.places(own.words[:-1]), -1)[own.codes[rows]]
    kinds, names = (coded(ws, "judgments", each).width for each in ("kind", "criterion"))

    def joined(case: Numbers, kind: Numbers, criterion: Numbers) -> Numbers:
        keys: Numbers = (case.astype(np.int64) * kinds + kind) * names + criterion
        return keys

    wanted = joined(cases, _keys_in(ws, "kind", rows), _keys_in(ws, "criterion", rows))
    found: Numbers = np.isin(joined(case, kind, criterion), wanted[cases >= 0])
    return found


def reasons_of(ws: Workspace, rows: Numbers) -> Any:
    """Return the rationale of judgments, else their evidence."""
    texts = ws.tables.text_columns("judgments")
    said: Any = texts["rationale"].take(pa.array(rows, pa.int64())).combine_chunks()
    blank = ~matches(said, _SEEN)
    if not blank.any():
        return said
    shown = texts["evidence"].take(pa.array(rows[blank], pa.int64())).combine_chunks()
    return pc.replace_with_mask(said, pa.array(blank), shown)


class Rule(NamedTuple):
    """A rule: the type of the runs that it applies to, and why, as a person reads it."""

    name: str
    type: FailureType
    why: str
    applies: Callable[[Facts], Numbers]


def _form(known: Facts) -> Numbers:
    of_form, every = known.form | known.said[BROKEN_FORM], known.failed
    # One word about form among other faults does not make it a fault of form.
    return (every > 0) & (2 * known.count(of_form) >= every)


RULES: Final = (
    Rule("timeout", "timeout", "the run ran out of time", lambda f: f.ended["timeout"]),
    Rule("refused", "refusal", "the model refused", lambda f: f.ended["refused"]),
    Rule("length-cut", "format-error", "the run was cut off at a limit",
         lambda f: f.ended["length_cut"]),
    Rule("gate", "format-error", "a structural check of form or files failed",
         lambda f: f.ended["gate_failed"] & f.any(f.structural & f.form)),
    # Where a criterion asks to refuse, its reason mentions that, whatever the run did.
    Rule("refusal-words", "refusal", "the judge speaks of refusing",
         lambda f: f.any(f.said[REFUSAL] & ~f.refusing)),
    Rule("invented-words", "hallucination", "the judge speaks of something invented",
         lambda f: f.any(f.said[INVENTED])),
    Rule("form-words", "format-error", "what failed is about form or files", _form),
    Rule("claim", "hallucination", "a claim was checked and is not true", lambda f: f.refuted),
    Rule("issue", "hallucination", "a note names a factual issue", lambda f: f.issue),
    Rule("gap", "wrong-output", "the output is not what a criterion expects",
         lambda f: f.failed > 0),
)  # fmt: skip
RULE_TYPES: Final = np.array([*(TYPES.index(rule.type) for rule in RULES), -1])
"""The type of each rule; the last one (-1) is that no rule applies."""


def first_rule(known: Facts) -> Numbers:
    """Return for each run the first of `RULES` that applies; -1 for none."""
    found = np.full(len(known.runs), -1, np.int64)
    for at, rule in enumerate(RULES):
        found[(found < 0) & rule.applies(known)] = at
    return found


def severity(known: Facts) -> Numbers:
    """Return for each run the place in `SEVERITIES`.

    Critical: the gate, or a critical or required criterion failed. Major: more than half of the
    judged criteria failed, or the run did not finish. Minor: the rest.
    """
    ended = known.ended
    unfinished = ended["timeout"] | ended["refused"] | ended["length_cut"]
    critical = ended["gate_failed"] | known.any(known.needed)
    major = (2 * known.failed > known.judged) | unfinished
    return np.where(critical, 0, np.where(major, 1, 2))
