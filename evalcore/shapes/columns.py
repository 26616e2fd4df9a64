"""Add the judgments of many runs by column: what their criteria have in common is coded once."""

from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

import numpy as np

from evalcore.shapes.judge import MODEL
from evalcore.tables.arrays import Array
from evalcore.tables.builder import Rows, Same, Values
from evalcore.tables.columns import CodeColumn

BLOCK: Final = 512
"""So many runs at once: each block costs some hundred calls, whatever it holds."""

_TEXTS: Final = {"rationale": "rationales", "evidence": "evidence", "confidence_level": "levels"}
_CODED: Final = ("kind", "criterion", "judge", "judge_type", "pointer")


class Criterion(NamedTuple):
    """What all judgments of one criterion share; a score of `passes_at` or more passes."""

    kind: str
    name: str
    pointer: str
    low: float = 0.0
    high: float = 1.0
    passes_at: float = 1.0
    judge: str | None = None
    judge_type: str = MODEL


class Pattern(NamedTuple):
    """The criteria of a run in the order of its judgments: one column each."""

    codes: Array
    """Codes of the words of `kind`, `criterion`, `judge`, `judge_type` and `pointer`."""
    bounds: Array
    """`low`, `high` and `passes_at`."""


class Judged(NamedTuple):
    """The judgments that one file holds of a run, in the order of its pattern."""

    run_id: str
    pattern: Pattern
    source: str
    scores: Sequence[float]
    rationales: Sequence[str | None] | None = None
    evidence: Sequence[str | None] | None = None
    levels: Sequence[str | None] | None = None
    judged_at: datetime | None = None


class JudgmentColumns:
    """Takes the judgments of runs; they reach the table in blocks, or at `flush`."""

    def __init__(self, rows: Rows) -> None:
        self._table = rows.tables["judgments"]
        self._waiting: list[Judged] = []
        self._patterns: dict[Hashable, Pattern | None] = {}

    def pattern(
        self, key: Hashable, criteria: Callable[[], Sequence[Criterion] | None]
    ) -> Pattern | None:
        """Return the pattern of a key; `criteria` is called the first time.

        None where that returns None: runs of this key have no pattern.
        """
        if key not in self._patterns:
            listed = criteria()
            self._patterns[key] = None
            if listed is not None:
                kinds, names, pointers, low, high, passes_at, judges, types = zip(
                    *listed, strict=True
                )
                words = kinds, names, judges, types, pointers
                codes = [self._codes(*each) for each in zip(_CODED, words, strict=True)]
                bounds = np.array((low, high, passes_at), np.float64)
                self._patterns[key] = Pattern(np.array(codes, np.int32), bounds)
        return self._patterns[key]

    def _codes(self, name: str, words: Sequence[str | None]) -> list[int]:
        column = self._table.columns[name]
        assert isinstance(column, CodeColumn)
        return list(map(column.codes.__getitem__, words))

    def add(self, judged: Judged) -> None:
        """Take the judgments of one run, which has at least one."""
        self._waiting.append(judged)
        if len(self._waiting) >= BLOCK:
            self.flush()

    def flush(self) -> None:
        """Add the rows of all runs taken so far; other rows may be added afterwards."""
        block, self._waiting = self._waiting, []
        if not block:
            return
        codes = np.concatenate([each.pattern.codes for each in block], axis=1)
        low, high, passes_at = np.concatenate([each.pattern.bounds for each in block], axis=1)
        scores = np.array([score for each in block for score in each.scores], np.float64)
        counts = [len(each.scores) for each in block]
        passed = np.where(np.isnan(passes_at), -1, scores >= passes_at)
        columns: dict[str, Values] = {}
        if any(each.judged_at for each in block):
            columns["judged_at"] = [
                each.judged_at
                for each, count in zip(block, counts, strict=True)
                for _ in range(count)
            ]
        for column, name in _TEXTS.items():  # those that any run has; "" is none
            texts: list[Sequence[str | None] | None] = [getattr(each, name) for each in block]
            if any(several is not None for several in texts):
                columns[column] = [
                    text or None
                    for several, count in zip(texts, counts, strict=True)
                    for text in (several if several is not None else (None,) * count)
                ]
        self._table.extend(
            len(scores),
            {
                **dict(zip(_CODED, codes, strict=True)),
                "run_id": np.repeat(self._codes("run_id", [each.run_id for each in block]), counts),
                "score": scores,
                "min_score": low,
                "max_score": high,
                "fraction": scores / high,
                "passed": passed.astype(np.int8),
                "status": Same("scored"),
                "source": np.repeat(self._codes("source", [each.source for each in block]), counts),
                **columns,
            },
        )
