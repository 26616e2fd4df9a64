"""The limits of a comparison: cases left out, differences, unknowns."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.comparing.model import (
    Break,
    Comparison,
    LeftOut,
    OtherCriterion,
    People,
    Reason,
    What,
)
from evalcore.views.verdict.sides import side_names
from evalcore.views.words.wording import UNGRADED, UNREAD, count, headline

_REASONS: Final[dict[Reason, str]] = {
    "only in A": "run only in {a}",
    "only in B": "run only in {b}",
    "not scored in A": "not scored in {a}",
    "not scored in B": "not scored in {b}",
    "not finished in A": "not finished in {a}",
    "not finished in B": "not finished in {b}",
    "not graded in A": f"{UNGRADED} in {{a}}",
    "not graded in B": f"{UNGRADED} in {{b}}",
    "not read in A": f"{UNREAD} in {{a}}",
    "not read in B": f"{UNREAD} in {{b}}",
    "side unknown": "with a grading in the folder of the case, so it is not known which side "
    "it grades",
    "gate failed in A": "stopped by the gate in {a}",
    "gate failed in B": "stopped by the gate in {b}",
    "hidden in A": "hidden until you have judged them in {a}",
    "hidden in B": "hidden until you have judged them in {b}",
    "set aside": "draft or deprecated",
    "other prompt": "with another prompt",
    "other criteria": "with other criteria",
    "excluded in A": "excluded by a person in {a}",
    "excluded in B": "excluded by a person in {b}",
    "people only in A": "judged by people only in {a}",
    "people only in B": "judged by people only in {b}",
}
MAY_COME: Final = "the change may come from"
_BREAKS: Final[dict[What, str]] = {
    "cases": "not all cases were run on both sides",
    "prompts": "the prompts differ",
    "criteria": "the criteria differ",
    "judge": "another judge scored them",
    "executor": "another model did the work",
    "sides": "version and configuration both differ",
    "names": "the names differ, and are taken for the same model",
    "headline": "their headlines measure different things",
    "status": "not all runs finished",
}
_SOURCES: Final[dict[What, str]] = {"judge": "it", "executor": "it", "sides": "either"}
"""What a change may come from where it is compared all the same."""
NAMED_CRITERIA: Final = 3
LONGEST: Final = 120
"""How many characters of a criterion are quoted."""
_UNKNOWN: Final[dict[What, str]] = {
    "cases": "what the cases asked",
    "prompts": "the prompts",
    "criteria": "the criteria",
    "judge": "who judged",
    "executor": "which model did the work",
    "sides": "the versions",
    "names": "the names",
    "headline": "the headline",
    "status": "how the runs ended",
}


def left_out_words(reason: Reason, a: str = "A", b: str = "B") -> str:
    """Return why a case is left out, as the end of "3 cases …": `run only in v3`."""
    return _REASONS[reason].format(a=a, b=b)


def left_out_counts(c: Comparison) -> str:
    """Count the cases left out by reason, most first: `3 run only in v3, 1 not scored in v4`."""
    names = side_names(c)
    counted = Counter(left.reason for left in c.left_out).most_common()
    return ", ".join(f"{n:,} {left_out_words(reason, names.a, names.b)}" for reason, n in counted)


def break_sentence(found: Break, a: str = "A", b: str = "B") -> str:
    """Return a difference between the sides, the affected cases, and the next step."""
    sides = f" ({found.a} in {a}, {found.b} in {b})" if found.a and found.b else ""
    differs = _BREAKS[found.what]
    if found.what == "cases" and found.stops:
        differs = "no case was run on both sides"
    if found.what == "sides":
        sides = f" ({found.a}, {found.b})"
    text = f"{differs}{_where(found)}{sides}{_criteria(found, a, b)}"
    if found.remark and found.what in _SOURCES:
        text = f"{text}: {MAY_COME} {_SOURCES[found.what]}"
    return capital(ended(text) + next_step(found))


def _criteria(found: Break, a: str, b: str) -> str:
    """Return the criteria that differ: the wording on both sides, or on the only one."""
    if not found.criteria:
        return ""
    wordings = dict.fromkeys(_wordings(one, a, b) for one in found.criteria)
    first = list(wordings)[:NAMED_CRITERIA]
    more = f" and {len(wordings) - len(first):,} more" if len(wordings) > len(first) else ""
    return f": {'; '.join(first)}{more}"


def _wordings(one: OtherCriterion, a: str, b: str) -> str:
    if one.a is not None and one.b is not None:
        return f"{_quoted(one.a)} in {a}, {_quoted(one.b)} in {b}"
    return f"{_quoted(one.a or one.b or '')} only in {b if one.a is None else a}"


def _quoted(text: str) -> str:
    plain = " ".join(text.split())
    return f"“{plain if len(plain) <= LONGEST else plain[: LONGEST - 1] + '…'}”"


def break_sentences(c: Comparison) -> list[str]:
    """Return each difference between the sides as a sentence (see `break_sentence`)."""
    names = side_names(c)
    return [break_sentence(found, names.a, names.b) for found in c.comparability.breaks]


def remark_sentences(c: Comparison) -> Iterator[str]:
    """Yield what else may explain a difference, or tells another one."""
    names = side_names(c)
    if c.people_a and c.people_b and c.people_a.names != c.people_b.names:
        one, two = (_by(people) for people in (c.people_b, c.people_a))
        yield f"Judged by {one} in {names.b}, by {two} in {names.a}: {MAY_COME} the judges."
    if c.weighted is not None:
        b, a = (headline(of, c.headline) for of in (c.weighted.b, c.weighted.a))
        yield f"Weighted by the cases' own weights: {b} against {a}."


def _by(people: People) -> str:
    return ", ".join(people.names) or "nobody"


def _where(found: Break) -> str:
    """Return which cases a break affects if its words do not say it."""
    if found.what in {"cases", "headline"}:
        return ""
    if found.cases:
        return f" in {count(len(found.cases), 'case')}"
    return " in every case" if found.what in {"prompts", "criteria"} else ""


def next_step(found: Break) -> str:
    """Return the step that fixes a break as a further sentence; empty if there is none."""
    return f" {capital(ended(found.mend))}" if found.mend else ""


def comparable_part(left_out: Iterable[LeftOut]) -> str:
    """Return what the cases that count have in common: `run in both`."""
    reasons = {left.why for left in left_out}
    reasons.discard("set aside")
    if reasons <= {"only"}:
        return "run in both"
    if reasons <= {"only", "not finished"}:
        return "finished in both"
    if reasons <= (ungraded := {"only", "not finished", "not graded", "not read", "side unknown"}):
        return "graded in both"
    if reasons <= {*ungraded, "not scored", "excluded", "gate failed"}:
        return "scored in both"
    if reasons <= {"people only"}:
        return "judged alike in both"
    return "that are the same in both"


def unknown_words(unknown: Iterable[What]) -> str:
    """Return what no file records, so that a difference cannot be ruled out; empty without any."""
    missing = [_UNKNOWN[what] for what in unknown]
    if not missing:
        return ""
    return f"Not recorded, so perhaps different: {', '.join(missing)}."


def capital(text: str) -> str:
    """Return a text with a capital first letter; code in backticks is unchanged."""
    return text[:1].upper() + text[1:]


def ended(text: str) -> str:
    """Return a text that ends as a sentence."""
    return text if text.endswith((".", "?", "!")) else f"{text}."
