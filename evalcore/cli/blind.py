"""`evalcore blind`: create studies, say how far they are, tell a judge, and end them."""

import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from secrets import SystemRandom

from evalcore.blind.closing import reveal_to, revealed, study_named
from evalcore.blind.creating import Design, create_study
from evalcore.blind.criteria import criteria_named
from evalcore.blind.proposing import Proposal, minutes, propose, side_named
from evalcore.blind.ranking import may_see, ranks
from evalcore.blind.results import Results, results
from evalcore.blind.unblinding import Unblinded
from evalcore.blind.writing import end
from evalcore.cli.hiding import open_for_judge
from evalcore.cli.json_text import json_text
from evalcore.cli.terminal import harmless
from evalcore.cli.trending import suite_of
from evalcore.errors import CannotJudge, UnknownName
from evalcore.families.reviews.review import Drawn
from evalcore.judging.answering.independent import judges_named
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import is_named, known_judges, only_known_judge
from evalcore.judging.studies import Study
from evalcore.statistics.preferences import visible_preference
from evalcore.views.blind.ranking import LATER, TOO_FEW, ranking_lines, why_none
from evalcore.views.blind.results import counted as counted_words
from evalcore.views.blind.results import headline, remarks
from evalcore.views.blind.task import length_of
from evalcore.views.blind.words import RESULTS_LATER, proposal_words
from evalcore.views.words.wording import count, moment
from evalcore.workspace.hidden import Hidden
from evalcore.workspace.opened import Workspace

TERMINAL = Judge("terminal", "terminal")
"""Who creates and closes studies where this machine knows no judge, or several."""


@dataclass(frozen=True)
class Asked:
    """A study as it is asked for."""

    a: str
    b: str
    suite: str | None
    cases: tuple[str, ...]
    drawn: Drawn
    criteria: str
    judges: tuple[str, ...]
    per_task: int | None


def create(path: Path, asked: Asked, *, dry_run: bool, as_json: bool) -> int:
    """Create a study, or with `dry_run` say what it would compare."""
    since = datetime.now(UTC)
    seen = open_for_judge(path)
    ws, hidden, suite = seen.unmasked, seen.hidden, suite_of(seen, path, asked.suite)
    sides = (side_named(ws, suite, name) for name in (asked.a, asked.b))
    found = propose(*sides, chance=SystemRandom(), cases=asked.cases, drawn=asked.drawn)
    runs = [run for pair in found.pairs for run in (pair.run_a, pair.run_b)]
    criteria = criteria_named(ws, asked.criteria, runs)
    judges = judges_named(asked.judges, [judge.id for judge in known_judges()])
    design = Design(criteria, judges, asked.per_task, asked.drawn)
    receipt = None
    if not dry_run:
        receipt = create_study(ws, suite, found, design, _author(), since=since)
    if receipt is not None and not receipt.new:  # with other runs than those drawn here
        there = {"study": receipt.id, "path": receipt.path, "suite": suite}
        line = f"Another process created this study at the same moment: {receipt.path}"
        return said(there, [line], as_json=as_json)
    document = {
        "study": None if receipt is None else receipt.id,
        "path": None if receipt is None else receipt.path,
        "suite": suite,
        "a": found.a,
        "b": found.b,
        "pairs": len(found.pairs),
        "identical": None if found.holds(hidden.runs) else found.identical,
        "criteria": [each.name for each in criteria],
        "judges_per_pair": design.per_pair,
        "minutes": minutes(len(found.pairs), len(criteria), design.per_pair or 1),
        "visible_preference": visible_preference(found.cases),
        "left_out": [{"case": case, "why": why} for case, why in found.left_out],
    }
    lines = _proposed(found, design, hidden, receipt and receipt.path)
    return said(document, lines, as_json=as_json)


def status(path: Path, suite: str | None, study: str | None, *, as_json: bool) -> int:
    """Say who judged how many pairs."""
    ws, name = opened_suite(path, suite)
    known = studies(ws, name)
    chosen = known if study is None else (study_named(known, study),)
    lines = [line for each in chosen for line in _progress(each)]
    documents = [_document(each) for each in chosen]
    none = "There is no blind study here. Create one with: evalcore blind create."
    return said(documents, lines or [none], as_json=as_json)


def reveal(path: Path, suite: str | None, study: str | None, judge: str, *, as_json: bool) -> int:
    """Tell a judge which side was which in each of their verdicts."""
    ws, name = opened_suite(path, suite)
    chosen = study_named(studies(ws, name), study)
    told = _judge_named(chosen, judge)
    if told != only_known_judge() and not may_see(studies(ws, name), only_known_judge()):
        raise CannotJudge(RESULTS_LATER)
    found = reveal_to(ws, chosen, told)
    return said(_told(chosen, found), _lines(chosen, found), as_json=as_json)


def close(
    path: Path, suite: str | None, study: str | None, *, without_key: bool, as_json: bool
) -> int:
    """End a study and say what was judged."""
    ws, name = opened_suite(path, suite)
    chosen = study_named(studies(ws, name), study)
    ended = end(ws, chosen, _author(), without_key=without_key)
    closed = ended.study
    found, why_not = revealed(closed)
    if why_not is None and not may_see(studies(ws, name), only_known_judge()):
        found, why_not = (), RESULTS_LATER
    lines = [f"Closed: {ended.receipt.path}", *(f"Written: {path}" for path in ended.paths)]
    document = {
        **_told(closed, found),
        "path": ended.receipt.path,
        "written": list(ended.paths),
        "not_written": list(ended.left_out),
        "why_not": why_not,
    }
    if why_not is not None:
        return said(document, [*lines, why_not], as_json=as_json)
    counted = results(closed, found, lambda run: length_of(ws, run))
    words = [headline(counted), counted_words(counted), *remarks(counted)]
    document["result"] = _result(counted)
    return said(
        document, [*lines, *ended.left_out, *words, *_lines(closed, found)], as_json=as_json
    )


def rank(path: Path, suite: str | None, *, as_json: bool) -> int:
    """Rank the sides of all closed studies of a suite; not for whom runs of it are hidden."""
    ws, name = opened_suite(path, suite)
    known = studies(ws, name)
    found = ranks(known)
    if found is None or not may_see(known, only_known_judge()):
        why = TOO_FEW if found is None else LATER
        return said({"suite": name, "ranking": [], "why_not": why}, [why], as_json=as_json)
    ranking = found.ranking
    document = {
        "suite": name,
        "ranking": [
            {
                **side._asdict(),
                "chance": side.chance,
                "likely": side.likely,
                "cases": found.cases[side.name],
            }
            for side in ranking.sides
        ],
        "why_not": None if ranking.sides else why_none(ranking),
        "studies": found.studies,
        "untold": found.untold,
    }
    return said(document, ranking_lines(found), as_json=as_json)


def _result(found: Results) -> dict[str, object]:
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


def opened_suite(path: Path, suite: str | None) -> tuple[Workspace, str]:
    """Return a folder, opened whole, with the suite that is named or the only one.

    To draw and tell sides, its studies need what is hidden: nothing of it is printed.
    """
    ws = open_for_judge(path).unmasked
    return ws, suite_of(ws, path, suite)


def _author() -> Judge:
    return only_known_judge() or TERMINAL


def _judge_named(study: Study, name: str) -> Judge:
    """Return the judge of a study who has this id or name.

    Raises:
        UnknownName: nobody of that name judged in it.
    """
    mine = {each.judge for each in study.verdicts} | set(study.parts)
    here = (judge for judge in known_judges() if is_named(judge, [name], [name]))
    known = next(here, None)
    if known is not None:
        return known
    if name in mine:
        return Judge(name, name)
    raise UnknownName("judge", name, sorted(mine))


def _proposed(found: Proposal, design: Design, hidden: Hidden, path: str | None) -> list[str]:
    words = proposal_words(found, design, hidden, most=len(found.left_out))
    lines = [f"A is {found.a}, B is {found.b}.", *words]
    lines.append("Nothing was written." if path is None else f"Written: {path}")
    if path is not None:
        lines.append("Judge it on the Blind page: evalcore open. Its secret stays on this machine.")
    return lines


def _progress(study: Study) -> list[str]:
    state = "open" if study.closed is None else f"closed {moment(study.closed)}"
    lines = [
        f"{study.id}  {state}, {count(len(study.fields.pairs), 'pair')}, {moment(study.since)}"
    ]
    for judge in sorted({each.judge for each in study.verdicts} | set(study.parts)):
        done = count(len(study.judged_by(judge)), "pair")
        part = study.parts.get(judge, "")
        lines.append(f"  {judge}: {done} compared{f' ({part})' if part else ''}")
    return lines


def _document(study: Study) -> dict[str, object]:
    judges = sorted({each.judge for each in study.verdicts} | set(study.parts))
    return {
        "study": study.id,
        "suite": study.suite,
        "created_at": study.since.isoformat(),
        "created_by": study.author,
        "closed_at": None if study.closed is None else study.closed.isoformat(),
        "pairs": len(study.fields.pairs),
        "judges": {judge: len(study.judged_by(judge)) for judge in judges},
    }


def _told(study: Study, found: tuple[Unblinded, ...]) -> dict[str, object]:
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
    return {
        **_document(study),
        "a": study.fields.side_a,
        "b": study.fields.side_b,
        "verdicts": verdicts,
    }


def _lines(study: Study, found: tuple[Unblinded, ...]) -> list[str]:
    names = {"a": study.fields.side_a, "b": study.fields.side_b}
    return [
        f"{each.pair.case_id}  {each.judge}: {names.get(each.won, each.won)} "
        f"({study.fields.side_a} was {each.a}{', knew which is which' if each.knows else ''})"
        for each in found
    ]


def said(document: object, lines: list[str], *, as_json: bool) -> int:
    """Print a document as JSON, or its lines."""
    text = json_text(document) if as_json else "".join(f"{harmless(line)}\n" for line in lines)
    sys.stdout.write(text)
    return 0
