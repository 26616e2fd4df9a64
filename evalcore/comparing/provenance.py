"""Which judges and which models produced the runs of each case of a side."""

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np

from evalcore.comparing.model import Side
from evalcore.counting.coded import Coded, Numbers, coded, distinct
from evalcore.counting.joined import judged_run, judgments_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column, outcomes
from evalcore.counting.review_rows import from_reviews
from evalcore.shapes.judge import RULES
from evalcore.workspace.opened import Workspace

RULE: Final = "heuristic"
PERSON: Final = "human"
UNNAMED: Final = "a judge that is not named"
_WINDOW: Final = re.compile(r"\s*\[\d+[km]\]$", re.IGNORECASE)
_BRACKETS: Final = re.compile(r"\s*[(\[][^)\]]*[)\]]")
_PARTS: Final = re.compile(r"[a-z]+|\d+(?:\.\d+)*")
_DATE: Final = re.compile(r"20\d{6}|20\d\d|latest")
_DASHED_DATE: Final = re.compile(r"\b(20\d\d)-(\d\d)-(\d\d)$")
_WORDS: Final = re.compile(r"[a-z]+")
_NUMBERED: Final = re.compile(r"[a-z]+-?\d+(?:[.-]\d+)*")

Names = Mapping[str, frozenset[str]]


class Provenance(NamedTuple):
    """The recorded names by case; a case without any is missing.

    `rules` are judges that are rules and `people` those that are persons, the others are models;
    `unnamed` are the cases with a run whose judge nobody names. `models` falls back to executors if
    no model is named.
    """

    judges: Names
    rules: frozenset[str]
    people: frozenset[str]
    unnamed: frozenset[str]
    models: Names
    executors: Names


class Differing(NamedTuple):
    """Cases judged or executed by someone else, the names, and the number of cases compared.

    `aliases` are pairs of different names that are taken for one model.
    """

    cases: set[str]
    a: tuple[str, ...]
    b: tuple[str, ...]
    compared: int
    aliases: frozenset[tuple[str, str]] = frozenset()


@memoize_per_workspace
def provenance(ws: Workspace, suite: str, column: Column) -> Provenance:
    """Return who judged and who executed the runs of a column, by case.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    place = found.columns.index(column) if column in found.columns else -1
    mine = found.runs["column"].to_numpy() == place
    runs, case = found.runs.index.to_numpy()[mine], found.runs["case"].to_numpy()[mine]
    ids = found.cases["case_id"].tolist()
    judge, judges = _judge(ws, runs)
    model, executor = coded(ws, "runs", "model"), coded(ws, "runs", "executor")
    ruled, people = (
        judge[coded(ws, "runs", "judge_type").among({kind})[runs]] for kind in (RULE, PERSON)
    )
    return Provenance(
        _names(ids, case, judge, judges),
        frozenset(judges.words[code] for code in np.unique(ruled[ruled >= 0]).tolist()),
        frozenset(judges.words[code] for code in np.unique(people[people >= 0]).tolist()),
        frozenset(str(ids[at]) for at in np.unique(case[judge < 0]).tolist()),
        _names(ids, case, model.codes[runs], model, _WINDOW),
        _names(ids, case, executor.codes[runs], executor),
    )


def _judge(ws: Workspace, runs: Numbers) -> tuple[Numbers, Coded]:
    """Return the judge of each run: its own, else the one of its judgments, as codes and words."""
    own, theirs = coded(ws, "runs", "judge"), coded(ws, "judgments", "judge")
    if (own.codes[runs] >= 0).any() or not len(theirs.strings) or not len(runs):
        return own.codes[runs], own
    rows = judgments_of(ws, runs)
    rows = rows[(theirs.codes[rows] >= 0) & ~from_reviews(ws, "judgments")[rows]]
    judge = np.full(len(own.codes), -1, np.int64)
    judge[judged_run(ws)[rows]] = theirs.codes[rows]
    return judge[runs], theirs


def _names(
    ids: list[str], case: Numbers, code: Numbers, of: Coded, drop: re.Pattern[str] | None = None
) -> Names:
    known = code >= 0
    keys = case[known].astype(np.int64) * of.width + code[known]
    names: dict[str, set[str]] = {}
    for key in distinct(keys, max(len(ids), 1) * of.width).tolist():
        word = of.words[key % of.width]
        word = word if drop is None else drop.sub("", word)
        names.setdefault(str(ids[key // of.width]), set()).add(word)
    return {name: frozenset(found) for name, found in names.items()}


def other_judges(a: Side, b: Side, cases: Iterable[str]) -> Differing:
    """Return the cases scored by different judges.

    A rule that decided a case in place of the judge of the side's other cases is not a different
    judge: it handles what needs no judgment, such as an empty output. The rules that new runs are
    judged by are a judge of their own, also beside runs whose judge nobody names.
    """
    one, two = (provenance(side.ws, side.suite, side.column) for side in (a, b))
    if any(RULES in of.rules for of in (one, two)):
        one, two = (_with_unnamed(of) for of in (one, two))
    every_one, every_two = (frozenset().union(*of.judges.values()) for of in (one, two))

    def same(first: frozenset[str], second: frozenset[str]) -> bool:
        judged = first - one.rules, second - two.rules
        if all(judged):
            return judged[0] == judged[1]
        return first <= every_two or second <= every_one

    compared = [case for case in cases if case in one.judges and case in two.judges]
    other = {case for case in compared if not same(one.judges[case], two.judges[case])}
    return _differing(one.judges, two.judges, other, len(compared), one.people | two.people)


def _with_unnamed(of: Provenance) -> Provenance:
    """Return names in which a judge that nobody names is one, and the rules of new runs too."""
    judges = {
        case: of.judges.get(case, frozenset()) | ({UNNAMED} if case in of.unnamed else frozenset())
        for case in of.judges.keys() | of.unnamed
    }
    return of._replace(judges=judges, rules=of.rules - {RULES})


def _differing(
    one: Names,
    two: Names,
    other: set[str],
    compared: int,
    people: frozenset[str] = frozenset(),
) -> Differing:
    """Return the cases with other names, without those whose names are aliases of one model.

    The names of people are no aliases of each other.
    """
    aliases: set[tuple[str, str]] = set()
    for case in sorted(other):
        unlike = one[case] ^ two[case]
        pairs = alias_pairs(one[case], two[case]) if unlike.isdisjoint(people) else None
        if pairs is not None:
            aliases |= pairs
            other = other - {case}
    return Differing(other, _of(one, other), _of(two, other), compared, frozenset(aliases))


def alias_pairs(one: frozenset[str], two: frozenset[str]) -> set[tuple[str, str]] | None:
    """Return the names of two sides paired as aliases of the same models; None if they are not."""
    left_a, left_b = sorted(one - two), sorted(two - one)
    if len(left_a) != len(left_b):
        return None
    pairs: set[tuple[str, str]] = set()
    for first in left_a:
        second = next((name for name in left_b if is_alias(first, name)), None)
        if second is None:
            return None
        left_b.remove(second)
        pairs.add((first, second))
    return pairs


def is_alias(one: str, two: str) -> bool:
    """Return whether two names are taken for the same model.

    Text in brackets, a provider in front and a date at the end do not count, and a name without
    any number stands for each model of that name: `claude-sonnet` for `claude-sonnet-4-6`.
    """
    first, second = _model_parts(one), _model_parts(two)
    if not first or not second or first == second:
        return first == second and bool(first)
    short, long = sorted((first, second), key=len)
    return (
        long[: len(short)] == short
        and not any(part[0].isdigit() for part in short)
        and all(part[0].isdigit() for part in long[len(short) :])
    )


def _model_parts(name: str) -> tuple[str, ...]:
    plain = _BRACKETS.sub("", name.casefold()).rpartition("/")[2]
    parts = _PARTS.findall(_DASHED_DATE.sub(r"\1\2\3", plain.strip()))
    while len(parts) > 1 and _DATE.fullmatch(parts[-1]):
        parts.pop()
    return tuple(parts)


def other_models(a: Side, b: Side, cases: Iterable[str]) -> Differing:
    """Return the cases run with different models or, if no side names one, different executors.

    The size of a context window (`[1m]`) is ignored. If the names of both sides are those of their
    models, the models are what is being compared, and nothing differs.
    """
    one, two = (provenance(side.ws, side.suite, side.column) for side in (a, b))
    wanted = list(cases)
    first, second = one.models, two.models
    if not first and not second:
        first, second = one.executors, two.executors
    compared = [case for case in wanted if case in first and case in second]
    other = {case for case in compared if first[case] != second[case]}
    found = _differing(first, second, other, len(compared))
    return found._replace(cases=set()) if found.cases and _compared(a, b, found) else found


def _compared(a: Side, b: Side, found: Differing) -> bool:
    """Return whether the names of two sides name their models."""
    one, two = _name_words(found.a), _name_words(found.b)
    return bool(_name_words([a.column.key]) & (one - two)) and bool(
        _name_words([b.column.key]) & (two - one)
    )


def _name_words(names: Iterable[str]) -> set[str]:
    """Return the words of some names, with and without numbers: `opus`, `opus-4-6`."""
    plain = [name.casefold() for name in names]
    return {word for name in plain for of in (_WORDS, _NUMBERED) for word in of.findall(name)}


def _of(names: Names, cases: set[str]) -> tuple[str, ...]:
    return tuple(sorted({name for case in cases for name in names[case]}))
