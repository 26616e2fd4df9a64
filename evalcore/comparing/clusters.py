"""Cases made from one template: they resemble each other, so they are no independent evidence."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from evalcore.comparing.alike import likeness
from evalcore.comparing.model import Side
from evalcore.comparing.prompts import defined_prompts
from evalcore.comparing.slices import tags_of
from evalcore.errors import CannotCompare

ALIKE: Final = 0.85
"""Share of letter triples from which two prompts are taken for copies of one template."""
FEWEST_ALIKE: Final = 3
MOST: Final = 60
"""So many prompts are compared with each other at most; all pairs of more would take long."""
_PARTS: Final = re.compile(r"[:=/]")
_VARYING: Final = re.compile(r"\d+|\"[^\"]*\"|'[^']*'|`[^`]*`")


def clusters_of(side: Side, cases: Sequence[str], tags: Sequence[str]) -> Mapping[str, int] | None:
    """Return the number of the cluster of each case; None if no tag is named.

    A tag makes one cluster of the cases that have it; `TAG:a`, `TAG=a` or `TAG/a` one for each
    value. A case with none of the tags stands for itself.

    Raises:
        CannotCompare: no case has one of the tags.
    """
    if not tags:
        return None
    known = tags_of(side.ws, side.suite)
    wanted = frozenset(tags)
    found = [_cluster(known.get(case, ()), wanted) for case in cases]
    unknown = [tag for tag in tags if not any(each and _is_of(each, tag) for each in found)]
    if unknown:
        raise CannotCompare(
            f"No compared case has the tag {unknown[0]!r}, so it makes no cluster. Name a tag of "
            "the cases, or the part of it before the first colon."
        )
    numbers: dict[str, int] = {}
    return {
        case: numbers.setdefault(each or f"\0{case}", len(numbers))
        for case, each in zip(cases, found, strict=True)
    }


def _cluster(tags: Sequence[str], wanted: frozenset[str]) -> str | None:
    return next((tag for tag in tags for name in sorted(wanted) if _is_of(tag, name)), None)


def _is_of(tag: str, name: str) -> bool:
    return tag == name or _PARTS.split(tag, maxsplit=1)[0] == name


def alike_prompts(side: Side, cases: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return groups of three cases or more whose prompts look like copies of one template.

    Numbers and quoted parts do not count.
    """
    prompts = defined_prompts(side.ws, side.suite)
    texts = {case: _VARYING.sub("", prompts[case]) for case in cases[:MOST] if case in prompts}
    groups: dict[str, list[str]] = defaultdict(list)
    for case, text in texts.items():
        first = next((one for one in groups if likeness(texts[one], text) >= ALIKE), case)
        groups[first].append(case)
    return tuple(tuple(group) for group in groups.values() if len(group) >= FEWEST_ALIKE)
