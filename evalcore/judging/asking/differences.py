"""What changed since a judge opened a task, in sentences that say what and when."""

from collections.abc import Iterator, Mapping
from datetime import datetime

from evalcore.counting.run_criteria import run_row
from evalcore.errors import UnknownName
from evalcore.families.reviews.review import Chain
from evalcore.judging.asking.asked import asked, basis, case_row
from evalcore.judging.asking.current_files import file_time, output_time, with_current_files
from evalcore.judging.model import Task
from evalcore.judging.storing.record_factory import standing_id
from evalcore.judging.storing.run_reviews import score_of
from evalcore.workspace.opened import Workspace


def differences(ws: Workspace, task: Task) -> tuple[str, ...]:
    """Return what changed in a run since its task was created: output, prompt, criteria."""
    try:
        now = with_current_files(ws, task.run_id)
        return tuple(_of_run(now, task))
    except UnknownName:
        return ("The run no longer exists.",)


def own_changes(
    task: Task, chains: Mapping[str, Chain], stored: Mapping[str, bool]
) -> tuple[str, ...]:
    """Return what the same judge changed elsewhere since a task was created.

    `chains` are their current records by key; `stored` are the keys that this task itself has
    stored, and whether with the same content.
    """
    found = []
    for key in dict.fromkeys((*task.ids, *task.mine, *chains)):
        was = task.mine[key].id if key in task.mine else None
        head = chains[key].head if key in chains else None
        now = standing_id(chains[key]) if key in chains else None
        same = stored.get(key, now is None or now in (was, task.ids.get(key)))
        if was is not None and head is None:
            found.append(f"Your score of {_name(task, key)} no longer exists.")
        elif head is not None and not same:
            what = "took back your score of" if score_of(head) is None else "scored"
            when = _at(head.created_at)
            found.append(f"You {what} {_name(task, key)} in another tab or window{when}.")
    return tuple(found)


def _of_run(ws: Workspace, task: Task) -> Iterator[str]:
    run, now = run_row(ws, task.run_id), basis(ws, task.run_id)
    if now.output != task.basis.output:
        yield f"The output changed{_at(output_time(ws, run))}."
    case = case_row(ws, run)
    if now.prompt != task.basis.prompt:
        yield f"The prompt changed{_at(file_time(ws, case.source if case else None))}."
    names = {each.key: each.name for each in asked(ws, task.run_id)}
    names |= {each.key: each.name for each in task.criteria}
    for key in dict.fromkeys((*task.basis.criteria, *now.criteria)):
        if key not in now.criteria:
            yield f"{names[key]} is no longer a criterion of this run."
        elif key not in task.basis.criteria:
            yield f"{names[key]} is a new criterion of this run."
        elif now.criteria[key] != task.basis.criteria[key]:
            yield f"{names[key]} was reworded{_at(file_time(ws, case.source if case else None))}."


def _name(task: Task, key: str) -> str:
    return next((each.name for each in task.criteria if each.key == key), key)


def _at(moment: datetime | None) -> str:
    return "" if moment is None else f" at {moment:%Y-%m-%d %H:%M:%S} UTC"
