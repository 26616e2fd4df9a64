"""What came of a run in words: what models found and left open, and what was stored of it."""

from collections.abc import Collection
from functools import reduce
from typing import Final, NamedTuple

from evalcore.engine.found import FailureFound
from evalcore.engine.improving.summing_up import verdict_words
from evalcore.engine.plan import ANALYSIS, NEXT, SNAPSHOT, Plan, failure_step
from evalcore.engine.progress import Progress
from evalcore.families.graded import Judging, Pairs
from evalcore.ids import parse_run_id
from evalcore.views.runs.words import AGAIN_KEEPS
from evalcore.views.words import wording

HIDDEN: Final = "The winner is hidden until you have judged your open runs of this suite."


def is_hidden(plan: Plan, hidden: Collection[str]) -> bool:
    """Return whether a judge has yet to judge runs of the suite: who won would tell of them."""
    keys = map(parse_run_id, hidden)
    return any(key is not None and key.suite == plan.suite for key in keys)


def outcome_words(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return who won, which version was kept and made, and which suggestions were left out."""
    steps, said = found.plan.steps, list[str]()
    if told := explained(found, hidden):
        valid = sum(each.is_valid for each in told)
        left = f"; {len(told) - valid:,} stayed as they were" if valid < len(told) else ""
        said.append(f"{wording.count(valid, 'failure')} explained{left}.")
    if steps is None:
        return said
    if SNAPSHOT in found.steps:
        said.append(f"The skill as it was is kept as {steps.version_b}.")
    if is_hidden(found.plan, hidden):
        return [*said, HIDDEN]
    if found.pairs:
        said.append(verdict_words(steps, found.pairs.values()))
    last = found.steps.get(NEXT) or found.steps.get(ANALYSIS)
    return [*said, *(last.said if last is not None else ())]


def missing_of(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what has no valid answer, and what could not be done, each with its reason."""
    if (asked := found.plan.failures) is not None:
        unchanged = [
            f"{case_words(each.run)} is unchanged: {each.why}"
            for each in explained(found, hidden)
            if not each.is_valid
        ]
        skipped = [
            f"{case_words(run)} was skipped: {found.failed[failure_step(run)]}"
            for run in asked.runs
            if failure_step(run) in found.failed and run not in hidden
        ]
        return [*unchanged, *skipped]
    if is_hidden(found.plan, hidden):
        return []
    pairs = [
        f"{each.case} has no verdict: {each.why}"
        for each in found.pairs.values()
        if each.winner is None
    ]
    if found.analysis is not None and found.analysis.why:
        pairs.append(f"There is no analysis: {found.analysis.why}")
    return [*pairs, *(f"{name.capitalize()}: {why}" for name, why in found.failed.items())]


def explained(found: Progress, hidden: Collection[str] = ()) -> list[FailureFound]:
    """Return what a model said of each failure, in the order of the plan; not of `hidden` runs."""
    steps = found.plan.failures
    runs = () if steps is None else steps.runs
    return [found.explained[run] for run in runs if run in found.explained and run not in hidden]


def case_words(run_id: str) -> str:
    """Return the case, version and number of a run in words."""
    key = parse_run_id(run_id)
    if key is None:
        return run_id
    return f"{key.case_id} · {key.version} · run {key.run[:13]}"


def control_words(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what the controls of a run showed: outputs that were judged once more."""

    def differ(pairs: Pairs) -> str:
        parts = [f"{pairs.raised:,} higher", f"{pairs.lowered:,} lower"]
        if pairs.unscored:
            parts.append(f"{pairs.unscored:,} left unscored")
        return f"of {wording.count(pairs.scores, 'score')} {', '.join(parts)}"

    judgings = _judgings(found, hidden)
    counted = [each.control for each in judgings if each.control is not None]
    if not counted:
        return []
    same = reduce(Pairs.plus, (each.same for each in counted))
    planted = reduce(Pairs.plus, (each.planted for each in counted))
    outputs = wording.count(len(counted), "output")
    again = f"Judged once more unchanged ({outputs}): {differ(same)}."
    lured = f"With an instruction to the judge planted in them: {differ(planted)}."
    if planted.raised * same.scores > same.raised * planted.scores:
        lured += " Instructions in an output may raise its scores."
    return [again, lured]


class Unscored(NamedTuple):
    """A criterion that nothing decided, why, and what the model answered."""

    run_id: str
    case: str
    run: str
    criterion: str
    status: str
    why: str
    answer: str


def unscored_of(found: Progress, hidden: Collection[str] = ()) -> list[Unscored]:
    """Return the criteria that nothing decided, in the order of the plan; none of `hidden` runs."""
    return [
        Unscored(
            run.run_id,
            found.plan.case(run).name or run.case,
            run.run[:13],
            verdict.name,
            verdict.status or "open",
            verdict.rationale,
            "\n\n".join(one.graded.judging.answers if one.graded.judging else ()),
        )
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None and run.run_id not in hidden
        for verdict in one.graded.judged
        if verdict.passed is None
    ]


def remarks(found: Progress, hidden: Collection[str] = ()) -> list[str]:
    """Return what readers of a model's scores should know, each sentence once."""
    said = [each for judging in _judgings(found, hidden) for each in judging.remarks]
    if not is_hidden(found.plan, hidden):
        said += [each for pair in found.pairs.values() for each in pair.remarks]
    said += [each for one in explained(found, hidden) for each in one.remarks]
    return list(dict.fromkeys(said))


def _judgings(found: Progress, hidden: Collection[str]) -> list[Judging]:
    """Return how models judged the test runs of a run; nothing of `hidden` ones."""
    return [
        one.graded.judging
        for run, one in zip(found.plan.runs, found.runs, strict=True)
        if one.graded is not None and one.graded.judging and run.run_id not in hidden
    ]


def second_words(found: Progress) -> list[str]:
    """Return what was stored of outputs that were judged again, and what not; else nothing."""
    if not found.plan.again:
        return []
    written = [(one, one.graded) for one in found.runs if one.graded is not None and one.is_written]
    records = sum(len(one.paths) for one, _ in written)
    verdicts = [each for _, graded in written for each in graded.judged]
    decided = sum(each.passed is not None for each in verdicts)
    closed = [
        graded
        for _, graded in written
        if graded.checks and graded.gate is not True and not graded.judged
    ]
    left = [
        f"{wording.count(n, noun)} {why}".strip()
        for n, noun, why in (
            (len(verdicts) - decided, "criterion", "that nothing decided"),
            (decided - records, "criterion", "that the grading words differently"),
            (len(closed), "test run", "whose gate is closed"),
            (sum(len(graded.checks) for _, graded in written), "structural check", ""),
            (sum(len(graded.conventions) for _, graded in written), "convention", ""),
        )
        if n
    ]
    runs = wording.count(len(written), "test run")
    criteria = wording.count(records, "criterion")
    stored = f"{criteria} of {runs} stored {AGAIN_KEEPS}: {found.plan.reviews}."
    return [stored, *([f"Not stored: {', '.join(left)}."] if left else [])]
