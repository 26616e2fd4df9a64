"""Find the suites of the iterations layout and what each of their files is."""

from collections.abc import Iterable
from typing import Any

from evalcore.disk.reader import Reader
from evalcore.families.base import Loose, Plan, suite_id
from evalcore.families.iterations.claimed_files import ClaimedFiles, claims
from evalcore.families.iterations.drafts import Draft, merged, split_by_skill
from evalcore.families.iterations.items import holds_several
from evalcore.families.iterations.same_skill import join_empty, join_evals
from evalcore.layouts.iterations import CONTAINERS, ITERATION, gathered

RUBRIC_KINDS = frozenset({"structural", "eval_feedback_aggregate"})
RUBRIC_KEYS = ("eval_config", "structural_expectations", "quality_rubric")


def find(reader: Reader, loose: Loose) -> list[Plan]:
    """Return one plan a skill with runs, then one an evals.json without any."""
    del loose
    files, others = claims(reader)
    skills = _skills(reader)
    _take_several(reader, files, others, skills)
    drafts = _drafts(files, skills, reader)
    homes = {id(draft): _home(draft, reader) for draft in drafts}
    taken = {path for draft in drafts for path in draft.of("evals")}
    left = {skill: path for skill, path in skills.items() if path not in taken}
    drafts = join_evals(join_empty(drafts, reader), left, reader)
    plans = []
    for draft in drafts:
        home = homes.get(id(draft), draft.skill)
        suite = suite_id(draft.home if home is None else home)
        skill = home if draft.skill is None else draft.skill
        plans.append(Plan(suite, "", draft.root, skill, tuple(draft.files)))
    return [plan._replace(family=_family(plan, reader)) for plan in plans]


def _drafts(files: ClaimedFiles, skills: dict[str, str], reader: Reader) -> list[Draft]:
    """Return the containers of runs, each of one skill, with the evals that lie beside them."""
    drafts: list[Draft] = []
    for container, places in sorted(files.items()):
        drafts += split_by_skill(Draft(container, container, sorted(places)), skills, reader)
    drafts = merged(drafts)
    for draft in drafts:
        draft.skill = _skill_of(draft.home, skills)
        if draft.skill is not None:
            draft.files.append((skills[draft.skill], "evals"))
    return drafts


def _home(draft: Draft, reader: Reader) -> str | None:
    """Return the folder of the skill where it lies beside the runs: it names the suite."""
    return draft.skill if draft.skill is not None else _folder_of(draft.home, reader)


def _skills(reader: Reader) -> dict[str, str]:
    """Return the skills that have an evals.json of this layout: skill folder to path."""
    skills: dict[str, str] = {}
    for path in reader.listing.paths:
        folder, _, name = path.rpartition("/")
        if name != "evals.json" or any(ITERATION.match(part) for part in folder.split("/")):
            continue
        if _is_evals(reader.peek(path)):
            inner = folder == "evals" or folder.endswith("/evals")
            skill = folder.removesuffix("evals").removesuffix("/") if inner else folder
            if skill not in skills or inner:
                skills[skill] = path
    return skills


def _take_several(
    reader: Reader, files: ClaimedFiles, others: Iterable[str], skills: dict[str, str]
) -> None:
    """Take gradings of several evals that lie beside their evals.json, or in an iteration."""
    homes = {path.rpartition("/")[0]: skill for skill, path in skills.items()}
    homes.update({skill: skill for skill in skills})
    for path in others:
        folder = path.rpartition("/")[0]
        parent, _, name = folder.rpartition("/")
        within = gathered(folder)
        skill = homes.get(folder, homes.get(parent) if name in CONTAINERS else None)
        if (within is None and skill is None) or path in skills.values():
            continue
        if path.endswith(".json") and holds_several(reader.peek(path)):
            mine = (each for each in files if _skill_of(each, skills) == skill)
            container = within[0] if within is not None else next(mine, skill or "")
            files[container][path, "grading"] = None


def _skill_of(container: str, skills: dict[str, str]) -> str | None:
    """Return the skill whose runs `container` holds: a sibling, itself, or the one it lies in."""
    if container.endswith("-workspace") and container.removesuffix("-workspace") in skills:
        return container.removesuffix("-workspace")
    if container in skills:
        return container
    parent, _, name = container.rpartition("/")
    if name in ("workspace", "eval-workspace", "evals", "iterations", "results") or name.startswith(
        "eval"
    ):
        if parent == "evals" or parent.endswith("/evals"):
            parent = parent.removesuffix("evals").removesuffix("/")
        if parent in skills:
            return parent
    return None


def _folder_of(container: str, reader: Reader) -> str | None:
    """Return the skill's folder beside `X-workspace` when it is there without an evals.json."""
    skill = container.removesuffix("-workspace")
    return skill if skill != container and skill in reader.listing.folders else None


def _is_evals(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.get("evals")
    return (
        isinstance(value, list)
        and all(isinstance(item, dict) for item in value)
        and (not value or any("prompt" in item for item in value))
    )


def _family(plan: Plan, reader: Reader) -> str:
    """`rubric` when the evals or the first runs carry what 002 adds, else `iterations`."""
    if any(kind in RUBRIC_KINDS for _, kind in plan.files):
        return "rubric"
    for path in plan.of("evals"):
        value = reader.peek(path)
        evals = value.get("evals", []) if isinstance(value, dict) else value
        if (isinstance(value, dict) and "eval_config" in value) or any(
            key in item for item in evals or [] for key in RUBRIC_KEYS
        ):
            return "rubric"
    first = next((path for path, kind in plan.files if kind == "grading"), None)
    value = reader.peek(first) if first is not None else None
    return "rubric" if isinstance(value, dict) and "rubric_scores" in value else "iterations"
