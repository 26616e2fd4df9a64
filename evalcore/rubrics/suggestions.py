"""What graders suggest about the evaluation itself, alike ones together, and what was decided."""

import hashlib
from collections import defaultdict
from datetime import datetime
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from evalcore.counting.cells import typed
from evalcore.counting.coded import Numbers, coded, numbered
from evalcore.counting.joined import run_of
from evalcore.counting.memo import memoize_per_workspace
from evalcore.counting.outcomes import columns_of_runs
from evalcore.tables.rows import FeedbackRow
from evalcore.texts.graders import label_of, without_form
from evalcore.texts.words import likeness
from evalcore.workspace.opened import Workspace

KINDS: Final = ("suggestion", "vague", "missing", "suggested", "aggregate", "overall", "asked")
DECISIONS: Final = ("accepted", "rejected")
ALIKE: Final = 0.5
"""The share of words that two suggestions about the same criterion have in common."""
COMPARED: Final = 600
"""So many different texts are compared with the others; further ones stand alone."""
DIGITS: Final = 12
LAST: Final = 1 << 30
_OF_A_LIST: Final = "/overall"
"""How the pointer of a summary ends that stands beside a list of suggestions."""


class Decision(NamedTuple):
    """What a person decided: `accepted` or `rejected`, and why.

    `record` is the id of the record.
    """

    decision: str
    reason: str | None
    author: str | None
    at: datetime | None
    record: str


class Suggestion(NamedTuple):
    """Suggestions alike about one criterion; `text` is the wording found most often.

    `target` is the criterion as the graders name it, None where they name none. `n` is how many
    runs make it or, if more, what the files' aggregates count. `texts` are all wordings,
    `runs` are positions. `action` is what an aggregate records as done. `decisions` are current,
    the newest first; only the first counts.
    """

    key: str
    kind: str
    target: str | None
    text: str
    n: int
    texts: tuple[str, ...]
    versions: tuple[str, ...]
    runs: Numbers
    action: str | None
    decisions: tuple[Decision, ...]

    @property
    def state(self) -> str:
        """One of `open`, `accepted`, `rejected` and, by the files themselves, `answered`."""
        if self.decisions:
            return self.decisions[0].decision
        return "open" if self.action is None else "answered"


@memoize_per_workspace
def suggestions(ws: Workspace, suite: str) -> tuple[Suggestion, ...]:
    """Return what graders suggest about a suite, open ones first, then the most frequent."""
    decided, table = _decided(ws, suite), ws.tables.feedback
    of_row = run_of(ws, "feedback")
    kinds, versions = (coded(ws, "feedback", name) for name in ("kind", "version"))
    frequency = np.maximum(table["frequency"].fillna(0).to_numpy(np.int64), 0)
    action, acted = table["action"], table["action"].notna().to_numpy()
    order = {column.version: at for at, column in enumerate(columns_of_runs(ws, suite).columns)}
    found = []
    for target, wordings in _alike(_wordings(ws, suite)):
        texts = tuple(dict.fromkeys(one.text for one in wordings))
        plains = list(dict.fromkeys(map(without_form, texts)))
        rows = np.concatenate([one.rows for one in wordings])
        run = of_row[rows]
        runs, codes = pd.unique(run[run >= 0]), pd.unique(versions.codes[rows])
        times, done = int(frequency[rows].sum()), rows[acted[rows]]
        decisions = [one for words in plains for one in decided.get((target, words), ())]
        decisions.sort(key=lambda one: (one.at is not None, one.at, one.record), reverse=True)
        named = [versions.words[code] for code in codes[codes >= 0].tolist()]
        name = f"{target}\n{plains[0]}".encode("utf-8", "surrogatepass")
        suggestion = Suggestion(
            key=hashlib.sha256(name).hexdigest()[:DIGITS],
            kind=kinds.words[kinds.codes[rows[0]]],
            target=next((one.target for one in wordings if one.target), None),
            text=texts[0],
            n=max(len(runs), times, 1),
            texts=texts,
            versions=tuple(sorted(named, key=lambda each: (order.get(each, LAST), each))),
            runs=runs,
            action=str(action.iloc[done[0]]) if len(done) else None,
            decisions=tuple(decisions),
        )
        found.append(suggestion)
    return tuple(sorted(found, key=lambda one: (one.state != "open", -one.n, one.text)))


def open_suggestions(ws: Workspace, suite: str) -> int:
    """Return how many suggestions nobody has decided."""
    return sum(one.state == "open" for one in suggestions(ws, suite))


@memoize_per_workspace
def decided_texts(ws: Workspace, suite: str) -> frozenset[str]:
    """Return the wordings of the suggestions that people accepted or rejected."""
    decided = (one for one in suggestions(ws, suite) if one.decisions)
    return frozenset(text for one in decided for text in one.texts)


def run_ids(ws: Workspace, runs: Numbers) -> list[str]:
    """Return the ids of runs by their positions."""
    return [str(name) for name in ws.tables.runs["run_id"].iloc[runs]]


def names_criterion(target: str | None, name: str, description: str | None) -> bool:
    """Return whether a grader means a criterion: by its name, its wording, or the id before it."""
    if target is None:
        return False
    meant = without_form(target)
    same = {without_form(name), without_form(description or name)}
    return meant in same or label_of(target) == name


class _Wording(NamedTuple):
    """One wording about one target, as the graders wrote it, and its rows (positions)."""

    target: str | None
    text: str
    rows: Numbers


def _wordings(ws: Workspace, suite: str) -> list[_Wording]:
    """Return the different wordings of a suite's suggestions, in the order of the table.

    A summary beside a list of suggestions is none.
    """
    kind, pointer = (coded(ws, "feedback", name) for name in ("kind", "pointer"))
    ends = np.array([str(word).endswith(_OF_A_LIST) for word in pointer.words], bool)
    summary = kind.among({"overall"}) & ends[pointer.codes]
    chosen = coded(ws, "feedback", "suite").among({suite}) & kind.among(set(KINDS)) & ~summary
    rows = np.flatnonzero(chosen)
    texts, text_of = _distinct(ws, "text", rows)
    targets, target_of = _distinct(ws, "target", rows)
    slots, of_row, first = numbered(target_of * len(texts) + text_of, len(targets) * len(texts))
    order = np.argsort(of_row, kind="stable")
    parts = np.split(rows[order], np.cumsum(np.bincount(of_row, minlength=len(slots)))[:-1])
    found = []
    for at in np.argsort(first).tolist():
        text = texts[int(slots[at]) % len(texts)]
        if text is not None and text.strip():
            found.append(_Wording(targets[int(slots[at]) // len(texts)], text.strip(), parts[at]))
    return found


def _distinct(ws: Workspace, column: str, rows: Numbers) -> tuple[list[str | None], Numbers]:
    """Return the different values of a column in some rows, and which one each row has."""
    codes, words = pd.factorize(ws.tables.feedback[column].iloc[rows], use_na_sentinel=False)
    return [word if isinstance(word, str) else None for word in words.tolist()], codes


def _alike(wordings: list[_Wording]) -> list[tuple[str, list[_Wording]]]:
    """Return the wordings by target, similar ones together, the most frequent first."""
    texts: dict[tuple[str, str], list[_Wording]] = defaultdict(list)
    for one in wordings:
        texts[_target(one.target), without_form(one.text)].append(one)
    frequent = sorted(texts.items(), key=lambda item: -sum(len(one.rows) for one in item[1]))
    groups: dict[str, list[tuple[str, list[_Wording]]]] = defaultdict(list)
    for at, ((target, text), of) in enumerate(frequent):
        known = groups[target] if at < COMPARED else []
        near = next((each for words, each in known if likeness(words, text) >= ALIKE), None)
        if near is None:
            groups[target].append((text, list(of)))
        else:
            near.extend(of)
    return [(target, of) for target, found in groups.items() for _, of in found]


def _target(named: str | None) -> str:
    """Return the criterion that is named, by its id where it has one; empty if none."""
    return label_of(named) or without_form(named or "")


Decided = dict[tuple[str, str], list[Decision]]


def _decided(ws: Workspace, suite: str) -> Decided:
    """Return the decisions by target and text.

    One about a suggestion of an aggregate names no run, so it lies with the first suite of its
    folder: those of all suites with the same root are read.
    """
    suites = ws.tables.suites
    root = suites.loc[suites["suite"] == suite, "root"]
    same = {suite, *suites.loc[suites["root"].isin(root.dropna()), "suite"].astype(str)}
    chosen = coded(ws, "feedback", "kind").among(set(DECISIONS))
    chosen &= coded(ws, "feedback", "suite").among(same)
    found: Decided = defaultdict(list)
    for row in typed(ws, "feedback", FeedbackRow, np.flatnonzero(chosen)):
        if row.suite == suite or row.run_id is None:
            record = (row.source or "").rpartition("/")[2].removesuffix(".json")
            one = Decision(row.kind or "", row.action, row.author, row.created_at, record)
            found[_target(row.target), without_form(row.text or "")].append(one)
    return found
