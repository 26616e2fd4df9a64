"""Apply named rules to what a run produced: the rule-based scoring of a criterion."""

from collections.abc import Sequence
from typing import NamedTuple

from evalcore.checks.deciding import decide
from evalcore.checks.outcome import capped
from evalcore.checks.rule_lines import Rule, parse
from evalcore.checks.subject import Subject

__all__ = ["Judged", "Rule", "Subject", "apply", "parse"]

_MAX_RATIONALE = 4_000


class Judged(NamedTuple):
    """Which share of the rules holds, whether all do, and why; None if a rule cannot be applied."""

    share: float | None
    passed: bool | None
    rationale: str


def apply(rules: Sequence[Rule], subject: Subject) -> Judged:
    """Return the judgment of all rules together.

    Without rules, and if one cannot be applied, nobody can say; one that fails is a failure all the
    same, but of unknown share.
    """
    if not rules:
        return Judged(None, None, "There are no rules to apply.")
    results = [decide(rule, subject) for rule in rules]
    shares = [part for _, part in results if part is not None]
    passed = [outcome.passed for outcome, _ in results]
    rationale = capped(" ".join(outcome.evidence for outcome, _ in results), _MAX_RATIONALE)
    if len(shares) < len(results):
        return Judged(None, False if False in passed else None, rationale)
    return Judged(sum(shares) / len(shares), all(passed), rationale)
