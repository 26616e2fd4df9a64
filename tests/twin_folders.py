"""Twin workspaces: what a judge has still to compare was made by the other version in one of them.

Each run of a drawn case, with its outputs, grading, time, and what people said of it, lies in the
folder of the other version. All else is the same, and so is what the judge is shown.
"""

import json
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final

from evalcore.blind.creating import Design, create_study
from evalcore.blind.drawing import a_is_left, order
from evalcore.blind.judging import Answer, give_verdict, open_task, tasks
from evalcore.blind.keys import keep_secret
from evalcore.blind.proposing import propose, side_named
from evalcore.families.reviews.models import BlindPair
from evalcore.judging.answering.independent import Judges
from evalcore.judging.answering.notes import add_note
from evalcore.judging.hiding import studies
from evalcore.judging.model import Judge
from evalcore.judging.storing.store import new_id
from evalcore.workspace.opened import Workspace, open_workspace

ANA, BEN = Judge("ana-3f2a", "Ana"), Judge("ben-77c0", "Ben")
LETTERS, NOTES = "letters", "notes"
SIDES: Final = {
    LETTERS: ("iteration-1@with_skill", "iteration-2@with_skill"), NOTES: ("v0", "v1"),
}  # fmt: skip
DRAWN: Final = {
    "01a20cbe-cb9a-7265-a956-2fad9e96e991": (LETTERS, ("0", "1", "2")),
    "01a20cbe-cb9a-7265-a956-2fad9e96e992": (LETTERS, ("3",)),
    "01a20cbe-cb9a-7265-a956-2fad9e96e993": (NOTES, ("0", "1", "2")),
}
"""The studies: their suites, and the cases that Ana and Ben have to compare. Two more are open."""
CASES: Final = 6


def twin(root: Path, state: Path, *, swapped: bool, seed: int) -> Workspace:
    """Write a twin, with its studies begun on the machine whose folder is `state`.

    Twins of another seed have other secrets that show the judge the same.
    """
    state.mkdir(parents=True)
    known = {"judges": [ANA._asdict()], "browsers": {}}
    (state / "judges.json").write_text(json.dumps(known), "utf-8")
    _letters(root, swapped=swapped)
    _notes(root, swapped=swapped)
    ws = open_workspace(root, cache=False)
    for run in ws.tables.runs["run_id"].astype(str):
        if run.startswith(f"{LETTERS}::0@iteration-{1 + swapped}/with_skill#"):
            add_note(ws, LETTERS, run, "This one forgets the scope.", BEN)
    for study, (suite, cases) in DRAWN.items():
        _begin(ws, study, suite, cases, swapped=swapped, seed=seed)
    return open_workspace(root, cache=False)


def _begin(
    ws: Workspace, study: str, suite: str, cases: Sequence[str], *, swapped: bool, seed: int
) -> None:
    """Create a study whose pairs stand before Ana as in the other twin; Ben judges the first."""
    a, b = (side_named(ws, suite, name) for name in SIDES[suite])
    proposal = propose(a, b, chance=Random(1), cases=cases)
    keep_secret(study, secret_like(bytes(32), ANA.id, proposal.pairs, seed, swapped=swapped))
    create_study(ws, suite, proposal, Design((), Judges((ANA.id, BEN.id))), BEN, study)
    made = next(each for each in studies(ws, suite) if each.id == study)
    task = open_task(ws, made, BEN, next(iter(tasks(made, BEN))))
    give_verdict(ws, made, task, Answer("left", {}, "Kinder."), BEN, new_id())


def secret_like(
    secret: bytes, judge: str, pairs: Sequence[BlindPair], seed: int, *, swapped: bool
) -> bytes:
    """Return another secret in which a judge has the pairs in the same order.

    They stand on the same sides, swapped on the others.
    """
    wanted = order(secret, judge, pairs)
    sides = {pair: left != swapped for pair, left in a_is_left(secret, judge, pairs).items()}
    for number in count():
        found = sha256(f"{seed} {number}".encode()).digest()
        if order(found, judge, pairs) == wanted and a_is_left(found, judge, pairs) == sides:
            return found
    raise AssertionError("there is always one")


def _made(version: int, case: int, suite: str, *, swapped: bool) -> int:
    """Return which of the two kinds of run, 0 or 1, a version has of a case."""
    drawn = any(suite == of and str(case) in cases for of, cases in DRAWN.values())
    return 1 - version if swapped and drawn else version


def _letters(root: Path, *, swapped: bool) -> None:
    """Write two iterations; what is good is always the first kind.

    Stored aggregates are empty, and a grading of the second kind contradicts its summary.
    """
    texts = ("is kind", "is short", "names the customer")
    _json(root / f"{LETTERS}/evals/evals.json", {
        "skill_name": LETTERS,
        "evals": [
            {"id": at, "name": f"letter-{at}", "prompt": f"Letter {at}.", "expectations": texts}
            for at in range(CASES)
        ],
    })  # fmt: skip
    for version in (0, 1):
        home = root / f"{LETTERS}-workspace/iteration-{version + 1}"
        said = []
        for case in range(CASES):
            _json(home / f"eval-{case}/eval_metadata.json", {"eval_id": case})
            kind = _made(version, case, LETTERS, swapped=swapped)
            said.append(
                {"run_id": f"eval-{case}-with_skill-run-1", "feedback": ("", "Too long.")[kind]}
            )
            for run in (1, 2):
                _run(home / f"eval-{case}/with_skill/run-{run}", kind, texts, run)
                _run(home / f"eval-{case}/without_skill/run-{run}", 0, texts, run)
        _json(home / "benchmark.json", {"metadata": {}, "runs": [], "run_summary": {}})
        _json(home / "feedback.json", {"reviews": said, "status": "complete"})


def _run(place: Path, kind: int, texts: Sequence[str], run: int) -> None:
    passed = [{"text": text, "passed": at >= kind, "evidence": f"seen {kind}"}
              for at, text in enumerate(texts)]  # fmt: skip
    summary = {"passed": 3 - kind, "failed": kind, "total": 3, "pass_rate": 1.0}
    _json(place / "grading.json", {"expectations": passed, "summary": summary})
    took = 40 + kind + run / 10
    _json(place / "timing.json", {"executor_duration_seconds": took, "total_tokens": -kind})
    letter = ("Dear Mrs Iwasaki, thank you.", "Hello!")[kind]
    _text(place / "outputs/letter.md", letter)
    _text(place / "transcript.md", f"# User\n\nA letter.\n\n# Assistant\n\n{letter}\n")


def _notes(root: Path, *, swapped: bool) -> None:
    """Write a workspace of two versions, whose recorded averages are not those of its gradings."""
    _json(root / f"{NOTES}/evals/evals.json", {
        "version": "1.0",
        "skill": NOTES,
        "cases": [
            {"id": str(at), "prompt": f"Note {at}.", "files": [],
             "expectations": [{"criterion": "kind", "description": "Is kind", "required": True}]}
            for at in range(CASES)
        ],
    })  # fmt: skip
    _text(root / f"{NOTES}/SKILL.md", "---\nname: notes\ndescription: Notes.\n---\nWrite.\n")
    home, entries = root / f"{NOTES}-workspace", []
    for version in (0, 1):
        entries.append({
            "version": version, "timestamp": f"2026-03-0{version + 1}T00:00:00Z",
            "description": "", "git_hash": None, "path": f"v{version}/skill", "average_score": 1.0,
        })  # fmt: skip
        _text(home / f"v{version}/skill/SKILL.md", "---\nname: notes\n---\nWrite.\n")
        for case in range(CASES):
            kind = _made(version, case, NOTES, swapped=swapped)
            result = {"criterion": "kind", "score": 5 - 3 * kind, "passed": not kind}
            result["reasoning"] = f"Seen {kind}."
            _json(home / f"grading/{case}_v{version}_run1.json", {
                "case_id": str(case), "version": version, "run": 1, "overall_score": 5.0,
                "required_score": 5.0, "results": [result], "overall": ("pass", "fail")[kind],
            })  # fmt: skip
            _text(home / f"v{version}/runs/{case}/run-1/note.md", ("Thank you.", "No.")[kind])
    _json(home / "history.json", {"versions": entries, "current_version": 1})


def _json(path: Path, value: Any) -> None:
    _text(path, json.dumps(value))


def _text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def files(root: Path) -> Iterator[str]:
    """Yield the content of each file below a folder, with its name."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield f"{path.relative_to(root)}: {path.read_text('utf-8', 'replace')}"
