"""Where judges of the same criterion differ most, as a queue for whoever decides between them.

A person sees others' scores of a run only after judging it whole: who has yet to judge it learns
how many disagreements wait there, and not where. So whoever decides has scored first, unswayed.
"""

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from evalcore.counting.coded import coded
from evalcore.counting.memo import memoize_per_workspace
from evalcore.families.reviews.review import ADJUDICATION, Review, chains
from evalcore.judging.agreeing.voices import Shelf, Voice, latest, said_by, voices
from evalcore.judging.asking.asked import asked
from evalcore.judging.asking.keys import keys
from evalcore.judging.model import Asked, Judge
from evalcore.judging.storing.heads import text_of
from evalcore.judging.storing.record_factory import within
from evalcore.statistics.intervals import SAME
from evalcore.workspace.opened import Workspace

LISTED: Final = 30
"""So many are returned; nobody decides more of them at a sitting."""


class Disagreement(NamedTuple):
    """One criterion of one run that judges score differently.

    `spread` is how far the highest score lies above the lowest, as a share of the scale. `over` is
    the adjudication that a newer judgment has reopened, None where there is none.
    """

    run_id: str
    asked: Asked
    spread: float
    voices: tuple[Voice, ...]
    over: str | None

    @property
    def ids(self) -> tuple[str, ...]:
        """The judgments to weigh."""
        return tuple(voice.id for voice in self.voices)


class Disagreements(NamedTuple):
    """Disagreements that wait, the largest first, and how many there are that are not shown.

    `open` are the first of them and `more` follow; `opened` is the one that was asked for. `hidden`
    lie in `hidden_runs` runs that the judge has yet to judge whole; `settled` are adjudicated.
    """

    open: tuple[Disagreement, ...]
    more: int
    hidden: int
    hidden_runs: int
    settled: int
    opened: Disagreement | None = None


class _Found(NamedTuple):
    run: int
    run_id: str
    key: str
    spread: float
    weight: float
    voices: list[Voice]
    over: Review | None


def disagreements(
    ws: Workspace,
    suite: str,
    judge: Judge | None,
    shelf: Shelf,
    wanted: tuple[str, str] | None = None,
) -> Disagreements:
    """Return where judges differ: by spread, then by the weight of the criterion.

    `wanted` is the run's id and the key of one to return, wherever it stands.

    Raises:
        UnknownName: the workspace has no such suite.
    """
    said, differing = voices(ws, suite, shelf), _differing(ws, suite, shelf)
    waiting = [one for one in differing if not _settled(one)]
    runs = {one.run_id: one.run for one in waiting}
    whole = {
        run_id
        for run_id, run in runs.items()
        if _judged_whole(ws, suite, run, said[within(run_id)], judge)
    }
    shown = [one for one in waiting if one.run_id in whole]
    asked_for = next((one for one in shown if (one.run_id, one.key) == wanted), None)
    return Disagreements(
        tuple(filter(None, (_shown(ws, one) for one in shown[:LISTED]))),
        max(len(shown) - LISTED, 0),
        len(waiting) - len(shown),
        len(runs) - len(whole),
        len(differing) - len(waiting),
        _shown(ws, asked_for) if asked_for else None,
    )


@latest
def _differing(ws: Workspace, suite: str, shelf: Shelf) -> list[_Found]:
    """Return every criterion of every run that judges score differently, in their order."""
    decided, weights = decisions(shelf), _weights(ws, suite)
    runs = {within(run_id): (at, run_id, case) for at, run_id, case in _runs(ws, suite)}
    found = []
    for run, by_key in voices(ws, suite, shelf).items():
        if run not in runs:
            continue
        at, run_id, case = runs[run]
        for key, given in by_key.items():
            if (spread := _spread(given)) > SAME:
                weight = weights.get((case, key), 0.0)
                found.append(
                    _Found(at, run_id, key, spread, weight, given, decided.get((run, key)))
                )
    return sorted(found, key=lambda one: (-one.spread, -one.weight, one.run_id, one.key))


def _shown(ws: Workspace, one: _Found) -> Disagreement | None:
    criterion = next((each for each in asked(ws, one.run_id) if each.key == one.key), None)
    if criterion is None:
        return None
    ordered = sorted(one.voices, key=lambda voice: (-voice.score, voice.judge))
    return Disagreement(
        one.run_id, criterion, one.spread, tuple(ordered), one.over.id if one.over else None
    )


def with_reasons(ws: Workspace, given: Disagreement) -> Disagreement:
    """Return a disagreement with what each judge gave as a reason."""
    return given._replace(voices=tuple(said_by(ws, voice) for voice in given.voices))


def decisions(shelf: Shelf) -> dict[tuple[str, str], Review]:
    """Return the adjudication that counts of each run and criterion."""
    found = chains(review for review in shelf if review.type == ADJUDICATION)
    heads = (chain.head for chain in found)
    return {
        (within(text_of(head, "testRunId")), text_of(head, "criterionId")): head for head in heads
    }


def _settled(found: _Found) -> bool:
    """Say whether an adjudication has weighed every judgment that stands."""
    if found.over is None:
        return False
    weighed = found.over.fields.get("judgmentIds")
    known = set(weighed) if isinstance(weighed, list) else set()
    return all(voice.id in known for voice in found.voices)


def _spread(given: list[Voice]) -> float:
    """Return how far apart scores of one scale are, as a share of it."""
    found = 0.0
    for scale in {voice.scale for voice in given}:
        same = [voice.score for voice in given if voice.scale == scale]
        found = max(found, (max(same) - min(same)) / (scale[1] - scale[0]))
    return found


def _judged_whole(
    ws: Workspace, suite: str, run: int, said: Mapping[str, list[Voice]], judge: Judge | None
) -> bool:
    """Say whether a judge has answered all that is asked of a run (its position)."""
    if judge is None:
        return False
    mine = {key for key, given in said.items() if any(voice.judge == judge.id for voice in given)}
    return bool(mine) and keys(ws, suite).of(ws, run) <= mine


def _runs(ws: Workspace, suite: str) -> Iterator[tuple[int, str, str]]:
    """Yield position, id and case of each run of a suite."""
    runs, cases = coded(ws, "runs", "run_id"), coded(ws, "runs", "case_id")
    for at in np.flatnonzero(coded(ws, "runs", "suite").among({suite})).tolist():
        yield at, runs.words[runs.codes[at]], cases.words[cases.codes[at]]


@memoize_per_workspace
def _weights(ws: Workspace, suite: str) -> dict[tuple[str, str], float]:
    """Return the weight of each criterion that has one, by case and key."""
    rules = ws.tables.criteria
    rules = rules[(rules["suite"] == suite) & rules["weight"].notna()]
    columns = (rules[name].astype(str) for name in ("case_id", "kind", "criterion"))
    return {
        (case, f"{kind}:{name}"): float(weight)
        for case, kind, name, weight in zip(*columns, rules["weight"], strict=True)
    }
