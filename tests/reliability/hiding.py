"""A folder with telling words in everything about some runs, and a walk through every page of it.

All that the server sends on the walk is searched for the words.
"""

import json
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final

from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.workspace.opened import Workspace, open_workspace
from tests.dashboard.live import Served
from tests.judging.copies import DEMO
from tests.reliability.client import Session
from tests.reviewing import Reviews

SUITE, FOLDER = "commit-helper", "commit-helper-workspace"
SECOND, SECOND_FOLDER = "release-notes", "release-notes-workspace"
RUNS: Final = (
    f"{SUITE}::2@iteration-2/with_skill#1",
    f"{SUITE}::2@iteration-2/without_skill#1",
    f"{SUITE}::3@iteration-3/with_skill#2",
    f"{SECOND}::breaking-change@v1/-#1",
)
OTHER: Final = Judge("ben-77c0", "Ben")
WORDS: Final = {
    "of the machine": "QZmachine",
    "of another person": "QZperson",
    "of who decided": "QZdecided",
    "of a note": "QZnote",
    "of who excluded it": "QZexcluded",
    "of who sent it": "QZsent",
    "of a feedback file": "QZfeedback",
    "of stored aggregates": "QZaggregate",
    "of a report beside them": "QZreport",
    "of its transcript": "QZtranscript",
    "of the full check": "QZtwice",
    "of its output": "QZoutput",
}
"""Words that stand in what belongs to the runs, by whose they are."""
OUTPUT: Final = WORDS["of its output"]
VERSIONS: Final = ("iteration-", "_skill", "v1", "@")
"""What tells the version or configuration of a run, in what the Judge page's panel is given."""
_MEDIA: Final = re.compile(rb"/media/[0-9a-f]+\.[a-z0-9]+")
_SAID: Final = ("evidence", "reasoning", "rationale", "details")


def telling(root: Path) -> Workspace:
    """Write a copy of two suites of the demo whose `RUNS` are told of by `WORDS` everywhere."""
    for name in (SUITE, FOLDER, SECOND, SECOND_FOLDER):
        shutil.copytree(DEMO / name, root / name)
    ws = open_workspace(root, cache=False)
    about = ws.tables.runs.set_index("run_id")
    for run in RUNS:
        grading = root / str(about.loc[run, "source"])
        _rewrite(grading, _saying)
        twice = f'{{"{WORDS["of the full check"]}": 1, "{WORDS["of the full check"]}": 2, '
        grading.write_text(twice + grading.read_text("utf-8").lstrip()[1:], "utf-8")
        for output in (root / str(about.loc[run, "outputs"])).rglob("*.*"):
            output.write_text(f"A message: {OUTPUT}.", "utf-8")
        (grading.parent / "transcript.md").write_text(WORDS["of its transcript"], "utf-8")
    for path in root.glob("*/iteration-*/benchmark.json"):
        _rewrite(path, lambda value: value | {"notes": [WORDS["of stored aggregates"]]})
        path.with_suffix(".md").write_text(WORDS["of a report beside them"], "utf-8")
        name = f"eval-{2}-with_skill"
        said = {"run_id": name, "feedback": WORDS["of a feedback file"], "timestamp": "2026-04-01"}
        (path.parent / "feedback.json").write_text(json.dumps({"reviews": [said]}), "utf-8")
    ws = open_workspace(root, cache=False)
    for run in RUNS:
        _said(Reviews(root, FOLDER if run.startswith(SUITE) else SECOND_FOLDER), ws, run)
    return open_workspace(root, cache=False)


def _said(reviews: Reviews, ws: Workspace, run: str) -> None:
    """Let others say something of a run, in every type of record."""
    rows = ws.tables.judgments[ws.tables.judgments["run_id"] == run]
    names = ["kind", "criterion", "min_score", "max_score"]
    for kind, criterion, low, high in rows[names].to_numpy().tolist():
        key, scale = f"{kind}:{criterion}", (float(low), float(high))
        for by, score in ((OTHER.id, scale[0]), ("cem-1", scale[1])):
            reviews.judge(run, key, score, by, scale, WORDS["of another person"])
    decided = reviews.decide(run, key, scale[1], scale)
    path = reviews.root / reviews.path("adjudication", decided)
    path.write_text(path.read_text("utf-8").replace("Both looked again.", WORDS["of who decided"]))
    reviews.put("note", {"testRunId": run, "text": WORDS["of a note"]}, OTHER.id)
    reviews.put("approval-request", {"testRunId": run, "reason": WORDS["of who sent it"]}, OTHER.id)
    if run == RUNS[3]:
        out = {"testRunId": run, "reason": WORDS["of who excluded it"]}
        reviews.put("exclusion", out, OTHER.id)


def _rewrite(path: Path, change: Any) -> None:
    path.write_text(json.dumps(change(json.loads(path.read_text("utf-8")))), "utf-8")


def _saying(value: Any, name: str = "") -> Any:
    """Return a grading in which every reason has the machine's words."""
    if isinstance(value, dict):
        return {key: _saying(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [_saying(each, name) for each in value]
    return WORDS["of the machine"] if isinstance(value, str) and name in _SAID else value


def ask(ws: Workspace, judge: str) -> None:
    """Ask a judge, by name, to judge the runs independently."""
    start_batch(ws, chosen(RUNS, len(RUNS)), Judges((), (judge,)), OTHER)


def addresses(ws: Workspace, runs: Collection[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield every page that shows anything of some runs: all tabs, filters, links and files."""
    for suite in dict.fromkeys(run.partition("::")[0] for run in runs):
        yield from _of_suite({"suite": suite})
    about = ws.tables.runs.astype(str).set_index("run_id").to_dict("index")
    for run in runs:
        row = {str(name): str(value) for name, value in about[run].items()}
        rows = ws.tables.judgments["run_id"] == run
        key = ":".join(ws.tables.judgments.loc[rows, ["kind", "criterion"]].astype(str).iloc[-1])
        yield from _of_run(run, row, key)
        for path in _files(ws.root, run, row):
            yield "data", {"suite": row["suite"], "dview": "files", "file": path}


def _of_suite(suite: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    for scores in ("recorded", "human"):
        yield "overview", suite | {"scores": scores}
        yield "compare", suite | {"scores": scores}
        yield "rubric", suite | {"scores": scores}
        yield "trends", suite | {"scores": scores}
    for kind in ("failing", "people", "differ", "excluded"):
        yield "gradings", suite | {"filter": kind}
    for query in ({"q": "QZ"}, {"outputs": "1"}, {"score": "..3"}):
        yield "gradings", suite | query
    for query in ({}, {"group": "cause"}):
        yield "failures", suite | query
    yield "judge", suite
    for query in ({}, {"judges": "all"}):
        yield "judge", suite | {"view": "agreement"} | query
    for part in ("files", "problems", "cases"):
        yield "data", suite | {"dview": part}


def _of_run(run: str, row: Mapping[str, str], key: str) -> Iterator[tuple[str, dict[str, str]]]:
    suite = {"suite": row["suite"]}
    column = {"v": row["version"], "c": row["configuration"]}
    for tab in ("grades", "output", "transcript", "steps", "case", "raw"):
        yield "gradings", suite | column | {"run": run, "tab": tab, "whole": "1"}
    beside = "iteration-1@with_skill,iteration-2@with_skill,iteration-3@with_skill,v1,v2"
    yield "gradings", suite | {"run": run, "tab": "output", "beside": beside}
    yield "failures", suite | {"failure": run}
    yield "overview", suite | column
    yield "rubric", suite | column | {"criterion": key, "at": "@".join(column.values())}
    yield "trends", suite | {"metric": f"criterion:{key}", "point": "@".join(column.values())}
    for tab in ("case", "outputs"):
        yield "compare", suite | column | {"case": row["case_id"], "tab": tab}
    yield "judge", suite | {"run": run}
    yield "judge", suite | {"view": "agreement", "settle": run, "on": key}


def _files(root: Path, run: str, about: Mapping[str, str]) -> Iterator[str]:
    """Yield the files that tell of a run: its own, aggregates and reports, records about it."""
    source = root / about["source"]
    own = [source, source.parent / "transcript.md", *(root / about["outputs"]).rglob("*.*")]
    top = root / about["source"].partition("/")[0]
    stored = ("benchmark.json", "benchmark.md", "feedback.json", "history.json")
    own += (path for path in (top / about["version"]).rglob("*") if path.name in stored)
    own += top.glob("history.json")
    for kind in (top / "reviews").iterdir():
        records = (path for path in kind.glob("*.json") if _is_about(path, run))
        own += list(records)[:1]
    yield from (path.relative_to(root).as_posix() for path in own)


def _is_about(path: Path, run: str) -> bool:
    found: bool = json.loads(path.read_text("utf-8"))["fields"].get("testRunId") == run
    return found


Place = tuple[str, tuple[tuple[str, str], ...]]
"""A page and its address parameters."""


def walk(served: Served, pages: Iterable[tuple[str, Mapping[str, str]]]) -> dict[Place, bytes]:
    """Return all that the server sends on each page, with what opens on a click and downloads.

    Two tabs are open at a time: most of a visit is waiting for the server.
    """
    with ThreadPoolExecutor(2) as tabs:
        return dict(tabs.map(lambda page: _visited(served, *page), pages))


def _visited(served: Served, page: str, query: Mapping[str, str]) -> tuple[Place, bytes]:
    with Session(served, page, **query) as window:
        window.open()
        window.tick()
        if window.boxes:
            window.open_boxes()
        window.cut()  # a farewell would take longer than the visit
        frames = b"".join(window.frames)
        media = (_fetched(served, path) for path in set(_MEDIA.findall(frames)))
        return (page, tuple(query.items())), b"".join((frames, *media))


def _fetched(served: Served, path: bytes) -> bytes:
    connection = HTTPConnection("127.0.0.1", served.port, timeout=20)
    host = f"127.0.0.1:{served.port}"
    headers = {"Host": host, "Cookie": served.cookie, "X-Evalcore-Key": served.key}
    connection.request("GET", path.decode(), headers=headers)
    data = connection.getresponse().read()
    connection.close()
    return data


def told(sent: Mapping[Place, bytes]) -> dict[str, list[Place]]:
    """Return where each of `WORDS` was sent; the output of a run is the Judge page's to show."""
    return {
        whose: places
        for whose, word in WORDS.items()
        if (
            places := [
                place
                for place, data in sent.items()
                if word.encode() in data and (word != OUTPUT or place[0] != "judge")
            ]
        )
    }
