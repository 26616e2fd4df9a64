"""The models that judged a suite, each with its judgments: recorded ones, and those made again."""

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

import numpy as np

from evalcore.counting.coded import Numbers, coded, values
from evalcore.counting.joined import counting, judged_run
from evalcore.counting.review_rows import excluded, from_reviews
from evalcore.errors import EvalcoreError, UnknownName
from evalcore.families.reviews.review import Review
from evalcore.judging.agreeing.scores import RECORDED
from evalcore.shapes.judge import BLOCK
from evalcore.workspace.opened import Workspace

MOST_READ: Final = 3_000
"""Of so many gradings it is looked up which prompt judged them; of more, of none."""
_MODELS: Final = frozenset({"llm"})
_UNKNOWN: Final[Mapping[str, Any]] = {}


class JudgeIdentity(NamedTuple):
    """A model as judge: its name, the model, and the sha256 of its instructions.

    Any other is another judge. What a document does not say is empty.
    """

    judge: str
    model: str
    prompt: str

    @property
    def id(self) -> str:
        """A short id for addresses."""
        return hashlib.sha256("\0".join(self).encode()).hexdigest()[:8]


class ModelJudgments(NamedTuple):
    """Judgments of models on a suite, one row each; `row` is a position in `tables.judgments`.

    `judge` is a position in `judges`, which begin with the one that judged last; `criteria` one
    among the distinct criteria that were asked of a case together. `basis` tells outputs, prompts
    and criteria apart. `is_current` marks the newest judgment of a judge on one criterion of a run.
    """

    row: Numbers
    run: Numbers
    judge: Numbers
    criteria: Numbers
    basis: Numbers
    is_current: Numbers
    judges: tuple[JudgeIdentity, ...]


def model_judgments(ws: Workspace, suite: str, records: tuple[Review, ...]) -> ModelJudgments:
    """Return what models said of the runs of a suite; `records` are the suite's.

    Conventions, unscored and stale judgments and excluded runs are left out. Replaced judgments are
    kept where what was judged is the same: a judge that is asked again replaces its own.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    known = ws.tables.suites["suite"]
    if not (known == suite).any():
        raise UnknownName("suite", suite, known.astype(str))
    rows = _rows(ws, suite)
    reviews = {each.id: each for each in records}
    about, of = _About(ws, rows, reviews).told(rows)
    keep = np.array([each is not None for each in about], bool)[of]
    rows, of = rows[keep], of[keep]
    said = [each or _NOBODY for each in about]
    judge, judges = _numbered_judges(ws, rows, [each.judge for each in said], of)
    run = judged_run(ws)[rows].astype(np.int64)
    return ModelJudgments(
        rows,
        run,
        judge,
        _numbered([each.criteria for each in said])[of],
        _numbered([each.basis for each in said])[of],
        _current(ws, rows, run, judge),
        judges,
    )


def _rows(ws: Workspace, suite: str) -> Numbers:
    """Return the judgments of models on a suite's runs, those of records also if replaced."""
    model = coded(ws, "judgments", "judge_type").among(_MODELS)
    status = coded(ws, "judgments", "status")
    own = counting(ws) & status.among({"scored"})
    again = from_reviews(ws, "judgments") & status.among({"scored", "superseded"})
    again &= ~coded(ws, "judgments", "kind").among({"convention"})
    rows = np.flatnonzero(model & (own | again))
    run = judged_run(ws)[rows]
    here = coded(ws, "runs", "suite").among({suite}) & ~excluded(ws)
    found: Numbers = rows[(run >= 0) & here[run]] if len(here) else rows[:0]
    return found


class _Said(NamedTuple):
    judge: JudgeIdentity
    criteria: str
    basis: tuple[str, ...]


_NOBODY: Final = _Said(JudgeIdentity("", "", ""), "", ())


class _About:
    """What each judgment rests on, from its record or from the document that holds it."""

    def __init__(self, ws: Workspace, rows: Numbers, reviews: Mapping[str, Review]) -> None:
        self._ws, self._reviews = ws, reviews
        self._source = coded(ws, "judgments", "source")
        self._judge, self._of_run = coded(ws, "judgments", "judge"), coded(ws, "runs", "judge")
        self._again = from_reviews(ws, "judgments")
        own = np.unique(self._source.codes[rows[~self._again[rows]]]).tolist()
        self._read = len(own) <= MOST_READ
        self._documents: dict[int, Mapping[str, Any]] = {}

    def told(self, rows: Numbers) -> tuple[list[_Said | None], Numbers]:
        """Return what judgments rest on, and which of it each row has.

        It is None for a record that is not among the suite's. Judgments of one document by one
        judge rest on the same.
        """
        source = self._source.codes[rows].astype(np.int64)
        if not self._read:
            source[~self._again[rows]] = -1
        key = source * self._judge.width + self._judge.keys_of(rows)
        key = key * self._of_run.width + self._of_run.keys_of(judged_run(self._ws)[rows])
        _, first, of = np.unique(key, return_index=True, return_inverse=True)
        return [self._of(row) for row in rows[first].tolist()], of.reshape(-1)

    def _of(self, row: int) -> _Said | None:
        name = self._name(row)
        if not self._again[row]:
            about = self._document(int(self._source.codes[row]))
            return _Said(_identity(name, about), _text(about, "criteria_sha256"), ())
        source = self._source.words[self._source.codes[row]]
        review = self._reviews.get(PurePosixPath(source).stem)
        if review is None:
            return None
        about = _mapping(review.basis.get("judging"))
        names = ("outputSha256", "promptSha256", "criterionSha256")
        basis = tuple(_text(review.basis, each) for each in names)
        return _Said(_identity(name, about), _text(about, "criteria_sha256"), basis)

    def _name(self, row: int) -> str:
        """Return the judge of a judgment, else that of its run."""
        code, of_run = self._judge.codes[row], self._of_run.codes[judged_run(self._ws)[row]]
        if code >= 0:
            return str(self._judge.words[code])
        return RECORDED if of_run < 0 else str(self._of_run.words[of_run])

    def _document(self, source: int) -> Mapping[str, Any]:
        if source < 0 or not self._read:
            return _UNKNOWN
        if source not in self._documents:
            try:
                whole = self._ws.raw(self._source.words[source])
            except (EvalcoreError, OSError):
                whole = None  # gone since it was read: which prompt it was is then unknown
            block = _mapping(_mapping(whole).get(BLOCK))
            self._documents[source] = _mapping(block.get("judging"))
        return self._documents[source]


def _identity(name: str, about: Mapping[str, Any]) -> JudgeIdentity:
    return JudgeIdentity(name, _text(about, "model"), _text(about, "prompt_sha256"))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else _UNKNOWN


def _text(value: Mapping[str, Any], name: str) -> str:
    found = value.get(name)
    return found[:200] if isinstance(found, str) else ""


def _numbered(of: list[Any]) -> Numbers:
    places = {each: at for at, each in enumerate(dict.fromkeys(of))}
    return np.array([places[each] for each in of], np.int64)


def _numbered_judges(
    ws: Workspace, rows: Numbers, known: list[JudgeIdentity], of: Numbers
) -> tuple[Numbers, tuple[JudgeIdentity, ...]]:
    """Return the number of each row's judge, and the judges, the one that judged last first."""
    last = np.full(len(known), -np.inf)
    np.maximum.at(last, of, _when(ws, rows))
    latest: dict[JudgeIdentity, float] = {}
    for at in np.unique(of).tolist():
        latest[known[at]] = max(latest.get(known[at], -np.inf), float(last[at]))
    judges = tuple(sorted(latest, key=lambda each: (-latest[each], each)))
    places = {each: at for at, each in enumerate(judges)}
    numbers = np.array([places.get(each, -1) for each in known], np.int64)
    return numbers[of], judges


def _when(ws: Workspace, rows: Numbers) -> Numbers:
    """Return when each judgment was made, as numbers that grow with time; unknown is least."""
    found: Numbers = values(ws, "judgments", "judged_at")[rows].astype(np.float64)
    return found


def _current(ws: Workspace, rows: Numbers, run: Numbers, judge: Numbers) -> Numbers:
    """Flag the newest of the judgments of one judge on one criterion of one run."""
    kind, name = (coded(ws, "judgments", each) for each in ("kind", "criterion"))
    asked = (run * kind.width + kind.keys_of(rows)) * name.width + name.keys_of(rows)
    asked = asked * (int(judge.max(initial=0)) + 1) + judge
    standing = coded(ws, "judgments", "status").among({"scored"})[rows]
    if len(np.unique(asked)) == len(asked):
        return standing
    order = np.lexsort((np.arange(len(rows)), _when(ws, rows), standing))
    _, last = np.unique(asked[order][::-1], return_index=True)
    found = np.zeros(len(rows), bool)
    found[order[::-1][last]] = True
    return found & standing
