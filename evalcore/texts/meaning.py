"""Whether two similar wordings require different things: a number, a negation, a quantifier."""

import re
from collections import Counter
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Difference = Literal["number", "negation", "quantifier"]

MAX_LENGTH: Final = 2_000
_LISTED: Final = re.compile(r"^\W*\d{1,3}[.):]\s+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_NUMBER_WORDS: Final = {  # not "one": "this one", "one of them"
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip
_NEGATIONS: Final = frozenset(
    {
        "no", "not", "never", "none", "nor", "neither", "nothing", "nobody", "cannot",
        "without", "refuse", "refuses", "refusing", "avoid", "avoids", "avoiding", "omit",
        "omits", "omitting", "exclude", "excludes", "excluding", "lack", "lacks",
        "lacking", "fail", "fails", "failing", "decline", "declines", "forbid", "forbids",
        "forbidden", "prevent", "prevents", "kein", "keine", "keinen", "nicht", "ohne",
        "nie", "sans", "jamais", "aucun", "ne", "sin", "nunca", "ningún", "não", "sem",
        "не", "без",
    }
)  # fmt: skip
_NEGATIVE_SIGNS: Final = re.compile(r"[不没沒无無非未勿]|ない|ません|ずに|않|없|못")
_OPPOSITE: Final = ("un", "in", "im", "ir", "il", "non", "dis", "mis")
_QUANTIFIERS: Final[dict[str, str]] = {
    **dict.fromkeys(("all", "every", "each", "always", "alle", "jede", "todos", "tous"), "all"),
    **dict.fromkeys(("some", "any", "sometimes", "einige", "algunos", "quelques"), "some"),
    **dict.fromkeys(("most", "mostly", "many", "few"), "part"),
    **dict.fromkeys(("exactly", "precisely"), "exact"),
}
_BOUNDS: Final = (
    (re.compile(r"\bat least\b|\bno (?:less|fewer) than\b|\bminimum\b|\bor more\b"), "lower"),
    (re.compile(r"\bat most\b|\bno more than\b|\bmaximum\b|\bup to\b"), "upper"),
    (re.compile(r"\bor (?:less|fewer)\b"), "upper"),
    (re.compile(r"(?<!no )\b(?:more|greater|longer|higher) than\b|\bover\b|\babove\b"), "lower"),
    (re.compile(r"(?<!no )\b(?:less|fewer|shorter|lower) than\b|\bunder\b|\bbelow\b"), "upper"),
)  # fmt: skip


class _Meaning(NamedTuple):
    """What of a wording decides what it requires."""

    numbers: Counter[str]
    negations: int
    quantifiers: frozenset[str]
    words: frozenset[str]


def changed_meaning(one: str, two: str) -> Difference | None:
    """Return what two similar wordings differ in so that they require different things.

    Compared are the numbers (digits or words up to twelve), how many negations there are, words
    that turn into their opposite by a prefix, and quantifiers (all and some, at least and at most).
    The number of a list in front does not count. English, and the commonest negations of other
    languages; what it does not know it does not find. Only the first 2,000 characters count.
    """
    if one == two:
        return None
    first, second = _meaning(one[:MAX_LENGTH]), _meaning(two[:MAX_LENGTH])
    if first.numbers != second.numbers:
        return "number"
    if first.negations != second.negations or _opposite(first.words, second.words):
        return "negation"
    apart = first.quantifiers - second.quantifiers, second.quantifiers - first.quantifiers
    return "quantifier" if all(apart) else None


@lru_cache(maxsize=4096)
def _meaning(text: str) -> _Meaning:
    plain = _LISTED.sub("", text.casefold().replace("\u2019", "'"))
    words = _TOKEN.findall(plain)
    numbers = [number.replace(",", "") for number in _NUMBER.findall(plain)]
    numbers += [_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS]
    negations = sum(word in _NEGATIONS or word.endswith("n't") for word in words)
    # "no more than" is a bound, and "not only" asks for more.
    negations -= len(re.findall(r"\bno (?:more|less|fewer) than\b|\bnot only\b", plain))
    quantifiers = {_QUANTIFIERS[word] for word in words if word in _QUANTIFIERS}
    quantifiers |= {bound for pattern, bound in _BOUNDS if pattern.search(plain)}
    return _Meaning(
        Counter(numbers),
        negations + len(_NEGATIVE_SIGNS.findall(plain)),
        frozenset(quantifiers),
        frozenset(words),
    )


def _opposite(one: frozenset[str], two: frozenset[str]) -> bool:
    """Return whether a word of one text stands in the other with a prefix that negates it."""
    only_one, only_two = one - two, two - one
    return any(
        prefix + word in others
        for words, others in ((only_one, only_two), (only_two, only_one))
        for word in words
        if len(word) > 2
        for prefix in _OPPOSITE
    )
