"""State of the Runs page: the run that is open, and what a new one is filled in with."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from evalcore.engine.plan import JudgeKind
from evalcore.engine.planning_models import MAX_STEPS
from evalcore.engine.store import RunFolder, all_runs
from evalcore.views.blocks.base import Link, link
from evalcore.views.verdict.prepare import SEPARATOR, parameter_of
from evalcore.workspace.opened import Workspace

ALL_STEPS: Final = "all"
COMPARE: Final = "compare"
FAILURES: Final = "failures"
FORMS: Final = (ALL_STEPS, COMPARE, FAILURES)
"""Forms of their own: improve a skill, let a model compare versions, or ask it why runs failed."""
JUDGES: Final[tuple[JudgeKind, ...]] = ("rules", "model", "human", "none")


@dataclass(frozen=True)
class View:
    """The address parameters of the page: `id` is the open run, `new` opens the form.

    The others fill in the form: versions, configurations, cases, how often, by what, and whether
    stored outputs are judged again. `model` executes in so many `steps`. `form` is another form,
    `failed` the runs that it asks about.
    """

    id: str | None = None
    new: bool = False
    versions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    n: int | None = None
    executor: str | None = None
    judge: str | None = None
    again: bool = False
    model: str | None = None
    steps: int | None = None
    commands: bool = False
    judge_models: tuple[str, ...] = ()
    form: str | None = None
    failed: tuple[str, ...] = ()

    def parameters(self) -> dict[str, str | None]:
        """Return the address parameters; None for what is not chosen."""
        return {name: parameter_of(value) for name, value in vars(self).items()}


def view_of(parameters: Mapping[str, str]) -> View:
    """Return the view of address parameters; invalid ones are ignored."""
    return View(
        id=parameters.get("id"),
        new=parameters.get("new") == "1",
        versions=_several(parameters.get("versions")),
        configurations=_several(parameters.get("configurations")),
        cases=_several(parameters.get("cases")),
        n=_number(parameters.get("n", ""), 1_000),
        executor=parameters.get("executor"),
        again=parameters.get("again") == "1",
        model=parameters.get("model"),
        steps=_number(parameters.get("steps", ""), MAX_STEPS),
        commands=parameters.get("commands") == "1",
        judge_models=_several(parameters.get("judge_models")),
        failed=_several(parameters.get("failed")),
        form=next((each for each in FORMS if each == parameters.get("form")), None),
        judge=next((each for each in JUDGES if each == parameters.get("judge")), None),
    )


def _number(text: str, most: int) -> int | None:
    """Return a number of an address; None if it is none, or out of bounds."""
    is_number = text.isascii() and text.isdecimal() and len(text) < 10 and 0 < int(text) <= most
    return int(text) if is_number else None


def _several(value: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (value or "").split(SEPARATOR)))


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


def runs_of(ws: Workspace) -> list[RunFolder]:
    """Return the runs of a workspace that were started on this machine, newest first."""
    return list(all_runs(ws.root))


def opened(folders: list[RunFolder], view: View) -> RunFolder | None:
    """Return the open run: the one in the address, else the newest; None without any."""
    if view.id is None:
        return None if view.new else next(iter(folders), None)
    return next((folder for folder in folders if folder.id == view.id), None)
