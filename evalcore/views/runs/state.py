"""State of the Runs page: the run that is open, and what a new one is filled in with."""

from dataclasses import dataclass
from typing import Any, Final

from evalcore.engine.plan import JudgeKind
from evalcore.engine.planning_models import MAX_STEPS
from evalcore.engine.store import RunFolder, all_runs
from evalcore.errors import CannotRun
from evalcore.views.blocks.address import Address, choice, flag, number, parameter
from evalcore.views.blocks.base import Link, link
from evalcore.views.verdict.prepare import SEPARATOR
from evalcore.workspace.opened import Workspace

ALL_STEPS: Final = "all"
COMPARE: Final = "compare"
FAILURES: Final = "failures"
FORMS: Final = (ALL_STEPS, COMPARE, FAILURES)
"""Forms of their own: improve a skill, let a model compare versions, or ask it why runs failed."""
LISTED: Final = 50
"""So many runs are listed on a page."""
MAX_RUNS: Final = 1_000
"""So many runs of a case can be asked for at once."""
JUDGES: Final[tuple[JudgeKind, ...]] = ("rules", "model", "human", "none")


def several(name: str) -> Any:
    """Return a field for a parameter that holds several texts."""

    def read(text: str) -> tuple[str, ...]:
        return tuple(filter(None, text.split(SEPARATOR)))

    return parameter(name, read, (), SEPARATOR.join)


@dataclass(frozen=True)
class View(Address):
    """The address parameters of the page: `id` is the open run, `new` opens the form.

    The others fill in the form: versions, configurations, cases, how often, by what, and whether
    stored outputs are judged again. `model` executes in so many `steps`. `form` is another form,
    `failed` the runs that it asks about.
    """

    id: str | None = parameter("id")
    new: bool = flag("new")
    versions: tuple[str, ...] = several("versions")
    configurations: tuple[str, ...] = several("configurations")
    cases: tuple[str, ...] = several("cases")
    n: int | None = number("n", most=MAX_RUNS)
    executor: str | None = parameter("executor")
    judge: str | None = choice("judge", JUDGES)
    again: bool = flag("again")
    model: str | None = parameter("model")
    steps: int | None = number("steps", most=MAX_STEPS)
    commands: bool = flag("commands")
    judge_models: tuple[str, ...] = several("judge_models")
    form: str | None = choice("form", FORMS)
    failed: tuple[str, ...] = several("failed")


def to_run(name: str) -> Link:
    """Return the link that opens a run."""
    return link("runs", **{**View().parameters(), "id": name})


def to_improve(ws: Workspace, suite: str) -> Link | None:
    """Return the link to the form that improves the skill of a suite; None if it cannot be."""
    from evalcore.engine.improving.planning import can_improve  # noqa: PLC0415 - asked by few pages

    return _to_form(form=ALL_STEPS) if can_improve(ws, suite) else None


def to_compare(ws: Workspace, suite: str, a: str, b: str) -> Link | None:
    """Return the link to the form in which a model compares two versions; None if none can."""
    from evalcore.engine.improving.planning import can_compare  # noqa: PLC0415 - asked by few pages

    return _to_form(form=COMPARE, versions=(a, b)) if can_compare(ws, suite) else None


def to_ask(*runs: str) -> Link:
    """Return the link to the form that asks about failed runs; without any about all open ones."""
    return _to_form(form=FAILURES, failed=runs)


def _to_form(form: str, versions: tuple[str, ...] = (), failed: tuple[str, ...] = ()) -> Link:
    view = View(new=True, form=form, versions=versions, failed=failed)
    return link("runs", **view.parameters())


def runs_of(ws: Workspace, suite: str) -> list[RunFolder]:
    """Return the runs of a workspace that were started on this machine, newest first.

    Those of the suite stand before others, among as many as a page lists.
    """
    found = list(all_runs(ws.root))

    def is_of_another(folder: RunFolder) -> bool:
        try:
            return folder.plan.suite != suite
        except CannotRun:
            return True

    return [*sorted(found[:LISTED], key=is_of_another), *found[LISTED:]]


def opened(folders: list[RunFolder], view: View) -> RunFolder | None:
    """Return the open run: the one in the address, else the newest; None without any."""
    if view.id is None:
        return None if view.new else next(iter(folders), None)
    return next((folder for folder in folders if folder.id == view.id), None)
