"""Other judges' scores of a criterion and of a run, beside the recorded ones.

These are people, and the rules and models that judged a run again.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from evalcore.families.base import UNATTACHED, is_review
from evalcore.families.reviews.review import ADJUDICATED, NO_REASON, NOTHING, PERSON
from evalcore.judging.storing.names import person
from evalcore.shapes.judge import REPEATED
from evalcore.statistics.intervals import SAME
from evalcore.tables.rows import ExclusionRow, RunRow, RunScoreRow
from evalcore.views.blocks.base import Labelled
from evalcore.views.blocks.evidence import Person
from evalcore.views.run.items import Item
from evalcore.views.words import wording
from evalcore.views.words.marks import MARK_WORDS

NOT_COUNTED: Final = {
    "stale": "stale: the output, the prompt or the criterion changed since, so it does not count",
    UNATTACHED: "unattached: nobody is asked this criterion of the run, so it does not count",
}
SEEN_BEFORE: Final = {
    NOTHING: "independent: saw no scores before",
    "recorded": "could see the recorded scores before",
    "others": "could see other people's scores before",
    "recorded+others": "could see the recorded and other people's scores before",
}
_UNSCORED: Final = "took the score back, or it cannot count"
_COUNTS: Final = "scored"


def people_blocks(also: Iterable[Item]) -> list[Person]:
    """Describe each person's score of a criterion, an adjudication first.

    Each has the name, time, confidence and reasons; `old` are the scores that the same person has
    corrected since.
    """
    of_judge: dict[str, list[Item]] = {}
    for item in sorted(filter(_is_person, also), key=lambda each: (each.judge or "", *_age(each))):
        of_judge.setdefault(item.judge or "a person", []).append(item)
    adjudicated_first = sorted(of_judge.items(), key=lambda entry: entry[0] != ADJUDICATED)
    return [_described(person(judge), said) for judge, said in adjudicated_first]


def again_blocks(item: Item) -> list[Person]:
    """Describe each second judgment of a criterion, with the recorded score where it differs."""
    blocks = []
    for who, said in _judged_again(item).items():
        block = _described(who, said, "judged once more")
        if differs(said[0], item):
            block = replace(block, score=f"{block.score}, recorded: {_score_words(item)}")
        blocks.append(block)
    return blocks


def again_line(items: Iterable[Item]) -> str:
    """Return who judged a run again, and in how many criteria that differs from the record."""
    found: dict[str, list[bool]] = {}
    for item in items:
        for who, said in _judged_again(item).items():
            if said[0].status == _COUNTS:
                found.setdefault(who, []).append(differs(said[0], item))
    lines = []
    for who, differing in found.items():
        many, n = wording.count(len(differing), "criterion"), sum(differing)
        apart = f"{n:,} not as recorded" if n else "all as recorded"
        lines.append(f"judged again by {who}: {many}, {apart}")
    return "; ".join(lines)


def differs(again: Item, recorded: Item) -> bool:
    """Return whether a second judgment says something else than the recorded one, if there is."""
    if {again.mark, recorded.mark} == {"pass", "fail"}:
        return True
    known = again.score is not None and recorded.score is not None
    return known and abs((again.score or 0.0) - (recorded.score or 0.0)) > SAME


def machines(also: Iterable[Item]) -> list[Item]:
    """Return the items of further judges of the suite's own documents that are not people."""
    return [item for item in also if not _is_person(item) and not is_review(item.source)]


def _judged_again(item: Item) -> dict[str, list[Item]]:
    """Return the second judgments of a criterion by judge: what counts first, then the newest."""
    found: dict[str, list[Item]] = {}
    for each in sorted(item.also, key=_age):
        if is_review(each.source) and each.judge_type != PERSON:
            found.setdefault(wording.judge(each.judge, each.judge_type), []).append(each)
    return dict(sorted(found.items()))


def _is_person(item: Item) -> bool:
    return item.judge_type == "human" or item.judge == ADJUDICATED


def _age(item: Item) -> tuple[bool, float]:
    """Return the sort key of a judge's scores: what was replaced last, else the newest first."""
    when = item.judged_at.timestamp() if item.judged_at is not None else 0.0
    return item.status == "superseded", -when


def _described(judge: str, said: Sequence[Item], replaced: str = "corrected") -> Person:
    """Describe the scores of one judge, the one that stands first; `replaced` is said of others."""
    now = next((item for item in said if item.status != "superseded"), said[0])
    about = [wording.moment(now.judged_at)] if now.judged_at is not None else []
    if now.confidence_level or now.confidence is not None:
        about.append(f"confidence {wording.confidence(now.confidence_level, now.confidence)}")
    if now.seen is not None:
        about.append(SEEN_BEFORE[now.seen])
    why = now.rationale or ("" if now.evidence else NO_REASON)
    texts = [Labelled("", why)] if why else []
    old = []
    for newer, item in pairwise(said):
        was = wording.score(item.score, item.max_score)
        label = f"{replaced} on {wording.moment(newer.judged_at)}; was {was}"
        old.append(Labelled(label, item.rationale or item.evidence or NO_REASON))
    return Person(
        who=judge,
        mark=now.mark,
        score=_score_words(now),
        about=about,
        stale=NOT_COUNTED.get(now.status or "", ""),
        texts=[*texts, *([Labelled("evidence", now.evidence)] if now.evidence else [])],
        old=old,
        olds=wording.count(len(said) - 1, "earlier score"),
    )


def _score_words(item: Item) -> str:
    """Return a score on its scale; pass or fail as a word."""
    if item.mark == "unscored":
        return _UNSCORED
    if item.max_score in (None, 1.0) and item.min_score in (None, 0.0):
        return MARK_WORDS[item.mark]
    return wording.score(item.score, item.max_score)


def people_line(run: RunRow, rows: Iterable[RunScoreRow]) -> str:
    """Return the human scores of a run: `2 people judged: 3.7 and 4 of 5 (recorded 4.2)`."""
    human = [
        row
        for row in rows
        if (row.judge_type == "human" or row.judge == ADJUDICATED) and row.origin != REPEATED
    ]
    whole = [row for row in human if (row.judged or 0) >= (row.expected or 0)]
    people = [row for row in whole if row.judge != ADJUDICATED]
    above = [row for row in whole if row.judge == ADJUDICATED]
    part = sum(row.judge != ADJUDICATED for row in human) - len(people)
    words = []
    if people:
        words.append(f"{_persons(len(people))} judged: {_scores(people)}")
    words += [f"{ADJUDICATED}: {_scores(above)}"] if above else []
    if part:
        words.append(f"{_persons(part)} judged {'it in part' if not words else 'a part'}")
    return f"{'; '.join(words)} (recorded {_number(run.score)})" if words else ""


def _persons(n: int) -> str:
    return "1 person" if n == 1 else f"{n:,} people"


def _scores(rows: Sequence[RunScoreRow]) -> str:
    listed = wording.listed([_number(row.score) for row in rows])
    most = next((row.max_score for row in rows if row.max_score is not None), None)
    return listed if most is None else f"{listed} of {wording.number(most)}"


def _number(score: float | None) -> str:
    return wording.number(score) if score is not None else wording.NOT_SCORED


def exclusion_line(rows: Iterable[ExclusionRow]) -> str:
    """Return that a run is excluded from the rates, by whom, when and why; empty if it is not."""
    return " · ".join(
        f"excluded from the rates by {person(row.author or 'somebody')} on "
        f"{wording.moment(row.created_at)}: {row.reason or NO_REASON}"
        for row in rows
    )
