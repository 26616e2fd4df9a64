"""Determine the case, version and run of a grading from its content and its name."""

import re
from typing import Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.disk.values import Node
from evalcore.families.improve.find import GRADING_NAME, RUN_PLACE

UNASSIGNED: Final = "unassigned"
_NUMBER: Final = re.compile(r"v?(\d{1,15})", re.IGNORECASE)


class Identity(NamedTuple):
    """The case, version and run of a grading; version None is unknown."""

    case_id: str
    version: int | None
    run: str
    label: str
    """The label of the version."""


def identify(node: Node, root: str) -> Identity:
    """Return the identity of a grading: content wins over path, contradictions are reported."""
    place = node.path[len(root) + 1 if root else 0 :]
    name = place.rpartition("/")[2]
    found = GRADING_NAME.fullmatch(name) or RUN_PLACE.fullmatch(place)
    path_case = found["case"] if found else None
    path_version = _number(found["version"]) if found else None
    path_run = _number(found["run"]) if found else None
    case_id = node.text("case_id") or None
    version = _whole(node, "version")
    run = _whole(node, "run")
    _contradiction(node, "case_id", case_id, path_case)
    _contradiction(node, "version", version, path_version)
    _contradiction(node, "run", run, path_run)
    if not found and place.startswith("grading/"):
        node.note(
            "info",
            "odd-name",
            "The file is not named <case>_v<version>_run<run>.json; its content says which run "
            "it is.",
            "Rename it so that other tools find it.",
        )
    case_id = _first(node, "case_id", case_id, path_case or name.removesuffix(".json"), bool(found))
    number = version if version is not None else path_version
    if version is None:
        _guessed(node, "version", UNASSIGNED if number is None else f"v{number}", bool(found))
    if run is None:
        run = path_run if path_run is not None else 1
        _guessed(node, "run", str(run), path_run is not None)
    return Identity(case_id, number, str(run), UNASSIGNED if number is None else f"v{number}")


def _first(node: Node, key: str, value: str | None, otherwise: str, named: bool) -> str:
    if value is not None:
        return value
    _guessed(node, key, otherwise, named)
    return otherwise


def _guessed(node: Node, key: str, taken: str, named: bool) -> None:
    why = "read from the path" if named else "assumed, as the path does not say either"
    node.note(
        "warning",
        "missing-identity",
        f"{key!r} is missing; {taken!r} was {why}.",
        f"Write {key!r} into the file.",
    )


def _contradiction(node: Node, key: str, inside: Json, outside: Json) -> None:
    if inside is not None and outside is not None and inside != outside:
        node.note(
            "warning",
            "name-mismatch",
            f"{key!r} is {inside!r} in the file and {outside!r} in its path; the file is used.",
            "Rename the file.",
            key,
        )


def _whole(node: Node, key: str) -> int | None:
    """Return a non-negative integer, also from text or with a leading v."""
    value = node.get(key)
    if isinstance(value, str) and (number := _number(value)) is not None:
        return number
    number = node.whole(key)
    if number is not None and number < 0:
        node.wrong(key, "a number of 0 or more")
        return None
    return number


def _number(text: str) -> int | None:
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None
