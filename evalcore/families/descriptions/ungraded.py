"""Outputs that were not graded yet: their runs are shown, and stand outside the rates."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from evalcore.disk.reader import Reader
from evalcore.families.base import PENDING, Plan
from evalcore.families.descriptions.assign import UNASSIGNED, Assignment
from evalcore.families.descriptions.definitions import Definitions
from evalcore.ids import run_id
from evalcore.tables.builder import Rows
from evalcore.tables.rows import RunRow


class Stated(NamedTuple):
    """The version of the description that an output says it is of; `source` is the output."""

    version: str
    hash: str | None
    source: str


class StatedVersions:
    """The versions that the outputs of runs state: evalcore writes them, as gradings do not."""

    def __init__(self, plan: Plan, reader: Reader) -> None:
        self._reader = reader
        self._outputs: dict[str, list[str]] = {}
        for path in plan.of("output"):
            self._outputs.setdefault(path.rpartition("/")[0].rpartition("/")[2], []).append(path)
        self._known: dict[str, Stated | None] = {}

    def of(self, run: str) -> Stated | None:
        """Return what the first output of a run says of its version."""
        if run not in self._known:
            paths = self._outputs.get(run, [])
            self._known[run] = self._stated(paths[0]) if paths else None
        return self._known[run]

    def _stated(self, path: str) -> Stated | None:
        value = self._reader.peek(path)
        number = value.get("description_version") if isinstance(value, dict) else None
        digest = value.get("description_hash") if isinstance(value, dict) else None
        if type(number) is not int or number < 0:
            return None
        return Stated(f"d{number}", digest if isinstance(digest, str) else None, path)


def ungraded(plan: Plan, definitions: Definitions, graded: Collection[str]) -> list[str]:
    """Return the outputs of known cases beside which there is no grading.

    `graded` are the paths of the gradings.
    """
    return [
        path
        for path in plan.of("output")
        if _case(path) in definitions.cases and _grading(path) not in graded
    ]


def add_ungraded(
    plan: Plan,
    rows: Rows,
    paths: Sequence[str],
    assignment: Assignment,
    stated: StatedVersions,
) -> dict[str, Stated]:
    """Add the runs of outputs without a grading; return the versions that they are of."""
    found: dict[str, Stated] = {}
    for path in paths:
        run = path.split("/")[-2]
        claim, said = assignment.named.get(run), stated.of(run)
        if claim is not None:
            version = Stated(claim.version, None, path)
        else:
            version = said or Stated(UNASSIGNED, None, path)
        found.setdefault(version.version, version)
        rows.add(
            RunRow(
                run_id=run_id(plan.suite, _case(path), version.version, "-", run),
                suite=plan.suite,
                case_id=_case(path),
                version=version.version,
                configuration="-",
                run=run,
                benchmark_run=run,
                origin="grading",
                status=PENDING,
                outputs=path,
            )
        )
    return found


def _case(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".json")


def _grading(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/grading/{name}"
