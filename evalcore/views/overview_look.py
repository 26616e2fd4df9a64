"""Describe where to look: weak criteria, flaky cases, runs that ended badly, what waits."""

from collections.abc import Iterable
from typing import Final

from evalcore.counting.people import Scores
from evalcore.views import wording
from evalcore.views.doors import Block, cell, door, heading, say, table
from evalcore.views.overview import Overview
from evalcore.views.overview_faults import Faults
from evalcore.views.overview_runs import LISTED, NO_SCORE, WORDS, Ended, Flaky
from evalcore.views.overview_weak import Weak
from evalcore.views.waiting import Wait
from evalcore.views.whose_words import scores_words, unscored_words

SHOWN: Final = 4
"""How many rows a list of cases shows before it is folded."""
_SEVERITIES: Final = {"error": ("error", "fail"), "warning": ("warning", "warn"),
                      "info": ("note", None)}  # fmt: skip


def weak_blocks(found: Overview) -> list[Block]:
    """Describe the criteria that lose most in the column in focus."""
    weak, focus = found.weak, wording.column_words(found.line.focus)
    if found.line.focus is None:
        return [heading("Weakest criteria"), say("Not known before the first run.", quiet=True)]
    if not weak.first:
        none = "every one met in full" if weak.asked else "none is scored"
        return [
            heading(
                "Weakest criteria",
                f"{focus}: {_criteria(weak.asked)}{none}{scores_words(found.scores)}",
            )
        ]
    asked = wording.count(weak.asked, "criterion")
    hint = f"{focus}: {weak.losing:,} of {asked} not met in full{scores_words(found.scores)}"
    if all(weak.cases == 1 for weak in weak.first):
        hint += "; these are asked in one case each"
    head = [("criterion", False), ("0 to 100 %", False), ("mean over cases", True)]
    rows = [{"cells": _weak_cells(found.line.suite, one)} for one in weak.first]
    return [heading("Weakest criteria", hint), table("Weakest criteria", head, rows)]


def _criteria(n: int) -> str:
    return f"of {wording.count(n, 'criterion')} " if n else ""


def _weak_cells(suite: str, weak: Weak) -> list[Block]:
    about = " · ".join(part for part in (weak.about, weak.case and f"only in {weak.case}") if part)
    there = door("gradings", suite=suite, criterion=weak.criterion) if weak.failed else None
    if there is None:
        there = door("gradings", suite=suite)
    graded = weak.failed is None and weak.top is not None
    value = (
        wording.score(weak.value * weak.top, weak.top)
        if graded and weak.top is not None
        else wording.percent(weak.value)
    )
    failed = f"✗ failed in {weak.failed:,}" if weak.failed and weak.cases > 1 else ""
    return [
        cell(weak.criterion, sub=about, door=there, clamp=True),
        cell("", bar={"value": weak.value, "low": weak.low, "high": weak.high}),
        cell(f"{value} over {wording.count(weak.cases, 'case')}", sub=failed, num=True),
    ]


def look_blocks(
    found: Overview, flaky: tuple[Flaky, ...], ended: tuple[Ended, ...], not_run: tuple[str, ...]
) -> list[Block]:
    """Describe the cases whose runs disagree, and the runs without a result."""
    if found.line.focus is None:
        return []
    return [*_flaky_blocks(found, flaky), *_ended_blocks(found, ended, not_run)]


def _flaky_blocks(found: Overview, flaky: tuple[Flaky, ...]) -> list[Block]:
    several = wording.count(found.repeated, "case")
    if not found.repeated:
        why = "Not measured: every case ran once, and it takes a second run of a case to see it."
        return [heading("Flaky cases"), say(why, quiet=True)]
    if not flaky:
        hint = f"none of {several} with two runs or more"
        return [heading("Flaky cases", hint)]
    suite = found.line.suite
    title = heading("Flaky cases", f"{found.counts['flaky']:,} of {several} with two runs or more")
    rows = [
        {
            "cells": [
                cell(
                    one.name,
                    sub=one.criterion or "",
                    door=door("gradings", suite=suite, filter="flaky", run=one.run_id),
                    clamp=True,
                    id=one.case_id,
                ),
                cell(
                    f"≈ {one.passed:,} of {wording.count(one.runs, 'run')} passed",
                    mark="flaky",
                    num=True,
                ),
            ]
        }
        for one in flaky
    ]
    head = [("case", False), ("its runs", True)]
    blocks = [title, table("Flaky cases", head, rows, fold=SHOWN)]
    return [*blocks, *_more(found, "flaky", found.counts["flaky"] - len(flaky))]


def _more(found: Overview, name: str, n: int) -> list[Block]:
    """Describe the door to the cases that a list does not name."""
    if n <= 0:
        return []
    there = door("gradings", suite=found.line.suite, filter=name)
    return [{"t": "folds", "label": "", "items": [
        {"n": n, "what": "more in Gradings", "door": there, "entries": []}]}]  # fmt: skip


def _ended_blocks(found: Overview, ended: Iterable[Ended], not_run: tuple[str, ...]) -> list[Block]:
    suite, focus = found.line.suite, wording.column_words(found.line.focus)
    items: list[Block] = [
        {
            "n": one.n,
            "what": _ended_words(one, found.scores),
            "mark": "fail" if one.counts else "unscored",
            "entries": [
                {"text": run.case, "about": f"run {run.run}",
                 "door": door("gradings", suite=suite, run=run.run_id)}
                for run in one.runs
            ],
            "more": one.n - len(one.runs),
        }
        for one in ended
    ]  # fmt: skip
    if not_run:
        items.append({
            "n": len(not_run), "mark": "unscored",
            "what": f"{wording.count(len(not_run), 'case').partition(' ')[2]} without a run",
            "entries": [
                {"text": case, "about": "", "door": door("gradings", suite=suite, case=case)}
                for case in not_run[:LISTED]
            ],
            "more": max(len(not_run) - LISTED, 0),
        })  # fmt: skip
    runs, by = wording.count(found.line.rate.runs, "run"), scores_words(found.scores)
    if not items:
        return [heading("Runs", f"all {runs} of {focus} ended and have a score{by}")]
    title = heading("Runs to look at", f"of {runs} in {focus}")
    return [title, {"t": "folds", "label": "Runs to look at", "items": items}]


def _ended_words(one: Ended, scores: Scores) -> str:
    runs = wording.count(one.n, "run").partition(" ")[2]
    if one.status == NO_SCORE and scores == "human":
        return f"{runs} {unscored_words(scores)}"
    word = f"{runs} {WORDS.get(one.status, f'with the status {one.status}')}"
    if one.status == NO_SCORE:
        return word
    return f"{word}, {'counted as failed' if one.counts else 'outside the rates'}"


def wait_blocks(
    found: Overview, waits: tuple[Wait, ...], faults: tuple[Faults, ...]
) -> list[Block]:
    """Describe what waits for a person, and what is wrong in the files."""
    items = [
        {
            "n": wait.n,
            "what": wait.what,
            "entries": [entry._asdict() for entry in wait.entries],
            "more": wait.places - len(wait.entries),
            "door": wait.door,
        }
        for wait in waits
    ]
    blocks: list[Block] = [heading("Waits for you")]
    if items:
        blocks.append({"t": "folds", "label": "Waits for you", "items": items})
    else:
        blocks.append(say("Nothing waits for a person.", quiet=True))
    return [*blocks, *_fault_blocks(found.line.suite, faults)]


def _fault_blocks(suite: str, faults: tuple[Faults, ...]) -> list[Block]:
    if not faults:
        return [heading("Data problems", "none met when opening")]
    items = []
    for one in faults:
        noun, mark = _SEVERITIES[one.severity]
        there = door("data", suite=suite, dview="problems", dsuite=suite, severity=one.severity)
        items.append({
            "n": one.n, "what": wording.count(one.n, noun).partition(" ")[2], "mark": mark,
            "about": one.first, "door": there, "entries": [],
        })  # fmt: skip
    return [heading("Data problems"), {"t": "folds", "label": "Data problems", "items": items}]
