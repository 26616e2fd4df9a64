"""What the full check knows of trigger documents: which parts have a shape, and their rules."""

from collections.abc import Sequence
from typing import Final

from evalcore.disk.reader import Json
from evalcore.families.activation.documents import KINDS
from evalcore.families.activation.queries import searched
from evalcore.families.base import Documents, Part
from evalcore.families.linting import Found, Item, Rule, Rules, at
from evalcore.layouts.shapes import Document


def _inside(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the documents of a file in skill-creator's own form; others have no shape."""
    del path
    sets = searched(Document(value)).sets
    if sets and not sets[0].at and kind == "trigger_set":
        # Of all items with the same fields the first one stands here: what is odd is odd in all.
        forms: dict[object, Part] = {}
        for query in sets[0].queries:
            fields = query.item.items() if isinstance(query.item, dict) else ()
            form = frozenset((name, type(one)) for name, one in fields)
            forms.setdefault(form, (kind, f"/{query.place}", query.item))
        return tuple(forms.values())
    if sets and sets[0].at == "/results":
        return ((kind, "", value),)
    return (("trigger_loop", "", value),) if sets and sets[0].at.startswith("/history/") else ()


def _one_sided(item: Item) -> Found:
    """Return what a set cannot measure, as all of its queries expect the same."""
    if item.path.endswith(".jsonl"):
        return None
    sets = searched(Document(item.value)).sets
    found = {query.expected for block in sets for query in block.queries} - {None}
    if len(found) != 1:
        return None
    should, what = ("should", "miss") if found == {False} else ("should not", "false alarm")
    return at("", f"no query that {should} activate the skill, so no {what}")


DOCUMENTS: Final = Documents(KINDS, loose=True, inside=_inside)

RULES: Final = Rules((
    Rule("trigger_set: , []", "one-sided-set", _one_sided,
         "The set has {} can be measured.", "Add some of the other kind."),
))  # fmt: skip
