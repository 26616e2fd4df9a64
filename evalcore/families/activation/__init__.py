"""The `activation` family: which queries activate a skill, for each version of its description."""

from collections.abc import Iterator, Sequence

from evalcore.disk.reader import Json
from evalcore.families.activation.blocks import first_block
from evalcore.families.activation.find import find
from evalcore.families.activation.read import HEADLINE, read
from evalcore.families.base import Documents, Family, Part, Rules


def _documents() -> Documents:
    from evalcore.families.activation.documents import DOCUMENTS

    return Documents(DOCUMENTS, loose=True, inside=_inside)


def _inside(path: str, kind: str, value: Json) -> Sequence[Part]:
    """Return the documents of a file in skill-creator's own form; others have no shape."""
    del path
    return tuple(_parts(kind, value))


def _parts(kind: str, value: Json) -> Iterator[Part]:
    first = first_block(value)
    if first is None:
        return
    if not first.at and kind == "trigger_set":
        yield from ((kind, f"/{index}", item) for index, item in _forms(first.items))
    elif first.at == "/results":
        yield kind, "", value
    elif first.at.startswith("/history/"):
        yield "trigger_loop", "", value


def _forms(items: Sequence[Json]) -> Iterator[tuple[int, Json]]:
    """Yield the first of all items that have the same fields: what is odd is odd in all."""
    known: set[tuple[tuple[str, type], ...]] = set()
    for index, item in enumerate(items):
        fields = item.items() if isinstance(item, dict) else ()
        form = tuple(sorted(((name, type(value)) for name, value in fields), key=str))
        if form not in known:
            known.add(form)
            yield index, item


def _rules() -> Rules:
    from evalcore.families.activation.rules import RULES

    return RULES


FAMILY = Family(
    name="activation",
    about=(
        "Trigger sets: queries that should or should not activate a skill, and how often each "
        "description of the skill did. They are found by content, whatever their files are called; "
        "sets of several skills, lists of bare texts, single trials and results in other forms are "
        "read too. Where a document only counts how many runs of a query "
        "activated it, the first runs are listed as those that did: the order is not known."
    ),
    documents=_documents,
    rules=_rules,
    looks_like=("queries with should_trigger",),
    headline=HEADLINE,
    achieved="answered {value} of {cases} as expected",
    find=find,
    read=read,
    by_content=True,
    shapes=(frozenset({"query", "should_trigger"}),),
    verdicts=True,
    skill_text="description",
)
