"""Determine the case, version and run of a grading from its content and its name."""

import re
from typing import Final, NamedTuple

from evalcore.disk.values import Node
from evalcore.families.improve.find import GRADING_NAME, RUN_PLACE, below

UNASSIGNED: Final = "unassigned"
_NUMBER: Final = re.compile(r"v?(\d{1,15})", re.IGNORECASE)


class Identity(NamedTuple):
    """The case, version and run of a grading; version None is unknown."""

    case_id: str
    version: int | None
    run: str
    label: str
    """The label of the version."""


def identity_of(root: str, path: str, case_id: str, version: int, run: int) -> Identity | None:
    """Return the identity of a grading whose content and name say the same, None of any other."""
    if case_id and path == below(root, f"grading/{case_id}_v{version}_run{run}.json"):
        return Identity(case_id, version, str(run), f"v{version}") if version >= 0 else None
    return None


def identify(node: Node, root: str) -> Identity:
    """Return the identity of a grading: content wins over path, contradictions are reported."""
    values = node.get("case_id"), node.get("version"), node.get("run")
    if tuple(map(type, values)) == (str, int, int):
        usual = identity_of(root, node.path, *values)
        if usual is not None:
            return usual
    place = node.path[len(root) + 1 if root else 0 :]
    name = place.rpartition("/")[2]
    found = GRADING_NAME.fullmatch(name) or RUN_PLACE.fullmatch(place)
    path_case = found["case"] if found else None
    path_version = number_of(found["version"]) if found else None
    path_run = number_of(found["run"]) if found else None
    case_id = node.text("case_id") or None
    version = _whole(node, "version")
    run = _whole(node, "run")
    both = (
        ("case_id", case_id, path_case),
        ("version", version, path_version),
        ("run", run, path_run),
    )
    for key, inside, outside in both:
        if inside is not None and outside is not None and inside != outside:
            message = (
                f"{key!r} is {inside!r} in the file and {outside!r} in its path; the file is used."
            )
            node.note("warning", "name-mismatch", message, "Rename the file.", key)
    if not found and place.startswith("grading/"):
        message = (
            "The file is not named <case>_v<version>_run<run>.json; its content says which run "
            "it is."
        )
        node.note("info", "odd-name", message, "Rename it so that other tools find it.")
    number = path_version if version is None else version
    label = UNASSIGNED if number is None else f"v{number}"
    known_run = next((each for each in (run, path_run) if each is not None), 1)
    known_case = case_id or path_case or name.removesuffix(".json")
    for key, stated, taken, is_named in (
        ("case_id", case_id, known_case, bool(found)),
        ("version", version, label, bool(found)),
        ("run", run, str(known_run), path_run is not None),
    ):
        if stated is None:
            why = "read from the path" if is_named else "assumed, as the path does not say either"
            message = f"{key!r} is missing; {taken!r} was {why}."
            node.note("warning", "missing-identity", message, f"Write {key!r} into the file.")
    return Identity(known_case, number, str(known_run), label)


def number_of(text: str) -> int | None:
    """Return the number of a version or run, which may have a leading v; None of other texts."""
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def _whole(node: Node, key: str) -> int | None:
    """Return a non-negative integer, also from text or with a leading v."""
    value = node.get(key)
    if isinstance(value, str) and (number := number_of(value)) is not None:
        return number
    number = node.whole(key)
    if number is not None and number < 0:
        node.wrong(key, "a number of 0 or more")
        return None
    return number
