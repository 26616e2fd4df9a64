"""One run's documents to rows: grading.json, structural.json and timing.json of a run folder."""

from typing import Final, NamedTuple

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node
from evalcore.families.iterations.documents import JUDGE
from evalcore.families.iterations.judged_lists import (
    Structure,
    read_items,
    read_rubric,
    read_structural,
)
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Checks,
    Facts,
    Measured,
    RunContext,
    RunFiles,
    SuiteContext,
    about,
    run_row,
)
from evalcore.families.iterations.summaries import check_summary
from evalcore.families.iterations.timing import read_timing
from evalcore.ids import run_id
from evalcore.layouts.iterations import below
from evalcore.shapes.judge import JUDGE_TYPE, MODEL, judge_of

_SAYS_WHO: Final = frozenset({*JUDGE.names, JUDGE_TYPE.name})


class Found(NamedTuple):
    """All that the documents of one run tell."""

    checks: Checks
    structure: Structure
    mean: float | None
    dimensions: dict[str, float]
    used: Measured
    by_rubric: bool

    @property
    def score(self) -> tuple[float | None, float | None, float | None]:
        """Score, maximum and fraction of the run."""
        if self.by_rubric:
            fraction = None if self.mean is None else self.mean / RUBRIC_MAX
            return self.mean, RUBRIC_MAX, fraction
        if not self.checks.scored:
            return None, None, None
        return float(self.checks.passed), float(self.checks.scored), self.checks.rate

    @property
    def passed(self) -> bool | None:
        """False when the gate failed; nothing else decides about a run."""
        return False if self.structure.gate is False else None

    @property
    def status(self) -> str:
        """What became of the run."""
        if self.structure.blocked:
            return "not_run"
        return "gate_failed" if self.structure.gate is False else "completed"


def read_run(context: SuiteContext, place: RunContext, files: RunFiles) -> Facts:
    """Add the rows of one run and return its numbers."""
    at, case = place.at, place.case
    key = run_id(place.suite, case.case_id, at.version, at.configuration, at.run)
    items = _document(context, files)
    doc = items if type(items.value) is dict else context.node(items.path, {})
    place = _judged_by(place, doc)
    checks = (
        read_items(context, key, case, items, place.judge, files.verdict, files.only)
        if files.grading_path
        else NO_CHECKS
    )
    structure = read_structural(context, key, case, files.structural_path)
    stopped = place.gated and structure.gate is False
    read = context.superseding() if stopped else context
    mean, dimensions = read_rubric(read, key, place, doc)
    if stopped and dimensions:
        doc.note(
            "warning",
            "judged-behind-gate",
            "A critical check failed, so the rubric was not to be judged; its scores do not count.",
            "Correct what the check found and run again, or set structural_gate to false.",
            "rubric_scores",
        )
        mean, dimensions = None, {}
    by_rubric = place.rubric and bool(dimensions or case.dimensions or files.structural_path)
    # What a document of several evals took belongs to none of them.
    own = doc if files.only is None else context.node(doc.path, {})
    used = read_timing(context, files.timing_path, own, about(key, place))
    found = Found(checks, structure, mean, dimensions, used, by_rubric)
    _add_run(context, key, place, files, found)
    if files.grading_path:
        if files.pointer and not checks.all and not dimensions:
            _note_unjudged(doc)
        if files.verdict is None and files.only is None:
            check_summary(context, doc, checks)
        if files.only is None or files.only.leads:
            context.remarks.add(doc, about(key, place))
    return _facts(key, place, found)


def _judged_by(place: RunContext, doc: Node) -> RunContext:
    """Return a run with the judge that its own grading names, if it names one."""
    if _SAYS_WHO.isdisjoint(doc.value):
        return place
    judge = judge_of(doc, JUDGE.names)
    known = judge.name is not None or judge.type != MODEL
    return place._replace(judge=judge) if known else place


def _facts(key: str, place: RunContext, found: Found) -> Facts:
    """Return the numbers of a run that aggregates are made of."""
    checks, mean = found.checks, found.mean
    return Facts(
        version=place.at.version,
        configuration=place.at.configuration,
        case_id=place.case.case_id,
        run_id=key,
        pass_rate=checks.rate,
        structural_rate=found.structure.checks.rate,
        normalized=None if mean is None else mean / RUBRIC_MAX,
        seconds=found.used.seconds,
        tokens=found.used.tokens,
        dimensions=found.dimensions,
        passed=checks.passed if checks.scored else None,
        total=checks.scored or None,
        path=below(place.at),
        unscored=checks.unscored,
    )


def _note_unjudged(doc: Node) -> None:
    doc.note(
        "warning",
        "no-verdict",
        "This run has neither items nor a verdict; it counts as not scored.",
        "Write its expectations with passed: true or false.",
    )


def read_again(context: SuiteContext, place: RunContext, files: RunFiles) -> None:
    """Add the judgments of a run's second grading, which count in no rate."""
    at, again = place.at, context.superseding()
    key = run_id(place.suite, place.case.case_id, at.version, at.configuration, at.run)
    if files.grading_path:
        doc = _document(context, files)
        if isinstance(doc.value, dict):
            place = _judged_by(place, doc)
        checks = read_items(again, key, place.case, doc, place.judge, files.verdict, files.only)
        if isinstance(doc.value, dict):
            read_rubric(again, key, place, doc)
        if files.verdict is None and files.only is None:
            check_summary(again, doc, checks)
    read_structural(again, key, place.case, files.structural_path)


def _document(context: SuiteContext, files: RunFiles) -> Node:
    """Return the run's part of a grading; a value that holds none is noted and read as empty."""
    path, value = files.grading_path, files.grading
    if path and value is not MISSING and not isinstance(value, (dict, list)):
        context.node(path, value, files.pointer).type_problem("an object")
    fine = isinstance(value, (dict, list))
    return context.node(path or "", value if fine else {}, files.pointer)


def _add_run(
    context: SuiteContext, key: str, place: RunContext, files: RunFiles, found: Found
) -> None:
    """Add the rows of a run and of its score."""
    used, structural = found.used, found.structure.checks
    score, top, fraction = found.score
    counted = structural if structural.scored else found.checks
    row = run_row(key, place, "grading")._replace(
        status=found.status,
        passed=found.passed,
        score=score,
        max_score=top,
        fraction=fraction,
        checks_passed=counted.passed if counted.scored else None,
        checks_total=counted.scored or None,
        gate_passed=found.structure.gate,
        started_at=used.started,
        duration_s=used.seconds,
        tokens=used.tokens,
        cost_usd=used.cost,
        outputs=files.outputs,
        source=files.grading_path or files.structural_path,
        pointer=files.pointer,
    )
    judged = len(found.dimensions) + found.checks.scored + structural.scored
    expected = max(len(place.case.dimensions), len(found.dimensions))
    checks = max(len(place.case.unanswered("structural", ())), structural.all)
    expected += found.checks.all + (checks if files.structural_path else 0)
    context.add_run(row, place.judge, judged, expected)
