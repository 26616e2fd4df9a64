"""Queue state and review priority of one run for one judge."""

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from evalcore.families.reviews.review import Chain, Review
from evalcore.judging.asking.tasks import TWICE
from evalcore.judging.limits import shortened
from evalcore.judging.model import State
from evalcore.judging.queueing.reasons import APART, REASONS, Why
from evalcore.judging.storing.names import person
from evalcore.judging.storing.run_reviews import (
    RunReviews,
    answered,
    judges_wanted,
    scale_of,
    score_of,
    text_of,
    whole_answers,
)

MAX_REASON: Final = 200


class QueueState(NamedTuple):
    """The state of a run for a judge, and the reasons from review records."""

    state: State
    reasons: tuple[tuple[Why, str], ...]


def queue_state(
    run: RunReviews,
    judge: str,
    asked: Collection[str],
    stale: Collection[str],
    aside: Collection[str],
    draft: bool,
) -> QueueState:
    """Return the queue state of a run.

    `asked` are the keys of the criteria to judge, `stale` the ids of stale records, and
    `aside` those of all that do not count.
    """
    mine = run.scored(judge)
    old = _out_of_date(mine, stale)
    requests, apart = open_requests(run, asked, stale), disagreement(run, aside)
    reasons = (*_requested(requests, run, asked, stale), *_stale(old), *_apart(apart))
    whole = bool(asked) and mine.keys() >= set(asked) and old is None
    return QueueState(_state(run, judge, whole, draft, bool(requests or apart)), reasons)


def _state(run: RunReviews, judge: str, whole: bool, draft: bool, others: bool) -> State:
    if draft:
        return "draft"
    if whole:
        return "needs another judge" if others else "submitted"
    return "skipped" if judge in run.skips else "pending"


def open_requests(
    run: RunReviews, asked: Collection[str], stale: Collection[str] = ()
) -> list[Review]:
    """Return the unanswered requests, the oldest first.

    One that says how many judges it wants is open until so many have scored everything `asked`.
    """
    return [request.head for request in run.requests if _is_open(request.head, run, asked, stale)]


def _is_open(
    request: Review, run: RunReviews, asked: Collection[str], stale: Collection[str]
) -> bool:
    if "judges" in request.fields:
        return whole_answers(request, run, asked, stale) < judges_wanted(request)
    return all(answered(request, run, judge) is None for judge in run.judges)


def disagreement(run: RunReviews, aside: Collection[str]) -> tuple[int, float] | None:
    """Return how many people disagree, and by which share of the scale.

    It is about the criterion with the largest spread. Adjudicated judgments are settled until one
    of them changes; records in `aside` are left out.
    """
    if len(run.judges) < 2:
        return None
    found: dict[str, dict[str, float]] = {}
    for judge in run.judges:
        for key, chain in run.scored(judge).items():
            part = _part(chain.head)
            if part is not None and chain.head.id not in aside:
                found.setdefault(key, {})[chain.head.id] = part
    spread = [
        (max(parts.values()) - min(parts.values()), len(parts))
        for key, parts in found.items()
        if len(parts) > 1 and not parts.keys() <= run.settled(key)
    ]
    most = max(spread, default=(0.0, 0))
    return (most[1], most[0]) if most[0] > APART + 1e-9 else None


def _part(review: Review) -> float | None:
    score, scale = score_of(review), scale_of(review)
    if score is None or scale is None:
        return None
    return (score - scale[0]) / (scale[1] - scale[0])


def _out_of_date(mine: dict[str, Chain], stale: Collection[str]) -> str | None:
    if any(chain.head.id in stale for chain in mine.values()):
        return "its output, prompt or criterion changed"
    return TWICE if any(chain.rivals for chain in mine.values()) else None


def _requested(
    requests: list[Review], run: RunReviews, asked: Collection[str], stale: Collection[str]
) -> Iterator[tuple[Why, str]]:
    if requests:
        last = requests[-1]
        text = " ".join(text_of(last, "reason").split())
        by = REASONS["requested"].words.format(person(last.created_by)[:MAX_REASON] or "somebody")
        if (wanted := judges_wanted(last)) > 1:
            by += f" · {whole_answers(last, run, asked, stale)} of {wanted} judges"
        yield "requested", f"{by}: {shortened(text, MAX_REASON)}" if text else by


def _stale(old: str | None) -> Iterator[tuple[Why, str]]:
    if old is not None:
        yield "stale", REASONS["stale"].words.format(old)


def _apart(apart: tuple[int, float] | None) -> Iterator[tuple[Why, str]]:
    if apart is not None:
        spread = f"{apart[1] * 100:.0f} %"
        yield "disagreement", REASONS["disagreement"].words.format(apart[0], spread)
