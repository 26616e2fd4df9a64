"""Judging tasks: a run's prompt, output and criteria, without anybody's opinion of it."""

from collections.abc import Mapping
from typing import Final

from evalcore.counting.cells import has, typed, where
from evalcore.counting.run_criteria import run_row
from evalcore.disk.outputs import list_outputs
from evalcore.errors import EvalcoreError
from evalcore.families.reviews.basis import PROMPT, Part, changed
from evalcore.families.reviews.review import Chain, Decided, Review
from evalcore.judging.asking.asked import asked, basis, case_row
from evalcore.judging.asking.keys import ruled
from evalcore.judging.model import Asked, Basis, Judge, Level, OwnJudgment, Task
from evalcore.judging.storing.judging_rule import rule_of
from evalcore.judging.storing.record_factory import standing_id
from evalcore.judging.storing.run_reviews import RunReviews, reviews_of_run, score_of, text_of
from evalcore.judging.storing.store import new_id
from evalcore.problems import pointer
from evalcore.tables.held import output_pointer
from evalcore.tables.rows import JudgmentRow, RunRow
from evalcore.workspace.opened import Workspace

MAX_FILES: Final = 500
GRADINGS: Final = frozenset({"grading.json", "structural.json", "benchmark.json"})
LEVELS: Final[tuple[Level, ...]] = ("low", "medium", "high")
CHANGED: Final[Mapping[Part, str]] = {
    "output": "the output changed since",
    "prompt": "the prompt changed since",
    "criterion": "the criterion was reworded since",
}
NOT_ASKED: Final = "the criterion was removed"
TWICE: Final = "you stored several scores and none replaces the others"


def task(
    ws: Workspace,
    run_id: str,
    judge: Judge,
    records: tuple[Review, ...],
    ids: Mapping[str, str] | None = None,
    *,
    independent: bool = False,
) -> Task:
    """Return the judging task of a run, with this judge's earlier judgments.

    `ids` are the submission ids by key of an earlier draft; ids that have been used in the meantime
    are replaced. Who judges `independent` of all scores is asked for what rules decided, too.

    Raises:
        UnknownName: there is no such run.
    """
    run = run_row(ws, run_id)
    case = case_row(ws, run)
    criteria, rests_on = asked(ws, run_id), basis(ws, run_id)
    drafted = set((ids or {}).values())
    used = drafted and {review.id for review in records if review.id in drafted}
    given = {key: name for key, name in (ids or {}).items() if name not in used}
    case_id = run.case_id or ""
    return Task(
        run_id=run_id,
        suite=run.suite or "",
        case_id=case_id,
        name=(case.name if case else None) or case_id,
        prompt=case.prompt if case else None,
        expected=case.expected if case else None,
        files=output_paths(ws, run),
        criteria=criteria,
        basis=rests_on,
        ids={each.key: given.get(each.key) or new_id() for each in criteria},
        mine=own_judgments(records, run_id, judge, rests_on),
        reasons=rule_of(records).reasons,
        decided={}
        if independent
        else decided(ws, run, criteria, rests_on, reviews_of_run(records, run_id)),
    )


def own_judgments(
    records: tuple[Review, ...], run_id: str, judge: Judge, now: Basis
) -> dict[str, OwnJudgment]:
    """Return a judge's judgments of a run by key, including withdrawn and stale ones."""
    chains = reviews_of_run(records, run_id).judges.get(judge.id, {})
    return {key: _mine(key, chain, now) for key, chain in chains.items()}


def stale(review: Review, key: str, now: Basis) -> str | None:
    """Return in words what a judgment rests on that changed since, None if nothing did."""
    if key not in now.criteria:
        return NOT_ASKED
    prompt, criterion = now.wordings.get(PROMPT), now.wordings.get(key)
    found = changed(review.basis, lambda: now.output, prompt, criterion)
    return ", ".join(CHANGED[part] for part in found) or None


def decided(
    ws: Workspace, run: RunRow, criteria: tuple[Asked, ...], rests_on: Basis, reviews: RunReviews
) -> dict[str, Decided]:
    """Return what rules decided of the criteria of a run, by key; nothing where that is all.

    It is what its grading says, and what the request for people to judge the rest says of this
    output.
    """
    (at,) = where(ws, "runs", run_id=run.run_id)[:1]
    asks, found = {each.key: each for each in criteria}, dict[str, Decided]()
    rows = ruled(ws, int(at))
    for row, key in zip(typed(ws, "judgments", JudgmentRow, [*rows.values()]), rows, strict=True):
        if (of := asks.get(key)) is not None:
            score = (of.high if row.passed else of.low) if row.score is None else row.score
            passed = score >= of.pass_at if row.passed is None else row.passed
            share = (score - of.low) / (of.high - of.low)
            found[key] = Decided(passed, share, row.rationale or row.evidence or "")
    if reviews.ruled_output in (None, rests_on.output):
        found |= {key: each for key, each in reviews.by_rules.items() if key in asks}
    return found if len(found) < len(asks) else {}


def output_paths(ws: Workspace, run: RunRow) -> tuple[str, ...]:
    """Return the output files of a run, relative to the workspace, without its grading documents.

    An output inside a record is named `document.json#/pointer`, one for each of its fields.
    """
    held = output_pointer(run)
    if held is not None:
        return _parts(ws, run.source or "", held)
    if not run.outputs:
        return ()
    try:
        found = list_outputs(ws.root, run.outputs, MAX_FILES)
    except (EvalcoreError, OSError, ValueError):
        return ()
    return tuple(file.path for file in found if not _grades(ws, file.path))


def _grades(ws: Workspace, path: str) -> bool:
    """Return whether a file holds judgments or is named like a file that does."""
    return path.rpartition("/")[2] in GRADINGS or has(ws, "judgments", "source", path)


def _parts(ws: Workspace, source: str, at: str) -> tuple[str, ...]:
    try:
        value = ws.raw(source, at)
    except EvalcoreError:
        return ()
    if isinstance(value, dict):
        return tuple(f"{source}#{at}{pointer(key)}" for key in list(value)[:MAX_FILES])
    return () if value is None else (f"{source}#{at}",)


def _mine(key: str, chain: Chain, now: Basis) -> OwnJudgment:
    head = chain.head
    score = score_of(head)
    level = head.fields.get("confidenceLevel")
    evidence = head.fields.get("evidence")
    changed = stale(head, key, now) if score is not None else None
    if chain.rivals:
        changed = ", ".join(filter(None, (changed, TWICE)))
    return OwnJudgment(
        standing_id(chain),
        key,
        score,
        text_of(head),
        tuple(each for each in evidence if isinstance(each, str))
        if isinstance(evidence, list)
        else (),
        next((each for each in LEVELS if each == level), None),
        changed,
    )
