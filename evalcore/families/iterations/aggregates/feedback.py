"""What gradings and people say of the evals: `eval_feedback_aggregate.json`, and new criteria."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any, Final, NamedTuple

from evalcore.disk.files import Files
from evalcore.disk.parsing import MISSING
from evalcore.disk.values import value_at
from evalcore.families.iterations.case import LISTS
from evalcore.proposals.proposal import Proposal, Stored, Target
from evalcore.proposals.proposal import stored as stored_at
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables
from evalcore.texts.graders import label_of, without_form

NAME: Final = "eval_feedback_aggregate.json"


class Suggestion(NamedTuple):
    """What gradings say of one assertion, None where it is about all of them, and in which runs."""

    assertion: str | None
    reason: str
    runs: set[str]


Key = tuple[str | None, str]
"""Suggestions with the same assertion, and the same words but for their form, say the same."""


def suggestions_of(tables: Tables, suite: str) -> dict[str, dict[Key, Suggestion]]:
    """Return the suggestions of a suite's gradings by version, in the order first met."""
    found: dict[str, dict[Key, Suggestion]] = defaultdict(dict)
    names = ("suite", "version", "kind", "run_id", "target", "text")
    for own, version, kind, run, target, text in cells(tables, "feedback", *names):
        if own == suite and kind == "suggestion" and run is not None and text:
            key = _key(target, text)
            found[version].setdefault(key, Suggestion(key[0], text, set())).runs.add(run)
    return found


def feedback(
    target: Target,
    stored: Stored | None,
    suggestions: Mapping[Key, Suggestion],
    runs: int,
    skill: str | None,
    *,
    replace: bool,
) -> Proposal | None:
    """Return what shall become of the aggregate of one version; None when there is nothing to say.

    `action` is a person's: an existing one stays, a new suggestion has an empty one.
    """
    old = {} if stored is None else stored.value
    listed = old.get("suggestions", []) if isinstance(old, dict) else None
    if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
        return target.left("It contains no list of suggestions, so it was left unchanged.")
    if not suggestions and not listed:
        return None
    keys = [_key(each.get("assertion"), str(each.get("reason"))) for each in listed]
    known = set(keys)
    if known and known.isdisjoint(suggestions) and not replace:
        return target.left(
            "It has a summary in other words, so it was left unchanged; --replace adds those of "
            "the gradings."
        )
    new = [
        each | {"frequency": len(suggestions[key].runs)} if key in suggestions else each
        for key, each in zip(keys, listed, strict=True)
    ]
    more = [each for key, each in suggestions.items() if key not in known]
    new += [
        {
            "frequency": len(each.runs),
            "assertion": each.assertion,
            "reason": each.reason,
            "action": "",
        }
        for each in sorted(more, key=lambda each: -len(each.runs))
    ]
    number = re.search(r"\d+", target.version or "")
    fields = {"skill_name": skill, "iteration": int(number[0]) if number else None}
    value = {
        **{name: each for name, each in fields.items() if name not in old},
        **old,
        "total_runs": runs,
        "suggestions": new,
    }
    if stored is None:
        return target.fresh(value)
    kept = len(known - suggestions.keys())
    words = f"Kept: {kept} suggestion{'s' * (kept > 1)} that no grading contains in these words."
    return target.changed(stored, value, *([words] if kept else []))


def new_criteria(tables: Tables, files: Files, suite: str) -> Iterator[Proposal]:
    """Yield what shall become of each evals.json for which people asked for criteria."""
    said = [
        (run, kind, text)
        for own, run, kind, text in cells(tables, "feedback", "suite", "run_id", "kind", "text")
        if own == suite and text
    ]
    rejected = {without_form(text) for _, kind, text in said if kind == "rejected"}
    asked = [(run, text) for run, kind, text in said if kind == "asked" and run is not None]
    of_run = dict(cells(tables, "runs", "run_id", "case_id")) if asked else {}
    wanted: dict[str, list[str]] = defaultdict(list)
    for run, text in asked:
        if run in of_run and without_form(text) not in rejected:
            wanted[of_run[run]].append(text)
    if not wanted:
        return
    evals = {path for path, kind in cells(tables, "documents", "path", "kind") if kind == "evals"}
    places: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for own, case, path, at in cells(tables, "cases", "suite", "case_id", "source", "pointer"):
        if own == suite and case in wanted:
            places[path if path in evals else ""].append((case, at or ""))
    defined: dict[tuple[str, str | None], set[str]] = defaultdict(set)
    for case, text, source in cells(tables, "criteria", "case_id", "criterion", "source"):
        if case in wanted:
            defined[case, source].add(without_form(text))
    for path, cases in places.items():
        there = stored_at(files, path) if path else None
        if there is None or there.value is MISSING:
            names = ", ".join(case for case, _ in cases)
            why = f"No evals.json that can be read has {names}, so its new criteria wait."
            yield Proposal(suite, None, path or None, "left", (why,))
            continue
        value, added = deepcopy(there.value), 0
        for case, at in cases:
            item = value_at(value, path, at)
            name = next((key for key in LISTS if isinstance(item.get(key), list)), LISTS[0])
            texts = dict.fromkeys(wanted[case])
            new = [text for text in texts if without_form(text) not in defined[case, path]]
            if new:
                item[name] = [*item.get(name, ()), *new]
                added += len(new)
        what = [f"Added: {added} criteri{'a' if added > 1 else 'on'} that people asked for."]
        yield Target(suite, None, path).changed(there, value, *(what if added else ()))


def _key(assertion: Any, reason: str) -> Key:
    """Return the id that an assertion begins with (`S7: Uses a factory`), else all of it."""
    named = assertion if isinstance(assertion, str) else None
    return label_of(named) or named or None, without_form(reason)
