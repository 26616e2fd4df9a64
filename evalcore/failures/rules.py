"""Guess of what type a failure is and how severe: rules in order, of which the first decides."""

from collections.abc import Callable
from typing import Final, NamedTuple, get_args

import numpy as np

from evalcore.counting.coded import Numbers
from evalcore.failures.facts import Facts
from evalcore.failures.wording import BROKEN_FORM, INVENTED, REFUSAL
from evalcore.families.reviews.review import FailureType, Severity

TYPES: Final[tuple[FailureType, ...]] = get_args(FailureType)
SEVERITIES: Final[tuple[Severity, ...]] = get_args(Severity)
NOT_CLASSIFIED: Final = "not-classified"


class Rule(NamedTuple):
    """A rule: the type of the runs that it applies to, and why, as a person reads it."""

    name: str
    type: FailureType
    why: str
    applies: Callable[[Facts], Numbers]


def _ended(word: str) -> Callable[[Facts], Numbers]:
    return lambda known: known.ended[word]


def _gate_of_form(known: Facts) -> Numbers:
    return known.ended["gate_failed"] & known.any(known.structural & known.form)


def _refusal(known: Facts) -> Numbers:
    # Where a criterion asks to refuse, its reason mentions that, whatever the run did.
    return known.any(known.said[REFUSAL] & ~known.refusing)


def _invented(known: Facts) -> Numbers:
    return known.any(known.said[INVENTED])


def _form(known: Facts) -> Numbers:
    of_form = known.form | known.said[BROKEN_FORM]
    every = known.count(np.ones(len(known.of), bool))
    # One word about form among other faults does not make it a fault of form.
    return (every > 0) & (2 * known.count(of_form) >= every)


def _gap(known: Facts) -> Numbers:
    return known.any(np.ones(len(known.of), bool))


RULES: Final = (
    Rule("timeout", "timeout", "the run ran out of time", _ended("timeout")),
    Rule("refused", "refusal", "the model refused", _ended("refused")),
    Rule("length-cut", "format-error", "the run was cut off at a limit", _ended("length_cut")),
    Rule("gate", "format-error", "a structural check of form or files failed", _gate_of_form),
    Rule("refusal-words", "refusal", "the judge speaks of refusing", _refusal),
    Rule("invented-words", "hallucination", "the judge speaks of something invented", _invented),
    Rule("form-words", "format-error", "what failed is about form or files", _form),
    Rule("claim", "hallucination", "a claim was checked and is not true", lambda f: f.refuted),
    Rule("issue", "hallucination", "a note names a factual issue", lambda f: f.issue),
    Rule("gap", "wrong-output", "the output is not what a criterion expects", _gap),
)
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
    failed = known.count(np.ones(len(known.of), bool))
    ended = known.ended
    unfinished = ended["timeout"] | ended["refused"] | ended["length_cut"]
    critical = ended["gate_failed"] | known.any(known.needed)
    major = (2 * failed > known.judged) | unfinished
    return np.where(critical, 0, np.where(major, 1, 2))
