"""Make the next version: suggestions are applied to a copy of the newest one."""

from pathlib import Path
from typing import Final, NamedTuple

from evalcore.comparing.skill_places import skill_folder, skill_of
from evalcore.disk.temporary import temporary_folder
from evalcore.engine.found import AnalysisFound
from evalcore.engine.improving.applying import applied
from evalcore.engine.plan import Plan, Steps
from evalcore.versions import take_snapshot
from evalcore.versions.copying import contents_of, copied
from evalcore.workspace.opened import open_workspace

NONE_APPLIED: Final = "No suggestion could be applied, so there is no next version."
NONE: Final = "There are no suggestions, so there is no next version."


class Next(NamedTuple):
    """The version that was made, empty if none was; and sentences on each suggestion left out."""

    version: str = ""
    paths: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def make_next(plan: Plan, steps: Steps, found: AnalysisFound) -> Next:
    """Apply the suggestions that can be applied to a copy, and keep it as the next version.

    Doing it again makes no second one.

    Raises:
        CannotSnapshot: the copy cannot be made or kept.
        CannotWrite: it cannot be written.
    """
    if not found.suggestions:
        return Next(said=(NONE,))
    root = Path(plan.workspace)
    ws = open_workspace(root)
    folder = skill_folder(ws, plan.suite, steps.version_b)
    texts = skill_of(ws, plan.suite, steps.version_b)
    changed = applied(found.suggestions, {} if texts is None else texts.files or {})
    left = tuple(
        f"Suggestion {number} ({each.area}) was not applied: {lower(why)}"
        for number, (each, why) in enumerate(
            zip(found.suggestions, changed.why_not, strict=True), 1
        )
        if why is not None
    )
    if folder is None or texts is None or not changed.number:
        return Next(said=(NONE_APPLIED, *left))
    inner = texts.source.removeprefix(folder).strip("/")
    with temporary_folder("next") as made:
        copy = made / (Path(plan.skill_path or plan.name).name or "skill")
        copy.mkdir()
        copied(contents_of(root / folder), copy)
        for path, text in changed.texts.items():
            (copy / inner / path).write_bytes(text.encode())
        what = f"{steps.version_b} with {changed.number} of {len(found.suggestions)} suggestions"
        described = f"{what} of run {plan.id[:13]}"
        taken = take_snapshot(root, suite=plan.suite, skill=copy, description=described)
    made_words = f"{taken.version} is {what} applied."
    home = "" if plan.root in (".", "") else f"{plan.root}/"
    return Next(taken.version, (f"{home}{taken.version}/skill",), (made_words, *left))


def lower(sentence: str) -> str:
    """Return a sentence as it goes on behind a colon."""
    return sentence[:1].lower() + sentence[1:]
