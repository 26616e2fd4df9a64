"""Whole studies of two versions that are alike: created, judged by chance, closed, and counted."""

import json
import shutil
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

from evalcore.blind.closing import revealed
from evalcore.blind.creating import Design, create_study
from evalcore.blind.judging import Answer, give_verdict, open_task, take_part, tasks
from evalcore.blind.keys import keep_secret
from evalcore.blind.proposing import propose, side_named
from evalcore.blind.results import Results, results
from evalcore.blind.writing import end
from evalcore.families.reviews.review import Winner
from evalcore.judging.answering.independent import Judges
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.judging.studies import Study
from evalcore.workspace.opened import Workspace, open_workspace

SUITE = "letters"
JUDGES = tuple(Judge(f"judge-{number:04}", f"Judge {number}") for number in range(3))
AUTHOR = Judge("ben-77c0", "Ben")
Says = Callable[[Random], Winner]
"""What a judge says of a pair of outputs that are alike."""

COIN: Says = lambda chance: chance.choice(("left", "right"))  # noqa: E731 - a table of rules
TIES: Says = lambda chance: chance.choice(("left", "right", "tie"))  # noqa: E731
LEFT: Says = lambda _: "left"  # noqa: E731


def folder(root: Path, cases: int) -> Workspace:
    """Write two iterations of so many cases, and open them."""
    evals = [{"id": at, "prompt": f"Write letter {at}.", "expectations": []} for at in range(cases)]
    _write(root / f"{SUITE}/evals/evals.json", json.dumps({"skill_name": SUITE, "evals": evals}))
    for version in (1, 2):
        for at in range(cases):
            run = root / f"{SUITE}-workspace/iteration-{version}/eval-{at}/with_skill/run-1"
            _write(run / "grading.json", json.dumps({"expectations": []}))
            _write(run / "outputs/letter.md", f"{'Dear' * (version + at % 3)} {version} {at}")
    return open_workspace(root, cache=False)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def studied(ws: Workspace, seed: int, *says: Says, again: bool = False) -> Results:
    """Create a study, let one judge for each rule compare all its pairs, close it; its results.

    `again` lets each judge replace half of their verdicts afterwards. What is drawn follows from
    the seed.
    """
    chance, study = Random(seed), new_id()
    a, b = (side_named(ws, SUITE, f"iteration-{number}") for number in (1, 2))
    keep_secret(study, sha256(f"{seed}".encode()).digest())
    create_study(ws, SUITE, propose(a, b, chance=chance), Design((), Judges(())), AUTHOR, study)
    for judge, rule in zip(JUDGES, says, strict=False):
        take_part(ws, _now(ws), judge, "joined")
        named = [*tasks(_now(ws), judge)]
        second = chance.sample(named, len(named) // 2) if again else []
        for task in (*named, *second):
            opened = open_task(ws, _now(ws), judge, task)
            answer = Answer(rule(chance), {}, "By chance.")
            give_verdict(ws, _now(ws), opened, answer, judge, new_id())
    ended = end(ws, _now(ws), AUTHOR)
    found = results(ended.study, revealed(ended.study).verdicts, lambda _: 1)
    shutil.rmtree(ws.root / f"{SUITE}-workspace/reviews")
    return found


def _now(ws: Workspace) -> Study:
    return studies(ws, SUITE)[-1]


def share_above(found: Sequence[Results], level: float) -> float:
    """Return in which share of studies the evidence against "equally good" reached a level."""
    return sum(each.evidence >= level for each in found) / len(found)
