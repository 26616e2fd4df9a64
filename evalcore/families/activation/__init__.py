"""The `activation` family: which queries activate a skill, for each version of its description."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalcore.disk.reader import Json
from evalcore.families.activation.find import find
from evalcore.families.activation.queries import searched
from evalcore.families.activation.read import HEADLINE, read
from evalcore.families.base import Documents, Family, Part
from evalcore.layouts.shapes import Document

if TYPE_CHECKING:
    from evalcore.families.linting import Rules


def _documents() -> Documents:
    from evalcore.families.activation.documents import DOCUMENTS

    return Documents(DOCUMENTS, loose=True, inside=_inside)


def _inside(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the documents of a file in skill-creator's own form; others have no shape."""
    del path
    sets = searched(Document(value)).sets
    if not sets:
        return ()
    first = sets[0]
    if not first.at and kind == "trigger_set":
        # Of all items with the same fields the first one stands here: what is odd is odd in all.
        forms: dict[object, Part] = {}
        for index, item in enumerate(first.items):
            fields = item.items() if isinstance(item, dict) else ()
            form = frozenset((name, type(one)) for name, one in fields)
            forms.setdefault(form, (kind, f"/{index}", item))
        return tuple(forms.values())
    if first.at == "/results":
        return ((kind, "", value),)
    return (("trigger_loop", "", value),) if first.at.startswith("/history/") else ()


def _rules() -> "Rules":
    from evalcore.families.activation.rules import RULES

    return RULES


FAMILY = Family(
    name="activation",
    about=(
        "Trigger sets: queries that should or should not activate a skill, and how often each "
        "description of the skill did. They are found by content, whatever their files are called; "
        "sets of several skills, lists of bare texts, single trials and results in other forms are "
        "read too. Where a document only counts how many runs of a query "
        "activated it, the first runs are listed as those that did: the order is not known. Runs "
        "that crashed (counted as `errored`, or with an `error` of their own) are errors, outside "
        "every rate (`crashed-runs`); a rate without a number of runs is shown as stated "
        "(`runs-unknown`). Where nothing ever activated a skill that should be, the measurement "
        "itself is suspect, which is said before its rates (`never-activated`)."
    ),
    documents=_documents,
    rules=_rules,
    looks_like=("queries with should_trigger",),
    headline=HEADLINE,
    achieved="answered {value} of {cases} as expected",
    find=find,
    read=read,
    by_content=True,
    file_names=frozenset({"trigger-eval.json", "trigger-results.json"}),
    shapes=(
        frozenset({"query", "should_trigger"}),
        frozenset({"original_description", "final_description"}),
        frozenset({"best_score", "iterations_run"}),
    ),
    verdicts=True,
    skill_text="description",
)
