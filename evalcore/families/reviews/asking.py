"""Which criteria of a run a person is asked."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.families.reviews.known import Criteria, Criterion, Run

ASKED: Final = ("expectation", "assertion", "rubric")
"""The kinds of criteria that a person is asked; structure and conventions are for rules to say."""


class Others(NamedTuple):
    """What else is in a run's suite: documents that runs were read from, and its other versions."""

    sources: frozenset[str]
    versions: frozenset[str]


def asked(defined: Criteria, judged: Criteria, run: Run, others: Others) -> Criteria:
    """Return what a person is asked of a run: what its case defines, and what it was judged by.

    What only another run's grading, or another version, speaks of is left out, and so is what the
    run's own grading has put in words of its own.
    """
    judged = _of_kinds(judged)
    rules = {
        key: rule
        for key, rule in _of_kinds(defined).items()
        if key in judged or not _elsewhere_only(rule, run, others)
    }
    loose = [rule for key, rule in rules.items() if key not in judged]
    named = [
        key for key, own in judged.items() if key not in rules or rules[key].source == own.source
    ]

    def reworded(rule: Criterion) -> bool:
        if rule.kind == "rubric":
            return False
        own = sum(kind == rule.kind for kind, _ in named)
        return 0 < sum(other.kind == rule.kind for other in loose) <= own

    kept = {key: rule for key, rule in rules.items() if key in judged or not reworded(rule)}
    return {**kept, **{key: own for key, own in judged.items() if key not in kept}}


def _of_kinds(criteria: Mapping[tuple[str, str], Criterion]) -> Criteria:
    return {key: criterion for key, criterion in criteria.items() if criterion.kind in ASKED}


def _elsewhere_only(rule: Criterion, run: Run, others: Others) -> bool:
    """Say whether only another run's grading or another version's folder names a criterion."""
    source = rule.source or ""
    if run.origin != "record" and source != run.source and source in others.sources:
        return True
    return not others.versions.isdisjoint(source.split("/")[:-1])
