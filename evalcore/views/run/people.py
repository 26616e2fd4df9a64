"""Human scores of a criterion and of a run, shown next to the recorded ones."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from evalcore.families.base import UNATTACHED, is_review
from evalcore.families.reviews.marks import NOTHING
from evalcore.families.reviews.review import ADJUDICATED
from evalcore.judging.storing.names import person
from evalcore.shapes.judge import REPEATED
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


def people_blocks(also: Iterable[Item]) -> list[Person]:
    """Describe each person's score of a criterion, an adjudication first.

    Each has the name, time, confidence and reasons; `old` are the scores that the same person has
    corrected since.
    """
    of_judge: dict[str, list[Item]] = {}
    for item in sorted(also, key=_order):
        if _is_person(item):
            of_judge.setdefault(item.judge or "a person", []).append(item)
    return [described(person(judge), said_) for judge, said_ in of_judge.items()]


def machines(also: Iterable[Item]) -> list[Item]:
    """Return the items of further judges of the suite's own documents that are not people."""
    return [item for item in also if not _is_person(item) and not is_review(item.source)]


def _is_person(item: Item) -> bool:
    return item.judge_type == "human" or item.judge == ADJUDICATED


def _order(item: Item) -> tuple[bool, str, bool, float]:
    when = item.judged_at.timestamp() if item.judged_at is not None else 0.0
    return item.judge != ADJUDICATED, item.judge or "", item.status == "superseded", -when


def described(judge: str, said_: Sequence[Item], replaced: str = "corrected") -> Person:
    """Describe the scores of one judge, the one that stands first; `replaced` is said of others."""
    standing = [item for item in said_ if item.status != "superseded"]
    now = standing[0] if standing else said_[0]
    about = [wording.moment(now.judged_at)] if now.judged_at is not None else []
    if now.confidence_level or now.confidence is not None:
        about.append(f"confidence {wording.confidence(now.confidence_level, now.confidence)}")
    if now.seen is not None:
        about.append(SEEN_BEFORE[now.seen])
    return Person(
        who=judge,
        mark=now.mark,
        score=score_words(now),
        about=about,
        stale=NOT_COUNTED.get(now.status or "", ""),
        texts=list(_reasons(now)),
        old=[_old(item, newer, replaced) for newer, item in pairwise(said_)],
        olds=f"{wording.count(len(said_) - 1, 'earlier score')}",
    )


def score_words(item: Item) -> str:
    """Return a score on its scale; pass or fail as a word."""
    if item.mark == "unscored":
        return _UNSCORED
    if item.max_score in (None, 1.0) and item.min_score in (None, 0.0):
        return MARK_WORDS[item.mark]
    return wording.score(item.score, item.max_score)


def _reasons(item: Item) -> Iterable[Labelled]:
    if item.rationale:
        yield Labelled("", item.rationale)
    if item.evidence:
        yield Labelled("evidence", item.evidence)


def _old(item: Item, newer: Item, replaced: str) -> Labelled:
    was = f"{replaced} on {wording.moment(newer.judged_at)}; was {_number(item)}"
    return Labelled(was, item.rationale or item.evidence or "no reason given")


def _number(item: Item) -> str:
    if item.score is None:
        return wording.NOT_SCORED
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
    if not words:
        return ""
    recorded = wording.number(run.score) if run.score is not None else wording.NOT_SCORED
    return f"{'; '.join(words)} (recorded {recorded})"


def _persons(n: int) -> str:
    return "1 person" if n == 1 else f"{n:,} people"


def _scores(rows: Sequence[RunScoreRow]) -> str:
    numbers = [
        wording.number(row.score) if row.score is not None else wording.NOT_SCORED for row in rows
    ]
    listed = wording.listed(numbers)
    most = next((row.max_score for row in rows if row.max_score is not None), None)
    return listed if most is None else f"{listed} of {wording.number(most)}"


def exclusion_line(rows: Sequence[ExclusionRow]) -> str:
    """Return that a run is excluded from the rates, by whom, when and why; empty if it is not."""
    return " · ".join(
        f"excluded from the rates by {person(row.author or 'somebody')} on "
        f"{wording.moment(row.created_at)}: {row.reason or 'no reason given'}"
        for row in rows
    )
