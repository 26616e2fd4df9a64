"""Which outputs of two versions a model compares, and how it is shown them."""

from collections.abc import Iterator, Sequence
from random import SystemRandom
from typing import Final, NamedTuple, Protocol

from evalcore.blind.criteria import SETS
from evalcore.blind.drawing import a_is_left, order
from evalcore.blind.masking import mask_of
from evalcore.blind.neutral import neutral_texts
from evalcore.blind.proposing import propose, side_named
from evalcore.comparing.comparability import ran
from evalcore.counting.run_criteria import run_row
from evalcore.engine.model_comparison.deciding import Pair
from evalcore.engine.plan import Plan, Steps
from evalcore.errors import CannotJudge, UnknownName
from evalcore.families.registry import family
from evalcore.families.reviews.models import BlindCriterion, BlindPair
from evalcore.judging.asking.asked import case_row
from evalcore.workspace.opened import Workspace

JUDGE: Final = "model"
SECRET: Final = 32
NOT_RUN: Final = "No run of it is here."


class Draws(Protocol):
    """Where chance comes from: the module `secrets`, or a test."""

    def token_bytes(self, nbytes: int, /) -> bytes:
        """Return so many bytes that nobody can predict."""


class Nothing(NamedTuple):
    """A case that cannot be compared, and why."""

    case: str
    why: str


def criteria_of(plan: Plan) -> tuple[BlindCriterion, ...]:
    """Return the criteria that the family of a plan has scores for in its comparisons."""
    comparing = family(plan.family).comparing()
    assert comparing is not None, plan.family
    return SETS[comparing.criteria]


def pairs_to_ask(
    ws: Workspace, plan: Plan, cases: Sequence[str], draws: Draws
) -> Iterator[Pair | Nothing]:
    """Yield the pairs of cases in an order, and with sides, that chance decides.

    Of several runs of a case one with an output is drawn on each side, as in blind studies. Each
    side stands first about equally often.
    """
    steps = plan.steps
    assert steps is not None, plan.id
    try:
        sides = [side_named(ws, plan.suite, each) for each in (steps.version_a, steps.version_b)]
        known = {case for each in sides for case in ran(ws, plan.suite, each.column)}
        wanted = [case for case in cases if case in known]
        yield from (Nothing(case, NOT_RUN) for case in cases if case not in known)
        if not wanted:
            return
        found = propose(*sides, chance=SystemRandom(), cases=wanted)
    except (CannotJudge, UnknownName) as error:
        yield from (Nothing(case, str(error)) for case in cases)
        return
    yield from (Nothing(case, why) for case, why in found.left_out)
    secret = draws.token_bytes(SECRET)
    first = a_is_left(secret, JUDGE, found.pairs)
    for pair in order(secret, JUDGE, found.pairs):
        yield _pair(ws, plan.suite, pair, is_a_first=first[pair.pair])


def _pair(ws: Workspace, suite: str, drawn: BlindPair, *, is_a_first: bool) -> Pair:
    """Return a pair as a blind judge is shown it, with neutral names."""
    mask, rows = mask_of(ws, suite), [run_row(ws, run) for run in (drawn.run_a, drawn.run_b)]
    case = case_row(ws, rows[0])
    prompt = "" if case is None else case.prompt or ""
    a, b = neutral_texts(ws, mask, (drawn.run_a, drawn.run_b))
    models = tuple(row.model for row in rows if row.model is not None)
    return Pair(
        drawn.case_id, drawn.run_a, drawn.run_b, mask(prompt).text, a, b, is_a_first, models
    )


def steps_of(plan: Plan) -> Steps:
    """Return the steps of a plan that has some."""
    assert plan.steps is not None, plan.id
    return plan.steps
