"""The criteria of a run that people judge."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from evalcore.families.reviews.lookup import Criteria, Criterion, Run

JUDGED_KINDS: Final = ("expectation", "assertion", "rubric")
"""The kinds of criteria that people judge; structure and conventions are checked by rules."""


class Others(NamedTuple):
    """Other contents of a run's suite: documents with runs, and its other versions."""

    sources: frozenset[str]
    versions: frozenset[str]


def criteria_to_judge(defined: Criteria, judged: Criteria, run: Run, others: Others) -> Criteria:
    """Return the criteria to judge: those of the case, and those the run was judged by.

    Criteria that only another run's grading or another version mentions are left out, and so are
    those that the run's own grading rewords.
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
    return {key: criterion for key, criterion in criteria.items() if criterion.kind in JUDGED_KINDS}


def _elsewhere_only(rule: Criterion, run: Run, others: Others) -> bool:
    """Return whether only another run's grading or another version's folder names a criterion."""
    source = rule.source or ""
    if run.origin != "record" and source != run.source and source in others.sources:
        return True
    return not others.versions.isdisjoint(source.split("/")[:-1])
