"""A model that judges: a fake server whose answers follow from what it is asked."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcore.engine.plan import Executor
from evalcore.engine.store import RunFolder
from tests.engine.people import run_of
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

KEY = "sk-canary-engine-93"
QUOTE = "done"
STORED = Executor("stored", "stored")
ONCE = {"retries": 0}
MODELS = ("fake-1", "fake-2")
"""As their server calls `small` and `other`, which the configuration of these tests names."""


@contextmanager
def configured(tmp_path: Path) -> Iterator[FakeOpenAI]:
    """A server that judges well, and a configuration that names it; its key is in JUDGE_KEY."""
    config = tmp_path / "config/models.toml"
    config.parent.mkdir(exist_ok=True)
    with fake_openai() as server:
        config.write_text(
            f'judge = "small"\n[endpoints.fake]\nbase_url = "{server.url}"\n'
            'key_env = "JUDGE_KEY"\nseconds = 5.0\n[models.small]\nendpoint = "fake"\n'
            'model = "fake-1"\ninput_usd = 1.0\noutput_usd = 5.0\nparameters = {temperature = 0}\n'
            '[models.other]\nendpoint = "fake"\nmodel = "fake-2"\n'
        )
        answering(server)
        yield server


def judged(root: Path, family: str = "iterations", **asked: Any) -> RunFolder:
    """Execute the case of a family and let the model judge it."""
    return run_of(root, family, **{"judge": "model", "limits": ONCE, **asked})


def grading(folder: RunFolder) -> dict[str, Any]:
    (one,) = folder.progress().runs
    path = next(each for each in reversed(one.paths) if "grading" in each)
    return dict(json.loads((Path(folder.plan.workspace) / path).read_text("utf-8")))


def verdicts(body: Body, **given: Any) -> dict[str, Any]:
    """Return an answer that scores each criterion as high as it can be, unless `given` says."""
    form = json.loads(body["messages"][0]["content"].rpartition("\n")[2])
    asked = form["criteria"]
    claims = [("All is there.", "quality", True), ("It has 9 pages.", "factual", False)]
    found = {
        "criteria": {name: _verdict(each) | given for name, each in asked.items()},
        "claims": [
            {"claim": claim, "type": kind, "verified": verified, "evidence": QUOTE}
            for claim, kind, verified in claims
        ],
        "feedback": {
            "vague": [{"criterion": "c2", "why": "It may mean two things."}],
            "missing": ["Nobody checks the length."],
            "suggested": ["It has at most 200 words."],
            "overall": "Say how long it may be.",
        },
    }
    kept = {"details": "It does.", "passed": True}
    return found | {"conventions": dict.fromkeys(form.get("conventions", ()), kept)}


def _verdict(asked: dict[str, Any]) -> dict[str, Any]:
    score = asked.get("score")
    result = {"passed": True} if score is None else {"score": int(score.split()[-1])}
    return {"rationale": "It says so.", "evidence": [QUOTE], **result, "confidence": 0.9}


def answering(fake: FakeOpenAI, *given: dict[str, Any]) -> None:
    """Let the server judge well, or answer by answer with these fields of each verdict."""
    left: Iterator[dict[str, Any]] = iter(given)
    fake.reply = lambda body: json.dumps(verdicts(body, **next(left, {})))
