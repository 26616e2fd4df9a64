"""Where a document is not as its family's models describe it."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final, NamedTuple

from evalcore.documents import FAMILIES, Fault, SeedModel, faults
from evalcore.families.records.shapes import type_of
from evalcore.problems import Problem, Severity

_INDEX: Final = re.compile(r"/[0-9]+(?=/|$)")
_ITEM: Final = re.compile(r"^Item [0-9]+")
ONE_EVAL: Final = "case.json"


class Known(NamedTuple):
    """What the models say of one kind of document, and how grave it is to differ from it."""

    model: type[SeedModel]
    severity: Severity


def shape_problems(
    path: str, suite: str | None, family: str, kind: str, places: list[tuple[str, Any]]
) -> Iterator[Problem]:
    """Yield one problem for each way in which the values of a document differ from their models.

    `places` holds (pointer, value): the whole document, or each record of a file of records.
    A file that is one eval has no document of its own to differ from.
    """
    if kind == "evals" and path.rpartition("/")[2] == ONE_EVAL:
        return
    for at, value in places:
        known = _known(family, kind if family != "records" else type_of(value) or "")
        if known is None:
            continue
        for fault, more in _folded(faults(known.model, value)):
            also = f" {more} more places like this one." if more > 1 else ""
            also = " One more place is like this one." if more == 1 else also
            # Stores write lists as text, and the reader takes them so.
            severity = "info" if _is_list_as_text(fault) else known.severity
            yield Problem(
                path, at + fault.pointer, severity, "not-as-documented",
                fault.message + also, "docs/families.md lists the fields of this document.", suite,
            )  # fmt: skip


@cache
def _known(family: str, kind: str) -> Known | None:
    """Return the model of a kind; a document that many tools write is read with tolerance."""
    own = {document.kind: document.model for document in FAMILIES.get(family, ())}
    if kind in own:
        return Known(own[kind], "info" if family == "iterations" else "warning")
    shared = {document.kind: document.model for document in FAMILIES["iterations"]}
    return Known(shared[kind], "info") if family == "rubric" and kind in shared else None


def _is_list_as_text(fault: Fault) -> bool:
    return 'must be a list, but is "[' in fault.message


def _folded(found: list[Fault]) -> list[tuple[Fault, int]]:
    """Return the first of each group of faults that differ by index only, and how many more."""
    groups: dict[tuple[str, str], list[Fault]] = {}
    for fault in found:
        said = _ITEM.sub("Item", fault.message.partition(", but is")[0])
        key = _INDEX.sub("/*", fault.pointer), said
        groups.setdefault(key, []).append(fault)
    return [(same[0], len(same) - 1) for same in groups.values()]
