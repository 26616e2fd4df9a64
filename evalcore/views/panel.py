"""Describe a grid and the evidence of a run as plain blocks, ready to be drawn anywhere."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import orjson

from evalcore.tables.rows import CriterionRow, RunRow
from evalcore.views import wording
from evalcore.views.cells import typed, where
from evalcore.views.evidence import Case, Evidence, facts
from evalcore.views.grid import Filter, Grid
from evalcore.views.items import Item
from evalcore.views.passages import Excerpt
from evalcore.views.quotes import Found
from evalcore.workspace.opened import Workspace

Block = dict[str, Any]

FILTER_WORDS: Final[dict[Filter, tuple[str, str]]] = {
    "all": ("all", "Every case of the suite"),
    "failing": ("failing", "Cases with a failed run in the column in focus"),
    "changed": ("changed", "Cases whose result differs from the version before"),
    "flaky": ("flaky", "Cases whose runs disagree with each other"),
    "unscored": ("not scored", "Cases without a run or with criteria that have no score"),
}
MARK_WORDS: Final = {
    "pass": "passed",
    "fail": "failed",
    "unscored": "not scored",
    "scored": "scored",
}
HOW: Final = {"exact": "", "spacing": "other spacing", "parts": "in parts", "markup": "without its Markdown marks",
              "case": "other capitals or marks"}  # fmt: skip
RUN_WORDS: Final = {**MARK_WORDS, "outside": "not in the rates"}
SUM_KINDS: Final = {"user_notes": "note of the executor", "uncertainty": "uncertain", "needs_review": "needs review",
                    "workaround": "workaround", "factual_issue": "factual issue", "assertion": "note on an assertion"}  # fmt: skip


def grid_block(
    grid: Grid, chosen_run: str | None, chosen_case: str | None, active: Filter
) -> Block:
    """Describe one page of the grid."""
    return {
        "label": "Cases and versions",
        "scale": grid.scale,
        "filters": [
            {"key": key, "label": FILTER_WORDS[key][0], "hint": FILTER_WORDS[key][1], "n": n, "on": key == active}
            for key, n in grid.counts.items()
        ],
        "columns": [
            {"version": c.version, "configuration": "" if c.configuration == "-" else c.configuration,
             "title": c.key, "focus": c == grid.focus} for c in grid.columns
        ],
        "rows": [
            {"id": row.case_id, "name": row.name, "why": row.why, "rationale": row.rationale, "more": row.more,
             "run": row.run_id,
             "cells": [{"mark": c.mark, "text": c.text, "word": c.word, "run": c.run_id, "change": c.change}
                       for c in row.cells]} for row in grid.rows
        ],
        "chosen": chosen_run, "chosenCase": chosen_case, "page": grid.page, "pages": grid.pages, "kept": grid.kept,
        "foot": _foot(grid), "empty": "No case is left. Take a filter away, or choose another version on the left.",
    }  # fmt: skip


def _foot(grid: Grid) -> str:
    if grid.kept == 0:
        return f"0 of {wording.count(grid.total, 'case')}"
    first = (grid.page - 1) * 50 + 1
    last = first + len(grid.rows) - 1
    every = wording.count(grid.total, "case")
    if grid.pages == 1:
        return every if grid.kept == grid.total else f"{grid.kept:,} of {every}"
    kept = "" if grid.kept == grid.total else f"{grid.kept:,} of "
    return f"{first:,}–{last:,} · {kept}{every}"


def head_block(found: Evidence, tab: str, tabs: Iterable[tuple[str, str]], place: str, markdown: str,
               marks: Mapping[str, str]) -> Block:  # fmt: skip
    """Describe the head of a case: what stays the same above every tab; `marks` says how each of its runs went."""
    run = found.run

    def mark(row: RunRow) -> str:
        return marks.get(row.run_id or "", "unscored")

    column = (
        run.version if run.configuration in (None, "-") else f"{run.version} · {run.configuration}"
    )
    return {
        "name": found.case.name, "id": found.case.case_id, "where": place, "tab": tab, "markdown": markdown,
        "mark": mark(run), "verdict": verdict(run, mark(run)), "column": column,
        "runs": [
            {"run": sibling.run.run_id, "label": f"run {sibling.place.partition(' ')[0]} {_short(sibling.run)}",
             "title": f"run {sibling.place}: {verdict(sibling.run, mark(sibling.run))}", "chosen": sibling.chosen,
             "mark": mark(sibling.run)} for sibling in found.siblings
        ],
        "elsewhere": [
            {"run": other.runs[0].run_id, "label": _elsewhere(other.version, other.configuration),
             "title": f"{len(other.runs)} in {_elsewhere(other.version, other.configuration)}",
             "mark": mark(other.runs[0])} for other in found.elsewhere if other.runs
        ],
        "marks": [
            {"mark": item.mark, "word": MARK_WORDS[item.mark], "title": item.name[:80]}
            for item in _marked(found)
        ],
        "tabs": [{"key": key, "label": label} for key, label in tabs],
    }  # fmt: skip


def _marked(found: Evidence) -> list[Item]:
    every = [*found.items, *found.structural]
    order = {"fail": 0, "unscored": 1, "scored": 2, "pass": 3}
    return sorted(every, key=lambda item: order[item.mark])[:40]


def _elsewhere(version: str, configuration: str) -> str:
    return version if configuration == "-" else f"{version} · {configuration}"


def verdict(run: RunRow, mark: str) -> str:
    """Say what became of a run in one phrase: its verdict, its score, and a status that matters."""
    parts = [RUN_WORDS[mark]]
    if run.status not in (None, "completed"):
        parts.append(str(run.status).replace("_", " "))
    if run.score is not None:
        parts.append(wording.score(run.score, run.max_score))
    if run.required_score is not None:
        parts.append(f"required {wording.number(run.required_score)}")
    return ", ".join(parts)


def _short(run: RunRow) -> str:
    if run.score is None:
        return ""
    if run.max_score == run.checks_total:
        return f"{wording.number(run.score)}/{wording.number(run.max_score)}"
    return wording.number(run.score)


def grade_blocks(found: Evidence) -> list[Block]:
    """Describe everything known about one run, what matters most first."""
    blocks: list[Block] = []
    if found.case.prompt:
        blocks.append({"t": "prompt", "label": "Prompt", "text": found.case.prompt})
    else:
        looked = found.case.source or "evals.json and eval_metadata.json"
        blocks.append({"t": "text", "text": f"No prompt is recorded; looked in {looked}."})
    blocks += _structural(found)
    blocks += _items(f"Criteria · {_tally(found.items)}", found.items)
    if found.excerpt is not None:
        blocks.append(_excerpt(found.excerpt))
    blocks += _items(f"Conventions · {_tally(found.conventions)}", found.conventions)
    blocks += list(_claims(found))
    blocks += list(_remarks(found))
    blocks += list(_failures(found))
    blocks += list(_stored(found))
    blocks += [{"t": "heading", "text": "Measured"}, _facts(found.run)]
    if found.problems:
        blocks.append(
            {
                "t": "heading",
                "text": wording.count(len(found.problems), "problem") + " in the files of this run",
            }
        )
        blocks += [{"t": "problem", "severity": p.severity, "code": p.code, "message": p.message, "hint": p.hint}
                   for p in found.problems[:30]]  # fmt: skip
    if found.run.source:
        blocks.append(
            {
                "t": "source",
                "label": "Source",
                "path": found.run.source,
                "pointer": found.run.pointer or "",
            }
        )
    return blocks


def _tally(items: Iterable[Item]) -> str:
    marks = [item.mark for item in items]
    words = {"fail": "failed", "unscored": "not scored", "scored": "scored", "pass": "passed"}
    said = [f"{marks.count(mark)} {word}" for mark, word in words.items() if mark in marks]
    return ", ".join(said) or "none"


def _items(title: str, items: tuple[Item, ...]) -> list[Block]:
    if not items:
        return []
    return [{"t": "heading", "text": title}, *(item_block(item) for item in items)]


def _structural(found: Evidence) -> list[Block]:
    if not found.structural:
        return []
    gate = {True: "gate passed", False: "gate failed: the judge was not asked", None: "no gate"}[
        found.gate
    ]
    mark = {True: "pass", False: "fail", None: None}[found.gate]
    title = {
        "t": "heading",
        "text": f"Structure · {_tally(found.structural)}",
        "hint": gate,
        "mark": mark,
    }
    return [title, *(item_block(item) for item in found.structural)]


def item_block(item: Item) -> Block:
    """Describe one criterion with its score, reasons and quotes."""
    pass_fail = (
        item.min_score in (None, 0.0)
        and item.max_score in (None, 1.0)
        and item.mark in ("pass", "fail")
    )
    score = (
        MARK_WORDS[item.mark]
        if pass_fail
        else wording.score(item.score, item.max_score, item.reason)
    )
    return {
        "t": "item", "mark": item.mark, "word": MARK_WORDS[item.mark], "title": item.name, "criterion": item.criterion,
        "score": score if item.mark != "unscored" else "not scored",
        "scale": None if pass_fail else _scale(item),
        "tags": list(_tags(item)), "anchor": item.anchor,
        "texts": [{"label": label, "text": text} for label, text in _texts(item) if text],
        "quotes": [quote_block(quote) for quote in item.quotes],
    }  # fmt: skip


def _scale(item: Item) -> Block | None:
    """Draw a short whole-number scale as steps, with the pass mark after the last failing one."""
    low, high, score = item.min_score, item.max_score, item.score
    if (
        low is None
        or high is None
        or score is None
        or not 1 < high - low <= 10
        or low != int(low)
        or high != int(high)
    ):
        return None
    limit = item.pass_at
    steps = [{"on": step <= score, "limit": limit is not None and step + 1 == limit}
             for step in range(int(low), int(high) + 1)]  # fmt: skip
    said = f"{wording.score(score, high)}" + (
        f", passes at {wording.number(limit)}" if limit is not None else ""
    )
    return {"label": said, "steps": steps}


def _tags(item: Item) -> Iterator[str]:
    if item.criterion != item.name:
        yield item.criterion
    if item.required is not None:
        yield "required" if item.required else "optional"
    if item.critical:
        yield "critical"
    if item.weight is not None:
        yield f"weight {wording.number(item.weight)}"
    if item.pass_at is not None and item.max_score not in (None, 1.0):
        yield f"passes at {wording.number(item.pass_at)}"
    if item.judge or item.judge_type in ("human", "heuristic"):
        yield f"judge {item.judge or ''} ({item.judge_type})".replace("judge  (", "judged by (")
    if item.confidence_level or item.confidence is not None:
        yield f"confidence {wording.confidence(item.confidence_level, item.confidence)}"
    if item.judged_at is not None:
        yield wording.moment(item.judged_at)


def _texts(item: Item) -> Iterator[tuple[str, str | None]]:
    if item.mark == "unscored":
        yield "why not scored", item.reason
    yield "", item.rationale
    yield "evidence" if item.rationale else "", item.evidence
    if item.guide:
        yield "guide", item.guide
    for other in item.also:
        who = other.judge or other.judge_type or "another judge"
        yield (
            f"{who}: {wording.score(other.score, other.max_score)}",
            other.rationale or other.evidence or "no reason given",
        )


def quote_block(found: Found) -> Block:
    """Describe one quoted passage and where it stands."""
    place = None
    if found.path:
        name = found.path.rpartition("/")[2]
        place = f"{name}, line {found.line}" if found.line else name
    return {
        "quote": found.quote,
        "path": found.path,
        "place": place,
        "how": HOW.get(found.how or "", ""),
    }


def _claims(found: Evidence) -> Iterator[Block]:
    if not found.claims:
        return
    false = sum(claim.verified is False for claim in found.claims)
    yield {
        "t": "heading",
        "text": f"Claims · {wording.count(len(found.claims), 'claim')}, {false} not verified",
    }
    for claim in found.claims:
        mark = {True: "pass", False: "fail", None: "unscored"}[claim.verified]
        word = {True: "verified", False: "not verified", None: "not checked"}[claim.verified]
        yield note_block(claim.claim or "no words", claim.evidence, mark, word, [claim.type])


def note_block(title: str, text: str | None, mark: str | None = None, word: str = "",
               tags: Iterable[str | None] = ()) -> Block:  # fmt: skip
    """Describe one remark."""
    return {"t": "note", "mark": mark, "word": word, "title": title, "tags": [tag for tag in tags if tag],
            "texts": [{"label": "", "text": text}] if text else []}  # fmt: skip


def _remarks(found: Evidence) -> Iterator[Block]:
    if found.notes:
        yield {"t": "heading", "text": "Notes"}
    for note in found.notes:
        yield note_block(
            note.text or "", None, tags=[SUM_KINDS.get(note.kind or "", note.kind), note.target]
        )
    said = [*found.about_run, *found.about_case]
    if said:
        yield {"t": "heading", "text": "Feedback on this run and on the case itself"}
    for row in said:
        kind = {"review": "reviewer", "overall": "about the evaluation", "suggestion": "suggestion",
                "vague": "vague assertion", "missing": "missing coverage", "suggested": "suggested assertion",
                "aggregate": "collected suggestion"}.get(row.kind or "", row.kind)  # fmt: skip
        often = f"said {row.frequency} times" if row.frequency else None
        yield note_block(row.text or "", row.action, tags=[kind, row.target, often, row.author])


def _failures(found: Evidence) -> Iterator[Block]:
    if found.failures:
        yield {"t": "heading", "text": "Failure analysis"}
    for row in found.failures:
        state = f"resolved {wording.moment(row.resolved_at)}" if row.resolved_at else "open"
        yield note_block(row.description or row.failure_type or "", row.root_cause, "fail", state,
                         [row.failure_type, row.severity, row.resolution_notes])  # fmt: skip
    if found.comparisons:
        yield {"t": "heading", "text": "Comparisons of this case"}
    for pair in found.comparisons:
        names = f"{pair.version_a or 'A'} against {pair.version_b or 'B'}"
        won = "tie" if pair.winner == "tie" else f"{pair.winner} won"
        yield note_block(pair.summary or "no reason given", None, word=won, tags=[names])


def _stored(found: Evidence) -> Iterator[Block]:
    wrong = [row for row in found.stored if row.agrees is False]
    if wrong:
        yield {"t": "heading", "text": "Stored numbers that differ from ours"}
        yield {"t": "facts", "facts": [[row.field, f"stored {_value(row.stored)}, ours {_value(row.computed)}", True]
                                       for row in wrong]}  # fmt: skip


def _value(value: float | bool | None) -> str:
    return wording.verdict(value) if isinstance(value, bool) else wording.number(value, 4)


def _facts(run: RunRow) -> Block:
    missing = {wording.NOT_MEASURED, wording.NOT_RECORDED}
    return {
        "t": "facts",
        "facts": [[name, words, words not in missing] for name, words in facts(run)],
    }


def _excerpt(found: Excerpt) -> Block:
    return {"t": "excerpt", "label": "From the output", "name": found.path.rpartition("/")[2], "path": found.path,
            "text": found.text}  # fmt: skip


def case_blocks(case: Case, ws: Workspace) -> list[Block]:
    """Describe a case as it is defined: what is asked, what is expected, what is checked."""
    blocks: list[Block] = [{"t": "heading", "text": case.name, "hint": case.case_id}]
    for label, text in (("Prompt", case.prompt), ("Expected", case.expected)):
        blocks.append({"t": "prompt", "label": label, "text": text or "not recorded"})
    facts_ = [["tags", ", ".join(case.tags) or "none", bool(case.tags)],
              ["files", ", ".join(case.files) or "none", bool(case.files)],
              ["weight", wording.number(case.weight) if case.weight is not None else "not given", case.weight is not None],
              ["status", case.status or "not given", case.status is not None]]  # fmt: skip
    blocks.append({"t": "facts", "facts": facts_})
    blocks += _defined(case, ws)
    if case.source:
        blocks.append(
            {
                "t": "source",
                "label": "Defined in",
                "path": case.source,
                "pointer": case.pointer or "",
            }
        )
    return blocks


def _defined(case: Case, ws: Workspace) -> Iterator[Block]:
    found = where(ws, "criteria", suite=case.suite, case_id=case.case_id)
    rows = typed(ws, "criteria", CriterionRow, found)
    if rows:
        yield {"t": "heading", "text": wording.count(len(rows), "criterion")}
    for row in sorted(rows, key=lambda r: (r.kind or "", r.position or 0)):
        scale = (
            None
            if row.max_score in (None, 1.0)
            else f"{wording.number(row.min_score)} to {wording.number(row.max_score)}"
        )
        tags = [row.kind, row.criterion if row.criterion != row.description else None, scale,
                "required" if row.required else None, "critical" if row.critical else None,
                f"weight {wording.number(row.weight)}" if row.weight is not None else None]  # fmt: skip
        yield note_block(row.description or row.criterion or "", _guide(row.guide), tags=tags)


def _guide(guide: str | None) -> str | None:
    value = orjson.loads(guide) if guide and guide[:1] in '{"[' else guide
    if isinstance(value, dict):
        return "\n".join(f"{key}: {text if isinstance(text, str) else orjson.dumps(text).decode()}"
                         for key, text in value.items())  # fmt: skip
    return value if isinstance(value, str) else None
