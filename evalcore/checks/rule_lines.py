"""Read named rules (docs/rules.md): from lines `rule: NAME [arguments]`, or from a typed check."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from evalcore.checks.globs import parse_glob
from evalcore.checks.needles import strings_fault
from evalcore.checks.outcome import quoted
from evalcore.checks.searching import fault_of
from evalcore.checks.typed import PATTERNS, PLACES, check_of
from evalcore.names import name_words

MAX_RULES: Final = 100
MAX_LINE: Final = 2_000
_LINE: Final = re.compile(r"^[ \t]*(?:[-*][ \t]+)?rule:[ \t]*([^\r\n]*)", re.MULTILINE)
_ARGUMENT: Final = re.compile(
    r'[ \t]*(?:"((?:[^"\\]|\\.)*)"|“([^”]*)”|\'([^\']*)\'|`([^`]*)`|/(.*)/|([^\s"\'`“”/]\S*))'
    r"(?=[ \t]|$)"
)
_ESCAPED: Final = re.compile(r'\\(["\\])')
_WHOLE: Final = re.compile(r"\d{1,9}", re.ASCII)
_DECIMAL: Final = re.compile(r"\d{1,15}(?:\.\d{1,15})?", re.ASCII)

_SAME: Final = {
    "includes": "contains",
    "any_of": "contains_any",
    "all_of": "contains_all",
    "does_not_contain": "not_contains",
    "not_contains_any": "not_contains",
    "excludes": "not_contains",
    "regex": "matches",
    "regex_match": "matches",
    "matches_regex": "matches",
    "pattern": "matches",
    "is_json": "valid_json",
    "file_created": "file_exists",
}
"""Types of other tools, and the rule that each means."""
_ONE: Final = frozenset({"contains", "exactly_once", "starts_with", "ends_with", "matches"})
_SEVERAL: Final = frozenset({"contains_any", "contains_all", "not_contains"})
_OF_FILES: Final = frozenset({"file_exists", "valid_json"})
_OF_NUMBER: Final = frozenset({"max_words", "min_words", "max_lines", "max_chars"})


class Rule(NamedTuple):
    """A rule about a text: its name and arguments.

    `part` is the text that it is about: "text", "subject" (its first line), "skill" (the body of
    the SKILL.md), or "file:PATH". Only of a rule with `literal` is a near match as good as none;
    else it leaves open whether the rule holds.
    """

    name: str
    texts: tuple[str, ...] = ()
    number: float | None = None
    part: str = "text"
    literal: bool = True


class _Argument(NamedTuple):
    text: str
    kind: str


def parse(text: str) -> list[Rule] | str:
    """Return the rules of a text, in order; a sentence that names the first malformed one."""
    rules: list[Rule] = []
    for line in _LINE.finditer(text):
        if len(rules) == MAX_RULES:
            return f"There are more than {MAX_RULES} rules; only that many are applied."
        rule = _rule(line[1].strip())
        if rule is None:
            return f"The rule {quoted(line[1])} cannot be read; docs/rules.md lists what can."
        rules.append(rule)
    return rules


def _rule(line: str) -> Rule | None:
    name, rest = [*line.split(None, 1), "", ""][:2]
    form = _FORMS.get(name)
    if form is None or len(line) > MAX_LINE:
        return None
    arguments = _arguments(rest)
    return None if arguments is None else form(name, arguments)


def _arguments(rest: str) -> list[_Argument] | None:
    found: list[_Argument] = []
    at, end = 0, len(rest.rstrip())
    while at < end:
        match = _ARGUMENT.match(rest, at)
        if match is None:
            return None
        index = match.lastindex or 1
        kind = {5: "pattern", 6: "word"}.get(index, "quoted")
        text = match[index]
        found.append(_Argument(_ESCAPED.sub(r"\1", text) if index == 1 else text, kind))
        at = match.end()
    return found


def _nothing(name: str, arguments: list[_Argument]) -> Rule | None:
    return None if arguments else Rule(name)


def _one(name: str, arguments: list[_Argument]) -> Rule | None:
    return _some(name, arguments) if len(arguments) == 1 else None


def _some(name: str, arguments: list[_Argument]) -> Rule | None:
    sound = all(text and kind == "quoted" for text, kind in arguments)
    return Rule(name, tuple(text for text, _ in arguments)) if arguments and sound else None


def _pattern(name: str, arguments: list[_Argument]) -> Rule | None:
    if [kind for _, kind in arguments] != ["pattern"] or not arguments[0].text:
        return None
    if fault_of(arguments[0].text):
        return None
    return Rule(name, (arguments[0].text,))


def _glob(name: str, arguments: list[_Argument]) -> Rule | None:
    rule = _one(name, arguments)
    return None if rule is None or isinstance(parse_glob(rule.texts[0]), str) else rule


def _maybe_glob(name: str, arguments: list[_Argument]) -> Rule | None:
    return _glob(name, arguments) if arguments else Rule(name)


def _count(name: str, arguments: list[_Argument]) -> Rule | None:
    if len(arguments) != 1 or not _WHOLE.fullmatch(arguments[0].text):
        return None
    return Rule(name, (), float(arguments[0].text))


def _equals(name: str, arguments: list[_Argument]) -> Rule | None:
    words = _words(arguments)
    return Rule(name) if words == ["expected"] else None


def _key(name: str, arguments: list[_Argument]) -> Rule | None:
    words = _words(arguments)
    return Rule(name, tuple(words)) if words is not None and len(words) <= 1 else None


def _number(name: str, arguments: list[_Argument]) -> Rule | None:
    words = _words(arguments)
    if not words or len(words) not in (1, 3):
        return None
    path = words[0].removeprefix("expected.")
    if not path or path == "expected":
        return None
    if len(words) == 1:
        return Rule(name, (path,))
    if words[1] != "tolerance" or not _DECIMAL.fullmatch(words[2]):
        return None
    return Rule(name, (path,), float(words[2]))


def _words(arguments: list[_Argument]) -> list[str] | None:
    if any(kind != "word" for _, kind in arguments):
        return None
    return [text for text, _ in arguments]


_FORMS: Final[dict[str, Callable[[str, list[_Argument]], Rule | None]]] = {
    "contains": _one,
    "contains_any": _some,
    "contains_all": _some,
    "not_contains": _some,
    "exactly_once": _one,
    "starts_with": _one,
    "ends_with": _one,
    "matches": _pattern,
    "max_words": _count,
    "min_words": _count,
    "max_lines": _count,
    "max_chars": _count,
    "valid_json": _maybe_glob,
    "file_exists": _glob,
    "equals": _equals,
    "expected": _key,
    "number": _number,
}


def rule_of_check(fields: Mapping[str, Any]) -> Rule | None:
    """Return the rule that means exactly what a typed check says; None where there is none."""
    check = check_of(fields)
    if check is None:
        return None
    name = "_".join(name_words(check.type.strip()))
    name, others = _SAME.get(name, name), dict(check.others)
    part, flag = "text", ""
    place = next((each for each in PLACES if isinstance(others.get(each), str)), None)
    if place is not None and name not in _OF_FILES:
        part = f"file:{others.pop(place)}"
    if name == "matches" and others.get("flags") in ("i", "m", "s"):
        flag = f"(?{others.pop('flags')})"
    if others:
        return None
    if name == "valid_json" and check.field is None:
        return Rule(name)
    if name in _OF_NUMBER and type(check.value) is int and check.value >= 0:
        return Rule(name, (), float(check.value), part)
    texts = check.value if isinstance(check.value, list) else [check.value]
    if strings_fault(texts, "value") or (len(texts) > 1 and name not in _SEVERAL):
        return None
    # What a field means that is named after another thing is a guess.
    wanted = (*PLACES, "pattern") if name in _OF_FILES else PATTERNS if name == "matches" else ()
    strange = check.field in (*PLACES, *PATTERNS) and check.field not in wanted
    if strange or name not in _ONE | _SEVERAL | _OF_FILES:
        return None
    return Rule(name, tuple(flag + each for each in texts), None, part)
