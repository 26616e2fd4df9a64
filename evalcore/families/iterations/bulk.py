"""Read runs by the thousand: the standard ones by type and in columns, all others one by one."""

from collections.abc import Callable
from typing import Final

import numpy as np

from evalcore.disk.values import parse_time
from evalcore.families.iterations import standard
from evalcore.families.iterations.case import Case
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.folders import Folder
from evalcore.families.iterations.gradings import Found, add_run, facts_of, measured
from evalcore.families.iterations.runs import (
    NOTHING,
    RUBRIC_MAX,
    Desk,
    Facts,
    Measured,
    Place,
    RunFiles,
)
from evalcore.families.iterations.said import Said
from evalcore.families.iterations.seen import Seen
from evalcore.families.iterations.shapes import KINDS, Shape, Shapes
from evalcore.families.iterations.standard import Grading, Structural
from evalcore.families.iterations.sums import sums_of
from evalcore.ids import run_id
from evalcore.layouts.iterations import NONE, RunPlace
from evalcore.tables.builder import Same
from evalcore.tables.columns import Array

FEW: Final = 64
"""So many runs are read one by one; columns are worth their while above."""

_BLOCK: Final = 128
"""Small enough that what was decoded is still at hand when its columns are made."""

_USUAL: Final = frozenset({"grading", "structural", "timing"})

_Documents = tuple[Grading | None, Structural | None]
"""The standard documents of one run; one that it has not is None."""

_Paths = tuple[str | None, str | None]

_Judged = tuple[str, _Paths, _Documents, Shape]
"""Id, paths, documents and shape of a run whose judgments wait to be added with others."""


class Bulk:
    """Reads the runs that are just as the tools write them."""

    def __init__(self, desk: Desk, cases: Cases, about: Callable[[RunPlace, Case], Place]) -> None:
        """Begin a suite; `about` returns what the rows of a run need of everything around it."""
        self.desk = desk
        self.cases = cases
        self.about = about
        self._said = Said(desk)
        self._shapes = Shapes(desk)
        self._waiting: list[_Judged] = []

    def take(
        self, folder: Folder, timing: str | None, outputs: str | None, seen: Seen
    ) -> Facts | None:
        """Take in a run and return its numbers; None, with nothing done, when it is not usual."""
        found = self._documents(folder) if is_straight(folder) else None
        if found is None:
            return None
        (grading, rules), paths = found
        at = folder.at
        place = self.about(at, self.cases.at(at, None))
        case, sums = place.case, sums_of(place, grading, rules)
        if sums is None or not seen.take(at, case, timing, paths[0] or paths[1] or ""):
            return None
        key = run_id(place.suite, case.case_id, at.version, at.configuration, at.run)
        files = RunFiles({}, *paths, timing, outputs)
        self._waiting.append((key, paths, found[0], self._shapes.of(place, paths, grading, rules)))
        used = self._used(place, files, grading, key)
        by_rubric = place.rubric and bool(sums.dimensions or case.dimensions or rules)
        whole = Found(*sums, used, by_rubric)
        add_run(self.desk, key, place, files, whole)
        if grading is not None:
            self._said.add(key, place, paths[0] or "", grading)
        if len(self._waiting) >= _BLOCK:
            self.flush()
        return facts_of(key, place, whole)

    def _documents(self, folder: Folder) -> tuple[_Documents, _Paths] | None:
        """Return the documents of a run and where they are; None when one is not standard."""
        files, paths = self.desk.reader.files, folder.files
        path, beside = paths.get("grading"), paths.get("structural")
        grading = None if path is None else standard.grading(files, path)
        rules = None if beside is None else standard.structural(files, beside)
        odd = (grading is None and path is not None) or (rules is None and beside is not None)
        return None if odd else ((grading, rules), (path, beside))

    def _used(self, place: Place, files: RunFiles, grading: Grading | None, key: str) -> Measured:
        """Return what a run took, from a timing of the usual form or from wherever it stands."""
        own, path = grading.timing if grading else None, files.timing_path
        if own is None and path is None:
            return NOTHING
        told = standard.timing(self.desk.reader.files, path) if path and own is None else None
        started = parse_time(told.executor_start) if told and told.executor_start else None
        if path is None or told is None or (told.executor_start is not None and started is None):
            self._said.flush()  # this may add notes of its own
            doc = self.desk.node(files.grading_path or "", {} if own is None else {"timing": own})
            return measured(self.desk, files, doc, key, place.at.version)
        self.desk.judged[path] = 1
        return Measured(told.total_duration_seconds, told.total_tokens, None, started)

    def flush(self) -> None:
        """Add the rows of the runs that were taken in so far."""
        self._said.flush()
        block, self._waiting = self._waiting, []
        if not block:
            return
        codes = self._shapes.codes
        scores, evidence, sources, counts = _judgments(self.desk, block)
        shapes = np.concatenate([shape for _, _, _, shape in block], axis=1)
        scaled = shapes[-1] > 0
        top = np.where(scaled, RUBRIC_MAX, 1.0)
        runs = codes("run_id", [key for key, _, _, _ in block])
        self.desk.rows.tables["judgments"].extend(
            len(scaled),
            {
                **dict(zip(KINDS, shapes, strict=False)),
                "run_id": np.repeat(runs, [shape.shape[1] for _, _, _, shape in block]),
                "score": scores,
                "min_score": scaled.astype(np.int8),
                "max_score": top,
                "fraction": scores / top,
                "passed": np.where(scaled, -1, scores).astype(np.int8),
                "status": Same("scored"),
                "source": np.repeat(codes("source", sources), counts),
                "evidence": evidence,
            },
        )


def _judgments(
    desk: Desk, block: list[_Judged]
) -> tuple[Array, list[str | None], list[str | None], list[int]]:
    """Return scores and evidence of all judgments, and how many in a row each file has."""
    scores: list[float] = []
    evidence: list[str | None] = []
    sources: list[str | None] = []
    counts: list[int] = []
    for _, (path, beside), (grading, checks), _ in block:
        items = grading.expectations if grading else ()
        rules = checks.expectations if checks else ()
        rubric = (grading.rubric_scores if grading else None) or {}
        for several in (items, rules):
            scores += [item.passed for item in several]
            evidence += [item.evidence for item in several]
        scores += [each.score for each in rubric.values()]
        evidence += [each.evidence or None for each in rubric.values()]
        sources += (path, beside, path)
        counts += (len(items), len(rules), len(rubric))
        if path is not None:
            desk.count(path, len(items) + len(rubric))
        if beside is not None:
            desk.judged[beside] = len(rules)
    return np.array(scores, np.float64), evidence, sources, counts


def is_straight(folder: Folder) -> bool:
    """Say whether a run stands where the tools put it, with no documents but the usual ones."""
    at, files = folder.at, folder.files
    return (
        not (folder.whole or folder.named or at.configuration == NONE)
        and files.keys() <= _USUAL
        and f"{at.eval_folder}/{at.configuration}" == at.configuration_folder
        and not files.get("grading", "").endswith("/outputs/grading.json")
    )
