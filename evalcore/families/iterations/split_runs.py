"""The run folders of a suite, and the runs that the grading of each holds: as a rule one."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.families.base import Plan
from evalcore.families.iterations.items import (
    NAMES,
    USUAL,
    arms_of,
    holds_items,
    is_item,
    is_single,
    other_lists,
    side_named,
)
from evalcore.families.iterations.runs import SuiteContext
from evalcore.families.iterations.words import verdict_of
from evalcore.layouts.files import STANDARD, Spot, spot
from evalcore.layouts.iterations import (
    CONFIGURATIONS,
    CURRENT,
    NONE,
    RUN,
    RunLocation,
    gathered,
    is_configuration,
    lone_run,
    run_location,
)
from evalcore.names import CONFIGURATION, EVAL, ITEMS, OVERALL
from evalcore.problems import SIDE_UNKNOWN, pointer

OF_RUN: Final = ("grading", "structural", "timing", "run_config")
OUTPUTS: Final = "/outputs"
RUN_LISTS: Final = ("runs", "evals", "gradings", "cases", "test_cases", *ITEMS)
RUNS: Final = ("run_number", "run", "run_id")
OF_EVAL: Final = "eval_id"
"""The field of an item that names its eval, where a list has those of several."""
VAGUE: Final = ("run_type", "mode")
_CONFIGURATION: Final = frozenset(CONFIGURATION)
_EVAL: Final = frozenset(EVAL)
DEEPEST: Final = 4
VERSION: Final = re.compile(r"^v\d[\w.]*$", re.IGNORECASE)
STANDARD_HINT: Final = (
    "Write one grading.json a run, as <iteration>/<eval>/<configuration>/run-1/grading.json."
)


class Folder(NamedTuple):
    """One run folder, or what stands for one; `whole` and `named` are those of its spot."""

    at: RunLocation
    files: dict[str, str]
    whole: bool = False
    named: bool = False


def folders_of(plan: Plan) -> Iterator[Folder]:
    """Yield the run folders that have documents, a run's own before that of its configuration."""
    for _, group in groupby(_gathered(plan), key=lambda folder: folder.at.eval_folder):
        yield from sorted(
            group, key=lambda folder: (folder.at.configuration, -folder.at.folder.count("/"))
        )


def _gathered(plan: Plan) -> Iterator[Folder]:
    """Yield the folders in the order of their paths; documents of one folder stand together."""
    files: dict[str, dict[str, str]] = {}
    odd: dict[str, Folder] = {}
    beside = {path.rpartition("/")[0] for path in plan.of("evals")}
    for path, kind in plan.files:
        if kind not in OF_RUN:
            continue
        folder, _, name = path.rpartition("/")
        if kind == "grading" and folder in beside and spot(folder, name) is None:
            odd[path] = _of_several(plan, folder, path)
            continue
        if kind == "grading" and folder.endswith(OUTPUTS):
            folder = folder.removesuffix(OUTPUTS)
        if name in STANDARD:
            files.setdefault(folder, {})[kind] = path
            continue
        seen = spot(folder, name)
        if seen is None and name == "summary.json" and (at := run_location(folder)) is not None:
            seen = Spot("grading", at, named=True)  # it sums up all configurations of its eval
        if seen is not None:
            key = path if seen.whole else f"{seen.at.folder}\n{seen.at.configuration}"
            known = odd.setdefault(key, Folder(seen.at, {}, seen.whole, seen.named))
            known.files[kind] = path
        elif kind == "grading":
            odd[path] = _of_several(plan, folder, path)
    for folder, documents in files.items():
        place = run_location(folder)
        if place is not None and (place.configuration != NONE or "grading" not in documents):
            yield Folder(place, documents)
        elif "grading" in documents and (seen := spot(folder, "grading.json")) is not None:
            yield Folder(seen.at, documents, seen.whole, seen.named)
        elif "grading" in documents:
            yield Folder(lone_run(folder, several=folder != plan.root), documents, named=True)
    yield from odd.values()


def _of_several(plan: Plan, folder: str, path: str) -> Folder:
    """Return what stands for the folders of a grading of several evals, whatever its name."""
    container, version = gathered(folder) or (plan.root, CURRENT)
    at = RunLocation(container, version, folder, NONE, folder, "1", folder)
    return Folder(at, {"grading": path}, whole=True, named=True)


class Part(NamedTuple):
    """One run in a grading: its value and pointer, and what the document says about its place.

    `verdict` is the field that holds the verdicts of this run where one list serves several; `only`
    are the eval and the configuration that its items name where a list has those of several. What
    else the document says goes to the first of these, which `leads`. `beside` says that it is the
    other side of the run that the document is about.
    """

    value: Json
    at: str = ""
    eval: str | None = None
    configuration: str | None = None
    run: str | None = None
    verdict: str | None = None
    only: tuple[str | None, str | None] | None = None
    leads: bool = True
    beside: bool = False


def located_runs(
    context: SuiteContext, folder: Folder, value: Json
) -> Iterator[tuple[RunLocation, Part]]:
    """Yield the runs of a grading, each with its place; one whose side is unknown is no run."""
    path, parts = folder.files.get("grading", ""), parts_of(value)
    if len(parts) == 1 and not parts[0].at and not folder.whole:  # nearly every grading
        if placed := _with_side(context, path, folder.at, parts[0]):
            yield placed, parts[0]
        return
    if len(parts) > 1:
        what = f"This file holds {len(parts)} runs."
        context.tolerate(path, parts[0].at, "several-runs", what, STANDARD_HINT)
    counts: Counter[tuple[str, str]] = Counter()
    several = len({part.eval for part in parts}) > 1
    for part in parts:
        own = _of_eval(folder, part, several)
        if part.beside:  # the other side of a run: the folder of its own that it might have
            here: RunLocation | None = _in_side(own, part.configuration or NONE)
        else:
            here = _with_side(context, path, own, part)
        if here is None:
            continue
        counts[here.eval_folder, here.configuration] += 1
        match = RUN.match(part.run) if part.run else None
        run = match.group(1) if match else part.run
        if not run and part.at and not part.beside:
            run = str(counts[here.eval_folder, here.configuration])
        yield here._replace(run=run or here.run), part


def _of_eval(folder: Folder, part: Part, several: bool) -> RunLocation:
    """Return the place of the eval, or version, that a part names, where its path names none."""
    at, name = folder.at, part.eval
    value = part.value if isinstance(part.value, dict) else {}
    names_eval = not _EVAL.isdisjoint(value)
    if folder.whole:
        stem = folder.files["grading"].rpartition("/")[2].removesuffix(".json")
        words = re.sub(r"[-_. ]*(gradings?|results?)[-_. ]*", "", stem, flags=re.IGNORECASE)
        name = name or (words if words and not VERSION.match(words) else None)
        if at.version == CURRENT:
            at = at._replace(version=version_named(value) or CURRENT)
    elif part.only is None and not (several and names_eval):
        return at
    if name is None:
        return at
    if name.isdecimal() and not names_eval:
        name = f"eval-{name}"
    home = f"{at.eval_folder}/{name.replace('/', '-')}"
    return at._replace(eval_folder=home, configuration_folder=home, folder=home)


def _with_side(context: SuiteContext, path: str, at: RunLocation, part: Part) -> RunLocation | None:
    """Return a place with the configuration that the document names; None if it may be several."""
    own = configuration_named(part.value) if type(part.value) is dict else None
    if at.configuration != NONE:
        known = own in CONFIGURATIONS and at.configuration in CONFIGURATIONS
        if known and own != at.configuration:
            what = f"The document names the configuration {own!r}, its folder {at.configuration!r};"
            what += " the folder's is used."
            hint = "Move the document, or correct its field."
            context.warn(path, part.at, "configuration-differs", what, hint)
        return at
    named = own if part.configuration is None else part.configuration
    version = part.value.get("version") if part.at and isinstance(part.value, dict) else None
    if named is None and isinstance(version, str) and VERSION.match(version):
        named = version
    if named is not None:
        if part.configuration is None or named == own or not is_configuration(named):
            what = f"The configuration {named!r} was read from the document."
            context.tolerate(path, part.at, "config-from-field", what, STANDARD_HINT)
        return at._replace(configuration=named)
    # Take the one configuration whose folder is beside a grading in its eval's folder.
    folders = context.reader.subfolders.get(at.eval_folder, ())
    beside = [name for name in folders if is_configuration(name)]
    if not beside or at.folder != at.eval_folder:
        return at
    if len(beside) > 1:
        what = f"This grading is beside the folders {', '.join(beside)}, so it is not known which "
        what += "of them it grades, and it does not count."
        hint = "Move it into the folder of the side that it grades, such as "
        context.warn(path, part.at, SIDE_UNKNOWN, what, f"{hint}{at.eval_folder}/{beside[0]}.")
        return None
    what = f"This grading is next to the folder {beside[0]!r} of its run, not in it."
    context.tolerate(path, "", "layout", what, STANDARD_HINT)
    return _in_side(at, beside[0])


def _in_side(at: RunLocation, side: str) -> RunLocation:
    """Return a place in the folder that a configuration has in that of its eval."""
    home = f"{at.eval_folder}/{side}"
    return at._replace(configuration=side, configuration_folder=home, folder=home)


def parts_of(value: Json) -> list[Part]:
    """Return the runs of a grading; one that is like no other comes back whole, as one run."""
    whole = Part(value)
    items = value.get("expectations") if type(value) is dict else None
    if type(items) is list and items:
        if value.keys() <= USUAL and not (type(items[0]) is dict and OF_EVAL in items[0]):
            return [whole]
        return [*_by_eval(whole, items), *_other_sides(whole)]
    return list(_parts(whole, 0)) or [whole]


def _parts(part: Part, depth: int) -> Iterator[Part]:
    """Yield the runs of a value: its own, those in its lists, or those under its names."""
    value = part.value
    if depth > DEEPEST:
        return
    if isinstance(value, list):
        if any(map(is_item, value)):
            yield from _by_eval(part, value)
        else:
            yield from _of_list(part, value, part.at, depth)
    elif isinstance(value, dict) and is_single(value):
        held = next(value[name] for name in ITEMS if holds_items(value.get(name)))
        items = list(held.values()) if isinstance(held, dict) else held
        arms = list(dict.fromkeys(arm for item in items for arm in arms_of(item)))
        if not arms:
            yield from _by_eval(part, held) if isinstance(held, list) and held else (part,)
        for arm in arms:  # the configurations that its items have verdicts of
            yield part._replace(configuration=arm, verdict=arm)
        yield from _other_sides(part)
    elif isinstance(value, dict):
        lists = [name for name in RUN_LISTS if isinstance(value.get(name), list)]
        for name in lists:
            yield from _of_list(part, value[name], part.at + pointer(name), depth)
        if lists:
            return
        inner = [pair for pair in value.items() if isinstance(pair[1], (dict, list))]
        below = [found for name, held in inner for found in _under(part, name, held, depth)]
        yield from below
        if not below and depth:
            # A run by its verdict on the whole, or by naming its eval.
            judged = any(verdict_of(value.get(key)) is not None for key in OVERALL)
            if judged or not _EVAL.isdisjoint(value):
                yield part


def _by_eval(part: Part, items: list[Any]) -> Iterator[Part]:
    """Yield a run, or one an eval and configuration where its items name several."""
    named = all(isinstance(item, dict) and OF_EVAL in item for item in items)
    several = list(dict.fromkeys(map(named_by, items))) if named else []
    if not several or any(name is None for name, _ in several):
        yield part
        return
    for only in several:
        yield part._replace(
            eval=only[0],
            configuration=only[1] or part.configuration,
            only=only if len(several) > 1 else None,
            leads=only is several[0],
        )


def named_by(item: Any) -> tuple[str | None, str | None]:
    """Return the eval and the configuration that an item names."""
    if not isinstance(item, dict):
        return None, None
    return _text(item, (OF_EVAL,)), configuration_named(item)


def _other_sides(part: Part) -> Iterator[Part]:
    """Yield the runs of other configurations whose items stand in lists of their own names."""
    for name, held in other_lists(part.value):
        side = side_named(name)
        if side is not None:
            at = part.at + pointer(name)
            yield part._replace(value=held, at=at, configuration=side, beside=True)


def _of_list(part: Part, entries: list[Any], at: str, depth: int) -> Iterator[Part]:
    """Yield the runs of a list of runs or evals, whose own names count as those of evals."""
    for index, entry in enumerate(entries):
        if isinstance(entry, dict):
            here = part._replace(
                value=entry,
                at=f"{at}/{index}",
                eval=_text(entry, (*EVAL, *NAMES)) or part.eval,
                configuration=configuration_named(entry) or part.configuration,
                run=_text(entry, RUNS) or part.run,
            )
            yield from _parts(here, depth + 1)


def _under(part: Part, name: str, held: Any, depth: int) -> Iterator[Part]:
    """Yield the runs under one name of an object: a configuration's, or an eval's."""
    here = part._replace(value=held, at=part.at + pointer(name))
    side = side_named(name)
    if side is not None:
        yield from _parts(here._replace(configuration=side), depth + 1)
    elif name in RUN_LISTS:
        runs = held.values() if isinstance(held, dict) else ()
        if _has_runs(held, depth + 1) or any(_has_runs(run, depth + 2) for run in runs):
            yield from _parts(here, depth + 1)
    elif _has_runs(held, depth + 1):
        own = configuration_named(held)
        stated = _text(held, EVAL) if own is not None else None
        here = here._replace(eval=stated or name, configuration=own or part.configuration)
        yield from _parts(here, depth + 1)


def _has_runs(held: Any, depth: int) -> bool:
    """Say whether a value under a free name is an eval with items or configurations."""
    if isinstance(held, list):
        return any(map(is_item, held))
    if not isinstance(held, dict) or depth > DEEPEST:
        return False
    return is_single(held) or any(
        isinstance(inner, (dict, list)) and (is_configuration(name) or name in RUN_LISTS)
        for name, inner in held.items()
    )


def _text(entry: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """Return the first of some fields that is a text, or a number written as one."""
    for key in keys:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def configuration_named(value: Any) -> str | None:
    """Return the configuration that a document names in one of its fields."""
    if not isinstance(value, dict) or _CONFIGURATION.isdisjoint(value):
        return None
    for key in CONFIGURATION:
        if key in value and isinstance(stated := value[key], str):
            name = stated.strip()
            if 0 < len(name) <= 60 and (key not in VAGUE or is_configuration(name)):
                return name
    return None


def version_named(value: Any) -> str | None:
    """Return the version that a run states beside its configuration."""
    stated = value.get("version") if isinstance(value, dict) else None
    if not isinstance(stated, (str, int)) or isinstance(stated, bool):
        return None
    return (str(stated).strip() or None) if configuration_named(value) is not None else None
