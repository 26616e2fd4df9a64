"""`evalcore failures`: what failed and why, as a table or as one document."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rich.console import RenderableType
from rich.table import Table

from evalcore.cli.answering import Answer, fields
from evalcore.cli.opening import open_for_judge, suites_of
from evalcore.cli.screen import styled, table, wrapped
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.people import Scores
from evalcore.failures.detail import Failure, described
from evalcore.failures.find import NO_SCORE, Failures, failures
from evalcore.failures.query import Query, matching
from evalcore.failures.rules import NOT_CLASSIFIED
from evalcore.views.words import wording
from evalcore.views.words.score_source import scores_words, unscored_words
from evalcore.workspace.opened import Workspace

SHOWN: Final = 100
"""So many failures of a suite are in its table; `--json` has all."""
MAX_WORDS: Final = 90
_SAID_BY: Final = {"guess": " (guess)", "model": " (a model)", "rule": " (a rule)"}


def answer(path: Path, suite: str | None, scores: Scores, *, only_open: bool) -> Answer:
    """List the failures of one suite or of all.

    Raises:
        UnknownName: there is no such suite.
    """
    ws = open_for_judge(path)
    query = Query(state="open" if only_open else None)
    suites = suites_of(ws, suite)

    def document() -> dict[str, Any]:
        found = [_of_suite(ws, each, query, scores) for each in suites]
        return {"root": ws.root, "scores": scores, "suites": found}

    def lines() -> Iterator[RenderableType]:
        for each in suites:
            yield from _lines(ws, each, query, scores)
        if not suites:
            yield "No evaluations were found here."

    return Answer(document, lines(), ascii=False)


def record(path: Path, suite: str | None) -> Answer:
    """Write a record, by the rules, of each failure that has none, and say where.

    Raises:
        UnknownName: there is no such suite.
        CannotWrite: one cannot be written; doing it again completes it.
    """
    from evalcore.memory.failures import record_failures  # noqa: PLC0415 - listing needs it not

    ws = open_for_judge(path)
    suites, lines = [], list[RenderableType]()
    for each in suites_of(ws, suite):
        receipts = record_failures(ws, each)
        written = [fields(one, "id", "path") for one in receipts]
        suites.append({"suite": each, "written": written})
        number = wording.count(len(receipts), "failure")
        lines.append(wrapped(f"{each}: {number} recorded.", "bold"))
        lines += [wrapped(f"  {one.path}") for one in receipts[:SHOWN]]
        if len(receipts) > SHOWN:
            lines.append(f"  and {len(receipts) - SHOWN:,} more (all with --json)")
    return Answer(lambda: {"root": ws.root, "suites": suites}, lines, ascii=False)


def _of_suite(ws: Workspace, suite: str, query: Query, scores: Scores) -> dict[str, Any]:
    found = failures(ws, suite, scores)
    listed = described(ws, suite, matching(ws, suite, query, scores), scores)
    ids = coded(ws, "runs", "run_id")

    def names(runs: Numbers) -> list[str]:
        return [ids.words[code] for code in ids.codes[runs].tolist()]

    return {
        **head(suite, found),
        "counts": {
            "type": dict(Counter(each.type or NOT_CLASSIFIED for each in listed)),
            "severity": dict(Counter(each.severity or "not-said" for each in listed)),
            "origin": dict(Counter(each.origin for each in listed)),
            "resolved": sum(each.resolved_at is not None for each in listed),
            "open": sum(each.resolved_at is None for each in listed),
        },
        "failures": [as_document(each) for each in listed],
        "outside_rates": {why: names(runs) for why, runs in found.outside.items()},
    }


def head(suite: str, found: Failures) -> dict[str, Any]:
    """Return how many runs of a suite there are, and how many failed."""
    return {
        "suite": suite,
        "runs": int(found.counted.sum()),
        "failed_runs": int(found.failing.sum()),
        "hidden_runs": int(found.hidden.sum()),
    }


def as_document(each: Failure) -> dict[str, Any]:
    """Return a failure as a document names its parts."""
    return {
        "run": each.run_id,
        "named_run": each.named_run,
        "case": each.case_id,
        **fields(each, "version", "configuration", "status", "at", "type", "severity", "origin"),
        **fields(each, "rule", "description", "root_cause", "criteria"),
        "failed_criteria": [
            {"criterion": failed.key, **fields(failed, "score", "max_score", "reason", "evidence")}
            for failed in each.failed
        ],
        **fields(each, "resolved_at", "resolution_notes", "author", "failure_id", "conflict"),
        "source": each.source,
    }


def _lines(ws: Workspace, suite: str, query: Query, scores: Scores) -> Iterator[RenderableType]:
    found, places = failures(ws, suite, scores), matching(ws, suite, query, scores)
    failed = f"{int(found.failing.sum()):,} of {wording.count(int(found.counted.sum()), 'run')}"
    yield wrapped(f"{suite}: {failed} failed{scores_words(scores)}", "bold")
    if len(places):
        yield _table(described(ws, suite, places[:SHOWN], scores))
    if len(places) > SHOWN:
        yield f"  and {len(places) - SHOWN:,} more (all with --json)"
    for why, runs in found.outside.items():
        words = unscored_words(scores) if why == NO_SCORE else why.replace("_", " ")
        yield wrapped(f"  not counted: {wording.count(len(runs), 'run')} ({words})")
    yield ""


def _table(listed: Sequence[Failure]) -> Table:
    made = table(("Case", "Version", "Type", "Severity", "State", "What is wrong"), header="bold")
    for each in listed:
        case = each.case_id or f"{each.named_run or 'no run'} (not here)"
        side = f"@{each.configuration}" if (each.configuration or "-") != "-" else ""
        kind = (each.type or NOT_CLASSIFIED).replace("-", " ")
        said = " ".join(each.description.split())
        cells = [case, f"{each.version or ''}{side}", f"{kind}{_SAID_BY.get(each.origin, '')}"]
        cells += [each.severity or "not said", "open" if each.resolved_at is None else "resolved"]
        cells += [said if len(said) <= MAX_WORDS else f"{said[: MAX_WORDS - 1]}…"]
        made.add_row(*map(styled, cells))
    return made
