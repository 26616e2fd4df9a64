"""`evalcore failures`: what failed and why, as a table or as one document."""

import json
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from evalcore.cli.hiding import open_for_judge
from evalcore.cli.screen import console
from evalcore.cli.terminal import harmless
from evalcore.counting.choices import suite_ids
from evalcore.counting.coded import Numbers, coded
from evalcore.counting.people import Scores
from evalcore.errors import UnknownName
from evalcore.failures.detail import Failure, described
from evalcore.failures.find import failures
from evalcore.failures.query import Query, matching
from evalcore.failures.rules import NOT_CLASSIFIED
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

SHOWN: Final = 100
"""So many failures of a suite are in its table; `--json` has all."""
MAX_WORDS: Final = 90
_SAID_BY: Final = {"guess": " (guess)", "model": " (a model)", "rule": " (a rule)"}


def answer(path: Path, suite: str | None, scores: Scores, *, only_open: bool, as_json: bool) -> int:
    """Print the failures of one suite or of all; return 0.

    Raises:
        UnknownName: there is no such suite.
    """
    ws = open_for_judge(path)
    query = Query(state="open" if only_open else None)
    suites = _suites(ws, suite)
    if as_json:
        found = [_as_document(ws, each, query, scores) for each in suites]
        _print({"root": str(ws.root), "scores": scores, "suites": found})
    else:
        for each in suites:
            _show(ws, each, query, scores)
        if not suites:
            console().print("No evaluations were found here.")
    return 0


def record(path: Path, suite: str | None, *, as_json: bool) -> int:
    """Write a record, by the rules, of each failure that has none, and print where; return 0.

    Raises:
        UnknownName: there is no such suite.
        CannotWrite: one cannot be written; doing it again completes it.
    """
    from evalcore.memory.failures import record_failures  # noqa: PLC0415 - listing needs it not

    ws = open_for_judge(path)
    done = {each: record_failures(ws, each) for each in _suites(ws, suite)}
    if as_json:
        found = [
            {"suite": each, "written": [{"id": one.id, "path": one.path} for one in receipts]}
            for each, receipts in done.items()
        ]
        _print({"root": str(ws.root), "suites": found})
        return 0
    for each, receipts in done.items():
        written = wording.count(len(receipts), "failure")
        console().print(Text(harmless(f"{each}: {written} recorded."), "bold"))
        for one in receipts[:SHOWN]:
            console().print(Text(harmless(f"  {one.path}")))
        if len(receipts) > SHOWN:
            console().print(f"  and {len(receipts) - SHOWN:,} more (all with --json)")
    return 0


def _suites(ws: Workspace, suite: str | None) -> Sequence[str]:
    """Return the suites that are asked for.

    Raises:
        UnknownName: there is no such suite.
    """
    known = suite_ids(ws)
    if suite is not None and suite not in known:
        raise UnknownName("suite", suite, known)
    return known if suite is None else (suite,)


def _print(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=2) + "\n")


def _as_document(ws: Workspace, suite: str, query: Query, scores: Scores) -> dict[str, Any]:
    found = failures(ws, suite, scores)
    listed = described(ws, suite, matching(ws, suite, query, scores), scores)
    ids = coded(ws, "runs", "run_id")

    def names(runs: Numbers) -> list[str]:
        return [ids.words[code] for code in ids.codes[runs].tolist()]

    return {
        "suite": suite,
        "runs": int(found.counted.sum()),
        "failed_runs": int(found.failing.sum()),
        "hidden_runs": int(found.hidden.sum()),
        "counts": {
            "type": dict(Counter(each.type or NOT_CLASSIFIED for each in listed)),
            "severity": dict(Counter(each.severity or "not-said" for each in listed)),
            "origin": dict(Counter(each.origin for each in listed)),
            "resolved": sum(each.resolved_at is not None for each in listed),
            "open": sum(each.resolved_at is None for each in listed),
        },
        "failures": [_failure(each) for each in listed],
        "outside_rates": {why: names(runs) for why, runs in found.outside.items()},
    }


def _failure(each: Failure) -> dict[str, Any]:
    return {
        "run": each.run_id,
        "named_run": each.named_run,
        "case": each.case_id,
        "version": each.version,
        "configuration": each.configuration,
        "status": each.status,
        "at": _time(each.at),
        "type": each.type,
        "severity": each.severity,
        "origin": each.origin,
        "rule": each.rule,
        "description": each.description,
        "root_cause": each.root_cause,
        "criteria": list(each.criteria),
        "failed_criteria": [
            {
                "criterion": failed.key,
                "score": failed.score,
                "max_score": failed.max_score,
                "reason": failed.reason,
            }
            for failed in each.failed
        ],
        "resolved_at": _time(each.resolved_at),
        "resolution_notes": each.resolution_notes,
        "author": each.author,
        "failure_id": each.failure_id,
        "conflict": each.conflict,
        "source": each.source,
    }


def _time(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()


def _show(ws: Workspace, suite: str, query: Query, scores: Scores) -> None:
    out, found = console(), failures(ws, suite, scores)
    places = matching(ws, suite, query, scores)
    failed = f"{int(found.failing.sum()):,} of {wording.count(int(found.counted.sum()), 'run')}"
    out.print(Text(harmless(f"{suite}: {failed} failed"), "bold"))
    if len(places):
        out.print(_table(described(ws, suite, places[:SHOWN], scores)))
    if len(places) > SHOWN:
        out.print(f"  and {len(places) - SHOWN:,} more (all with --json)")
    for why, runs in found.outside.items():
        words = harmless(why).replace("_", " ")
        out.print(Text(f"  not counted: {wording.count(len(runs), 'run')} ({words})"))
    out.print()


def _table(listed: Sequence[Failure]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("Case", "Version", "Type", "Severity", "State", "What is wrong"):
        table.add_column(name, overflow="fold")
    for each in listed:
        guess = _SAID_BY.get(each.origin, "")
        case = each.case_id or f"{each.named_run or 'no run'} (not here)"
        side = f"@{each.configuration}" if (each.configuration or "-") != "-" else ""
        said = " ".join(each.description.split())
        table.add_row(
            harmless(case),
            harmless(f"{each.version or ''}{side}"),
            harmless((each.type or NOT_CLASSIFIED).replace("-", " ")) + guess,
            harmless(each.severity or "not said"),
            "resolved" if each.resolved_at is not None else "open",
            harmless(said if len(said) <= MAX_WORDS else f"{said[: MAX_WORDS - 1]}…"),
        )
    return table
