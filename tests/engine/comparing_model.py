"""A model that compares, analyzes and judges: a fake server, and a suite with two versions."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from evalcore.engine.improving.planning import plan_comparison, plan_improvement
from evalcore.engine.plan import Executor, Limits, Plan
from evalcore.engine.planning import Request
from evalcore.engine.process import work
from evalcore.engine.store import RunFolder, new_run
from tests.engine.conftest import fake as agent
from tests.engine.conftest import opened, write
from tests.engine.judging_model import verdicts
from tests.models.fake_openai import Body, FakeOpenAI, fake_openai

KEY = "sk-canary-improve-41"
STORED = Executor("stored", "stored")
OLD = "---\nname: writer\ndescription: Use when\n---\nWrite briefly.\nBe kind.\n"
NEW = "---\nname: writer\ndescription: Use when writing\n---\nWrite briefly.\nBe very kind.\n"
CASES = {"one": "write=a.txt one", "two": "write=b.txt two"}
SUGGESTION = {
    "area": "body",
    "before": "Write  briefly.",
    "after": "Write three sentences.",
    "reasoning": "Brief means anything.",
}


def workspace(root: Path, skill: str = NEW, cases: dict[str, str] = CASES) -> None:
    """Write a skill with two versions, the newest as it is now, unless `skill` is another text."""
    home = root / "writer-workspace"
    expected = [{"criterion": "done", "description": 'contains "done"', "required": True}]
    value = {
        "version": "1.0",
        "skill": "writer",
        "cases": [
            {"id": name, "prompt": prompt, "files": [], "expectations": expected}
            for name, prompt in cases.items()
        ],
    }
    write(root / "writer/evals/evals.json", value)
    (root / "writer/SKILL.md").write_text(skill)
    entries = []
    for number, text in enumerate((OLD, NEW)):
        folder = home / f"v{number}/skill"
        folder.mkdir(parents=True)
        (folder / "SKILL.md").write_text(text)
        entries.append(
            {
                "version": number,
                "timestamp": f"2026-01-0{number + 1}T00:00:00Z",
                "description": f"number {number}",
                "git_hash": None,
                "path": f"v{number}/skill",
                "average_score": None,
            }
        )
    write(home / "history.json", {"current_version": 1, "versions": entries})


def outputs(root: Path, texts: dict[str, dict[str, str]]) -> None:
    """Write an output and its grading for each case of versions: `{"v0": {"one": text}}`."""
    home = root / "writer-workspace"
    for version, cases in texts.items():
        for case, text in cases.items():
            folder = home / version / "runs" / case / "run-1"
            folder.mkdir(parents=True)
            (folder / "a.txt").write_text(text)
            result = {"criterion": "done", "score": 4, "passed": True, "reasoning": "It is there."}
            grading = {
                "case_id": case,
                "version": int(version[1:]),
                "run": 1,
                "overall_score": 4.0,
                "required_score": 4.0,
                "results": [result],
                "overall": "pass",
                "convention_compliance": {},
                "claims": [],
                "user_notes_summary": "",
                "eval_feedback": "",
                "execution_metrics": {},
            }
            write(home / f"grading/{case}_{version}_run1.json", grading)


def both(better: str = "good", worse: str = "poor") -> dict[str, dict[str, str]]:
    """Return outputs of which those of v1 are better."""
    return {"v0": dict.fromkeys(CASES, worse), "v1": dict.fromkeys(CASES, better)}


def kind_of(body: Body) -> str:
    """Return what a model is asked to do."""
    system = body["messages"][0]["content"]
    return next((kind for kind, words in KINDS.items() if words in system), "something else")


KINDS = {"compare": "compare two outputs", "analyze": "analyze why", "judge": "You grade"}


def shown(body: Body) -> tuple[str, str]:
    """Return the first and the second output as they were shown."""
    text = body["messages"][1]["content"]
    _, first, second = re.split(r"The (?:first|second) output:\n", text)
    return first, second


def compared(body: Body, **given: Any) -> dict[str, Any]:
    """Return an answer in which the output wins that says "good"; without one nobody wins."""
    form = body["messages"][0]["content"].rpartition("\n")[2]
    first, second = ("good" in each for each in shown(body))
    high, low = 5, 2
    scores = {
        name: {
            "reason_first": "About the first.",
            "reason_second": "About the second.",
            "first": high if first else low,
            "second": high if second else low,
        }
        for name in json.loads(form)["scores"]
    }
    winner = "tie" if first == second else "first" if first else "second"
    said = {"differences": ["One is good."], "reasoning": "It is good.", "winner": winner}
    return {"scores": scores, **said, **given}


def analyzed(*suggestions: dict[str, str]) -> dict[str, Any]:
    """Return an analysis with these suggestions."""
    said = list(suggestions or (SUGGESTION,))
    return {"strengths": ["It is kind."], "weaknesses": ["It was short."], "suggestions": said}


def replying(fake: FakeOpenAI, **kinds: Callable[[Body], Any]) -> None:
    """Let the server compare, analyze and judge well, unless `kinds` says otherwise."""
    usual: dict[str, Callable[[Body], Any]] = {
        "compare": compared,
        "analyze": lambda _: analyzed(),
        "judge": verdicts,
    }
    every = {**usual, **kinds}

    def reply(body: Body) -> str:
        said = every[kind_of(body)](body)
        return said if isinstance(said, str) else json.dumps(said)

    fake.reply = reply


@contextmanager
def comparing(config: Path) -> Iterator[FakeOpenAI]:
    """Run the server, and name it in a configuration."""
    config.parent.mkdir(parents=True, exist_ok=True)
    with fake_openai() as server:
        config.write_text(
            f'judge = "small"\n[endpoints.fake]\nbase_url = "{server.url}"\n'
            'key_env = "JUDGE_KEY"\nseconds = 5.0\n[models.small]\nendpoint = "fake"\n'
            'model = "fake-1"\ninput_usd = 1.0\noutput_usd = 5.0\n'
        )
        replying(server)
        yield server


def asked_to(fake: FakeOpenAI, kind: str) -> list[Body]:
    """Return what the server was asked to do of one kind."""
    return [each.body for each in fake.asked if kind_of(each.body) == kind]


def request(**asked: Any) -> Request:
    """Return a request with few tries."""
    limits = Limits(**{"concurrency": 2, "seconds": 20.0, "retries": 0, **asked.pop("limits", {})})
    return Request(executor=asked.pop("executor", STORED), limits=limits, **asked)


def improvement(
    root: Path, *, against: str | None = None, apply: bool = True, **asked: Any
) -> Plan:
    """Return the plan that improves the skill."""
    return plan_improvement(opened(root), "writer", request(**asked), against=against, apply=apply)


def improved(root: Path, **asked: Any) -> RunFolder:
    """Improve the skill in this process."""
    folder = new_run(improvement(root, **asked))
    work(folder.id)
    return folder


def compared_only(root: Path, a: str = "v0", b: str = "v1", **asked: Any) -> RunFolder:
    """Let the model compare two versions in this process."""
    folder = new_run(plan_comparison(opened(root), "writer", a, b, request(**asked)))
    work(folder.id)
    return folder


AGENT = agent()
