"""The test runs that have a grading, and of which of them the stored output is judged again."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from evalcore.counting.outcomes import UNASSIGNED
from evalcore.engine.plan import Executor, JudgeKind
from evalcore.errors import CannotRun, UnknownName
from evalcore.families.base import PENDING
from evalcore.families.running import Case, KnownRun, Running, Suite, Target, TestRun
from evalcore.tables.cells import cells
from evalcore.workspace.hidden import STATUS as HIDDEN

_BENCHMARK: Final = "benchmark"
_COMPLETED: Final = "completed"
_NO_OUTPUT: Final = "because no output of it is in this folder"
_NO_GRADING: Final = "because it has no grading; without judging again it gets one"
_UNREAD: Final = "because its grading cannot be read; correct it, or remove it"
_LISTED_ONLY: Final = "because it is only listed in a benchmark, without a grading of its own"
_HIDDEN: Final = "because it is hidden until you have judged it"
_ENDED: Final = "because its status is {}"


def refuse_again(executor: Executor, judge: JudgeKind, *, structural_only: bool) -> None:
    """Refuse what makes no second judgment.

    Raises:
        CannotRun: the outputs are not stored ones, or rules are not to decide.
    """
    if executor.kind != "stored":
        raise CannotRun(
            "Only stored outputs are judged again. Choose the executor stored, which executes "
            "nothing."
        )
    if judge == "human":
        raise CannotRun(
            "People judge a graded run again on the Judge page, which needs no new run. Choose the "
            "judge rules."
        )
    if judge == "none" or structural_only:
        raise CannotRun(
            "A second judgment is of criteria, and structural checks alone decide none. Choose the "
            "judge rules or model."
        )


def graded_targets(
    suite: Suite,
    versions: Sequence[str] = (),
    configurations: Sequence[str] = (),
    of: Callable[[KnownRun], bool] = lambda _: True,
) -> list[Target]:
    """Return the versions and configurations that have runs and are asked for, else the newest.

    `of` says which runs are meant.

    Raises:
        UnknownName: there is no run of such a version or configuration.
    """
    runs = [run for each in suite.runs.values() for run in each]
    known = dict.fromkeys((run.version, run.configuration) for run in runs if of(run))
    present = _in_order(suite, {run.version for run in runs})
    newest = [version for version in present if version in {version for version, _ in known}][-1:]
    for what, wanted, names in (
        ("version", versions, present),
        ("configuration", configurations, [run.configuration for run in runs]),
    ):
        for name in wanted:
            if name not in names:
                raise UnknownName(what, name, names)
    chosen = [
        Target(version, configuration, None)
        for version, configuration in known
        if version in (versions or newest)
        and (not configurations or configuration in configurations)
    ]
    return sorted(chosen, key=lambda each: present.index(each.version))


def _in_order(suite: Suite, versions: Iterable[str]) -> list[str]:
    """Return versions with the newest last; runs of no known version stand before all."""
    labels = cells(suite.tables, "versions", "suite", "version")
    order = {label: at for at, (own, label) in enumerate(labels) if own == suite.suite}
    return sorted(versions, key=lambda name: (name != UNASSIGNED, order.get(name, -1), name))


def graded_runs(
    suite: Suite, running: Running, cases: Iterable[Case], targets: Sequence[Target]
) -> tuple[list[TestRun], tuple[str, ...]]:
    """Return the test runs whose outputs can be judged again, and sentences about the others."""
    found: dict[str, TestRun] = {}
    others: Counter[str] = Counter()
    for case in cases:
        for run in (run for target in targets for run in suite.runs_of(case, target)):
            why = why_not_again(running, run)
            stored = None if why is not None else running.stored(suite, run)
            if stored is not None:
                found.setdefault(run.run_id, _again(case, run, stored))
            else:
                others[why or _NO_OUTPUT] += 1
    return list(found.values()), tuple(map(_sentence, others.items()))


def why_not_again(running: Running, run: KnownRun) -> str | None:
    """Return why a run cannot be judged again, whatever output it has; None if it can."""
    if run.status == HIDDEN:
        return _HIDDEN
    if run.status == PENDING:
        return _UNREAD if running.is_unread(run) else _NO_GRADING
    if run.origin == _BENCHMARK:
        return _LISTED_ONLY
    return None if run.status == _COMPLETED else _ENDED.format(run.status.replace("_", " "))


def _again(case: Case, run: KnownRun, stored: str) -> TestRun:
    return TestRun(
        run_id=run.run_id,
        case=case.id,
        version=run.version,
        configuration=run.configuration,
        run=run.run,
        place=stored.partition("#")[0],
        stored=stored,
        again=True,
    )


def _sentence(counted: tuple[str, int]) -> str:
    why, n = counted
    if n == 1:
        return f"1 test run is not judged again, {why}."
    return f"{n:,} test runs are not judged again, each {why}."
