"""The steps of two sides: what their runs used, as measures, and where two runs part ways."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Final, Literal, NamedTuple

import numpy as np

from evalcore.checks.steps import check_steps
from evalcore.comparing.measures import means_of_cases, measure, measured_runs
from evalcore.comparing.model import CasePair, Measure, Side
from evalcore.counting.cells import typed, where
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import Column
from evalcore.counting.run_steps import steps_of
from evalcore.steps.model import Step, Steps, subject
from evalcore.tables.rows import RunRow, SuiteRow
from evalcore.texts.matching import blocks
from evalcore.workspace.opened import Workspace

MAX_RUNS: Final = 500
"""Of so many runs of a side the transcripts are read."""
MAX_TOOLS: Final = 12
SKILL: Final = "used the skill"
TOKENS: Final = "tokens"
BUDGET: Final = 100_000
"""The work of aligning two runs; see `texts.matching`."""
_MAX_KEY: Final = 4_000


class RunSteps(NamedTuple):
    """What one run did; None is not told. `tools` are the uses of each."""

    turns: int | None
    tools: Mapping[str, int] | None
    errors: int | None
    tokens: float | None
    skill: bool | None


class StepMeasures(NamedTuple):
    """The measures of two sides by their steps, and of how many runs of each steps are known."""

    measures: tuple[Measure, ...]
    tools: tuple[Measure, ...]
    told: tuple[int, int]
    runs: tuple[int, int]


class StepPair(NamedTuple):
    """A step of A beside the one of B that is like it: the same, or the same tool only."""

    kind: Literal["same", "tool", "only"]
    a: Step | None
    b: Step | None

    @property
    def parts(self) -> bool:
        """Whether the two runs do otherwise here, or come out otherwise."""
        ends = [step.status for step in (self.a, self.b) if step is not None]
        return self.kind != "same" or ends[0] != ends[-1]


def step_measures(a: Side, b: Side, pairs: Iterable[CasePair]) -> StepMeasures:
    """Return what the runs of the compared cases did on both sides, by their transcripts.

    All transcripts of both sides are read, of 500 runs of each at most.
    """
    cases = [pair.case_id for pair in pairs]
    sides = [(side, measured_runs(side.ws, side.suite, side.column)[:MAX_RUNS]) for side in (a, b)]
    found = [steps_of_runs(side.ws, side.suite, side.column) for side in (a, b)]

    def compared(name: str, amount: Callable[[RunSteps], float | None]) -> Measure:
        means = []
        for (side, runs), of in zip(sides, found, strict=True):
            known = [np.nan if (one := amount(each)) is None else float(one) for each in of]
            means.append(means_of_cases(side.ws, side.suite, runs, np.array(known, float)))
        return measure(name, means[0], means[1], cases)

    def uses(tool: str) -> Measure:
        return compared(tool, lambda run: None if run.tools is None else run.tools.get(tool, 0))

    used = Counter[str]()
    for each in (*found[0], *found[1]):
        used.update(each.tools or {})
    told = [sum(each.turns is not None for each in of) for of in found]
    return StepMeasures(
        (
            compared("turns", lambda run: run.turns),
            compared(
                "tool calls", lambda run: None if run.tools is None else sum(run.tools.values())
            ),
            compared("errors", lambda run: run.errors),
            compared(TOKENS, lambda run: run.tokens),
            compared(SKILL, lambda run: run.skill),
        ),
        tuple(uses(tool) for tool, _ in used.most_common(MAX_TOOLS)),
        (told[0], told[1]),
        (len(found[0]), len(found[1])),
    )


@memoize_per_workspace
def steps_of_runs(ws: Workspace, suite: str, column: Column) -> tuple[RunSteps, ...]:
    """Return what each measured run of a column did, in their order; the first 500."""
    rows = measured_runs(ws, suite, column).index.to_numpy()[:MAX_RUNS]
    of_runs = []
    for run in typed(ws, "runs", RunRow, rows):
        found = steps_of(ws, run)
        used = activation(ws, run, found)
        turns, tokens = found.totals.turns, found.totals.tokens
        tools = Counter(str(step.tool) for step in found.calls)
        if not found.understood:
            of_runs.append(RunSteps(None, None, None, None, used))
        elif not found.has_tools:
            of_runs.append(RunSteps(turns, None, None, tokens, used))
        else:
            of_runs.append(RunSteps(turns, tools, len(found.errors), tokens, used))
    return tuple(of_runs)


def activation(ws: Workspace, run: RunRow, steps: Steps) -> bool | None:
    """Return whether a run used the skill: as it is stated, else by its steps; None if unknown.

    Transcripts name a skill after its folder. Where none is known, any skill that was used is it.
    """
    if run.activated is not None:
        return run.activated
    found = typed(ws, "suites", SuiteRow, where(ws, "suites", suite=run.suite)[:1])
    skill = PurePosixPath(found[0].skill_path or "").name or None if found else None
    used = _used_skill(steps, skill)
    return used if skill is not None else used or None


# The Steps tab asks with every click, of the same steps.
@lru_cache(maxsize=4)
def _used_skill(steps: Steps, skill: str | None) -> bool | None:
    return check_steps("used_skill", {"skill": skill}, steps).passed


@lru_cache(maxsize=4)
def aligned(a: Steps, b: Steps) -> tuple[StepPair, ...]:
    """Return the calls of two runs in their order, alike ones beside each other.

    Calls of the same tool with the same first argument are the same; between them those of one tool
    are alike. Where neither run used a tool, what the models said is compared.
    """
    first, second = (found.calls for found in (a, b))
    if not first and not second:
        first, second = (
            [step for step in found.steps if step.kind == "assistant"] for found in (a, b)
        )
    return tuple(_paired(first, second))


def _paired(first: list[Step], second: list[Step]) -> Iterator[StepPair]:
    at = other = 0
    same = blocks([_key(step) for step in first], [_key(step) for step in second], BUDGET)
    for block in [*same, None]:
        ends = (len(first), len(second)) if block is None else (block.a, block.b)
        gap_a, gap_b = first[at : ends[0]], second[other : ends[1]]
        left = right = 0
        tools = [[step.tool or step.kind for step in gap] for gap in (gap_a, gap_b)]
        for near in blocks(tools[0], tools[1], BUDGET // 10):
            yield from (StepPair("only", step, None) for step in gap_a[left : near.a])
            yield from (StepPair("only", None, step) for step in gap_b[right : near.b])
            left, right = near.a + near.size, near.b + near.size
            both = zip(gap_a[near.a : left], gap_b[near.b : right], strict=True)
            yield from (StepPair("tool", *pair) for pair in both)
        yield from (StepPair("only", step, None) for step in gap_a[left:])
        yield from (StepPair("only", None, step) for step in gap_b[right:])
        if block is not None:
            at, other = block.a + block.size, block.b + block.size
            both = zip(first[block.a : at], second[block.b : other], strict=True)
            yield from (StepPair("same", *pair) for pair in both)


def _key(step: Step) -> tuple[str, str]:
    return step.tool or step.kind, subject(step) if step.tool else (step.text or "")[:_MAX_KEY]
