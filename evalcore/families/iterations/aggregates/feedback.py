"""`eval_feedback_aggregate.json`: what the gradings of one iteration say of the evals."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from evalcore.disk.parsing import MISSING
from evalcore.proposals.proposal import Proposal, Stored, Target
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables
from evalcore.texts.graders import label_of, without_form

NAME: Final = "eval_feedback_aggregate.json"

OWN_WORDS: Final = (
    "It has a summary in other words, so it was left unchanged; --replace adds those of the "
    "gradings."
)

_DIGITS: Final = re.compile(r"\d+")


class Suggestion(NamedTuple):
    """What one grading says of one assertion, None where it is about all of them."""

    run_id: str
    assertion: str | None
    reason: str


Key = tuple[str | None, str]


def suggestions_of(tables: Tables, suite: str) -> dict[str, list[Suggestion]]:
    """Return the suggestions of a suite's gradings by version."""
    found: dict[str, list[Suggestion]] = defaultdict(list)
    names = ("suite", "version", "kind", "run_id", "target", "text")
    for own, version, kind, run, target, text in cells(tables, "feedback", *names):
        if own == suite and kind == "suggestion" and run is not None and text:
            found[version].append(Suggestion(run, _short(target), text))
    return found


def feedback(
    target: Target,
    stored: Stored | None,
    suggestions: Sequence[Suggestion],
    runs: int,
    skill: str | None,
    *,
    replace: bool,
) -> Proposal | None:
    """Return what shall become of the aggregate of one version; None when there is nothing to say.

    `action` is a person's: it stays where it stands and is empty where nobody wrote one.
    """
    old = {} if stored is None else stored.value
    if old is MISSING or not isinstance(old, dict) or not _is_list(old.get("suggestions", [])):
        return target.left("It contains no list of suggestions, so it was left unchanged.")
    listed = old.get("suggestions", [])
    grouped = _grouped(suggestions)
    if not grouped and not listed:
        return None
    known = {_key(each) for each in listed}
    if known and known.isdisjoint(grouped) and not replace:
        return target.left(OWN_WORDS)
    new = [
        each | {"frequency": len(grouped[_key(each)])} if _key(each) in grouped else each
        for each in listed
    ]
    more = [(key, of) for key, of in grouped.items() if key not in known]
    new += [_entry(of) for _, of in sorted(more, key=lambda each: -len(each[1]))]
    number = _DIGITS.search(target.version or "")
    fields = {"skill_name": skill, "iteration": int(number[0]) if number else None}
    value = {
        **{name: each for name, each in fields.items() if name not in old},
        **old,
        "total_runs": runs,
        "suggestions": new,
    }
    words = _words(sum(key not in grouped for key in known))
    return target.fresh(value) if stored is None else target.changed(stored, value, *words)


def _grouped(suggestions: Sequence[Suggestion]) -> dict[Key, dict[str, Suggestion]]:
    """Return the suggestions that say the same, by run, in the order first met."""
    found: dict[Key, dict[str, Suggestion]] = defaultdict(dict)
    for each in suggestions:
        found[each.assertion, without_form(each.reason)].setdefault(each.run_id, each)
    return found


def _entry(of: dict[str, Suggestion]) -> dict[str, Any]:
    first = next(iter(of.values()))
    return {
        "frequency": len(of),
        "assertion": first.assertion,
        "reason": first.reason,
        "action": "",
    }


def _key(entry: dict[str, Any]) -> Key:
    assertion = entry.get("assertion")
    short = _short(assertion) if isinstance(assertion, str) else None
    return short, without_form(str(entry.get("reason")))


def _short(assertion: str | None) -> str | None:
    """Return the id that an assertion begins with, `S7: Uses a factory`, else all of it."""
    return label_of(assertion) or assertion or None


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, dict) for each in value)


def _words(kept: int) -> tuple[str, ...]:
    if not kept:
        return ()
    were = "suggestions" if kept > 1 else "suggestion"
    return (f"Kept: {kept} {were} that no grading contains in these words.",)
