"""Decide one rule about what a run produced."""

import re
from collections.abc import Callable
from typing import Final

from evalcore.checks.expected import RELATIVE, Part, compare, in_words, same_number, share
from evalcore.checks.outcome import (
    Outcome,
    capped,
    decided,
    invalid,
    listed,
    not_run,
    quoted,
    shown,
)
from evalcore.checks.rule_lines import Rule
from evalcore.checks.searching import MAX_TEXT, Unsearchable, spans
from evalcore.checks.subject import Subject, Undecided, expected_value, nearly, part_of
from evalcore.checks.whole import places
from evalcore.disk.parsing import MISSING, parsed

_STRICT: Final = frozenset({"exact", "normalised", "number"})
_UNSPACED: Final = re.compile("[\u0e00-\u0eff\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_FEW: Final = 0.1


def decide(rule: Rule, subject: Subject) -> tuple[Outcome, float | None]:
    """Return the outcome of a rule, and which share of it holds: 0 or 1, or that of its parts."""
    try:
        if rule.name in ("expected", "equals"):
            return _expected(rule, subject)
        outcome = _RULES[rule.name](rule, subject)
    except Undecided as error:
        return not_run(str(error)), None
    except Unsearchable as error:
        return invalid(str(error)), None
    return outcome, None if outcome.passed is None else float(outcome.passed)


def _contains(rule: Rule, subject: Subject) -> Outcome:
    text = part_of(subject, rule.part)
    found = [wanted for wanted in rule.texts if wanted in text]
    missing = [wanted for wanted in rule.texts if wanted not in text]
    passed = bool(found) if rule.name == "contains_any" else not missing
    if passed:
        return decided(True, f"Found: {_all(found)}.")
    if not rule.literal and any(nearly(text, wanted) for wanted in missing):
        raise Undecided(f"Only something like {_all(missing)} was found.")
    return decided(False, f"Not found: {_all(missing)}.")


def _lacks(rule: Rule, subject: Subject) -> Outcome:
    text = part_of(subject, rule.part)
    found = [wanted for wanted in rule.texts if wanted in text]
    if found:
        return decided(False, f"Found: {_all(found)}.")
    if not rule.literal and any(nearly(text, wanted) for wanted in rule.texts):
        raise Undecided(f"Something like {_all(rule.texts)} was found.")
    return decided(True, f"Not found: {_all(rule.texts)}.")


def _once(rule: Rule, subject: Subject) -> Outcome:
    text, wanted = part_of(subject, rule.part), rule.texts[0]
    literally, whole = text.count(wanted), sum(1 for _ in places(text, wanted))
    said = f"{quoted(wanted)} was found {literally:,} times."
    if whole > 1 or not literally:
        if not literally and not rule.literal and nearly(text, wanted):
            raise Undecided(f"Only something like {quoted(wanted)} was found.")
        return decided(False, said)
    if rule.literal and whole == 1:
        return decided(True, f"{quoted(wanted)} was found once as a whole word.")
    if rule.literal and not whole:
        return decided(False, f"{quoted(wanted)} was found only inside longer words.")
    if literally != whole:
        raise Undecided(f"{said} As a whole word it was found {whole:,} times.")
    return decided(True, f"{quoted(wanted)} was found once.")


def _edge(rule: Rule, subject: Subject) -> Outcome:
    text, wanted = part_of(subject, rule.part), rule.texts[0]
    begins = rule.name == "starts_with"
    length = len(wanted) + 20
    edge = text[:length] if begins else text[-length:]
    passed = text.startswith(wanted) if begins else text.endswith(wanted)
    if not passed and not rule.literal and nearly(edge, wanted):
        raise Undecided(f"Only something like {quoted(wanted)} is there: {quoted(edge)}.")
    return decided(passed, f"The text {'begins' if begins else 'ends'} with {quoted(edge)}.")


def _matches(rule: Rule, subject: Subject) -> Outcome:
    text = part_of(subject, rule.part)
    if len(text) > MAX_TEXT:
        raise Undecided(f"Patterns are searched in at most {MAX_TEXT:,} characters.")
    found = next(spans(rule.texts[0], text), None)
    said = f"the pattern {quoted(rule.texts[0])}"
    if found is None:
        return decided(False, f"Nothing matches {said}.")
    return decided(True, f"{quoted(text[found.start : found.end])} matches {said}.")


def _length(rule: Rule, subject: Subject) -> Outcome:
    text = part_of(subject, rule.part)
    bound, unit = rule.name.split("_")
    if unit == "words" and len(_UNSPACED.findall(text)) > _FEW * len(text):
        raise Undecided("Words are not counted in a script without spaces between them.")
    counts = {
        "words": lambda: len(text.split()),
        "lines": lambda: text.count("\n") + 1 if text else 0,
        "chars": lambda: len(text),
    }
    count, wanted = counts[unit](), int(rule.number or 0)
    passed = count <= wanted if bound == "max" else count >= wanted
    most = "at most" if bound == "max" else "at least"
    name = {"chars": "characters"}.get(unit, unit)
    return decided(passed, f"The text has {count:,} {name}; {most} {wanted:,} are expected.")


def _json(rule: Rule, subject: Subject) -> Outcome:
    if not rule.texts:
        text = part_of(subject, rule.part)
        return decided(*_is_json("The text", text))
    paths = _files(rule, subject)
    for path in paths:
        assert subject.produced is not None  # it has listed the file
        read = subject.produced.text(path)
        if read.text is None or read.why:
            raise Undecided(f"{read.why}.")
        valid, said = _is_json(shown(path), read.text)
        if not valid:
            return decided(False, said)
    said = f"Valid JSON: {listed(paths)}." if paths else _no_file(rule)
    return decided(bool(paths), said)


def _is_json(what: str, text: str) -> tuple[bool, str]:
    _, fault = parsed(text.encode("utf-8", "surrogatepass"))
    if fault is None:
        return True, f"{what} is valid JSON."
    if fault.code == "too-large":
        raise Undecided(fault.message)
    return False, f"{what} is not valid JSON. {fault.message}"


def _exists(rule: Rule, subject: Subject) -> Outcome:
    paths = _files(rule, subject)
    if paths:
        return decided(True, f"Found: {listed(paths)}.")
    if not rule.literal and "/" in rule.texts[0] and subject.produced:
        other = subject.produced.matching(f"**/{rule.texts[0].removeprefix('./')}")
        if isinstance(other, list) and other:
            raise Undecided(f"Found in another folder: {listed(other)}.")
    return decided(False, _no_file(rule))


def _no_file(rule: Rule) -> str:
    return f"No file matches {quoted(rule.texts[0])}."


def _files(rule: Rule, subject: Subject) -> list[str]:
    if subject.produced is None:
        raise Undecided("The files that the run produced are not known.")
    paths = subject.produced.matching(rule.texts[0])
    if isinstance(paths, Outcome):
        raise Undecided(paths.evidence)
    if not paths and not subject.produced.complete:
        raise Undecided("The run produced more files than are looked at.")
    return paths


def _number(rule: Rule, subject: Subject) -> Outcome:
    path = rule.texts[0]
    wanted = expected_value(subject.expected, path, "expected")
    given = expected_value(subject.actual, path, "actual")
    relative, absolute = (RELATIVE, 0.0) if rule.number is None else (0.0, rule.number)
    passed = same_number(wanted, given, relative, absolute)
    said = f"{capped(path, 80)}: expected {in_words(wanted)}, got {in_words(given)}"
    return decided(passed, f"{said}; a difference of {absolute or relative:g} is tolerated.")


def _expected(rule: Rule, subject: Subject) -> tuple[Outcome, float | None]:
    wanted, given = subject.expected, subject.actual
    if rule.texts:
        wanted = expected_value(wanted, rule.texts[0], "expected")
        given = expected_value(given, rule.texts[0], "actual")
    elif wanted is MISSING or given is MISSING:
        what = "expected" if wanted is MISSING else "actual"
        raise Undecided(f"There is no {what} output to compare.")
    parts = compare(wanted, given)
    if not parts:
        raise Undecided("Nothing is expected of the output.")
    if rule.name == "equals":
        parts = [part._replace(passed=part.how in _STRICT) for part in parts]
        if isinstance(wanted, dict) and isinstance(given, dict) and given.keys() - wanted.keys():
            parts.append(Part("", "different", False, "The output has keys that nobody expects."))
    held = share(parts) if rule.name == "expected" else float(all(part.passed for part in parts))
    return decided(held == 1, _sentences(parts)), held


def _sentences(parts: list[Part]) -> str:
    """Return the sentences of the parts that differ, or of all if none does."""
    return " ".join(part.sentence for part in ([p for p in parts if not p.passed] or parts)[:8])


def _all(texts: list[str] | tuple[str, ...]) -> str:
    return ", ".join(map(quoted, texts[:8]))


_RULES: Final[dict[str, Callable[[Rule, Subject], Outcome]]] = {
    "contains": _contains,
    "contains_any": _contains,
    "contains_all": _contains,
    "not_contains": _lacks,
    "exactly_once": _once,
    "starts_with": _edge,
    "ends_with": _edge,
    "matches": _matches,
    "max_words": _length,
    "min_words": _length,
    "max_lines": _length,
    "max_chars": _length,
    "valid_json": _json,
    "file_exists": _exists,
    "number": _number,
}
