"""Judging by a server that has faults: a run for each, and what became of it in every place."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.engine.journal import Executed, Judged, events
from evalcore.engine.store import RunFolder
from evalcore.views.blocks.base import Block
from evalcore.views.runs.detail import runs_blocks
from evalcore.views.runs.model_blocks import model_blocks
from tests.cli.canary import configured, own, seen_in_processes
from tests.cli.command import evalcore
from tests.cli.judge_faults import ENDLESS, OTHERS, RETRIES, SECONDS, Fault
from tests.engine.conftest import write
from tests.engine.judging_model import answering
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

SKILL = "---\nname: writer\ndescription: Use when\n---\nWrite.\n"
ENDPOINT = '[endpoints.{name}]\nbase_url = "{url}"\nkey_env = "JUDGE_KEY"\nseconds = {seconds}\n'


class Met(NamedTuple):
    """What became of one fault: in the journal, on the page of its run, and at the server."""

    status: str
    said: str
    answer: str
    page: str
    requests: int


class Command(NamedTuple):
    """A command that judged: which faults it met, its folder, its document, and how it ended."""

    faults: Sequence[Fault]
    root: Path
    home: Path
    document: dict[str, Any]
    exit_code: int
    printed: str

    @property
    def folder(self) -> RunFolder:
        """The run that it started."""
        return RunFolder(self.home / "state/runs" / self.document["id"])


@dataclass
class Done:
    """The commands that met all faults, and what was seen meanwhile.

    `knocks` are connections to the host that redirects name, `seen` processes that showed a key.
    """

    home: Path
    commands: list[Command]
    fake: FakeOpenAI
    knocks: int
    seen: list[str]

    def met(self, name: str) -> Met:
        """Return what became of a fault."""
        command = next(c for c in self.commands if name in {each.name for each in c.faults})
        plan, found = command.folder.plan, command.folder.progress()
        at = [each.name for each in command.faults].index(name) + 1
        index = next(n for n, run in enumerate(plan.runs) if plan.case(run).name == f"{at}")
        blocks = [*runs_blocks(plan, found, "finished"), *model_blocks(plan, found)]
        page = "\n".join(_rows(blocks, plan.runs[index].run_id))
        asked = sum(f"<{name}>" in str(each.body["messages"]) for each in self.fake.asked)
        return Met(*_journaled(command.folder, index), page, asked)


def _journaled(folder: RunFolder, index: int) -> tuple[str, str, str]:
    """Return status, sentence and raw answer of a test run."""
    log = [each for each in events(folder.path) if getattr(each, "run", None) == index]
    judged = [each.graded for each in log if isinstance(each, Judged)]
    if not judged:
        (one,) = (each.execution for each in log if isinstance(each, Executed))
        return one.status, one.why, ""
    (verdict,) = judged[0].judged
    answers = judged[0].judging.answers if judged[0].judging else ()
    status = "scored" if verdict.passed is not None else verdict.status or ""
    return status, verdict.rationale, "".join(answers)


def _rows(blocks: list[Block], run_id: str) -> Iterator[str]:
    """Yield all that a page of a run says of one test run."""
    for block in blocks:
        for row in getattr(block, "rows", ()):
            if row.cells[0].id == run_id:
                yield from (f"{cell.text}\n{cell.sub or ''}" for cell in row.cells)


def suite(root: Path, names: list[str]) -> Path:
    """Write a suite with a case for each name, whose output is stored and has no grading."""
    evals = [
        {"id": at, "name": f"{at}", "prompt": f"Write for <{name}>.", "expectations": ["Friendly."]}
        for at, name in enumerate(names, 1)
    ]
    write(root / "writer/evals/evals.json", {"skill_name": "writer", "evals": evals})
    (root / "writer/SKILL.md").write_text(SKILL)
    for each in evals:
        place = root / f"writer-workspace/iteration-1/eval-{each['id']}"
        asked = {"eval_id": each["id"], "eval_name": each["name"], "prompt": each["prompt"]}
        write(place / "eval_metadata.json", asked | {"assertions": []})
        run = place / "with_skill/run-1"
        write(run / "timing.json", {"total_tokens": 1, "duration_ms": 2000})
        (run / "outputs").mkdir()
        (run / "outputs/letter.txt").write_text("Dear Mrs Iwasaki, it is done.\n")
    return root


@contextmanager
def knocked() -> Iterator[tuple[str, Callable[[], int]]]:
    """Yield the address of a host, and what counts the connections that ever came to it."""
    came: list[Any] = []

    def take() -> None:
        while True:
            try:
                came.append(door.accept())
            except OSError:
                return

    with socket.create_server(("127.0.0.2", 0)) as door:
        thread = threading.Thread(target=take, daemon=True)
        thread.start()
        yield f"http://127.0.0.2:{door.getsockname()[1]}", lambda: len(came)
        door.shutdown(socket.SHUT_RDWR)
        thread.join()


@contextmanager
def all_faults_met(home: Path) -> Iterator[Done]:
    """Judge a run for each fault; those that end by nothing but the deadline have a short one."""
    with fake_openai() as fake, knocked() as (elsewhere, knocks):
        answering(fake)
        judge, seen = fake.reply, list[str]()

        def watching(body: Body) -> str | Body:
            seen.extend(seen_in_processes())
            return judge(body)

        fake.reply = watching
        fake.redirect_to = f"{elsewhere}/v1/chat/completions"
        fake.faults_of = {f"<{each.name}>": list(each.faults) for each in (*OTHERS, *ENDLESS)}
        seconds = {"patient": 60.0, "short": SECONDS}
        told = (ENDPOINT.format(name=name, url=fake.url, seconds=s) for name, s in seconds.items())
        configured(home, *told)
        with ThreadPoolExecutor(2) as both:
            found = both.map(partial(_judged, home), seconds, (OTHERS, ENDLESS))
            yield Done(home, list(found), fake, knocks(), seen)


def _judged(home: Path, endpoint: str, faults: Sequence[Fault]) -> Command:
    root = suite(home / endpoint, [each.name for each in faults])
    asked = ("--model", f"{endpoint}/fake-1", "--retries", str(RETRIES), "--concurrency", "16")
    found = evalcore("judge", root, *asked, "--json", home=home, **own(home))
    assert found.stdout, found.stderr
    document = json.loads(found.stdout)
    return Command(faults, root, home, document, found.returncode, found.stdout + found.stderr)
