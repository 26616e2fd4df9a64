"""Deviations of documents from their family's shapes."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.families.base import Dialect, Part
from evalcore.problems import Problem
from evalcore.shapes.faults import Fault, faults

_INDEX: Final = re.compile(r"/[0-9]+(?=/|$)")
_ITEM: Final = re.compile(r"^Item [0-9]+")


def shape_problems(
    path: str, suite: str | None, dialect: Dialect, parts: Iterable[Part]
) -> Iterator[Problem]:
    """Yield one problem for each kind of deviation in the documents of a file."""
    documents = dialect.documents()
    own = {each.kind: each for each in documents.kinds}
    shared = {each.kind: each for each in documents.shared}
    for kind, at, value in parts:
        known = own.get(kind) or shared.get(kind)
        if known is None:
            continue
        loose = documents.loose or kind not in own
        for fault, more in _folded(faults(known, value)):
            also = f" {more} more places like this one." if more > 1 else ""
            also = " One more place is like this one." if more == 1 else also
            # Stores write lists as text, and the reader takes them so.
            noted = loose or _is_list_as_text(fault)
            yield Problem(
                path,
                at + fault.pointer,
                "info" if noted else "warning",
                "not-as-documented",
                fault.message + also,
                known.hint,
                suite,
            )


def _is_list_as_text(fault: Fault) -> bool:
    return 'must be a list, but is "[' in fault.message


def _folded(found: list[Fault]) -> list[tuple[Fault, int]]:
    """Return the first of each group of faults that differ by index only, and how many more."""
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in found:
        text = _ITEM.sub("Item", fault.message.partition(", but is")[0])
        key = _INDEX.sub("/*", fault.pointer), text
        groups.setdefault(key, []).append(fault)
    return [(same[0], len(same) - 1) for same in groups.values()]
