"""Whether two similar wordings require different things: a number, a negation, a qualifier."""

import re
from collections import Counter
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Difference = Literal["number", "negation", "quantifier", "qualifier"]

MAX_LENGTH: Final = 2_000
_LISTED: Final = re.compile(r"^\W*\d{1,3}[.):]\s+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UNIT: Final = re.compile(
    r"\d[ -]?(second|minute|hour|day|week|month|year|word|line|character|sentence|paragraph|page|"
    r"token|byte|[kmg]b|ms)s?\b"
)
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
_OWN_QUANTIFIERS: Final = (
    "any sometimes often usually rarely most mostly many few both either half majority once twice"
)
_QUANTIFIERS: Final[dict[str, str]] = {
    **dict.fromkeys(("all", "every", "each", "alle", "jede", "jeder", "todos", "tous"), "all"),
    **dict.fromkeys(("always", "immer", "siempre", "toujours"), "always"),
    **dict.fromkeys(("some", "einige", "algunos", "quelques"), "some"),
    **dict.fromkeys(("exactly", "precisely"), "exact"),
    **dict.fromkeys(("several", "multiple", "various"), "several"),
    **{word: word for word in _OWN_QUANTIFIERS.split()},
}
_BOUNDS: Final = (
    (re.compile(r"\bat least\b|\bno (?:less|fewer) than\b|\bminimum\b|\bor more\b"), "lower"),
    (re.compile(r"\bat most\b|\bno more than\b|\bmaximum\b|\bup to\b"), "upper"),
    (re.compile(r"\bor (?:less|fewer)\b"), "upper"),
    (re.compile(r"(?<!no )\b(?:more|greater|longer|higher) than\b"), "above"),
    (re.compile(r"(?<!no )\b(?:less|fewer|shorter|lower) than\b"), "below"),
    (re.compile(r"\b(?:over|above) (?=\d)"), "above"),
    (re.compile(r"\b(?:under|below) (?=\d)"), "below"),
    (re.compile(r"\b(?:about|around|approximately|roughly|nearly|almost) (?=\d)"), "about"),
)
_QUALIFYING: Final = (
    "only solely exclusively just single valid correct correctly strict strictly complete "
    "completely entire entirely whole full fully partial partially partly explicit explicitly "
    "implicit implicitly clear clearly unique same different first last specific specifically "
    "proper properly accurate accurately direct directly immediately verbatim literally may "
    "optional optionally ideally might could mainly primarily briefly brief new original empty "
    "working real relevant main own nur gültig gültiges solo seulement uniquement valide válido"
)
_QUALIFIERS: Final = frozenset(_QUALIFYING.split())
_ADDED: Final = (
    "a an the this that these those its their one there it is are be been was were do does did "
    "has have had must should shall will can and also of to in on at for with by from as which "
    "who then so output response answer skill agent assistant result"
)
"""Words that a grader adds or leaves out without asking for anything else."""
_NEUTRAL: Final = frozenset(_ADDED.split())
_COMPARED: Final = _NEUTRAL | _NEGATIONS | _QUALIFIERS | _QUANTIFIERS.keys() | _NUMBER_WORDS.keys()
_ASIDE: Final = re.compile(r"\([^()]*\)")


class _Meaning(NamedTuple):
    """What of a wording decides what it requires."""

    numbers: Counter[str]
    negations: int
    quantifiers: Counter[str]
    qualifiers: Counter[str]
    words: frozenset[str]
    asked: tuple[str, ...]


def changed_meaning(one: str, two: str) -> Difference | None:
    """Return what two similar wordings differ in so that they require different things.

    Compared are the numbers (digits with their units, or words up to twelve), how many negations
    there are, words that turn into their opposite by a prefix, quantifiers (all and some, at least,
    at most and more than) and qualifiers (only, valid), and whether one wording is the other
    without some of its words. Words in brackets count as examples there. The number of a list in
    front does not count, and after a negation "any" does not: "no tools" and "not any tools" are
    one. English, and the commonest words of other languages; what it does not know it does not
    find. Only the first 2,000 characters count.
    """
    if one == two:
        return None
    first, second = _meaning(one[:MAX_LENGTH]), _meaning(two[:MAX_LENGTH])
    if first.numbers != second.numbers:
        return "number"
    if first.negations != second.negations or _opposite(first.words, second.words):
        return "negation"
    if first.quantifiers != second.quantifiers:
        return "quantifier"
    if first.qualifiers != second.qualifiers or _shortened(first.asked, second.asked):
        return "qualifier"
    return None


@lru_cache(maxsize=4096)
def _meaning(text: str) -> _Meaning:
    plain = _LISTED.sub("", text.casefold().replace("\u2019", "'"))
    words = _words(plain)
    numbers = [number.replace(",", "") for number in _NUMBER.findall(plain)]
    numbers += [_NUMBER_WORDS[word] for word in words if word in _NUMBER_WORDS]
    numbers += _UNIT.findall(plain)
    negations = sum(word in _NEGATIONS or word.endswith("n't") for word in words)
    # "no more than" is a bound, and "not only" asks for more.
    negations -= len(re.findall(r"\bno (?:more|less|fewer) than\b|\bnot only\b", plain))
    negations += len(_NEGATIVE_SIGNS.findall(plain))
    quantifiers = Counter(bound for pattern, bound in _BOUNDS for _ in pattern.findall(plain))
    for pattern, _ in _BOUNDS:
        plain = pattern.sub(" ", plain)
    quantifiers.update(_QUANTIFIERS[word] for word in _words(plain) if word in _QUANTIFIERS)
    if negations:
        del quantifiers["any"]
    qualifiers = Counter(word for word in _words(plain) if word in _QUALIFIERS)
    asked = [word for word in _words(_ASIDE.sub(" ", plain)) if word not in _COMPARED]
    return _Meaning(
        Counter(numbers),
        negations,
        quantifiers,
        qualifiers,
        frozenset(words),
        tuple(word for word in asked if not word.endswith("n't")),
    )


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text)


def _shortened(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Return whether one is the other, in order, without some of its words."""
    short, long = sorted((one, two), key=len)
    rest = iter(long)
    return len(short) < len(long) and bool(short) and all(word in rest for word in short)


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
