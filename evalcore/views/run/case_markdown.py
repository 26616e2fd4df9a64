"""A case as Markdown, to hand to whoever fixes it.

Everything taken from a workspace is in a code span or a fenced block with longer fences than any
run of backticks inside it, so nothing in it can become a heading, a link, an image or HTML.
"""

import re
from typing import Final

import numpy as np

from evalcore.counting.cells import typed
from evalcore.counting.outcomes import outcomes
from evalcore.counting.tally import FAIL
from evalcore.tables.rows import RunRow
from evalcore.views.run.evidence import Evidence, evidence
from evalcore.views.run.items import Item, by_mark
from evalcore.views.run.quotes import HOW, Found
from evalcore.views.words import wording
from evalcore.workspace.opened import Workspace

MAX_CASES: Final = 50
MAX_TEXT: Final = 6_000
MAX_EXCERPT: Final = 2_000
MAX_NAME: Final = 300
MAX_ITEMS: Final = 40


def case_markdown(found: Evidence, level: int = 1) -> str:
    """Return one run of a case as Markdown: the prompt, what failed and why, and where.

    `level` is the level of its heading.
    """
    case, run, below = found.case, found.run, "#" * (level + 1)
    items = by_mark([*found.items, *found.structural])
    open_items = [item for item in items if item.mark in ("fail", "unscored")]
    failed = any(item.mark == "fail" for item in items)
    word = "failed" if run.passed is None and failed else wording.verdict(run.passed)
    result = [word, wording.score(run.score, run.max_score)]
    if wording.known(run.checks_passed) and wording.known(run.checks_total):
        result.append(f"{run.checks_passed} of {run.checks_total} checks passed")
    if run.gate_passed is False:
        result.append("the structural gate failed")
    if run.status != "completed":
        result.append(f"status {span(run.status or 'not recorded')}")
    lines = [
        f"{'#' * level} Case {span(case.name)}",
        "",
        f"- Version {span(run.version or '-')}",
        f"- Configuration {span(run.configuration or '-')}",
        f"- Run {found.position}",
        f"- Result: {', '.join(result)}",
        f"- Source: {_place(run.source, run.pointer)}",
        *([f"- Defined in: {_place(case.source, case.pointer)}"] if case.source else []),
        "",
    ]
    for title, text in (("Prompt", case.prompt), ("Expected", case.expected)):
        missing = [f"{title}: not recorded.", ""]
        lines += missing if text is None else [f"{below} {title}", "", *block(text), ""]
    for item in open_items[:MAX_ITEMS]:
        lines += [f"{below} {item.sign} {span(item.name)}", "", *_about(item), ""]
        for title, text in (("Rationale", item.rationale), ("Evidence", item.evidence)):
            if text:
                lines += [f"{title}:", "", *block(text), ""]
        quoted = [f"- {span(quote.quote)}: {_where(quote)}" for quote in item.quotes]
        lines += ["Quoted passages:", "", *quoted, ""] if quoted else []
    if (more := len(open_items) - MAX_ITEMS) > 0:
        lines += [f"{wording.count(more, 'further criterion')} left out.", ""]
    if passing := len(items) - len(open_items):
        verb = "was" if passing == 1 else "were"
        others = wording.count(passing, "other criterion")
        lines += [f"{others} passed or {verb} only scored.", ""]
    if found.excerpt is None:
        lines.append("There is no output file that can be shown as text.")
    else:
        head = f"{below} Output {span(found.excerpt.path)}, from line {found.excerpt.line}"
        lines += [head, "", *block(found.excerpt.text, MAX_EXCERPT)]
    return "\n".join(lines).rstrip() + "\n"


def failing_markdown(
    ws: Workspace, suite: str, version: str, configuration: str | None = None
) -> str:
    """Return the failing cases of a version as Markdown, each with its worst run.

    Without a configuration, those of all configurations. At most 50 cases are written out, in the
    order of the cases.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    found = outcomes(ws, suite)
    wanted = [
        place
        for place, column in enumerate(found.columns)
        if column.version == version and configuration in (None, column.configuration)
    ]
    failed = found.runs[(found.runs["outcome"] == FAIL) & found.runs["column"].isin(wanted)]
    worst = failed.sort_values(["case", "failed", "fraction"], ascending=[True, False, True])
    runs = typed(ws, "runs", RunRow, np.asarray(worst.drop_duplicates("case").index))
    title = f"# Failing cases of {span(suite)}, version {span(version)}"
    side = f", configuration {span(configuration)}" if configuration is not None else ""
    lines = [title + side, ""]
    if not runs:
        return "\n".join([*lines, "No case fails here.", ""])
    lines += [f"{wording.count(len(runs), 'case')} with a failed run; the worst run of each.", ""]
    for run in runs[:MAX_CASES]:
        lines.append(case_markdown(evidence(ws, run.run_id or ""), level=2))
    if len(runs) > MAX_CASES:
        lines.append(f"{wording.count(len(runs) - MAX_CASES, 'further case')} not written out.")
    return "\n".join(lines).rstrip() + "\n"


def span(text: str) -> str:
    """Return text as a code span on one line, bounded; nothing in it is markup."""
    plain = " ".join(_visible(text).split())
    if not plain:
        return "(empty)"
    plain = wording.short(plain, MAX_NAME)
    marks = _marks(plain, 1)
    pad = " " if plain.startswith("`") or plain.endswith("`") else ""
    return f"{marks}{pad}{plain}{pad}{marks}"


def block(text: str, limit: int = MAX_TEXT, language: str = "text") -> list[str]:
    """Return text as the lines of a fenced block that nothing in it can close."""
    shown = _visible(text)
    cut = len(shown) > limit
    shown = shown[:limit]
    fence = _marks(shown, 3)
    lines = [f"{fence}{language}", *shown.split("\n"), fence]
    return [*lines, f"(cut after {limit:,} characters)"] if cut else lines


def _marks(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)


def _visible(text: str) -> str:
    """Keep line feeds as the only line ends; show other control characters as �."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = re.sub(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", "\n", plain)
    plain = re.sub(r"[\x00-\x08\x0e-\x1b\x1f\x7f]", "\ufffd", plain)
    return plain.encode("utf-8", "replace").decode("utf-8")


def _about(item: Item) -> list[str]:
    what = "failed" if item.mark == "fail" else f"not scored: {span(item.reason or 'unknown')}"
    lines = [f"- Result: {what}"]
    if item.mark != "unscored" and (item.min_score, item.max_score) != (0, 1):
        lines.append(f"- Score: {wording.score(item.score, item.max_score)}")
    if item.anchor:
        lines.append(f"- That score means: {span(item.anchor)}")
    if item.name != item.criterion:
        lines.append(f"- Criterion: {span(item.criterion)}")
    if item.required or item.critical:
        lines.append(f"- {'Critical' if item.critical else 'Required'}")
    if item.source:
        lines.append(f"- Judged in: {_place(item.source, item.pointer)}")
    return lines


def _where(quote: Found) -> str:
    if quote.path is None:
        return "not found in the output files"
    if quote.how == "name":
        return f"the output file {span(quote.path)}"
    how = " ".join(filter(None, ("found", HOW.get(quote.how or ""))))
    return f"{how} in {span(quote.path)}, line {quote.line}"


def _place(source: str | None, pointer: str | None) -> str:
    if not source:
        return "not recorded"
    return f"{span(source)} at {span(pointer)}" if pointer else span(source)
