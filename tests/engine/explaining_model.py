"""A model that says why runs failed: a fake server whose answers follow from what it is asked."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcore.engine.failure_analysis.planning import plan_failures
from evalcore.engine.plan import Limits, Plan
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, new_run
from tests.engine.conftest import opened
from tests.engine.judging_model import verdicts
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

KEY = "sk-canary-explain-17"


def form_of(body: Body) -> dict[str, Any]:
    """Return the form of the answer that a model is asked for."""
    return dict(json.loads(body["messages"][0]["content"].rpartition("\n")[2]))


def shown(body: Body) -> str:
    """Return what a model is shown."""
    return str(body["messages"][1]["content"])


def explained(body: Body, **given: Any) -> dict[str, Any]:
    """Return a valid answer, with other fields where they are given."""
    return {
        "gap": "The word is missing.",
        "failure_type": "hallucination",
        "criteria": form_of(body)["criteria"],
        "severity": "critical",
        "root_cause": "The agent never read the file.",
        "evidence": [],
        "lesson": "Read the file first.",
        **given,
    }


def replying(fake: FakeOpenAI, say: Callable[[Body], Any] = explained) -> None:
    """Let the server explain failures, and fail every run that it judges."""

    def reply(body: Body) -> str:
        is_judge = "You grade" in body["messages"][0]["content"]
        said = failed(body) if is_judge else say(body)
        return said if isinstance(said, str) else json.dumps(said)

    fake.reply = reply


def failed(body: Body) -> dict[str, Any]:
    """Return a judgment in which every criterion fails, on whatever scale."""
    found = verdicts(body)
    for each in found["criteria"].values():
        if "passed" in each:
            each["passed"] = False
        else:
            each["score"] = 1
    return found


@contextmanager
def explaining(config: Path) -> Iterator[FakeOpenAI]:
    """Run the server, and name it in a configuration; its key is in JUDGE_KEY."""
    config.parent.mkdir(parents=True, exist_ok=True)
    with fake_openai() as server:
        config.write_text(
            f'judge = "small"\n[endpoints.fake]\nbase_url = "{server.url}"\n'
            'key_env = "JUDGE_KEY"\nseconds = 5.0\n[models.small]\nendpoint = "fake"\n'
            'model = "fake-1"\ninput_usd = 1.0\noutput_usd = 5.0\n'
        )
        replying(server)
        yield server


def planned(root: Path, suite: str, *runs: str, **limits: Any) -> Plan:
    """Return the plan that asks about failed runs, or about all that are open."""
    bounds = Limits(**{"concurrency": 2, "retries": 0, **limits})
    return plan_failures(opened(root), suite, runs, limits=bounds)


def asked(root: Path, suite: str, *runs: str, **limits: Any) -> RunFolder:
    """Ask about failed runs in this process."""
    folder = new_run(planned(root, suite, *runs, **limits))
    work(folder.id)
    return folder
