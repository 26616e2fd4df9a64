"""The rule of a suite by which people judge: for which verdicts a reason is required."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from evalcore.errors import AlreadyStored, StaleTask
from evalcore.families.reviews.models import JudgingRuleFields
from evalcore.families.reviews.review import (
    JUDGING_RULE,
    REASONS,
    REQUIRED,
    Reasons,
    Review,
    chains,
    joined,
)
from evalcore.ids import derived_id
from evalcore.judging.model import Judge, Receipt
from evalcore.judging.storing.names import person
from evalcore.judging.storing.record_factory import make_record, standing_id, superseding
from evalcore.judging.storing.store import store
from evalcore.judging.storing.stored_reviews import ReviewFolder, load_reviews

WORDS: Final[Mapping[Reasons, str]] = {
    "required": "a reason is required for every verdict",
    "for a fail": "a reason is required for a fail and optional for a pass",
    "optional": "a reason is optional for every verdict",
}


class JudgingRule(NamedTuple):
    """For which verdicts a reason is required, and who chose that and when; nobody by default.

    `id` names what stands, empty where nobody chose; `heads` are the records that a new one
    replaces.
    """

    reasons: Reasons = REQUIRED
    id: str = ""
    author: str = ""
    since: datetime | None = None
    heads: str | list[str] | None = None


def rule_of(records: tuple[Review, ...]) -> JudgingRule:
    """Return the rule that the records of a suite say; what is no rule requires every reason."""
    found = [each for each in records if each.type == JUDGING_RULE]
    if not found:
        return JudgingRule()
    chain = joined(chains(found))
    stated, author = chain.head.fields.get("reasons"), chain.head.created_by
    reasons = next((each for each in REASONS if each == stated), REQUIRED)
    since, heads = chain.head.created_at, superseding(chain)
    return JudgingRule(reasons, standing_id(chain), author, since, heads)


def choose_rule(folder: ReviewFolder, reasons: Reasons, judge: Judge, over: str) -> Receipt:
    """Store which reasons a suite requires, in place of the rule with the id `over`.

    The record is named after what it replaces: of two that replace the same rule at once, one is
    stored and the other is refused.

    Raises:
        StaleTask: another rule than `over` stands by now.
        CannotWrite: it could not be written.
    """
    before = rule_of(load_reviews(folder))
    name = derived_id(JUDGING_RULE, over)
    record = make_record(JudgingRuleFields(reasons=reasons), judge, name, before.heads)
    try:
        if before.id == over:
            return store(folder, record)
    except AlreadyStored:
        pass  # somebody was quicker: what they chose is said below
    now = rule_of(load_reviews(folder))
    raise StaleTask(f"{person(now.author)} has just chosen that {WORDS[now.reasons]}. Look again.")
