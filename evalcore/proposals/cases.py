"""Change one test case of an evals.json, or add one, and touch nothing else that it says."""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Final, NamedTuple

from evalcore.disk.parsing import MISSING
from evalcore.names import CASES, PROMPT
from evalcore.proposals.patching import Json
from evalcore.proposals.proposal import Proposal, Stored, Target

EXPECTED: Final = "expected_output"
LISTS: Final = ("expectations", "assertions")
WORDINGS: Final = ("description", "text", "assertion", "expectation")
LONGEST: Final = 100_000
"""So many characters a text of a case may have."""
_ID: Final = re.compile(r"[^a-z0-9]+")
_WORDS: Final = 5


class CaseText(NamedTuple):
    """What people edit of a case; `expected` is None where its document has no such field."""

    prompt: str
    expected: str | None
    criteria: tuple[str, ...]


class Place(NamedTuple):
    """Where a case is in a document: the name of the list, and its index in it."""

    name: str
    at: int


def place_of(pointer: str) -> Place | None:
    """Return the place that a pointer such as `/cases/0` names; None for any other."""
    _, name, index = parts if len(parts := pointer.split("/")) == 3 else ("", "", "")
    return Place(name, int(index)) if name in CASES and index.isdecimal() else None


def case_text(stored: Stored, place: Place) -> CaseText | None:
    """Return the texts of a case; None where it has not the form that can be edited."""
    item = _item(stored.value, place)
    prompt = next((name for name in PROMPT if isinstance(item.get(name), str)), None)
    if prompt is None:
        return None
    expected = item.get(EXPECTED, "" if place.name == "evals" else None)
    listed = item.get(_list_of(item), [])
    if not isinstance(listed, list) or not isinstance(expected, str | None):
        return None
    return CaseText(item[prompt], expected, tuple(text for _, text in _wordings(listed)))


def changed_case(
    target: Target, stored: Stored, place: Place, text: CaseText, added: Sequence[str] = ()
) -> Proposal:
    """Return the proposal to change the texts of a case, and to add criteria to it.

    `text` has as many criteria as `case_text` returned, in the same order.
    """
    value = deepcopy(stored.value)
    item = _item(value, place)
    prompt = next(name for name in PROMPT if isinstance(item.get(name), str))
    item[prompt] = text.prompt
    if text.expected or EXPECTED in item:
        item[EXPECTED] = text.expected
    name = _list_of(item)
    listed = item.get(name, [])
    for (at, _), wording in zip(_wordings(listed), text.criteria, strict=True):
        if isinstance(listed[at], str):
            listed[at] = wording
        else:
            key = next(each for each in WORDINGS if isinstance(listed[at].get(each), str))
            listed[at][key] = wording
    if added:
        item[name] = [*listed, *_new_criteria(added, listed, place)]
    return _proposed(
        target, stored, value, (text.prompt, text.expected or "", *text.criteria, *added)
    )


def new_case(target: Target, stored: Stored, name: str, text: CaseText) -> Proposal:
    """Return the proposal to add a case at the end of the list `name`, with an id of its own."""
    value = deepcopy(stored.value)
    listed = value.get(name) if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return target.left(f"It has no list called {name}.")
    known = [each.get("id") for each in listed if isinstance(each, dict)]
    numbers = [each for each in known if isinstance(each, int) and not isinstance(each, bool)]
    made: dict[str, Json] = {"id": max(numbers) + 1 if numbers else _fresh(text.prompt, known)}
    made["prompt"] = text.prompt
    if text.expected:
        made[EXPECTED] = text.expected
    made["files"] = []
    others = [
        one for each in listed if isinstance(each, dict) for one in each.get(_list_of(each), [])
    ]
    key = next((_list_of(each) for each in listed if isinstance(each, dict)), LISTS[0])
    made[key] = _new_criteria(text.criteria, others, Place(name, len(listed)))
    listed.append(made)
    return _proposed(target, stored, value, (text.prompt, text.expected or "", *text.criteria))


def _proposed(target: Target, stored: Stored, value: Json, texts: Iterable[str]) -> Proposal:
    for text in texts:
        if len(text) > LONGEST:
            return target.left(
                f"A text has {len(text):,} characters; at most {LONGEST:,} are kept."
            )
        if any(0xD800 <= ord(sign) <= 0xDFFF for sign in text):
            return target.left("A text has half a character, which JSON files cannot hold.")
    return target.changed(stored, value)


def _item(value: Json, place: Place) -> dict[str, Json]:
    listed = value.get(place.name) if isinstance(value, dict) and value is not MISSING else None
    item = listed[place.at] if isinstance(listed, list) and place.at < len(listed) else None
    return item if isinstance(item, dict) else {}


def _list_of(item: dict[str, Json]) -> str:
    return next((name for name in LISTS if name in item), LISTS[0])


def _wordings(listed: Sequence[Json]) -> list[tuple[int, str]]:
    """Return the criteria of a list that have a text, with their numbers in it."""
    found = []
    for at, each in enumerate(listed):
        texts = [each]
        if isinstance(each, dict):
            texts = [each[key] for key in WORDINGS if isinstance(each.get(key), str)]
        if texts and isinstance(texts[0], str):
            found.append((at, texts[0]))
    return found


def _new_criteria(texts: Sequence[str], others: Sequence[Json], place: Place) -> list[Json]:
    """Return new criteria in the form that the others of the document have."""
    objects = [each for each in others if isinstance(each, dict)]
    if (objects and "criterion" in objects[0]) or (not others and place.name == "cases"):
        known = [each.get("criterion") for each in objects]
        made: list[Json] = []
        for text in texts:
            name = _fresh(text, known)
            known.append(name)
            made.append({"criterion": name, "description": text, "required": True})
        return made
    if objects and len(objects) == len(others):
        key = next((key for key in WORDINGS if key in objects[0]), None)
        return [text if key is None else {key: text} for text in texts]
    return list(texts)


def _fresh(text: str, known: Iterable[Json]) -> str:
    """Return an id made of the first words of a text that none of the known ones is."""
    words = [each for each in _ID.split(text.lower()) if each][:_WORDS]
    name, number, taken = "-".join(words) or "case", 1, set(map(str, known))
    while (made := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return made
