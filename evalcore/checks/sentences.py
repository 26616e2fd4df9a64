"""Read those assertions in plain English that rules decide; every other one is left to readers.

A sentence is read only if one pattern matches all of it, and nothing in it may mean something else
than its letters: no alternatives, no placeholders, no part of the output that is not known.
"""

import re
from collections.abc import Callable
from typing import Final

from evalcore.checks.rule_lines import Rule

MAX_SENTENCE: Final = 300
_WHOLE: Final = r"(?:the |its )?(?:final )?(?:output|response|answer|reply|text)"
_PARTS: Final = (
    (re.compile(r"(?:the )?subject line\b", re.IGNORECASE), "subject"),
    (re.compile(r"(?:the )?SKILL\.md body\b", re.IGNORECASE), "skill"),
    (re.compile(rf"{_WHOLE}\b", re.IGNORECASE), "text"),
)
_QUOTED: Final = r"(?:\"([^\"]+)\"|“([^“”]+)”|`([^`]+)`|'([^']+)')"
_KIND: Final = r"(?:the )?(?:exact |literal )?(?:string |phrase |text |substring )?"
_HAS: Final = r"(?:(?:should|must) )?(?:contains?|mentions?|includes?|cites?|names?|has)"
_HAS_NOT: Final = (
    r"(?:(?:does|should|must) not|doesn't|never|must never|should never) "
    r"(?:contains?|mentions?|includes?)"
)
_IS: Final = r"(?:(?:is|are|stays?|has|contains|remains) )?"
_FILE: Final = (
    r"((?:\./)?(?:[\w-][\w.-]*/)*[\w-][\w.-]*\.(?:md|txt|json|jsonl|ya?ml|toml|csv|tsv|html?|css|jsx?|"
    r"tsx?|py|sh|sql|xml|svg|png|pdf|docx|xlsx|pptx|go|rs|rb|java|ipynb))"
)
_NAMED_FILE: Final = rf"(?:`{_FILE}`|\"{_FILE}\"|{_FILE})"
_A_FILE: Final = r"(?:(?:a |the )?(?:new )?file )?(?:(?:named|called) )?"
_LIMITS: Final = {
    "at most": 0, "no more than": 0, "not more than": 0, "up to": 0,
    "under": -1, "fewer than": -1, "less than": -1,
}  # fmt: skip
# What looks like a literal text and may stand for others.
_PLACEHOLDER: Final = re.compile(
    r"[<>{}\[\]*|…\\^$]|\.\.\.|\bY{4}\b|\bX{2,}\b|\bN{2,}\b|\.{2,}| / | or | and |#N\b|%[sd]"
)
# An identifier is written one way: it has letters and digits, an underscore, or a capital inside.
_IDENTIFIER: Final = re.compile(
    r"(?=.{6,80}$)(?:(?=.*[A-Za-z])(?=.*\d.*\d)[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)*"
    r"|[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+)"
)


def rule_of(sentence: str) -> Rule | None:
    """Return the rule that a sentence means; None if it is not certain to mean one."""
    text = " ".join(sentence.split()) if len(sentence) <= MAX_SENTENCE else ""
    text = text[:-1] if text.endswith(".") else text
    if not text:
        return None
    if rule := _of_file(text):
        return rule
    part, rest = _parted(text)
    for pattern, make in _FORMS:
        found = pattern.fullmatch(rest)
        if found:
            return make([group for group in found.groups() if group is not None], part or "text")
    return None


def _parted(text: str) -> tuple[str | None, str]:
    """Return which part of the output a sentence begins with, and the rest."""
    for pattern, part in _PARTS:
        found = pattern.match(text)
        if found and text[found.end() : found.end() + 1] == " ":
            return part, text[found.end() + 1 :]
    found = _OWNER.match(text)
    if found:
        path = next(group for group in found.groups() if group)
        return f"file:{path}", text[found.end() :]
    return None, text


def _contains(groups: list[str], part: str) -> Rule | None:
    wanted, once = groups[0], len(groups) > 1
    if not wanted.strip() or _PLACEHOLDER.search(wanted):
        return None
    return Rule("exactly_once" if once else "contains", (wanted,), None, part, literal=False)


def _names(groups: list[str], part: str) -> Rule | None:
    return _contains(groups, part) if _IDENTIFIER.fullmatch(groups[0]) else None


def _lacks(groups: list[str], part: str) -> Rule | None:
    rule = _contains(groups, part)
    return rule and rule._replace(name="not_contains")


def _begins(groups: list[str], part: str) -> Rule | None:
    rule = _contains(groups, part)
    return rule and rule._replace(name="starts_with")


def _ends(groups: list[str], part: str) -> Rule | None:
    rule = _contains(groups, part)
    return rule and rule._replace(name="ends_with")


def _most(groups: list[str], part: str) -> Rule | None:
    limit, count, unit = groups
    most = int(count.replace(",", "")) + _LIMITS[limit.lower()]
    name = {"word": "max_words", "line": "max_lines", "char": "max_chars"}[unit[:4].lower()]
    return Rule(name, (), float(most), part, literal=False) if most > 0 else None


def _least(groups: list[str], part: str) -> Rule | None:
    return Rule("min_words", (), float(groups[0].replace(",", "")), part, literal=False)


def _json(_: list[str], part: str) -> Rule | None:
    return Rule("valid_json", literal=False) if part == "text" else None


def _of_file(text: str) -> Rule | None:
    for pattern in _CREATED:
        found = pattern.fullmatch(text)
        if found:
            path = next(group for group in found.groups() if group)
            return Rule("file_exists", (path,), literal=False)
    found = _FILE_JSON.fullmatch(text)
    if found is None:
        return None
    return Rule("valid_json", (next(group for group in found.groups() if group),), literal=False)


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_NUMBER: Final = r"([1-9]\d{0,2}(?:,\d{3}){1,2}|[1-9]\d{0,6})"
_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[list[str], str], Rule | None]], ...]] = (
    (_form(rf"{_HAS} {_KIND}{_QUOTED}( exactly once)?"), _contains),
    (_form(rf"{_HAS} ([^\s\"'`“”]+)( exactly once)?"), _names),
    (_form(rf"{_HAS_NOT} {_KIND}{_QUOTED}"), _lacks),
    (_form(rf"(?:(?:should|must) )?(?:starts?|begins?) with {_KIND}{_QUOTED}"), _begins),
    (_form(rf"(?:(?:should|must) )?ends? with {_KIND}{_QUOTED}"), _ends),
    (
        _form(
            rf"{_IS}({'|'.join(_LIMITS)}) {_NUMBER} (words?|lines?|characters?|chars?)(?: long)?"
        ),
        _most,
    ),
    (_form(rf"{_IS}at least {_NUMBER} words?(?: long)?"), _least),
    (_form(r"(?:is|must be|should be) valid JSON"), _json),
)
_CREATED: Final = (
    _form(rf"(?:creates|writes|produces|generates) {_A_FILE}{_NAMED_FILE}"),
    _form(rf"(?:(?:a |the )?file )?(?:(?:named|called) )?{_NAMED_FILE} (?:file )?exists"),
    _form(rf"(?:the )?(?:file )?{_NAMED_FILE} (?:file )?(?:was|is) (?:created|written|produced)"),
)
_OWNER: Final = _form(rf"(?:the )?(?:file )?{_NAMED_FILE} ")
_FILE_JSON: Final = _form(rf"(?:the )?(?:file )?{_NAMED_FILE} is valid JSON")
