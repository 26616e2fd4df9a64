"""The rules of the `activation` family: a set must be able to show misses and false alarms."""

from typing import Final

from evalcore.families.activation.queries import expectation, searched
from evalcore.families.linting import Found, Item, Rule, Rules, at
from evalcore.layouts.shapes import Document


def _one_sided(item: Item) -> Found:
    if item.path.endswith(".jsonl"):
        return None
    found = {
        block.expected if (own := expectation(each)) is None else own
        for block in searched(Document(item.value)).sets
        for each in block.items
    } - {None}
    if len(found) != 1:
        return None
    should, what = ("should", "miss") if found == {False} else ("should not", "false alarm")
    return at("", f"no query that {should} activate the skill, so no {what}")


RULES: Final = Rules((
    Rule("trigger_set: , []", "one-sided-set", _one_sided,
         "The set has {} can be measured.", "Add some of the other kind."),
))  # fmt: skip
