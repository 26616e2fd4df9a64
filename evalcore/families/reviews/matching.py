"""Find the suite and the run that a record is about, from whatever folder they are seen.

A run's id depends on the folder that is opened: so does its suite, and where `evals.json` lies
outside of it, even its case. Records therefore say where the run's grading lies, seen from the
folder that holds `reviews`, and what its case is called. `RULES` are tried in order, and the first
that finds a run decides; if it finds several, a judgment's digest of the output may tell them
apart, and otherwise the record is ambiguous.
"""

import posixpath
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from evalcore.families.reviews.lookup import Lookup, Run, Suite
from evalcore.families.reviews.review import Review
from evalcore.ids import RunKey, parse_run_id, within
from evalcore.layouts.iterations import CURRENT

OUTPUT: Final = "output"
NO_CONFIGURATION: Final = "-"
_EVAL: Final = "eval-"

Digest = Callable[[Run], str | None]
"""The sha256 of a run's outputs now."""


class Place(NamedTuple):
    """Where a `reviews` folder lies: `path` is the folder that holds it, below the workspace.

    For one above the workspace, `path` is empty and `part` is the path of the workspace below it.
    """

    path: str = ""
    part: str = ""

    def local(self, place: str) -> str | None:
        """Return a path that was seen from this folder as the workspace sees it; None outside."""
        if not self.part:
            return posixpath.normpath(f"{self.path}/{place}" if self.path else place)
        inner = posixpath.normpath(place).removeprefix(f"{self.part}/")
        return None if inner == posixpath.normpath(place) else inner

    def seen(self, path: str) -> str:
        """Return how a path of the workspace is seen from this folder."""
        if self.part:
            return f"{self.part}/{path}"
        return posixpath.relpath(path, self.path or ".")


class Named(NamedTuple):
    """What a record says of its run; `id` is None where it is about none.

    `at` is where its `reviews` folder lies, `place` the run's grading as seen from there. `output`
    is the digest of the output that was judged.
    """

    id: str
    at: Place
    place: str | None = None
    cases: frozenset[str] = frozenset()
    output: str | None = None

    @property
    def key(self) -> RunKey | None:
        """The parts of the id; None where it is the plain id of a store's record."""
        return parse_run_id(self.id if "::" in self.id else f"::{self.id}")


class Match(NamedTuple):
    """The runs that a record may be about: exactly one where it is certain."""

    runs: tuple[Run, ...]
    rule: str

    @property
    def run(self) -> Run | None:
        """The run, None where there is none or more than one."""
        return self.runs[0] if len(self.runs) == 1 else None


NO_MATCH: Final = Match((), "")


class Attached(NamedTuple):
    """A record, the suite it belongs to, and the run it is about."""

    review: Review
    suite: Suite
    match: Match


class Folder(NamedTuple):
    """A `reviews` folder: where it lies, and its suites: `own` have their root there.

    `near` are the suites around it: their roots lie above or below it, or their runs below.
    """

    at: Place
    own: tuple[Suite, ...]
    near: tuple[Suite, ...]


def folder_at(at: Place, known: Lookup) -> Folder:
    """Return a `reviews` folder with its suites, the nearest first."""
    if at.part:
        return Folder(at, (), tuple(known.suites))
    own = tuple(suite for suite in known.suites if suite.root == at.path)
    above = [suite for suite in known.suites if _lies_in(at.path, suite.root)]
    above.sort(key=lambda suite: -len(suite.root))
    under = known.suites_under(at.path)
    below = [suite for suite in known.suites if _lies_in(suite.root, at.path) or suite.id in under]
    return Folder(at, own, tuple(dict.fromkeys([*above, *below])))


def attach(
    reviews: Iterable[Review], folder: Folder, known: Lookup, digest: Digest
) -> list[Attached]:
    """Return the records of a folder with the suites and the runs that they are about.

    A run is looked for in the folder's own suites, then in those around it. A record about no run
    known here belongs to the suite whose root holds the folder, a remark about a suite also to the
    suite around it; without such a suite it is left out.
    """
    said = [(review, named(review, folder.at)) for review in reviews]
    found: dict[Named, Match] = {}
    for suites in (folder.own, folder.near):
        left = {one for _, one in said if one is not None and one not in found}
        if suites and left:
            met = matches(left, known, suites, digest)
            found |= {one: match for one, match in met.items() if match.runs}
    by_id = {suite.id: suite for suite in (*folder.own, *folder.near)}
    attached = []
    for review, one in said:
        match = found.get(one, NO_MATCH) if one is not None else NO_MATCH
        suite: Suite | None = None
        if match.runs:
            suite = by_id[match.runs[0].suite]
        elif folder.own:
            prefix = one.id.partition("::")[0] if one is not None and "::" in one.id else None
            suite = next((each for each in folder.own if each.prefix == prefix), folder.own[0])
        elif one is None and not folder.at.part:
            nearest = folder.near[:1]
            suite = next((each for each in nearest if _lies_in(folder.at.path, each.root)), None)
        if suite is not None:
            attached.append(Attached(review, suite, match))
    return attached


def _lies_in(path: str, above: str) -> bool:
    return path != above and (not above or path.startswith(f"{above}/"))


def named(review: Review, at: Place) -> Named | None:
    """Return what a record says of its run; None if it is about none."""
    name = review.fields.get("testRunId")
    if not isinstance(name, str) or not name:
        return None
    about = review.basis.get("run")
    said: Mapping[str, Any] = about if isinstance(about, Mapping) else {}
    names = said.get("caseNames")
    cases = [said.get("caseId"), *(names if isinstance(names, list) else [])]
    place, output = said.get("place"), review.basis.get("outputSha256")
    return Named(
        name,
        at,
        place if isinstance(place, str) and place else None,
        frozenset(case for case in cases if isinstance(case, str)),
        output if isinstance(output, str) else None,
    )


def matches(
    wanted: Collection[Named], known: Lookup, suites: Sequence[Suite], digest: Digest
) -> dict[Named, Match]:
    """Return for each description of a run the runs of some suites that it means."""
    candidates = _Candidates(wanted, known, suites, digest)
    found: dict[Named, Match] = {}
    for one in wanted:
        for rule, look in RULES.items():
            runs = {run.id: run for run in look(candidates, one)}
            if len(runs) > 1:
                runs = {run.id: run for run in candidates.of_output(one, runs.values())} or runs
            if rule == "place" and runs:
                # Its own id names another run: files have been moved, and either may be meant.
                runs |= {run.id: run for run in candidates.same_id(one) if run.id == one.id}
            if runs:
                found[one] = Match(tuple(runs.values()), rule)
                break
    by_output = {(one.id, one.at): match for one, match in found.items() if match.rule == OUTPUT}
    return {one: found.get(one) or by_output.get((one.id, one.at), NO_MATCH) for one in wanted}


class _Candidates:
    """The runs of some suites, by what records may say of them."""

    def __init__(
        self, wanted: Collection[Named], known: Lookup, suites: Sequence[Suite], digest: Digest
    ) -> None:
        self._known = known
        self._digest = digest
        self._suites = {suite.id: suite for suite in suites}
        self._by_case_name: dict[str, list[int]] = {}
        self._by_place: dict[tuple[str | None, ...], list[Run]] = {}
        places = {here for one in wanted if one.place and (here := one.at.local(one.place))}
        tails = {within(one.id) for one in wanted}
        ids = {f"{suite.prefix}::{tail}" for suite in suites for tail in tails}
        stores = any(suite.family.is_store for suite in suites)
        plain = {one.id for one in wanted if stores and "::" not in one.id}
        self._by_source, by_id, self._by_record = (
            {
                value: own
                for value, runs in known.runs(values, column).items()
                if (own := [run for run in runs if run.suite in self._suites])
            }
            for values, column in ((places, "source"), (ids, "run_id"), (plain, "run"))
        )
        self._by_tail: dict[str, list[Run]] = defaultdict(list)
        for name, runs in by_id.items():
            self._by_tail[within(name)].append(runs[0])

    def same_place(self, one: Named) -> list[Run]:
        """Return the runs of the grading at the same place that are called the same."""
        here = one.at.local(one.place) if one.place else None
        return [run for run in self._by_source.get(here or "", []) if self._agrees(one, run)]

    def same_id(self, one: Named) -> list[Run]:
        """Return the runs with the same id after the suite, of the same suite if several have."""
        runs = [run for run in self._by_tail.get(within(one.id), []) if self._near(one, run)]
        prefix = one.id.partition("::")[0]
        own = [run for run in runs if self._suites[run.suite].prefix == prefix]
        return own or runs if len(runs) > 1 else runs

    def same_record(self, one: Named) -> list[Run]:
        """Return the runs that are the record of that id in a store."""
        return [
            run
            for run in self._by_record.get(one.id, [])
            if run.origin == "record" and self._suites[run.suite].family.is_store
        ]

    def other_names(self, one: Named) -> list[Run]:
        """Return the runs that folders or documents call by names that the record has."""
        key = one.key
        if key is None:
            return []
        every = self._every
        wanted = _case_names({key.case_id, *one.cases})
        rows = {row for case in wanted for row in self._by_case_name.get(case, ())}
        runs = [every[row] for row in sorted(rows)]
        return [run for run in runs if self._near(one, run) and self._agrees(one, run)]

    def same_output(self, one: Named) -> list[Run]:
        """Return the runs of that version, configuration and number whose output was judged."""
        key = one.key
        if key is None or one.output is None or not self._every:
            return []
        here = {CURRENT} if key.version in one.at.part.split("/") else set()
        places = ((version, key.configuration, key.run) for version in {key.version, *here})
        runs = [run for place in places for run in self._by_place.get(place, ())]
        return self.of_output(one, [run for run in runs if self._near(one, run)])

    def of_output(self, one: Named, runs: Iterable[Run]) -> list[Run]:
        """Return those of some runs whose output is the one that was judged."""
        return [run for run in runs if one.output is not None and self._digest(run) == one.output]

    @cached_property
    def _every(self) -> list[Run]:
        """All runs, which are then known by the names of their cases and by their places too."""
        every = self._known.runs_of(self._suites)
        for row, run in enumerate(every):
            self._by_place.setdefault((run.version, run.configuration, run.run), []).append(run)
            for name in self._names(run):
                self._by_case_name.setdefault(name, []).append(row)
        return every

    def _names(self, run: Run) -> set[str]:
        """Return what the case of a run may be called."""
        names = {run.case_id} if run.case_id else set()
        names |= self._known.names_of_case(run.suite, run.case_id)
        return _case_names(names | set(_folders(run)))

    def _near(self, one: Named, run: Run) -> bool:
        """Return whether a run is where a record without a version says: in the folder's part."""
        key = one.key
        if key is None or key.version != CURRENT or not one.at.path:
            return True
        inside = (run.source or "").startswith(f"{one.at.path}/")
        return inside or self._suites[run.suite].root == one.at.path

    def _agrees(self, one: Named, run: Run) -> bool:
        """Say whether a run has the case, version, configuration and number that a record knew."""
        if within(run.id) == within(one.id):
            return True
        key = one.key
        if key is None:
            return False
        folders = {*_folders(run), *one.at.part.split("/")}
        return (
            not self._names(run).isdisjoint(_case_names({key.case_id, *one.cases}))
            and key.version in {CURRENT, run.version, *folders}
            and key.configuration in {NO_CONFIGURATION, run.configuration, *folders}
            and key.run == run.run
        )


RULES: Final[Mapping[str, Callable[[_Candidates, Named], list[Run]]]] = {
    "place": _Candidates.same_place,
    "id": _Candidates.same_id,
    "record": _Candidates.same_record,
    "names": _Candidates.other_names,
    OUTPUT: _Candidates.same_output,
}
"""The ways to find the runs that a record means, the surest first.

What is found by the judged output alone also tells of records that say the same of their run
without a digest, such as notes.
"""


def _case_names(names: Iterable[str]) -> set[str]:
    """Return names of a case, with and without the beginning that folders give them."""
    return {each for name in names for each in (name, name.removeprefix(_EVAL), f"{_EVAL}{name}")}


def _folders(run: Run) -> list[str]:
    """Return the names of the folders that hold a run's document, and its own without ending."""
    if run.origin == "record" or not run.source:
        return []
    return run.source.rpartition(".")[0].split("/")


def identity(known: Lookup, name: str, at: Place) -> dict[str, Any] | None:
    """Return what a record says of a run beside its id; None if there is no such run."""
    run = next(iter(known.runs([name]).get(name, ())), None)
    if run is None:
        return None
    names = sorted(known.names_of_case(run.suite, run.case_id) - {run.case_id})
    return {
        "place": at.seen(run.source) if run.source else None,
        "caseId": run.case_id,
        "caseNames": names,
        "version": run.version,
        "configuration": run.configuration,
        "run": run.run,
    }
