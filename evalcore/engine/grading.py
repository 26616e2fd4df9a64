"""Decide what a test run did well: structural checks, the gate, then rules or people."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from evalcore.checks.conventions import conventions
from evalcore.checks.outcome import Outcome
from evalcore.checks.produced import Produced
from evalcore.checks.rule_lines import rule_of_check
from evalcore.checks.rules import Rule, Subject, apply, parse
from evalcore.checks.sentences import rule_of
from evalcore.checks.structural import check, gate_passed
from evalcore.checks.subject import MAX_TEXT
from evalcore.disk.parsing import MISSING, parsed
from evalcore.disk.values import now_text
from evalcore.engine.kept import FILES, Kept
from evalcore.engine.model_judge.asking import CONVENTIONS, Asked
from evalcore.engine.model_judge.judging import Judges, judged_by_models
from evalcore.engine.model_judge.voting import CONVENTION
from evalcore.engine.plan import Plan
from evalcore.engine.scripts import script_runner
from evalcore.engine.store import RunFolder
from evalcore.engine.writing import running_of
from evalcore.families.base import UNFINISHED
from evalcore.families.graded import Graded, Verdict
from evalcore.families.running import Case, Criterion, Execution
from evalcore.shapes.judge import MODEL, RULES

_STRUCTURAL: Final = "structural"
_UNDECIDED: Final = "No rule decides this."
_FOR_PEOPLE: Final = "A person decides this."


def grade(folder: RunFolder, index: int, done: Kept) -> Graded:
    """Return the verdicts on a test run; nothing is written.

    Raises:
        Unanswered: a model is to judge, and could not be asked.
    """
    plan = folder.plan
    run = plan.runs[index]
    case = plan.case(run)
    at = now_text()
    if done.execution.status in UNFINISHED:
        return _failed(case, done.execution, at)
    produced = Produced(done.folder, FILES)
    scripts = script_runner(folder, case, done)
    by_model = plan.agent is not None
    checks = tuple(_checked(case, produced, done, scripts, by_model=by_model))
    gate = _gate(case, checks)
    graded = Graded(RULES, "heuristic", at, checks=checks, gate=gate)
    stopped = case.gate and bool(checks) and gate is not True
    if plan.structural_only or plan.judge == "none" or stopped:
        return graded
    kept = conventions(produced) if running_of(plan).has_conventions else {}
    said = tuple(_verdict(CONVENTION, name, outcome) for name, outcome in kept.items())
    graded = msgspec.structs.replace(graded, conventions=said)
    if plan.models:
        return _by_models(folder, index, graded, done, produced)
    subject = _subject(case, done.execution, produced)
    judged = tuple(_judged(plan, each, subject) for each in _to_judge(case))
    return msgspec.structs.replace(graded, judged=judged)


def _by_models(
    folder: RunFolder, index: int, graded: Graded, done: Kept, produced: Produced
) -> Graded:
    """Return the verdicts with those of models on what is no structural check."""
    plan = folder.plan
    case = plan.case(plan.runs[index])
    criteria = tuple(_to_judge(case))
    if not criteria:
        return graded
    judges = Judges(plan.models, plan.votes, plan.limits.retries)
    texts = {path: produced.text(path) for path in produced.paths}
    asked = Asked(case, criteria, done.execution, texts, tuple(_open_conventions(graded)))
    found = judged_by_models(
        judges,
        asked,
        lambda: folder.asked_to_stop() == "now",
        control=plan.is_control(index),
    )
    by_rules = {each.name: each for each in graded.conventions}
    return msgspec.structs.replace(
        graded,
        judge=judges.name,
        judge_type=MODEL,
        judged_at=now_text(),
        judged=found.judged,
        conventions=tuple((by_rules | {each.name: each for each in found.conventions}).values()),
        judging=found.judging,
    )


def _open_conventions(graded: Graded) -> Iterator[str]:
    """Yield the conventions of a skill that rules leave to a reader, where a skill was produced."""
    by_rules = {each.name: each.passed for each in graded.conventions}
    if by_rules:
        yield from (name for name in CONVENTIONS if by_rules.get(name) is not False)


def _failed(case: Case, execution: Execution, at: str) -> Graded:
    """Return verdicts that fail everything: the version did not come to an end."""
    verdicts = [Verdict(each.kind, each.name, False, 0.0, execution.why) for each in case.criteria]
    checks = tuple(each for each in verdicts if each.kind == _STRUCTURAL)
    judged = tuple(each for each in verdicts if each.kind != _STRUCTURAL)
    return Graded(RULES, "heuristic", at, judged, checks, gate=_gate(case, checks))


def _to_judge(case: Case) -> Iterator[Criterion]:
    return (each for each in case.criteria if each.kind != _STRUCTURAL)


def _checked(
    case: Case,
    produced: Produced,
    done: Kept,
    run_script: Callable[[str], Outcome],
    *,
    by_model: bool,
) -> Iterator[Verdict]:
    transcript = done.transcript
    steps = done.steps(by_model=by_model)
    for each in case.criteria:
        if each.kind == _STRUCTURAL:
            definition = each.definition if isinstance(each.definition, dict) else {}
            outcome = check(definition, produced, transcript, run_script, steps)
            yield _verdict(_STRUCTURAL, each.name, outcome)


def _verdict(kind: str, name: str, outcome: Outcome) -> Verdict:
    share = None if outcome.passed is None else float(outcome.passed)
    return Verdict(kind, name, outcome.passed, share, outcome.evidence, outcome.status)


def _gate(case: Case, checks: tuple[Verdict, ...]) -> bool | None:
    """Return whether all critical checks passed; None without checks, or if one cannot be said."""
    critical = {each.name for each in case.criteria if each.critical}
    named = [
        Outcome(each.passed, each.rationale, each.status)
        for each in checks
        if each.name in critical
    ]
    return gate_passed(named) if checks else None


def _subject(case: Case, execution: Execution, produced: Produced) -> Subject:
    texts, size, unread = list[str](), 0, ""
    for path in produced.paths:
        if size > MAX_TEXT:
            break  # no rule reads that much, and says so
        text, why = produced.text(path)
        if text is None:
            unread = unread or why
        else:
            texts.append(text)
            size += len(text)
    if not produced.complete:
        unread = "there are more files than are looked at"
    joined = "\n".join(texts) if texts or unread else execution.reply
    expected = MISSING if case.expected is None else case.expected
    actual = MISSING if execution.output is None else execution.output
    return Subject(joined, expected, actual, produced, unread)


def _judged(plan: Plan, criterion: Criterion, subject: Subject) -> Verdict:
    if plan.judge == "human":
        return Verdict(criterion.kind, criterion.name, None, None, _FOR_PEOPLE)
    rules = _rules(criterion, subject)
    if isinstance(rules, str):
        return Verdict(criterion.kind, criterion.name, None, None, rules, "invalid")
    if not rules:
        return Verdict(criterion.kind, criterion.name, None, None, _UNDECIDED)
    found = apply(rules, subject)
    decided = found.share is not None
    passed = found.passed if decided else None
    return Verdict(criterion.kind, criterion.name, passed, found.share, found.rationale)


def _rules(criterion: Criterion, subject: Subject) -> list[Rule] | str:
    """Return the rules that decide a criterion, most explicit first; a text says what is wrong.

    Those written for it, those in its guide or text, what its type or its own words say, and last,
    where the case says what should come out, that this came out.
    """
    guide = parsed(criterion.guide.encode())[0] if criterion.guide else None
    written = "\n".join(f"rule: {each}" for each in criterion.rules)
    for text in (written, guide if isinstance(guide, str) else "", criterion.text):
        rules = parse(text)
        if rules:
            return rules
    typed = rule_of_check(guide) if isinstance(guide, dict) else None
    read = typed or rule_of(criterion.text)
    if read is not None:
        return [read]
    return parse("rule: expected") if subject.expected is not MISSING else []
