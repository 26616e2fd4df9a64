"""One run's documents to rows: grading.json, structural.json and timing.json of a run folder."""

from typing import Final

from evalcore.disk.reader import MISSING
from evalcore.disk.values import Node
from evalcore.families.iterations.documents import JUDGE
from evalcore.families.iterations.judged_lists import read_items, read_rubric, read_structural
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Facts,
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


def read_run(context: SuiteContext, place: RunContext, files: RunFiles) -> Facts:
    """Add the rows of one run and return its numbers."""
    at, case = place.at, place.case
    key = run_id(place.suite, case.case_id, at.version, at.configuration, at.run)
    items = _document(context, files)
    doc = items if type(items.value) is dict else context.node(items.path, {})
    place = _judged_by(place, doc)
    checks = NO_CHECKS
    if files.grading_path:
        checks = read_items(context, key, case, items, place.judge, files.verdict, files.only)
    structure = read_structural(context, key, case, files.structural_path)
    rules, gate = structure.checks, structure.gate
    stopped = place.gated and gate is False
    mean, dimensions = read_rubric(context.superseding() if stopped else context, key, place, doc)
    if stopped and dimensions:
        doc.note(
            "warning",
            "judged-behind-gate",
            "A critical check failed, so the rubric was not to be judged; its scores do not count.",
            "Correct what the check found and run again, or set structural_gate to false.",
            "rubric_scores",
        )
        mean, dimensions = None, {}
    normalized = None if mean is None else mean / RUBRIC_MAX
    # What a document of several evals took belongs to none of them.
    own = doc if files.only is None else context.node(doc.path, {})
    used = read_timing(context, files.timing_path, own, about(key, place))
    came_to: tuple[float | None, float | None, float | None] = None, None, None
    if place.rubric and (dimensions or case.dimensions or files.structural_path):
        came_to = mean, RUBRIC_MAX, normalized
    elif checks.scored:
        came_to = float(checks.passed), float(checks.scored), checks.rate
    score, most, fraction = came_to
    counted = rules if rules.scored else checks
    expected = max(len(case.dimensions), len(dimensions)) + checks.all
    if files.structural_path:
        expected += max(len(case.unanswered("structural", ())), rules.all)
    context.add_run(
        run_row(key, place, "grading")._replace(
            status=(
                "not_run" if structure.blocked else "gate_failed" if gate is False else "completed"
            ),
            # Nothing but a gate that failed decides about a run.
            passed=False if gate is False else None,
            score=score,
            max_score=most,
            fraction=fraction,
            checks_passed=counted.passed if counted.scored else None,
            checks_total=counted.scored or None,
            gate_passed=gate,
            started_at=used.started,
            duration_s=used.seconds,
            tokens=used.tokens,
            cost_usd=used.cost,
            outputs=files.outputs,
            source=files.grading_path or files.structural_path,
            pointer=files.pointer,
        ),
        place.judge,
        len(dimensions) + checks.scored + rules.scored,
        expected,
    )
    if files.grading_path:
        if files.pointer and not checks.all and not dimensions:
            doc.note(
                "warning",
                "no-verdict",
                "This run has neither items nor a verdict; it counts as not scored.",
                "Write its expectations with passed: true or false.",
            )
        if files.verdict is None and files.only is None:
            check_summary(context, doc, checks)
        if files.only is None or files.only.leads:
            context.remarks.add(doc, about(key, place))
    return Facts(
        version=at.version,
        configuration=at.configuration,
        case_id=case.case_id,
        run_id=key,
        pass_rate=checks.rate,
        structural_rate=rules.rate,
        normalized=normalized,
        seconds=used.seconds,
        tokens=used.tokens,
        dimensions=dimensions,
        passed=checks.passed if checks.scored else None,
        total=checks.scored or None,
        path=below(at),
        unscored=checks.unscored,
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
    path, value = files.grading_path or "", files.grading
    if isinstance(value, (dict, list)):
        return context.node(path, value, files.pointer)
    if path and value is not MISSING:
        context.node(path, value, files.pointer).type_problem("an object")
    return context.node(path, {}, files.pointer)


def _judged_by(place: RunContext, doc: Node) -> RunContext:
    """Return a run with the judge that its own grading names, if it names one."""
    if _SAYS_WHO.isdisjoint(doc.value):
        return place
    judge = judge_of(doc, JUDGE.names)
    known = judge.name is not None or judge.type != MODEL
    return place._replace(judge=judge) if known else place
