"""`evalcore blind`: create studies, say how far they are, tell a judge, and end them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from secrets import SystemRandom
from typing import Any

from evalcore.blind.closing import reveal_to, revealed, study_named
from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import criteria_named
from evalcore.blind.proposing import minutes, propose, side_named
from evalcore.blind.ranking import may_see, ranks
from evalcore.blind.results import Results, results
from evalcore.blind.unblinding import Unblinded
from evalcore.blind.writing import end
from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import (
    author,
    by_suite,
    open_for_judge,
    open_suite,
    suite_of,
    suites_of,
)
from evalcore.errors import CannotJudge, UnknownName
from evalcore.families.reviews.review import Drawn
from evalcore.judging.answering.independent import judges_named
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import is_named, known_judges, only_known_judge
from evalcore.judging.storing.judging_rule import rule_of
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import visible_preference
from evalcore.views.blind.ranking import LATER, TOO_FEW, ranking_lines, why_none
from evalcore.views.blind.results import counted as counted_words
from evalcore.views.blind.results import headline, remarks
from evalcore.views.blind.task import length_of
from evalcore.views.blind.words import RESULTS_LATER, RULES, proposal_words
from evalcore.views.words.wording import count, moment
from evalcore.workspace.opened import Workspace


def create(
    path: Path,
    a: str,
    b: str,
    suite: str | None,
    *,
    cases: tuple[str, ...],
    drawn: Drawn,
    criteria: str,
    judges: tuple[str, ...],
    per_task: int | None,
    dry_run: bool,
) -> Answer:
    """Create a study, or with `dry_run` say what it would compare."""
    since = datetime.now(UTC)
    seen, name = open_suite(path, suite)
    ws, hidden = seen.unmasked, seen.hidden
    sides = (side_named(ws, name, side) for side in (a, b))
    found = propose(*sides, chance=SystemRandom(), cases=cases, drawn=drawn)
    scored = criteria_named(ws, criteria, found.runs)
    asked = judges_named(judges, [judge.id for judge in known_judges()])
    design = Design(scored, asked, per_task, drawn)
    rule = rule_of(load_reviews(review_folder(ws, name))).reasons
    receipt = None
    if not dry_run:
        receipt = create_study(ws, name, found, design, author(), since=since)
    there = {"study": receipt and receipt.id, "path": receipt and receipt.path, "suite": name}
    if receipt is not None and not receipt.new:  # with other runs than those drawn here
        line = f"Another process created this study at the same moment: {receipt.path}"
        return Answer(lambda: there, [line])
    document = {
        **there,
        "a": found.a,
        "b": found.b,
        "pairs": len(found.pairs),
        "identical": None if found.holds(hidden.runs) else found.identical,
        "criteria": [each.name for each in scored],
        "judges_per_pair": design.per_pair,
        "reasons": rule,
        "minutes": minutes(len(found.pairs), len(scored), design.per_pair or 1),
        "visible_preference": visible_preference(found.cases),
        "left_out": [{"case": case, "why": why} for case, why in found.left_out],
    }
    lines = [f"A is {found.a}, B is {found.b}."]
    lines += proposal_words(found, design, hidden, most=len(found.left_out))
    lines.append(RULES[rule])
    if receipt is None:
        lines.append("Nothing was written.")
    else:
        lines.append(f"Written: {receipt.path}")
        lines.append("Judge it on the Blind page: evalcore open. Its secret stays on this machine.")
    return Answer(lambda: document, lines)


def status(path: Path, suite: str | None, study: str | None) -> Answer:
    """Say who judged how many pairs."""
    ws = open_for_judge(path).unmasked
    known = {name: studies(ws, name) for name in suites_of(ws, suite)}
    every = tuple(each for of in known.values() for each in of)
    chosen = every if study is None else (study_named(every, study),)
    told = {name: _status([each for each in of if each in chosen]) for name, of in known.items()}
    none = "There is no blind study here. Create one with: evalcore blind create."
    return Answer(lambda: [_document(each) for each in chosen], by_suite(told) or [none])


def _status(found: Sequence[Study]) -> list[str]:
    """Return the state of studies in lines, with how far each judge is."""
    lines = []
    for each in found:
        state = "open" if each.closed is None else f"closed {moment(each.closed)}"
        pairs = count(len(each.fields.pairs), "pair")
        lines.append(f"{each.id}  {state}, {pairs}, {moment(each.since)}")
        for judge in _judges(each):
            done = count(len(each.judged_by(judge)), "pair")
            part = each.parts.get(judge, "")
            lines.append(f"  {judge}: {done} compared{f' ({part})' if part else ''}")
    return lines


def reveal(path: Path, suite: str | None, study: str | None, judge: str) -> Answer:
    """Tell a judge which side was which in each of their verdicts."""
    ws, name = open_whole(path, suite)
    chosen = study_named(studies(ws, name), study)
    told = _judge_named(chosen, judge)
    if told != only_known_judge() and not may_see(studies(ws, name), only_known_judge()):
        raise CannotJudge(RESULTS_LATER)
    found = reveal_to(ws, chosen, told)
    return Answer(lambda: _told(chosen, found), _lines(chosen, found))


def close(path: Path, suite: str | None, study: str | None, *, without_key: bool) -> Answer:
    """End a study and say what was judged."""
    ws, name = open_whole(path, suite)
    chosen = study_named(studies(ws, name), study)
    ended = end(ws, chosen, author(), without_key=without_key)
    closed = ended.study
    found, why_not = revealed(closed)
    if why_not is None and not may_see(studies(ws, name), only_known_judge()):
        found, why_not = (), RESULTS_LATER
    lines = [f"Closed: {ended.receipt.path}", *(f"Written: {path}" for path in ended.paths)]
    document = {
        **_told(closed, found),
        "path": ended.receipt.path,
        "written": ended.paths,
        "not_written": ended.left_out,
        "why_not": why_not,
    }
    if why_not is not None:
        return Answer(lambda: document, [*lines, why_not])
    counted = results(closed, found, lambda run: length_of(ws, run))
    document["result"] = _result(counted)
    lines += [*ended.left_out, headline(counted), counted_words(counted), *remarks(counted)]
    return Answer(lambda: document, [*lines, *_lines(closed, found)])


def rank(path: Path, suite: str | None) -> Answer:
    """Rank the sides of all closed studies of a suite; not for whom runs of it are hidden."""
    ws, name = open_whole(path, suite)
    known = studies(ws, name)
    found = ranks(known)
    if found is None or not may_see(known, only_known_judge()):
        why = TOO_FEW if found is None else LATER
        return Answer(lambda: {"suite": name, "ranking": [], "why_not": why}, [why])
    ranking = found.ranking
    document = {
        "suite": name,
        "ranking": [
            {
                **side._asdict(),
                **fields(side, "chance", "likely"),
                "cases": found.cases[side.name],
            }
            for side in ranking.sides
        ],
        "why_not": None if ranking.sides else why_none(ranking),
        **fields(found, "studies", "untold"),
    }
    return Answer(lambda: document, ranking_lines(found))


def open_whole(path: Path, suite: str | None) -> tuple[Workspace, str]:
    """Return a folder, opened whole, with the suite that is named or the only one.

    To draw and tell sides, its studies need what is hidden: nothing of it is printed.
    """
    ws = open_for_judge(path).unmasked
    return ws, suite_of(ws, path, suite)


def _result(found: Results) -> dict[str, Any]:
    """Return the numbers of the results, for programs."""
    rate, verdict = found.rate, found.verdict
    return {
        "verdict": None if verdict is None else verdict.word,
        "cases": len(found.cases),
        "win_rate_b": None if rate is None else rate.value,
        "standard_error": None if rate is None else rate.error,
        "sign_test_p": found.p,
        "evidence": found.evidence,
        "counts": found.counts._asdict(),
        "knew": found.known._asdict(),
        "identical": found.identical,
        "left_won": found.left._asdict(),
        "longer_won": found.longer._asdict(),
        "scores": [{**each._asdict(), "verdict": each.verdict.word} for each in found.scores],
    }


def _judge_named(study: Study, name: str) -> Judge:
    """Return the judge of a study who has this id or name.

    Raises:
        UnknownName: nobody of that name judged in it.
    """
    here = (judge for judge in known_judges() if is_named(judge, [name], [name]))
    known = next(here, None)
    if known is not None:
        return known
    if name in _judges(study):
        return Judge(name, name)
    raise UnknownName("judge", name, _judges(study))


def _judges(study: Study) -> list[str]:
    """Return the ids of those who judged in a study or said something about their part in it."""
    return sorted({each.judge for each in study.verdicts} | set(study.parts))


def _document(study: Study) -> dict[str, Any]:
    return {
        "study": study.id,
        "suite": study.suite,
        "created_at": study.since,
        "created_by": study.author,
        "closed_at": study.closed,
        "pairs": len(study.fields.pairs),
        "judges": {judge: len(study.judged_by(judge)) for judge in _judges(study)},
    }


def _told(study: Study, found: tuple[Unblinded, ...]) -> dict[str, Any]:
    verdicts = [
        {
            "case": each.pair.case_id,
            "judge": each.judge,
            "won": each.won,
            "a_stood": each.a,
            "knew": each.knows,
        }
        for each in found
    ]
    sides = {"a": study.fields.side_a, "b": study.fields.side_b}
    return {**_document(study), **sides, "verdicts": verdicts}


def _lines(study: Study, found: tuple[Unblinded, ...]) -> list[str]:
    names = {"a": study.fields.side_a, "b": study.fields.side_b}
    return [
        f"{each.pair.case_id}  {each.judge}: {names.get(each.won, each.won)} "
        f"({names['a']} was {each.a}{', knew which is which' if each.knows else ''})"
        for each in found
    ]
